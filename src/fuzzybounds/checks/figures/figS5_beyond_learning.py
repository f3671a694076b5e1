"""Fig. S5: how near the model comes to the optimum, and which learning rules get there."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fuzzybounds.paper.figures import style

RULES = {
    "paper, as printed": (style.BLUE, ":", "o"),
    "paper, sign reversed": (style.VERMILLION, "--", "s"),
    "hindsight": (style.GREEN, "-", "^"),
}


def _draw_reach(axes: Axes, reach: pd.DataFrame) -> None:
    """Draw shares of the optimum, grouped by time between decisions and number of labels."""
    groups = list(zip(reach["respond_at"], reach["labels"], strict=True))
    axes.plot(range(len(groups)), 100 * reach["share_of_optimum"], "o", color=style.ORANGE)
    axes.axhline(100, color=style.BLACK, lw=1, ls=":")
    times = [respond_at for respond_at, _ in groups]
    # The time between decisions is named once, in the middle of its group.
    middle = {times.index(name) + times.count(name) // 2: name for name in times}
    names = [f"{labels}\n{middle.get(place, '')}" for place, (_, labels) in enumerate(groups)]
    axes.set_xticks(range(len(groups)), names)
    axes.set(xlabel="Labels, and when to decide", ylabel="Best rate (% of optimum)")
    axes.set(ylim=(85, 101), xlim=(-0.5, len(groups) - 0.5))


def _draw_curves(axes: Axes, curves: pd.DataFrame, best: float, optimum: float) -> None:
    for rule, (colour, line, marker) in RULES.items():
        part = curves[curves["rule"] == rule]
        axes.fill_between(part["trial"], part["low"], part["high"], color=colour, alpha=0.2, lw=0)
        look = {"color": colour, "ls": line, "marker": marker, "markevery": [-1], "ms": 4}
        axes.plot(part["trial"], part["median"], **look, label=rule)
    axes.axhline(optimum, color=style.BLACK, lw=1, ls=":", label="optimum")
    axes.axhline(best, color=style.GREY, lw=1, ls="-.", label="best rate of these labels")
    axes.set(xlabel="Trial", ylabel="Reward rate (coins/s)")


def _draw_needed(axes: Axes, summary: pd.DataFrame, trials: int) -> None:
    """Draw trials to 95 % of the best; runs that never reach it lie beyond the last trial."""
    never = 1.35 * trials
    starts = list(summary["start"].unique())
    for shift, (rule, (colour, _, marker)) in zip((-0.2, 0.0, 0.2), RULES.items(), strict=True):
        needed = summary[summary["rule"] == rule].set_index("start").loc[starts]
        columns = ["trials_needed_low", "trials_needed", "trials_needed_high"]
        low, middle, high = needed[columns].replace(np.inf, never).to_numpy().T
        places = np.arange(len(starts)) + shift
        errors = [middle - low, high - middle]
        axes.errorbar(places, middle, errors, fmt=marker, color=colour, lw=1, capsize=2)
    axes.axhline(1.15 * trials, color=style.GREY, lw=0.6)
    axes.text(-0.45, 1.19 * trials, "not reached", fontsize=6, color=style.GREY, va="bottom")
    axes.set(ylim=(0, 1.55 * trials), xlim=(-0.5, len(starts) - 0.5))
    axes.set_xticks(range(len(starts)), starts)
    axes.set_yticks(np.linspace(0, trials, 5))
    axes.set(xlabel="Rules at the start", ylabel="Trials to 95 % of the best")


def draw(
    reach: pd.DataFrame, curves: pd.DataFrame, summary: pd.DataFrame, optimum: float
) -> Figure:
    """Draw the reach of the model, learning curves from every start, and trials needed."""
    starts = list(curves["start"].unique())
    figure, axes = style.subplots(
        1, 2 + len(starts), width=style.PAGE, height=2.7, width_ratios=(1.25, *[1] * len(starts), 1)
    )
    _draw_reach(axes[0], reach)
    of_labels = reach.set_index(["labels", "respond_at"])["reward_rate"]
    for panel, start in zip(axes[1:-1], starts, strict=True):
        from_start = curves[curves["start"] == start]
        _draw_curves(panel, from_start, of_labels[3, "steps"], optimum)
        panel.set_title(f"{start} rules at the start", fontsize=6.5)
        panel.set_ylim(curves["low"].min() - 0.05, 1)
    _draw_needed(axes[-1], summary, int(curves["trial"].max()))
    figure.legend(*axes[1].get_legend_handles_labels(), loc="outside upper right", ncols=5)
    style.letter_all(axes)
    style.note(figure, f"Simulated subjects, {summary['replicates'].iloc[0]} replicates")
    return figure
