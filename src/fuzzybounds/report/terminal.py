"""The end of `fuzzybounds run`: the findings of a run in a few lines, and where its results are."""

from __future__ import annotations

import csv
import json
import textwrap
from pathlib import Path

from fuzzybounds.core.results import first_look_note
from fuzzybounds.scorecard import verdicts

LOOKS = {
    verdicts.AS_PRINTED: ("yes", "✓"),
    verdicts.READING: ("yes", "✓"),
    verdicts.CHANGED: ("direction", "≈"),
    verdicts.SUPPORTED: ("yes", "✓"),
    verdicts.DIRECTION: ("direction", "≈"),
    verdicts.DEPENDS: ("direction", "≈"),
    verdicts.NOT: ("no", "✗"),
    verdicts.UNSUPPORTED: ("no", "✗"),
    verdicts.UNIDENTIFIED: ("no", "⊘"),
    verdicts.UNDECIDED: ("undecided", "?"),
    verdicts.UNTESTABLE: ("untestable", "–"),
    verdicts.UNPRINTED: ("untestable", "–"),
    verdicts.WITHHELD: ("untestable", "–"),
}
"""For each verdict and conclusion its style, and a sign that distinguishes it without colour."""
RESULTS = ("verdict", "conclusion")

RED, COLOURS = "31", {"yes": "32", "direction": "33", "no": "31", "undecided": "33"}
"""Colours of the terminal, by the style of a verdict in the report; others are grey."""
PLACES = {
    "Report": "report.html",
    "Figures": "figures/  (PDF, SVG, PNG)",
    "Notebooks": "notebooks/  (executed)",
    "Scorecard": "claims.csv  (each claim in full)",
}
"""Where results are, the report first."""


def summary(folder: str | Path, width: int = 80, colours: bool = False) -> list[str]:
    """Return the lines that sum up a results folder: one per claim, then one per place."""
    folder = Path(folder)
    with open(folder / "claims.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    note = first_look_note(json.loads((folder / "dataset.json").read_text(encoding="utf-8")))
    marked = [f"\x1b[{RED}m{note}\x1b[0m" if colours else note] if note else []
    lines = [*marked, f"Claims of the paper on {folder.name} (printed result, conclusion):"]
    widest = [max((len(row[name]) for row in rows), default=0) for name in RESULTS]
    for row in rows:
        style, sign = LOOKS[row["verdict"]]
        found = "  ".join(f"{row[name]:<{n}}" for name, n in zip(RESULTS, widest, strict=True))
        head = f"{sign}{LOOKS[row['conclusion']][1]} {row['id']}  {found}"
        ours = textwrap.shorten(row["ours"], max(width - len(head) - 2, 1), placeholder="…")
        painted = f"\x1b[{COLOURS.get(style, '90')}m{head}\x1b[0m" if colours else head
        lines.append(f"{painted}  {ours}")
    places = [f"{name + ':':<11}{folder.as_posix()}/{file}" for name, file in PLACES.items()]
    # The note stands at both ends: a terminal shows the last lines, a log is read from the first.
    return [*lines, "", *places, *marked]
