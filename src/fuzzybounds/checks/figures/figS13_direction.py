"""Fig. S13: where the canoe is heading when people respond, and what models predict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fuzzybounds.core.errors import TooFew
from fuzzybounds.paper.figures import style

MODELS = {
    "within_exponential": ("boundary, noise within trials", style.BLUE, "-"),
    "graded_3": ("fuzzy rules", style.VERMILLION, "-"),
    "met_exponential": ("boundary that is met", style.GREEN, "--"),
    "within_exponential_directed": ("boundary, acts while outward", style.BLUE, ":"),
    "graded_3_directed": ("rules, act while outward", style.VERMILLION, ":"),
}
"""Models whose predictions are drawn: name, colour and line."""


def _draw_condition(axes: Axes, rows: pd.DataFrame) -> None:
    """Draw shares of outward responses by phase: of people as points, of models as lines."""
    middle = 1000 * (rows["phase_low"] + rows["phase_high"]) / 2
    rows = rows.assign(middle=middle)
    for number, (source, (name, colour, line)) in enumerate(MODELS.items()):
        part = rows[rows["source"] == source]
        if len(part):
            axes.plot(
                part["middle"],
                part["outward"],
                line,
                color=colour,
                lw=1.1,
                label=name,
                zorder=number,
            )
    people = rows[rows["source"] == "data"]
    reach = [people["outward"] - people["low"], people["high"] - people["outward"]]
    axes.errorbar(
        people["middle"], people["outward"], yerr=reach, fmt="o", color=style.BLACK, ms=3.5,
        lw=0.9, label="observed", zorder=10,
    )  # fmt: skip
    axes.axhline(0.5, color="0.8", lw=0.6, zorder=0)
    axes.set(xlim=(0, 500), ylim=(0.45, 1.0), xticks=range(0, 501, 100))
    axes.set_xlabel("Since the direction was drawn (ms)")


def draw(outward: pd.DataFrame, dataset: Mapping[str, Any]) -> Figure:
    """Draw the share of outward responses in every condition."""
    if outward.empty:
        raise TooFew("no subject has enough responses for a stopping model")
    conditions = list(outward["condition"].unique())
    figure, panels = style.subplots(
        1, len(conditions), width=style.WIDE, height=2.6, squeeze=False, sharey=True
    )
    for axes, condition in zip(panels[0], conditions, strict=True):
        _draw_condition(axes, outward[outward["condition"] == condition])
        axes.set_title(f"{condition} trials", fontsize=7)
    panels[0, 0].set_ylabel("Responses while the\ncanoe moves outward")
    style.letter_all(panels[0])
    handles, names = panels[0, 0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside upper center", ncols=3, fontsize=6)
    style.say_source(figure, dataset, "95 % intervals over subjects")
    return figure
