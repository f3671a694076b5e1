"""Fig. S1: how well fits recover the simulated membership functions, and their losses."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fuzzybounds.paper.figures import style
from fuzzybounds.paper.fuzzy.membership import labels

CHANCE = float(np.log(2))
"""Cross-entropy of a coin toss."""


def _draw_centers(axes: Axes, memberships: pd.DataFrame, n_labels: int) -> None:
    """Bias of centres with the spread of fits around it."""
    names = list(labels(n_labels))
    for variable, shift, marker, colour in (
        ("time", -0.12, "o", style.BLUE),
        ("position", 0.12, "s", style.VERMILLION),
    ):
        centers = memberships[memberships["variable"] == variable].set_index("label").loc[names]
        axes.errorbar(
            np.arange(n_labels) + shift,
            centers["center_bias"],
            yerr=centers["center_sd"],
            fmt=marker,
            color=colour,
            ms=3.5,
            capsize=2,
            lw=0.8,
            label=variable,
        )
    axes.axhline(0, color=style.GREY, lw=0.6)
    axes.set(xticks=range(n_labels), xticklabels=names, xlabel="Label")
    axes.set_ylabel("Fitted minus true centre\n(normalised, mean ± SD)")
    axes.legend(loc="lower left")


def _draw_losses(axes: Axes, losses: pd.DataFrame) -> None:
    """Cross-entropy of fits and of the truth on the same points."""
    columns = {
        "structure\nlearning": "loss_before",
        "after\ntuning": "loss_after",
        "truth": "true_loss",
    }
    axes.boxplot(
        [values[np.isfinite(values)] for values in (losses[column] for column in columns.values())],
        **{"tick_labels": list(columns), "whis": (5, 95), "showfliers": False},
        medianprops={"color": style.VERMILLION},
    )
    axes.axhline(CHANCE, color=style.GREY, lw=0.8, ls="--")
    axes.text(2, CHANCE, "chance", ha="center", va="bottom", color=style.GREY)
    axes.set(ylabel="Cross-entropy (nats per point)", ylim=(0, None))


def draw(memberships: pd.DataFrame, losses: pd.DataFrame, n_labels: int = 5) -> Figure:
    """Draw the recovery of centres, and the losses, for one number of labels."""
    figure, (left, right) = style.subplots(1, 2, width=style.WIDE, height=2.7)
    of_labels, fits = (table[table["labels"] == n_labels] for table in (memberships, losses))
    _draw_centers(left, of_labels, n_labels)
    _draw_losses(right, fits)
    style.letter_all((left, right))
    count = fits["subject"].nunique()
    kind = f"{count} simulated subjects who follow fuzzy rules"
    style.note(figure, f"{kind}, {n_labels} labels, {len(fits)} fits")
    return figure
