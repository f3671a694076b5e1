"""What the explorer shows: fitted memberships and rules, in s and px, as data of the page."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
from markupsafe import Markup

from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.fits import FitTables, controllers

DRAW = 1
"""The draw whose fits are shown: the paper has one."""
LARGEST = 60
"""Subjects that are shown; a page with thousands would be slow to load."""
DIGITS = 9
"""Significant digits of a number: many more than can be seen, and few enough to stay small."""


@dataclass(frozen=True)
class Explorer:
    """The fits that a reader can play with.

    Attributes
    ----------
    fits : list of dict
        Per subject, number of labels and window: memberships in s and px, and rules.
    subjects : list of str
        Whose fits they are.
    left_out : int
        How many more subjects the data set has.
    """

    fits: list[dict[str, Any]] = field(default_factory=list)
    subjects: list[str] = field(default_factory=list)
    left_out: int = 0

    def to_json(self) -> Markup:
        """Return the fits as JSON that is safe within a script element."""
        text = json.dumps({"fits": self.fits}, separators=(",", ":"), ensure_ascii=False)
        return Markup(text.replace("<", "\\u003c"))


def collect(fuzzy_fits: pd.DataFrame, rules: pd.DataFrame, memberships: pd.DataFrame) -> Explorer:
    """Collect the fits of one draw, subject by subject.

    Parameters
    ----------
    fuzzy_fits, rules, memberships : DataFrame
        Result tables.
    """
    everyone = list(dict.fromkeys(fuzzy_fits["subject"]))
    shown = everyone[:LARGEST]
    tables = FitTables(
        *(
            table[table["subject"].isin(shown) & (table["draw"] == DRAW)]
            for table in (fuzzy_fits, rules, memberships)
        )
    )
    scales = tables.fits.groupby("subject")[["time_range", "position_range"]].first()
    found = sorted(
        controllers(tables).items(), key=lambda item: (shown.index(item[0][0]), item[0][2])
    )
    fits = [
        _entry(subject, window, controller, *scales.loc[subject])
        for (subject, window, _, _), controller in found
    ]
    return Explorer(fits, shown, len(everyone) - len(shown))


def _entry(
    subject: str, window: str, unit: Controller, time_range: float, position_range: float
) -> dict[str, Any]:
    """Return one fit as plain data; `unit` is its controller on [0, 1]."""
    controller = unit.scaled(time=time_range, position=position_range)
    entry: dict[str, Any] = {
        "subject": subject,
        "window": window,
        "names": list(controller.time.labels),
        "convention": controller.time.convention,
        "rules": [
            [None if value is None else _short(value) for value in row]
            for row in controller.rules.to_json()["consequents"]
        ],
    }
    for name, own, reach in (
        ("time", controller.time, time_range),
        ("position", controller.position, position_range),
    ):
        entry[name] = {
            "centers": [_short(value) for value in own.centers],
            "widths": [_short(value) for value in own.widths],
            "range": _short(reach),
        }
    return entry


def _short(value: float) -> float | int:
    number = float(f"{value:.{DIGITS}g}")
    return int(number) if number.is_integer() else number
