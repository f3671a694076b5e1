"""Fig. S2: which boundary model the subjects' data favour."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from fuzzybounds.core.errors import TooFew
from fuzzybounds.paper.boundaries.models import LEARNING_CLASSES
from fuzzybounds.paper.figures import style

SHAPES = {"constant": "constant", "weibull": "Weibull"}
MODELS = [(shape, learning) for shape in SHAPES for learning in LEARNING_CLASSES]


def draw(selection: pd.DataFrame, dataset: Mapping[str, Any], criterion: str = "bic") -> Figure:
    """Draw three tables, one row per model and one column per boundary time and bounds of rl."""
    scores = selection[selection["criterion"] == criterion]
    if scores.empty:
        raise TooFew("no subject responded, so there are no boundary models to compare")
    comparison = ["boundary_time", "stable"]
    best = scores.groupby(comparison)[criterion].transform("min")
    scores = scores.assign(excess=scores[criterion] - best)
    figure, axes = style.subplots(1, 3, width=style.PAGE, height=3.3, sharey=True)
    for panel, (column, title, text) in zip(
        axes,
        (
            ("excess", f"{criterion.upper()} above the best", "{:.0f}"),
            ("n_best", "Subjects fitted best", "{:.0f}"),
            ("protected_exceedance", "Protected exceedance", "{:.2f}"),
        ),
        strict=True,
    ):
        table = scores.pivot_table(column, ["shape", "learning"], comparison).reindex(MODELS)
        largest = table.max(axis=None)
        table.columns = [
            f"{time}\n{'stable rl' if stable else 'authors’ rl'}" for time, stable in table.columns
        ]
        table.index = [f"{SHAPES[shape]}, {learning}" for shape, learning in MODELS]
        # The best is bright in every table, a small criterion as well as a large probability.
        shares = 1 - table / largest if column == "excess" else table / largest
        style.heat_map(panel, shares.astype(float), table.map(text.format), 6.5)
        panel.tick_params(axis="x", labelsize=6, rotation=0)
        panel.axhline(len(LEARNING_CLASSES), color="white", lw=3)
        panel.set(title=title, xlabel="Boundary time and bounds")
    axes[0].tick_params(axis="y", rotation=0)
    axes[0].set_ylabel("Boundary and learning class")
    style.letter_all(axes)
    style.say_source(figure, dataset)
    return figure
