"""Fig. S2: which boundary model the subjects' data favour."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from fuzzybounds.figures import style
from fuzzybounds.storage.errors import TooFew
from fuzzybounds.weibull.models import LEARNING_CLASSES

SHAPES = {"constant": (style.SKY, ""), "weibull": (style.BLUE, "///")}


def _bars(axes: Axes, table: pd.DataFrame, column: str) -> None:
    """Draw two bars per learning class, one for each shape of the boundary."""
    places = np.arange(len(LEARNING_CLASSES))
    for shift, (shape, (colour, hatch)) in zip((-0.2, 0.2), SHAPES.items(), strict=True):
        own = table[table["shape"] == shape].set_index("learning").reindex(LEARNING_CLASSES)
        axes.bar(
            places + shift,
            own[column],
            0.38,
            color=colour,
            hatch=hatch,
            edgecolor="white",
            lw=0.4,
            label=shape.replace("weibull", "Weibull"),
        )
    axes.set_xticks(places, LEARNING_CLASSES, rotation=25)


def draw(selection: pd.DataFrame, dataset: Mapping[str, Any], criterion: str = "bic") -> Figure:
    """Draw summed BIC, winners and exceedance for each boundary time and set of bounds of rl."""
    own = selection[selection["criterion"] == criterion]
    if own.empty:
        raise TooFew("no subject responded, so there are no boundary models to compare")
    comparisons = list(own.groupby(["boundary_time", "stable"]))
    figure, axes = style.subplots(
        len(comparisons),
        3,
        width=style.PAGE,
        height=0.7 + 1.5 * len(comparisons),
        squeeze=False,
        sharex=True,
        sharey="col",
    )
    for row, ((time, stable), table) in zip(axes, comparisons, strict=True):
        table = table.assign(excess=table[criterion] - table[criterion].min())
        _bars(row[0], table, "excess")
        _bars(row[1], table, "n_best")
        _bars(row[2], table, "protected_exceedance")
        bounds = "stable rl" if stable else "authors' bounds"
        row[0].set_ylabel(f"{time} time,\n{bounds}\nΔ{criterion.upper()}")
        row[1].set_ylabel("Subjects")
        row[1].yaxis.set_major_locator(MaxNLocator("auto", integer=True))
        row[2].set(ylabel="Probability", ylim=(0, 1))
    titles = (f"{criterion.upper()} above the best", "Subjects fitted best", "Protected exceedance")
    for panel, title in zip(axes[0], titles, strict=True):
        panel.set_title(title)
    for panel in axes[-1]:
        panel.set_xlabel("Learning class")
    style.letter_all(axes.flat)
    handles, names = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside upper right", ncols=2, title="Boundary")
    style.say_source(figure, dataset)
    return figure
