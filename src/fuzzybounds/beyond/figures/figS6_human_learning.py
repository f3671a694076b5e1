"""Fig. S6: which learning model describes people's own sequences of trials, and by what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fuzzybounds.paper.figures import style

NAMES = {
    "none": "no learning",
    "drift": "drift",
    "serial": "serial",
    "serial_error": "serial, errors",
    "outcome": "paper",
    "outcome_logit": "paper, logit",
    "hindsight": "hindsight",
}
CRITERIA, COLOURS = ("aic", "bic"), (style.SKY, style.BLUE)
CONTROLLED = {
    "serial_error": (style.ORANGE, "D"),
    "outcome": (style.GREY, "^"),
    "outcome_logit": (style.BLUE, "s"),
    "hindsight": (style.GREEN, "o"),
}
"""Colour and marker of the models that learn from outcomes."""


def gains_over_drift(fits: pd.DataFrame, model: str) -> pd.DataFrame:
    """Return each subject's gain in log-likelihood of a model that learns from outcomes over drift.

    The column logged has the outcomes of the log, the others those of each shuffle.
    """
    nll = fits.pivot_table("nll", "subject", ["model", "shuffle"])
    gains = -nll[model].sub(nll["drift", 0], axis=0)
    return gains.rename(columns={0: "logged"})


def _draw_control(axes: Axes, fits: pd.DataFrame) -> None:
    """Draw the gain over drift with outcomes as logged against that with shuffled outcomes."""
    ends = [0.0]
    for model, (colour, marker) in CONTROLLED.items():
        gains = gains_over_drift(fits, model)
        shuffled = gains.drop(columns="logged")
        look = {"color": colour, "alpha": 0.8, "lw": 0.5}
        axes.hlines(gains["logged"], shuffled.min(axis=1), shuffled.max(axis=1), **look)
        place = {"x": shuffled.mean(axis=1), "y": gains["logged"]}
        axes.scatter(**place, s=9, color=colour, marker=marker, lw=0, label=NAMES[model])
        ends += [gains.min(axis=None), gains.max(axis=None)]
    axes.axline((0, 0), slope=1, color=style.BLACK, lw=0.6)
    for set_scale in (axes.set_xscale, axes.set_yscale):
        set_scale("symlog", linthresh=10)
    low, high = min(1.3 * min(ends), -12), max(1.3 * max(ends), 12)
    ticks = [tick for tick in (-1000, -100, -10, 0, 10, 100, 1000) if low <= tick <= high]
    axes.set(xlim=(low, high), ylim=(low, high), xticks=ticks, yticks=ticks)
    axes.minorticks_off()
    axes.set_xlabel("Log-likelihood over drift, outcomes shuffled")
    axes.set_ylabel("The same, as logged")
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), title="One point per subject")


def _draw_sums(axes: Axes, control: pd.DataFrame) -> None:
    """Draw summed log-likelihoods above drift: as logged, each shuffle, and serial dependence."""
    drift = control["nll_drift"].iloc[0]
    serial = drift - control["nll_serial"].iloc[0]
    axes.axhline(serial, color=style.VERMILLION, ls="--", lw=1.0, label="serial")
    for place, (model, (colour, _)) in enumerate(CONTROLLED.items()):
        own = control[control["model"] == model]
        named = {"label": "as logged"} if place == 0 else {}
        axes.bar(place - 0.2, drift - own["nll"].iloc[0], 0.36, color=colour, **named)
        axes.bar(place + 0.2, drift - own["nll_shuffled"].mean(), 0.36, color=style.PALE)
        points = {"x": np.full(len(own), place + 0.2), "y": drift - own["nll_shuffled"]}
        axes.scatter(**points, s=7, color=style.BLACK, lw=0, zorder=3)
    axes.bar([np.nan], [np.nan], color=style.PALE, label="shuffled")
    axes.axhline(0, color=style.BLACK, lw=0.6)
    names = [NAMES[model] for model in CONTROLLED]
    axes.set_xticks(range(len(names)), names, rotation=35, ha="right")
    axes.set_ylabel("Log-likelihood over drift, summed")
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), handlelength=1.2)


def draw(
    fits: pd.DataFrame, selection: pd.DataFrame, control: pd.DataFrame, dataset: Mapping[str, Any]
) -> Figure:
    """Draw summed criteria, winners and exceedance, and the control with shuffled outcomes."""
    least = selection.groupby("criterion")["total"].transform("min")
    models = pd.Categorical(selection["model"].map(NAMES), list(NAMES.values()))
    table = selection.assign(excess=selection["total"] - least, model=models)
    figure = style.new_figure(width=style.PAGE, height=4.6)
    top, bottom = figure.subfigures(2, 1)
    axes = [*top.subplots(1, 3), *bottom.subplots(1, 2, width_ratios=(1, 1.1))]
    columns = {
        "excess": "AIC, BIC above the best",
        "n_best": "Subjects for whom it is best",
        "protected_exceedance": "Protected exceedance",
    }
    for panel, (column, label) in zip(axes, columns.items(), strict=False):
        order = {"hue": "criterion", "hue_order": list(CRITERIA), "palette": list(COLOURS)}
        seaborn.barplot(table, x="model", y=column, ax=panel, saturation=1, legend=False, **order)
        panel.set(xlabel="", ylabel=label)
        plt.setp(panel.get_xticklabels(), rotation=35, ha="right")
    axes[2].set_ylim(0, 1)
    _draw_sums(axes[3], control)
    _draw_control(axes[4], fits)
    style.letter_all(axes)
    axes[0].legend(axes[0].containers, ["AIC", "BIC"], loc="upper right")
    style.say_source(figure, dataset)
    return figure
