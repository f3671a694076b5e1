"""The registry of figures, workflow/figures.yaml."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from support.datasets import Dataset

FORMATS = ("pdf", "svg", "png")


def tables_of(figure: Mapping[str, Any], dataset: str) -> dict[str, str]:
    """Paths of the tables that a figure draws, by name."""
    return {Path(name).stem: f"results/{dataset}/{name}" for name in figure.get("tables", [])}


def printed_numbers(claims: Mapping[str, Any], ids: Iterable[str]) -> dict[str, float]:
    """The numbers that the paper prints for some claims, by name."""
    return {name: value for id_ in ids for name, value in claims[id_]["printed"].items()}


def caption_of(notebook: Path) -> str:
    """What a notebook says that it draws: its first cell without the heading."""
    lines = "".join(json.loads(notebook.read_text(encoding="utf-8"))["cells"][0]["source"])
    return " ".join(line for line in lines.splitlines() if not line.startswith("#")).strip()


def category_of(figure: str) -> str:
    """Where Snakemake's own report lists a figure."""
    return "Supplementary figures" if figure.startswith("figS") else "Figures"


def labels_of(wildcards: Any, figures: Mapping[str, Any]) -> dict[str, str]:
    """What Snakemake's own report says of a figure in its list."""
    title = figures[wildcards.figure]["title"]
    return {"figure": wildcards.figure, "title": title, "data set": wildcards.dataset}


def shown(dataset: Dataset, figures: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """What the report needs to know of each figure of a data set, those on request among them."""
    return {
        figure: {key: entry[key] for key in ("title", "paper") if key in entry}
        for figure, entry in figures.items()
        if entry.get("only", dataset.kind) == dataset.kind
    }


def files_of(
    dataset: Dataset,
    figures: Mapping[str, Any],
    formats: Iterable[str] = FORMATS,
    *,
    on_request: bool = False,
) -> list[str]:
    """The files, in some or all formats, of a data set's figures, or of those drawn on request.

    A figure that is only for one kind of data set is left out of the others.
    """
    return [
        f"results/{dataset.name}/figures/{figure}.{extension}"
        for figure in shown(dataset, figures)
        if figures[figure].get("on_request", False) == on_request
        for extension in formats
    ]
