"""Fig. 17: learning the consequents of the rules by reinforcement."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fuzzybounds.paper.figures import style
from fuzzybounds.paper.figures.fig16_simulated_trial import rule_look
from fuzzybounds.paper.figures.parts import draw_rules
from fuzzybounds.paper.reinforcement.paper_simulation import initial_rules

RULES = {"as printed": (style.BLUE, "-"), "sign reversed": (style.VERMILLION, "--")}


def _draw_consequents(axes: Axes, table: pd.DataFrame) -> None:
    for (time, position), own in table.groupby(["time_label", "position_label"], sort=False):
        axes.plot(own["trial"], own["median"], lw=1, **rule_look(time, position))
    shaded = {"color": style.PALE, "alpha": 0.35, "lw": 0, "label": "0 (continue) to 1 (stop)"}
    axes.axhspan(0, 1, **shaded)
    axes.set(xlabel="Trial", ylabel="Consequent (median)")


def _draw_rates(axes: Axes, curves: pd.DataFrame, optimum: float, printed: dict) -> None:
    for rule, (colour, line) in RULES.items():
        own = curves[curves["rule"] == rule].groupby("trial")["reward_rate"]
        low, middle, high = (own.quantile(q) for q in (0.1, 0.5, 0.9))
        axes.fill_between(middle.index, low, high, color=colour, alpha=0.2, lw=0)
        axes.plot(middle.index, middle, color=colour, ls=line, label=rule)
    axes.axhline(optimum, color=style.BLACK, lw=1, ls=":", label=f"optimum, {optimum:.3f}")
    values = ", ".join(f"{value:g}" for value in printed.values())
    for number, value in enumerate(printed.values()):
        name = f"the paper's, {values}" if number == 0 else None
        axes.axhline(value, color=style.GREY, lw=0.8, ls="-.", label=name)
    axes.set(xlabel="Last trial of a window of 1000", ylabel="Reward rate (coins/s)")
    axes.set_ylim(-1.35, 1)
    axes.legend(loc="lower right", fontsize=6)


def draw(
    consequents: pd.DataFrame, curves: pd.DataFrame, optimum: float, printed: dict[str, float]
) -> Figure:
    """Draw the initial rule base, the consequents of both signs, and the reward rates."""
    figure, axes = style.subplots(
        1, 4, width=style.PAGE, height=2.6, width_ratios=(0.75, 1, 1, 1.3)
    )
    draw_rules(axes[0], initial_rules(consequents))
    for panel, rule in zip(axes[1:3], RULES, strict=True):
        _draw_consequents(panel, consequents[consequents["rule"] == rule])
        panel.set_title(rule, fontsize=6.5)
    _draw_rates(axes[3], curves, optimum, printed)
    above = {"title": "T, POS", "loc": "outside upper center", "ncols": 10, "fontsize": 6}
    figure.legend(*axes[1].get_legend_handles_labels(), **above)
    style.letter_all(axes)
    style.note(figure, f"Simulated subjects, {curves['replicate'].nunique()} replicates")
    return figure
