"""Fig. S1: how well fits of simulated subjects recover what was simulated."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fuzzybounds.paper.figures import style
from fuzzybounds.paper.fuzzy.membership import labels

CHANCE = float(np.log(2))
"""Cross-entropy of a coin toss."""


def by_premise(cells: pd.DataFrame) -> pd.DataFrame:
    """Return share of right rules and support of each premise, whatever its true consequent."""
    stated = cells["n"] * (1 - cells["empty"])
    parts = {
        "right": cells["recovered"].fillna(0) * stated,
        "stated": stated,
        "points": cells["support"] * cells["n"],
    }
    total = cells.assign(**parts).groupby(["labels", "time_label", "position_label"], sort=False)
    total = total[[*parts, "n"]].sum()
    share = total["right"] / total["stated"].where(total["stated"] > 0)
    return total.assign(recovered=share, support=total["points"] / total["n"]).reset_index()


def _draw_cells(axes: Axes, cells: pd.DataFrame, n_labels: int):
    """Draw the share of correct rules by premise, with the mean number of supporting points."""
    names = list(labels(n_labels))
    shares, support = (
        cells.pivot_table(value, "position_label", "time_label", dropna=False).reindex(
            index=names, columns=names
        )
        for value in ("recovered", "support")
    )
    written = shares.map("{:.2f}\n".format) + support.map("{:.0f}".format)
    image = style.heat_map(axes, shares, written, 6)
    for row, column in np.argwhere(shares.isna()):
        axes.text(column + 0.5, row + 0.5, "–", ha="center", va="center", color=style.GREY)
    axes.set(xlabel="T, elapsed time", ylabel="POS, canoe position", aspect="equal")
    axes.invert_yaxis()
    return image


def _draw_centers(axes: Axes, memberships: pd.DataFrame, n_labels: int) -> None:
    """Bias of centres with the spread of fits around it."""
    names = list(labels(n_labels))
    for variable, shift, marker, colour in (
        ("time", -0.12, "o", style.BLUE),
        ("position", 0.12, "s", style.VERMILLION),
    ):
        own = memberships[memberships["variable"] == variable].set_index("label").loc[names]
        axes.errorbar(
            np.arange(n_labels) + shift,
            own["center_bias"],
            yerr=own["center_sd"],
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
        [own[np.isfinite(own)] for own in (losses[column] for column in columns.values())],
        **{"tick_labels": list(columns), "whis": (5, 95), "showfliers": False},
        medianprops={"color": style.VERMILLION},
    )
    axes.axhline(CHANCE, color=style.GREY, lw=0.8, ls="--")
    axes.text(2, CHANCE, "chance", ha="center", va="bottom", color=style.GREY)
    axes.set(ylabel="Cross-entropy (nats per point)", ylim=(0, None))


def draw(
    cells: pd.DataFrame, memberships: pd.DataFrame, losses: pd.DataFrame, n_labels: int = 5
) -> Figure:
    """Draw the recovery of rules, of centres, and the losses, for one number of labels."""
    figure, (left, middle, right) = style.subplots(
        1, 3, width=style.PAGE, height=2.7, width_ratios=(1.25, 1, 0.9)
    )
    of = [table[table["labels"] == n_labels] for table in (cells, memberships, losses)]
    image = _draw_cells(left, by_premise(of[0]), n_labels)
    figure.colorbar(image, ax=left, label="Share of rules that are right", pad=0.02, shrink=0.9)
    _draw_centers(middle, of[1], n_labels)
    _draw_losses(right, of[2])
    style.letter_all((left, middle, right))
    count = of[2]["subject"].nunique()
    style.note(
        figure,
        f"{count} simulated subjects who follow fuzzy rules, {n_labels} labels, {len(of[2])} fits",
    )
    return figure
