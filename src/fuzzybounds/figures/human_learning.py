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
    "outcome_logit": "paper, logit",
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


def against_drift(fits: pd.DataFrame) -> pd.DataFrame:
    """Return by how much hindsight is better than drift, one row per subject, sorted.

    Returns
    -------
    DataFrame
        gain, by AIC or BIC (both models have as many parameters), and toward, whether the learning
        rate of hindsight has the sign that raises the reward rate.
    """
    values = fits.pivot_table(["aic", "learning_rate"], "subject", "model")
    gain = values["aic", "drift"] - values["aic", "hindsight"]
    toward = values["learning_rate", "hindsight"] > 0
    return pd.DataFrame({"gain": gain, "toward": toward}).sort_values("gain")


def _draw_gains(axes: Axes, gains: pd.DataFrame) -> None:
    kinds = {
        "hindsight": (style.GREEN, "", (gains["gain"] > 0) & gains["toward"]),
        "hindsight, sign reversed": (style.PALE, "////", (gains["gain"] > 0) & ~gains["toward"]),
        "drift": (style.ORANGE, "", gains["gain"] <= 0),
    }
    places = np.arange(len(gains))
    for name, (colour, hatch, own) in kinds.items():
        look = {"color": colour, "hatch": hatch, "edgecolor": "white", "lw": 0.2}
        axes.barh(places[own], gains["gain"][own], 0.8, label=name, **look)
    axes.axvline(0, color=style.BLACK, lw=0.6)
    axes.set_xscale("symlog", linthresh=10)
    # At least as far as the linear part, where the scale has its ticks.
    low, high = axes.get_xlim()
    axes.set_xlim(min(low, -12), max(high, 12))
    axes.set(ylabel="Subjects, sorted", xlabel="AIC or BIC: drift - hindsight", yticks=[])
    # Room below the bars for what they mean.
    axes.set_ylim(-0.85 * len(gains), len(gains))
    axes.legend(
        title="Better",
        loc="lower right",
        fontsize=5.5,
        title_fontsize=6,
        frameon=True,
        framealpha=1,
        edgecolor="none",
    )


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
        "excess": "AIC, BIC above the best",
        "n_best": "Subjects for whom it is best",
        "protected_exceedance": "Protected exceedance",
    }
    for panel, (column, label) in zip(axes, columns.items(), strict=False):
        _bars(panel, table, column)
        panel.set_ylabel(label)
    axes[2].set_ylim(0, 1)
    _draw_gains(axes[3], against_drift(fits))
    style.letter_all(axes)
    handles, names = axes[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside upper right", ncols=2)
    style.say_source(figure, dataset)
    return figure
