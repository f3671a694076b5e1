"""Fig. 17: learning the consequents of the rules by reinforcement."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fuzzybounds.figures import style
from fuzzybounds.figures.rule_base import draw_table
from fuzzybounds.learning.paper_simulation import initial_rules

RULES = {"as printed": (style.BLUE, "-"), "sign reversed": (style.VERMILLION, "--")}


def _draw_consequents(axes: Axes, table: pd.DataFrame) -> None:
    for (time, position), own in table.groupby(["time_label", "position_label"], sort=False):
        look = {"color": style.LABEL_COLOURS[position], "ls": style.LABEL_LINES[time]}
        axes.plot(own["trial"], own["median"], lw=1, label=f"{time},{position}", **look)
    axes.axhspan(0, 1, color=style.PALE, alpha=0.35, lw=0)
    axes.set(xlabel="Trial", ylabel="Consequent (median)")


def _draw_rates(axes: Axes, curves: pd.DataFrame, optimum: float, printed: dict) -> None:
    for rule, (colour, line) in RULES.items():
        own = curves[curves["rule"] == rule].groupby("trial")["reward_rate"]
        low, middle, high = (own.quantile(q) for q in (0.1, 0.5, 0.9))
        axes.fill_between(middle.index, low, high, color=colour, alpha=0.2, lw=0)
        axes.plot(middle.index, middle, color=colour, ls=line, label=rule)
    axes.axhline(optimum, color=style.BLACK, lw=1, ls=":", label=f"optimum, {optimum:.3f}")
    for value in printed.values():
        axes.axhline(value, color=style.GREY, lw=0.6, ls="-.")
    axes.set(
        xlabel="Last trial of a window of 1000", ylabel="Reward rate (coins/s)", ylim=(-0.85, 1)
    )
    axes.legend(loc="lower right", fontsize=6)


def draw(
    consequents: pd.DataFrame, curves: pd.DataFrame, optimum: float, printed: dict[str, float]
) -> Figure:
    """Draw the initial rule base, the consequents of both signs, and the reward rates.

    Parameters
    ----------
    consequents, curves : DataFrame
        As in ``learning_consequents.parquet`` and ``learning_curves.parquet``.
    optimum : float
        The best reward rate that any observer can reach.
    printed : dict
        The rates that the paper gives, drawn in grey.
    """
    figure, axes = style.subplots(
        1, 4, width=style.PAGE, height=2.5, width_ratios=(0.75, 1, 1, 1.3)
    )
    draw_table(axes[0], initial_rules(consequents))
    for panel, rule in zip(axes[1:3], RULES, strict=True):
        _draw_consequents(panel, consequents[consequents["rule"] == rule])
        panel.set_title(rule, fontsize=6.5)
    handles, names = axes[1].get_legend_handles_labels()
    _draw_rates(axes[3], curves, optimum, printed)
    figure.legend(handles, names, title="T, POS", loc="outside upper center", ncols=9, fontsize=6)
    style.letter_all(axes)
    style.note(figure, f"Simulated subjects, {curves['replicate'].nunique()} replicates")
    return figure
