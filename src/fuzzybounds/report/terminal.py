"""The end of `fuzzybounds run`: the findings of a run in a few lines, and where its results are."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from fuzzybounds.core.results import first_look_note
from fuzzybounds.scorecard.claims import claim

LOOKS = {
    claim.REPRODUCED: ("yes", "✓"),
    claim.SUPPORTED: ("yes", "✓"),
    claim.DIRECTION: ("direction", "≈"),
    claim.DEPENDS: ("direction", "≈"),
    claim.NOT: ("no", "✗"),
    claim.UNSUPPORTED: ("no", "✗"),
    claim.UNIDENTIFIED: ("no", "⊘"),
    claim.UNDECIDED: ("undecided", "?"),
    claim.UNTESTABLE: ("untestable", "–"),
    claim.UNPRINTED: ("untestable", "–"),
    claim.WITHHELD: ("untestable", "–"),
}
"""For each verdict and conclusion its style, and a sign that distinguishes it without colour."""
RESULTS = ("verdict", "conclusion")

RED, COLOURS = "31", {"yes": "32", "direction": "33", "no": "31", "undecided": "33"}
"""Colours of the terminal, by the style of a verdict in the report; others are grey."""
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
    head = f"Claims of the paper on {folder.name} (printed result, conclusion):"
    places = [f"{name + ':':<11}{folder.as_posix()}/{file}" for name, file in PLACES.items()]
    # At both ends, because a terminal shows the last lines and a log is read from the first.
    return [*marked, head, *claim_lines(rows, width, colours), "", *places, *marked]


def claim_lines(rows: Sequence[Mapping[str, str]], width: int, colours: bool) -> list[str]:
    """Format a claim in one line: signs, number, results, and as much of ours as fits."""
    widest = [max((len(row[name]) for row in rows), default=0) for name in RESULTS]
    lines = []
    for row in rows:
        style, sign = LOOKS[row["verdict"]]
        found = "  ".join(f"{row[name]:<{n}}" for name, n in zip(RESULTS, widest, strict=True))
        head = f"{sign}{LOOKS[row['conclusion']][1]} {row['id']}  {found}"
        room = width - len(head) - 2
        ours = " ".join(row["ours"].split())
        if len(ours) > room:
            ours = ours[: max(room - 1, 0)] + "…"
        painted = f"\x1b[{COLOURS.get(style, '90')}m{head}\x1b[0m" if colours else head
        lines.append(f"{painted}  {ours}".rstrip())
    return lines
