"""The end of `make figures`: the findings of a run in a few lines, and where its results are."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from fuzzybounds.storage.first_look import first_look_note

GREEN, YELLOW, RED, GREY = "32", "33", "31", "90"
LOOKS = {
    "not reproduced": ("✗", RED),
    "does not hold": ("✗", RED),
    "in direction": ("≈", YELLOW),
    "reproduced": ("✓", GREEN),
    "holds": ("✓", GREEN),
    "inconclusive": ("?", YELLOW),
    "undecided": ("?", YELLOW),
}
"""Sign and colour of a verdict, by the first of these words that it has."""
OTHERWISE = ("–", GREY)
PLACES = {
    "Report": "report.html",
    "Figures": "figures/  (PDF, SVG, PNG)",
    "Notebooks": "notebooks/  (executed)",
    "Scorecard": "claims.txt  (each claim in full)",
}
"""Where results are, the report first."""


def summary(folder: str | Path, width: int = 80, colours: bool = False) -> list[str]:
    """Return the lines that sum up a results folder: one per claim, then one per place.

    Parameters
    ----------
    folder : path
        ``results/{dataset}``.
    width : int
        Characters of the longest line.
    colours : bool
        Whether the terminal shows colours.
    """
    folder = Path(folder)
    with open(folder / "claims.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    note = first_look_note(json.loads((folder / "dataset.json").read_text(encoding="utf-8")))
    marked = [f"\x1b[{RED}m{note}\x1b[0m" if colours else note] if note else []
    head = f"Claims of the paper on {folder.name}:"
    places = [f"{name + ':':<11}{folder.as_posix()}/{file}" for name, file in PLACES.items()]
    # At both ends, because a terminal shows the last lines and a log is read from the first.
    return [*marked, head, *claim_lines(rows, width, colours), "", *places, *marked]


def look_of(verdict: str) -> tuple[str, str]:
    """Return sign and colour of a verdict."""
    return next((look for words, look in LOOKS.items() if words in verdict), OTHERWISE)


def claim_lines(rows: Sequence[Mapping[str, str]], width: int, colours: bool) -> list[str]:
    """Format a claim in one line: sign, number, verdict, and as much of the result as fits."""
    widest = max((len(row["verdict"]) for row in rows), default=0)
    lines = []
    for row in rows:
        sign, colour = look_of(row["verdict"])
        head = f"{sign} {row['id']}  {row['verdict']:<{widest}}"
        room = width - len(head) - 2
        found = " ".join(row["ours"].split())
        if len(found) > room:
            found = found[: max(room - 1, 0)] + "…"
        painted = f"\x1b[{colour}m{head}\x1b[0m" if colours else head
        lines.append(f"{painted}  {found}".rstrip())
    return lines
