"""Fig. S6: which learning model describes people's own sequences of trials."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fuzzybounds.figures import style

NAMES = {
    "none": "no learning",
    "drift": "drift",
    "outcome": "paper",
    "outcome_logit": "paper,\nlog-odds",
    "hindsight": "hindsight",
}
CRITERIA = {"aic": (style.SKY, ""), "bic": (style.BLUE, "///")}


def _bars(axes: Axes, selection: pd.DataFrame, column: str) -> None:
    """Two bars a model, one for each criterion."""
    for shift, (criterion, (colour, hatch)) in zip((-0.2, 0.2), CRITERIA.items(), strict=True):
        own = selection[selection["criterion"] == criterion].set_index("model").loc[list(NAMES)]
        look = {"color": colour, "hatch": hatch, "edgecolor": "white", "lw": 0.4}
        places = np.arange(len(NAMES)) + shift
        axes.bar(places, own[column], 0.38, label=criterion.upper(), **look)
    axes.set_xticks(range(len(NAMES)), NAMES.values(), rotation=35, ha="right")


def against_drift(fits: pd.DataFrame, criterion: str) -> pd.Series:
    """Return by how much hindsight is better than drift, a value a subject, sorted."""
    values = fits.pivot_table(criterion, "subject", "model")
    return (values["drift"] - values["hindsight"]).sort_values()


def draw(fits: pd.DataFrame, selection: pd.DataFrame, dataset: Mapping[str, Any]) -> Figure:
    """Draw summed criteria, winners, exceedance, and hindsight against drift by subject.

    Parameters
    ----------
    fits, selection : DataFrame
        As in ``learning_human.parquet`` and ``learning_human_selection.csv``.
    dataset : mapping
        Content of ``dataset.json``.
    """
    least = selection.groupby("criterion")["total"].transform("min")
    table = selection.assign(excess=selection["total"] - least)
    figure, axes = style.subplots(1, 4, width=style.PAGE, height=2.5)
    columns = {
        "excess": "Sum above the best (nats × 2)",
        "n_best": "Subjects for whom it is best",
        "protected_exceedance": "Protected exceedance",
    }
    for panel, (column, label) in zip(axes, columns.items(), strict=False):
        _bars(panel, table, column)
        panel.set_ylabel(label)
    axes[2].set_ylim(0, 1)
    # Both have as many parameters: AIC and BIC differ by as much.
    gain = against_drift(fits, "aic")
    axes[3].barh(
        range(len(gain)), gain, color=np.where(gain > 0, style.GREEN, style.ORANGE), height=0.8
    )
    axes[3].axvline(0, color=style.BLACK, lw=0.6)
    axes[3].set(ylabel="Subjects, sorted", xlabel="AIC or BIC: drift - hindsight", yticks=[])
    axes[3].set_xscale("symlog", linthresh=10)
    style.letter_all(axes)
    handles, names = axes[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside upper right", ncols=2)
    style.say_source(figure, dataset, f"{len(gain)} subjects")
    return figure
