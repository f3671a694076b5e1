"""Fig. S8: what the best model of each family predicts, and what subjects did."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fuzzybounds.figures import style
from fuzzybounds.figures.stopping_comparison import FAMILIES, first_scheme, words

PANELS = {
    "Response time (s)": [f"rt {q}" for q in ("10%", "25%", "50%", "75%", "90%")],
    "Distance (px)": [f"distance {q}" for q in ("10%", "25%", "50%", "75%", "90%")],
    "Accuracy": ["accuracy 0-2 s", "accuracy 2-4 s", "accuracy 4-8 s", "accuracy 8-15 s"],
    "Correlation": [
        "correlation of rt and distance",
        "lag-1 correlation of rt",
        "lag-1 correlation of distance",
    ],
}
TICKS = {
    "correlation of rt and distance": "time,\ndistance",
    "lag-1 correlation of rt": "time,\nnext trial",
    "lag-1 correlation of distance": "distance,\nnext trial",
}
AXES = {
    "Response time (s)": "Quantile",
    "Distance (px)": "Quantile",
    "Accuracy": "Response time (s)",
    "Correlation": "",
}


def best_models(comparison: pd.DataFrame, condition: str) -> dict[str, str]:
    """Return the best model of each family in a condition, by family."""
    own = first_scheme(comparison)
    own = own[own["condition"] == condition].sort_values("elpd", ascending=False, kind="stable")
    best = own.drop_duplicates("family").set_index("family")["model"]
    return {family: best[family] for family in FAMILIES if family in best.index}


def _draw_panel(axes: Axes, own: pd.DataFrame, statistics: list[str], best: dict[str, str]) -> None:
    data = own.drop_duplicates("statistic").set_index("statistic").reindex(statistics)
    places = np.arange(len(statistics))
    joined = not statistics[0].startswith("correlation")
    for number, (family, model) in enumerate(best.items()):
        _, colour, marker = FAMILIES[family]
        part = own[own["model"] == model].set_index("statistic").reindex(statistics)
        shift = (number - (len(best) - 1) / 2) * 0.08
        line = "-" if joined else ""
        axes.plot(
            places + shift, part["predicted"], line, color=colour, marker=marker, ms=2.6, lw=0.7
        )
    axes.errorbar(
        places, data["data"], yerr=2 * data["se"], fmt="_", color=style.BLACK, ms=9, lw=1.2
    )
    axes.set_xticks(places, [TICKS.get(name, name.split(" ")[1]) for name in statistics])
    if not joined:
        axes.axhline(0, color=style.BLACK, lw=0.5, zorder=0)


def draw(checks: pd.DataFrame, comparison: pd.DataFrame, dataset: Mapping[str, Any]) -> Figure:
    """Draw statistics of the data beside those of the best model of each family.

    Parameters
    ----------
    checks, comparison : DataFrame
        Result tables ``stopping_checks`` and ``stopping_comparison``.
    dataset : mapping
        Content of ``dataset.json``.
    """
    conditions = list(checks["condition"].unique())
    figure, panels = style.subplots(
        len(conditions), 4, width=style.PAGE, height=0.7 + 2.2 * len(conditions), squeeze=False
    )
    for row, condition in zip(panels, conditions, strict=True):
        own = checks[checks["condition"] == condition]
        best = best_models(comparison, condition)
        for axes, (name, statistics) in zip(row, PANELS.items(), strict=True):
            _draw_panel(axes, own, statistics, best)
            axes.set(ylabel=f"{name}, {condition} trials", xlabel=AXES[name])
    style.letter_all(panels.flat)
    handles = [panels[0, 0].errorbar([], [], yerr=[], fmt="_", color=style.BLACK, label="data")]
    for family, model in best_models(comparison, conditions[0]).items():
        name, colour, marker = FAMILIES[family]
        label = f"{name}: {words(model)}"
        handles += panels[0, 0].plot([], [], "-", color=colour, marker=marker, ms=3, label=label)
    figure.legend(handles=handles, loc="outside upper center", ncols=3, fontsize=5.8)
    style.say_source(figure, dataset, "bars: mean over subjects, two standard errors")
    return figure
