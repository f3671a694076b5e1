"""Fig. S3: which boundary model wins when each model is true."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from fuzzybounds.figures import style
from fuzzybounds.figures.model_selection import CLASSES, SHAPES

MODELS = [f"{shape} {learning}" for shape in SHAPES for learning in CLASSES]


def matrix(confusion: pd.DataFrame, criterion: str) -> pd.DataFrame:
    """Shares of wins, a row a true model and a column a fitted one."""
    own = confusion[confusion["criterion"] == criterion]
    own = own.assign(
        true=own["true_shape"] + " " + own["true_learning"],
        fitted=own["shape"] + " " + own["learning"],
    )
    return own.pivot_table("share", "true", "fitted").reindex(index=MODELS, columns=MODELS)


def draw(confusion: pd.DataFrame, dataset: Mapping[str, Any]) -> Figure:
    """Draw the confusion matrices by AIC and by BIC."""
    figure, axes = style.subplots(1, 2, width=style.PAGE, height=4.4, sharey=True)
    for panel, criterion in zip(axes, ("aic", "bic"), strict=True):
        shares = matrix(confusion, criterion)
        image = panel.imshow(shares, vmin=0, vmax=1, cmap=style.OUTPUT_MAP)
        for (row, column), share in np.ndenumerate(shares.to_numpy()):
            if share > 0:
                colour = "black" if share > 0.6 else "white"
                at = {"ha": "center", "va": "center", "fontsize": 5, "color": colour}
                panel.text(column, row, f"{share:.2f}", **at)
        panel.set_xticks(range(len(MODELS)), MODELS, rotation=90)
        panel.set_yticks(range(len(MODELS)), MODELS)
        panel.set(xlabel=f"Best model by {criterion.upper()}")
        panel.tick_params(length=0)
        panel.spines[:].set_visible(False)
    axes[0].set_ylabel("Model that was simulated")
    style.letter_all(axes)
    figure.colorbar(image, ax=axes, label="Share of simulated subjects", pad=0.01, shrink=0.8)
    count = int(confusion["n"].max())
    style.say_source(figure, dataset, f"simulated from the fits of {count} subjects")
    return figure
