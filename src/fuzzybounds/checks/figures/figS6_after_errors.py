"""Fig. S6: how response time and distance change after an error, beside permuted errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fuzzybounds.paper.figures import style

PANELS = {"rt": "Change of response time (s)", "distance": "Change of distance (px)"}
MEASURE, CONDITIONS = "regression", ("easy", "hard")
LOOKS = {
    "errors as logged": (("change", "low", "high"), -0.1, {"color": style.BLACK, "fmt": "o"}),
    "errors permuted": (
        ("permuted", "permuted_low", "permuted_high"),
        0.1,
        {"color": style.GREY, "fmt": "x"},
    ),
}
"""Columns, place within a row and look of either mark."""


def _draw_changes(axes: Axes, changes: pd.DataFrame) -> None:
    """Draw a row for each condition of the error: as logged, and permuted."""
    for words, (names, shift, look) in LOOKS.items():
        middle, low, high = (changes[name] for name in names)
        places = [place + shift for place in range(len(changes))]
        reach = [middle - low, high - middle]
        axes.errorbar(middle, places, xerr=reach, ms=4, lw=0.9, label=words, **look)
    ticks = [f"{row.previous} error\n({row.subjects} subjects)" for row in changes.itertuples()]
    axes.set_yticks(range(len(ticks)), ticks)
    axes.set_ylim(len(ticks) - 0.5, -0.5)
    axes.axvline(0, color=style.BLACK, lw=0.5, zorder=0)


def draw(post_error: pd.DataFrame, dataset: Mapping[str, Any]) -> Figure:
    """Draw the change on the next trial after errors on easy and on hard trials."""
    figure, panels = style.subplots(1, 2, width=style.PAGE, height=2.2, layout="constrained")
    chosen = post_error[post_error["measure"] == MEASURE]
    chosen = chosen[chosen["previous"].isin(CONDITIONS)].dropna(subset=["change", "low", "high"])
    for axes, (quantity, label) in zip(panels, PANELS.items(), strict=True):
        changes = chosen[chosen["quantity"] == quantity]
        if len(changes):
            _draw_changes(axes, changes)
        else:
            axes.set(xticks=[], yticks=[])
            style.nothing(axes, "insufficient data")
        axes.set_xlabel(label)
    handles, words = panels[0].get_legend_handles_labels()
    if handles:
        panels[1].legend(handles, words, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    style.letter_all(panels)
    style.say_source(figure, dataset, "95 % intervals over subjects, and over permutations")
    return figure
