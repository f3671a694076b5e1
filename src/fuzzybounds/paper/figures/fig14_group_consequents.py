"""Fig. 14: consequents of the fitted rules, averaged over the subjects of each group."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage

from fuzzybounds.core.words import FAST, SLOW
from fuzzybounds.paper.figures import style
from fuzzybounds.paper.figures.parts import (
    POS_LABEL,
    T_LABEL,
    hatch_cell,
    name_cells,
    need_groups,
    window_names,
)
from fuzzybounds.paper.fuzzy.membership import labels as label_names

SUPPORTED = 1.0
"""Least number of subjects with a rule, on average over draws, for its mean to be drawn."""


def _draw_cells(axes: Axes, cells: pd.DataFrame, names: list[str], whole: int) -> AxesImage:
    """Draw mean and spread over draws of each premise; empty premises stay empty.

    The number of subjects is written where not the `whole` group has a rule.

    A premise for which less than one subject has a rule in an average draw is hatched: its mean
    would look reliable although it depends on a few draws of one subject.
    """
    supported = cells[cells["n_subjects"] >= SUPPORTED]
    shown = supported.pivot_table("mean", "position_label", "time_label", dropna=False)
    shown = shown.reindex(index=names, columns=names).to_numpy()
    image = axes.imshow(shown, origin="lower", vmin=0, vmax=1, cmap=style.OUTPUT_MAP)
    for cell in cells.dropna(subset="mean").itertuples():
        column, row = names.index(cell.time_label), names.index(cell.position_label)
        at = {"ha": "center", "va": "center", "fontsize": 6.5}
        if cell.n_subjects < SUPPORTED:
            hatch_cell(axes, column, row)
            text = f"n = {cell.n_subjects:.2g}" if cell.n_subjects >= 0.1 else "n < 0.1"
            box = {"boxstyle": "round,pad=0.15", "fc": "white", "ec": "none"}
            axes.text(column, row, text, color=style.GREY, bbox=box, **at)
            continue
        at["color"] = "black" if cell.mean > 0.5 else "white"
        spread = f"±{cell.sd_over_draws:.2f}" if np.isfinite(cell.sd_over_draws) else ""
        count = f"n {cell.n_subjects:.1f}" if round(cell.n_subjects, 1) < whole else ""
        axes.text(column, row + 0.2, f"{cell.mean:.2f}", **{**at, "fontsize": 8.5})
        axes.text(column, row - 0.2, "\n".join(filter(None, (spread, count))), **at)
    name_cells(axes, names, names)
    return image


def draw(consequents: pd.DataFrame, groups: pd.DataFrame, dataset: Mapping[str, Any]) -> Figure:
    """Draw one column per group and one row per window."""
    need_groups(consequents, groups)
    names = list(label_names(int(consequents["labels"].iloc[0])))
    figure, axes = style.subplots(2, 2, width=style.PAGE, height=6.4, sharex=True, sharey=True)
    for row, (window, blocks) in zip(axes, window_names(consequents).items(), strict=True):
        for panel, group in zip(row, (SLOW, FAST), strict=True):
            cells = consequents[(consequents["group"] == group) & (consequents["window"] == window)]
            panel.set_title(f"{group}, {blocks}")
            if cells.empty:
                style.nothing(panel, f"no rules of {group} subjects")
                continue
            image = _draw_cells(panel, cells, names, int((groups["group"] == group).sum()))
        row[0].set_ylabel(POS_LABEL)
    for panel in axes[1]:
        panel.set_xlabel(T_LABEL)
    style.letter_all(axes.flat)
    label = "Mean consequent (0 continue, 1 stop)"
    figure.colorbar(image, ax=axes, label=label, pad=0.02, shrink=0.8)
    source = (
        "mean over the n subjects with the rule (all without n); hatched: fewer than 1 on average\n"
        "±: SD of this mean over draws of the earlier points, not an error over subjects"
    )
    style.say_source(figure, dataset, source)
    return figure
