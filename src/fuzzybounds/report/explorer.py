"""What the explorer shows: fitted memberships and rules, in s and px, as data of the page."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
from markupsafe import Markup

from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.fitted import FitTables, controllers

DRAW = 1
"""The draw whose fits are shown: the paper has one."""
DIGITS = 9
"""Significant digits of a number: many more than can be seen, and few enough to stay small."""


def to_json(fits: list[dict[str, Any]]) -> Markup:
    """Return the fits as JSON that is safe within a script element."""
    text = json.dumps({"fits": fits}, separators=(",", ":"), ensure_ascii=False)
    return Markup(text.replace("<", "\\u003c"))


def collect(*tables: pd.DataFrame) -> list[dict[str, Any]]:
    """Collect the fits of one draw from `fuzzy_fits`, `rules` and `memberships`.

    There is one entry per subject, number of labels and window.
    """
    drawn = FitTables(*(table[table["draw"] == DRAW] for table in tables))
    scales = drawn.fits.groupby("subject", sort=False)[["time_range", "position_range"]].first()
    order = list(scales.index)
    fits = sorted(controllers(drawn).items(), key=lambda fit: (order.index(fit[0][0]), fit[0][2]))
    return [
        _entry(subject, window, controller, *scales.loc[subject])
        for (subject, window, _, _), controller in fits
    ]


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
        "rules": controller.rules.to_json()["consequents"],
    }
    for name, memberships, reach in (
        ("time", controller.time, time_range),
        ("position", controller.position, position_range),
    ):
        entry[name] = {
            "centers": [_short(value) for value in memberships.centers],
            "widths": [_short(value) for value in memberships.widths],
            "range": _short(reach),
        }
    return entry


def _short(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")
