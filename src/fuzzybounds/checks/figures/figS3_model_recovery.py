"""Fig. S3: which boundary model wins when each model is true."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from fuzzybounds.checks.figures.figS2_model_selection import SHAPES
from fuzzybounds.paper.boundaries.models import LEARNING_CLASSES
from fuzzybounds.paper.figures import style

MODELS = [f"{shape} {learning}" for shape in SHAPES for learning in LEARNING_CLASSES]
WAYS = {
    "times": "Positions drawn at the subjects' own times",
    "walk": "Canoe walks until it meets the boundary",
}


def matrix(confusion: pd.DataFrame, criterion: str, way: str) -> pd.DataFrame:
    """Return shares of wins: one row per true model, one column per fitted one."""
    shares = confusion[(confusion["criterion"] == criterion) & (confusion["way"] == way)]
    shares = shares.assign(
        true=shares["true_shape"] + " " + shares["true_learning"],
        fitted=shares["shape"] + " " + shares["learning"],
    )
    return shares.pivot_table("share", "true", "fitted").reindex(index=MODELS, columns=MODELS)


def draw(confusion: pd.DataFrame, dataset: Mapping[str, Any], criterion: str = "bic") -> Figure:
    """Draw one confusion matrix for each way of simulating."""
    figure, axes = style.subplots(
        1, 2, width=style.PAGE, height=3.6, sharex=True, sharey=True, subplot_kw={"aspect": "equal"}
    )
    for panel, (way, how) in zip(axes, WAYS.items(), strict=True):
        shares = matrix(confusion, criterion, way)
        written = shares.map(lambda share: f"{share:.2f}" if share > 0 else "")
        image = style.heat_map(panel, shares, written, 6)
        panel.set_title(how, fontsize=7)
        panel.set_xlabel(f"Best model by {criterion.upper()}")
    axes[0].set_ylabel("Model that was simulated")
    style.letter_all(axes.flat)
    figure.colorbar(image, ax=axes, label="Share of simulated subjects", pad=0.01, shrink=0.5)
    count = int(confusion["n"].max())
    style.say_source(figure, dataset, f"simulated from the fits of {count} subjects")
    return figure
