"""Registry of figures: the first cell of each notebook describes what it draws.

That cell is raw text, YAML between two lines of dashes:

title, label   what the figure shows, and its label in the paper's source
paper          what the paper says about it, in other words (absent: not in the paper)
tables         the result tables that it draws, by name (absent: a worked example of the paper)
options        the options of config.yaml that it takes, as section.name
on_request     true: drawn by `fuzzybounds run --only supplement`, because it takes minutes
only           the one kind of data set that it is drawn for (absent: all)
"""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.documents import check, parse_yaml
from fuzzybounds.core.errors import InputError

NAME = re.compile(r"(?P<figure>fig(?P<letter>S?)(?P<number>\d+))_\w+")
FRONT_MATTER = re.compile(r"---\n(?P<content>.*)\n---\s*", re.S)
_TEXT = {"type": "string"}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["title", "label"],
    "properties": {
        "title": _TEXT,
        "label": _TEXT,
        "paper": _TEXT,
        "tables": {"type": "array", "items": {"enum": list(TABLES)}},
        "options": {"type": "array", "items": {"type": "string", "pattern": r"^[a-z]+\.[a-z_]+\Z"}},
        "on_request": {"type": "boolean"},
        "only": {"enum": ["simulated", "published", "own"]},
    },
}


def read_registry(folder: str | Path) -> dict[str, dict[str, Any]]:
    """Read what the notebooks of a folder say about their figures, in the order of the figures.

    Returns
    -------
    dict
        From the figure's id to its first cell, with two more keys: notebook, its path, and caption,
        the text below its heading.
    """
    named = [(NAME.fullmatch(path.stem), path) for path in Path(folder).glob("*.ipynb")]
    figures = [(match, path) for match, path in named if match]
    figures.sort(key=lambda pair: (pair[0]["letter"], int(pair[0]["number"]), pair[1]))
    twice = [
        f"{one} and {other}: both draw {match['figure']}; give one of them a free number"
        for (match, one), (next_match, other) in pairwise(figures)
        if match["figure"] == next_match["figure"]
    ]
    if twice:
        raise InputError(f"{folder}: two notebooks draw the same figure", twice)
    return {match["figure"]: _entry(path) for match, path in figures}


def _entry(path: Path) -> dict[str, Any]:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    match = FRONT_MATTER.fullmatch("".join(cells[0]["source"])) if cells else None
    if match is None or cells[0]["cell_type"] != "raw":
        raise InputError(
            f"{path}: its first cell does not describe the figure",
            ["expected a raw cell with YAML between lines of dashes, as in other notebooks"],
        )
    entry = parse_yaml(match["content"], str(path))
    check(entry, SCHEMA, str(path))
    return {**entry, "notebook": str(path), "caption": caption_of(cells)}


def caption_of(cells: list[dict[str, Any]]) -> str:
    """Return the text of a notebook's first Markdown cell, without its heading."""
    first = next(cell for cell in cells if cell["cell_type"] == "markdown")
    lines = "".join(first["source"]).splitlines()
    return "\n".join(line for line in lines if not line.startswith("#")).strip()
