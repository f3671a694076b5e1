"""Fig. S10: the averaged consequents of Fig. 14, beside how often such rules are recovered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from fuzzybounds.core.words import FAST, FIRST, SLOW
from fuzzybounds.paper.figures import style
from fuzzybounds.paper.figures.fig14_group_consequents import SUPPORTED
from fuzzybounds.paper.figures.parts import (
    POS_LABEL,
    T_LABEL,
    name_cells,
    need_groups,
    window_names,
)
from fuzzybounds.paper.fuzzy.membership import labels

FIVE, THREE = 5, 3
KEY_CELLS = (("S", "M"), ("M", "S"))
"""Premises (time, position) whose averaged consequents the paper prints (C10 to C12)."""
STATED = 0.01
"""Share of fits that must have a rule for the premise for its recovery to be drawn."""


def _draw_cells(axes: Axes, values: pd.Series, written: pd.Series, n_labels: int) -> None:
    """Draw values by (time label, position label), with a text in every cell."""
    names = list(labels(n_labels))
    table = values.unstack("time_label").reindex(index=names, columns=names)  # noqa: PD010
    axes.imshow(table, origin="lower", vmin=0, vmax=1, cmap=style.OUTPUT_MAP)
    for (time, position), text in written.items():
        place = names.index(time), names.index(position)
        value = table.loc[position, time]
        colour = style.GREY if np.isnan(value) else "black" if value > 0.5 else "white"
        axes.text(*place, text, ha="center", va="center", color=colour, fontsize=6)
    if n_labels == FIVE:
        for time, position in KEY_CELLS:
            corner = names.index(time) - 0.5, names.index(position) - 0.5
            axes.add_patch(Rectangle(corner, 1, 1, fc="none", ec=style.VERMILLION, lw=1.4))
    name_cells(axes, names, names)


def _draw_recovery(axes: Axes, cells: pd.DataFrame, n_labels: int, consequent: float) -> None:
    """Draw the share of fits that find the true rule; "no rule" where fits have none."""
    shown = cells[(cells["labels"] == n_labels) & (cells["consequent"] == consequent)]
    if shown.empty:
        style.nothing(axes, f"no subjects with {n_labels} labels")
        return
    shown = shown.set_index(["time_label", "position_label"])
    stated = shown["empty"] <= 1 - STATED
    written = shown["found"].map("{:.2f}".format).where(stated, "no\nrule")
    _draw_cells(axes, shown["found"].where(stated), written, n_labels)
    guess, consequence = shown["guess"].iloc[0], "stop" if consequent else "continue"
    axes.set_title(f"truth: {consequence}, {n_labels} labels\n(guess {guess:.2f})")


def draw(
    consequents: pd.DataFrame,
    groups: pd.DataFrame,
    cells: pd.DataFrame,
    dataset: Mapping[str, Any],
) -> Figure:
    """Draw the groups' averaged consequents above the recovery of the same premises."""
    need_groups(consequents, groups)
    windows = window_names(consequents)
    figure, axes = style.subplots(
        2, 3, width=style.PAGE, height=4.6, width_ratios=(FIVE, FIVE, THREE + 0.6)
    )
    for panel, group in zip(axes[0], (SLOW, FAST), strict=False):
        known = consequents[(consequents["group"] == group) & (consequents["window"] == FIRST)]
        panel.set_title(f"{group}, {windows[FIRST]}:\nmean consequent")
        if known.empty:
            style.nothing(panel, f"no rules of {group} subjects")
            continue
        # As in Fig. 14, a mean of less than one subject per draw is not shown.
        means = known.set_index(["time_label", "position_label"])["mean"].where(
            known["n_subjects"].to_numpy() >= SUPPORTED
        )
        _draw_cells(panel, means, means.map("{:.2f}".format).where(means.notna(), ""), FIVE)
    _draw_recovery(axes[1, 0], cells, FIVE, 0.0)
    _draw_recovery(axes[1, 1], cells, FIVE, 1.0)
    _draw_recovery(axes[0, 2], cells, THREE, 0.0)
    _draw_recovery(axes[1, 2], cells, THREE, 1.0)
    for panel in axes[:, 0]:
        panel.set_ylabel(POS_LABEL)
    for panel in axes[1]:
        panel.set_xlabel(T_LABEL)
    style.letter_all(axes.flat)
    scale = ScalarMappable(cmap=style.OUTPUT_MAP)
    scale.set_clim(0, 1)
    label = "Mean consequent (A, B), or share of fits with the true rule"
    figure.colorbar(scale, ax=axes, label=label, pad=0.02, shrink=0.8)
    subjects = cells.groupby("labels")["subjects"].max()
    counts = " and ".join(f"{count} with {number} labels" for number, count in subjects.items())
    source = f"C to F: simulated subjects with known rules, {counts}; framed: premises of C11"
    style.say_source(figure, dataset, source)
    return figure
