"""The end of `fuzzybounds run`: the findings of a run in a few lines, and where its results are."""

from __future__ import annotations

import csv
import json
import textwrap
from pathlib import Path

from fuzzybounds.core.results import first_look_note
from fuzzybounds.report.text import rounded
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
CLAIMS = {
    "C01": "The task as described",
    "C02": "Boundaries vary early on",
    "C03": "Varying boundary fits better",
    "C04": "Reinforcement model fits best",
    "C05": "Likelihood of Fig. 2's path",
    "C06": "1.5 s is rather short",
    "C07": "A response gives one rule",
    "C08": "The appendix's gradients are right",
    "C09": "Fast and slow subjects exist",
    "C10": "Fast respond more readily",
    "C11": "Fast stop at S M",
    "C12": "Practice moves lower-left cells",
    "C13": "Slow boundary above the fast",
    "C14": "Practice brings groups together",
    "C15": "Three-session subjects keep rules",
    "C16": "Learning rule raises reward rate",
    "C17": "Optimal boundary falls with time",
    "C18": "Fits reveal each subject's rules",
    "C19": "Slow group's blue area grows",
    "C20": "Groups differ at S, M",
    "C21": "Rule L M dominates late",
    "C22": "Subjects adjusted by reinforcement",
    "C23": "Rational: little time if hard",
    "C24": "Figs. 4, 5 resemble subjects",
    "C25": "Tuning memberships mends the fit",
    "C26": "Practice narrowed S, widened M",
    "C27": "Farther out is more correct",
    "B01": "Rules beat an explicit boundary",
    "B02": "Time and position alone decide",
}
"""What each claim says, in five words."""
INDENT = " " * 8

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
    """Return the lines that sum up a results folder: each claim, then where everything is.

    What the data give stands beside the claim, or below it where it is long; it is never cut.
    Below what is undecided stands the reason.
    """
    folder = Path(folder)
    with open(folder / "claims.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    note = first_look_note(json.loads((folder / "dataset.json").read_text(encoding="utf-8")))
    marked = [f"\x1b[{RED}m{note}\x1b[0m" if colours else note] if note else []
    title = f"Claims of the paper on {folder.name}: as printed? (first sign) do they hold?"
    lines = [*marked, *decided(folder), title]
    longest = max(map(len, CLAIMS.values()))
    widest = max((len(row["conclusion"]) for row in rows), default=0)
    for row in rows:
        (_, printed), (style, sign) = LOOKS[row["verdict"]], LOOKS[row["conclusion"]]
        head = f"{printed}{sign} {row['id']}  {CLAIMS.get(row['id'], ''):<{longest}}  "
        head += f"{row['conclusion']:<{widest}}"
        painted = f"\x1b[{COLOURS.get(style, '90')}m{head}\x1b[0m" if colours else head
        fits = len(head) + 2 + len(row["ours"]) <= width
        ours = _wrapped(row["ours"], width)
        lines += [f"{painted}  {row['ours']}"] if fits else [painted.rstrip(), *ours]
        if row["doubt"]:
            lines += _wrapped(f"undecided: {row['doubt']}", width)
    places = [f"{name + ':':<11}{folder.as_posix()}/{file}" for name, file in PLACES.items()]
    # The note stands at both ends: a terminal shows the last lines, a log is read from the first.
    return [*lines, "", *places, *marked]


def decided(folder: str | Path) -> list[str]:
    """Say what a study with random starts or a gate decided, if this is one."""
    path = Path(folder) / "hypotheses.csv"
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if not row["subject"]]
    return [
        f"{row['id']}, {row['asked']}: {rounded(row['value'], 3)} (standard error "
        f"{rounded(row['se'], 2) or 'unknown'}, subjects: {row['subjects']})"
        f"{'; ' if row['answer'] else ''}{row['answer']}"
        for row in rows
    ]


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(
        text,
        max(width - len(INDENT), 20),
        initial_indent=INDENT,
        subsequent_indent=INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )
