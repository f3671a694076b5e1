"""Fig. 14: consequents of the fitted rules, averaged over the subjects of each group."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.patches import Rectangle

from fuzzybounds.analysis.groups import FAST, SLOW
from fuzzybounds.canoe.block_windows import FIRST, LAST
from fuzzybounds.figures import style
from fuzzybounds.figures.group_output import need_groups, window_names
from fuzzybounds.fuzzy.membership import labels as label_names

SUPPORTED = 1.0
"""Least number of subjects with a rule, on average over draws, for its mean to be drawn."""


def _draw_table(axes: Axes, cells: pd.DataFrame, names: list[str]) -> AxesImage:
    """Draw mean, spread over draws and count of each premise; empty premises stay empty.

    A premise for which less than one subject has a rule in an average draw is hatched: its mean
    would look reliable although it depends on a few draws of one subject.
    """
    values = {
        column: cells.pivot_table(column, "position_label", "time_label", dropna=False)
        .reindex(index=names, columns=names)
        .to_numpy()
        for column in ("mean", "sd_over_draws", "n_subjects")
    }
    supported = values["n_subjects"] >= SUPPORTED
    shown = np.where(supported, values["mean"], np.nan)
    image = axes.imshow(shown, origin="lower", vmin=0, vmax=1, cmap=style.OUTPUT_MAP)
    for place, mean in np.ndenumerate(values["mean"]):
        if np.isnan(mean):
            continue
        spread, count = values["sd_over_draws"][place], values["n_subjects"][place]
        row, column = place
        at = {"ha": "center", "va": "center"}
        if not supported[place]:
            corner = (column - 0.5, row - 0.5)
            axes.add_patch(
                Rectangle(corner, 1, 1, fc="white", ec=style.GREY, hatch="////", lw=0, alpha=0.5)
            )
            box = {"boxstyle": "round,pad=0.15", "fc": "white", "ec": "none"}
            text = f"n = {count:.2g}" if count >= 0.1 else "n < 0.1"
            axes.text(column, row, text, fontsize=5, color=style.GREY, bbox=box, **at)
            continue
        at["color"] = "black" if mean > 0.5 else "white"
        axes.text(column, row + 0.24, f"{mean:.2f}", fontsize=6.5, **at)
        if np.isfinite(spread):
            axes.text(column, row - 0.06, f"±{spread:.2f}", fontsize=5, **at)
        axes.text(column, row - 0.32, f"n = {count:.1f}", fontsize=5, **at)
    n = len(names)
    axes.set(xticks=range(n), xticklabels=names, yticks=range(n), yticklabels=names)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return image


def draw(consequents: pd.DataFrame, groups: pd.DataFrame, dataset: Mapping[str, Any]) -> Figure:
    """Draw one column per group and one row per window.

    Parameters
    ----------
    consequents, groups : DataFrame
        The tables of these names.
    dataset : mapping
        Content of ``dataset.json``.
    """
    need_groups(consequents, groups)
    names = list(label_names(int(consequents["labels"].iloc[0])))
    windows = window_names(consequents)
    figure, axes = style.subplots(2, 2, width=style.WIDE, height=5.0, sharex=True, sharey=True)
    for row, window in enumerate((FIRST, LAST)):
        for column, group in enumerate((SLOW, FAST)):
            own = consequents[(consequents["group"] == group) & (consequents["window"] == window)]
            axes[row, column].set_title(f"{group}, {windows[window]}")
            if own.empty:
                style.nothing(axes[row, column], f"no rules of {group} subjects")
                continue
            image = _draw_table(axes[row, column], own, names)
        axes[row, 0].set_ylabel("POS, canoe position")
    for panel in axes[1]:
        panel.set_xlabel("T, elapsed time")
    style.letter_all(axes.flat)
    label = "Mean consequent (0 continue, 1 stop)"
    figure.colorbar(image, ax=axes, label=label, pad=0.02, shrink=0.8)
    said = "mean ± SD over draws, n subjects with the rule; hatched: fewer than 1 on average"
    style.say_source(figure, dataset, said)
    return figure
