"""Fig. S8: what the best model of each family predicts, and what subjects did."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fuzzybounds.checks.figures.figS7_stopping_comparison import (
    FAMILIES,
    first_scheme,
    name_families,
)
from fuzzybounds.paper.figures import style

QUANTILES, ACCURACIES = ("10%", "25%", "50%", "75%", "90%"), ("0-2", "2-4", "4-8", "8-15")
TICKS = {
    "correlation of rt and distance": "time,\ndistance",
    "lag-1 correlation of rt": "time,\nnext trial",
    "lag-1 correlation of distance": "distance,\nnext trial",
}
PANELS = {
    "Quantile of response time": (" (s)", [f"rt {quantile}" for quantile in QUANTILES]),
    "Quantile of distance": (" (px)", [f"distance {quantile}" for quantile in QUANTILES]),
    "Accuracy, response time (s)": ("", [f"accuracy {percentile} s" for percentile in ACCURACIES]),
    "Correlation of": ("", list(TICKS)),
}
"""What is drawn, by the label of its axis, and in which unit."""


def best_models(checks: pd.DataFrame, comparison: pd.DataFrame, condition: str) -> dict[str, str]:
    """Return the best model of each family that was checked in a condition, by family."""
    models = first_scheme(comparison)
    models = models[models["model"].isin(checks["model"])]
    models = models[models["condition"] == condition]
    models = models.sort_values("elpd", ascending=False, kind="stable")
    best = models.drop_duplicates("family").set_index("family")["model"]
    return {family: best[family] for family in FAMILIES if family in best.index}


def _short(statistic: str, value: float) -> str:
    """Return an observed value for a tick: whole px, two digits of all else, a dash for none."""
    if np.isnan(value):
        return "\N{EN DASH}"
    text = f"{value:.0f}" if statistic.startswith("distance") else f"{value:.2f}"
    return text.replace("-", "\N{MINUS SIGN}")


def _draw_panel(
    axes: Axes, rows: pd.DataFrame, statistics: list[str], best: dict[str, str]
) -> None:
    """Draw prediction minus data for every statistic; tick labels give the data."""
    data = rows.drop_duplicates("statistic").set_index("statistic").reindex(statistics)
    places = np.arange(len(statistics))
    for number, (family, model) in enumerate(best.items()):
        _, colour, marker = FAMILIES[family]
        part = rows[rows["model"] == model].set_index("statistic").reindex(statistics)
        shift = (number - (len(best) - 1) / 2) * 0.11
        axes.errorbar(
            places + shift,
            part["predicted"] - part["data"],
            yerr=2 * part["se"],
            **{"fmt": marker, "color": colour, "ms": 2.6, "lw": 0.7, "mew": 0.7},
        )
    axes.axhline(0, color=style.BLACK, lw=0.8, zorder=0)
    names = [TICKS.get(name, name.split(" ")[1]) for name in statistics]
    values = [_short(name, value) for name, value in data["data"].items()]
    ticks = [f"{name}\n{value}" for name, value in zip(names, values, strict=True)]
    axes.set_xticks(places, ticks, fontsize=6)


def draw(checks: pd.DataFrame, comparison: pd.DataFrame, dataset: Mapping[str, Any]) -> Figure:
    """Draw the predictions of the best model of each family minus what subjects did."""
    conditions = list(checks["condition"].unique())
    figure, panels = style.subplots(
        len(conditions), 4, width=style.PAGE, height=0.7 + 2.2 * len(conditions), squeeze=False
    )
    for row, condition in zip(panels, conditions, strict=True):
        shown = checks[(checks["condition"] == condition) & (checks["delay"] == "fitted")]
        best = best_models(checks, comparison, condition)
        for axes, (name, (unit, statistics)) in zip(row, PANELS.items(), strict=True):
            _draw_panel(axes, shown, statistics, best)
            axes.set(ylabel=f"Predicted minus observed{unit}", xlabel=name)
        row[0].set_title(f"{condition} trials", fontsize=7)
    style.letter_all(panels.flat)
    name_families(figure, best_models(checks, comparison, conditions[0]))
    style.say_source(figure, dataset, "means over subjects, two standard errors")
    return figure
