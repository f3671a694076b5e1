"""Fig. S2: which boundary model the subjects' data favour."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from fuzzybounds.figures import style
from fuzzybounds.storage.errors import TooFew
from fuzzybounds.weibull.models import LEARNING_CLASSES

SHAPES = {"constant": (style.SKY, ""), "weibull": (style.BLUE, "///")}


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
        table = table.assign(
            excess=table[criterion] - table[criterion].min(),
            learning=pd.Categorical(table["learning"], LEARNING_CLASSES),
        )
        for panel, column in zip(row, ("excess", "n_best", "protected_exceedance"), strict=True):
            style.bars(panel, table, "learning", column, "shape", SHAPES)
            panel.tick_params(axis="x", rotation=25)
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
    where = {"loc": "outside upper right", "ncols": 2, "title": "Boundary"}
    figure.legend(axes[0, 0].containers, ["constant", "Weibull"], **where)
    style.say_source(figure, dataset)
    return figure
