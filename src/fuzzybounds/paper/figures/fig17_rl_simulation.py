"""Fig. 17: learning the consequents of the rules by reinforcement."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fuzzybounds.paper.figures import style
from fuzzybounds.paper.figures.fig16_simulated_trial import rule_look
from fuzzybounds.paper.figures.parts import KEY, draw_rules
from fuzzybounds.paper.reinforcement.paper_simulation import CONTROL, initial_rules

RULES = {"as printed": (style.BLUE, "-"), "sign reversed": (style.VERMILLION, "--")}
LOOKS = {**RULES, CONTROL: (style.GREY, (0, (4, 1, 1, 1)))}


def _draw_consequents(axes: Axes, table: pd.DataFrame) -> None:
    for (time, position), course in table.groupby(["time_label", "position_label"], sort=False):
        axes.plot(course["trial"], course["median"], lw=1, **rule_look(time, position))
    shaded = {"color": style.PALE, "alpha": 0.35, "lw": 0, "label": "0 (continue) to 1 (stop)"}
    axes.axhspan(0, 1, **shaded)
    axes.set(xlabel="Trial", ylabel="Consequent (median)")


def _draw_rates(
    axes: Axes, curves: pd.DataFrame, initial: float, printed: Mapping[str, float]
) -> None:
    for rule, (colour, line) in LOOKS.items():
        by_trial = curves[curves["rule"] == rule].groupby("trial")["reward_rate"]
        low, middle, high = (by_trial.quantile(q) for q in (0.1, 0.5, 0.9))
        if rule in RULES:
            axes.fill_between(middle.index, low, high, color=colour, alpha=0.15, lw=0)
        # All subjects start with the same rules, whose rate is known.
        trials, rates = [0, *middle.index], [initial, *middle]
        axes.plot(trials, rates, color=colour, ls=line, label=rule)
    before = {"marker": "D", "ms": 4, "lw": 0, "color": style.BLACK, "clip_on": False, "zorder": 5}
    exact = f"before learning, {initial:.2f} (exact)".replace("-", "−")
    axes.plot(0, initial, label=exact, **before)
    beside = axes.get_yaxis_transform()
    for number, (name, value) in enumerate(printed.items()):
        line = axes.axhline(value, color=style.BLACK, lw=0.7, ls=":", zorder=0)
        if number == 0:
            line.set_label("printed in the paper")
        text = {"transform": beside, "va": "center", "fontsize": 6}
        axes.text(1.02, value, f"{value:g}, {name}".replace("-", "−"), **text)
    axes.set(xlabel="Trial", ylabel="Reward rate (coins/s)", xlim=(0, curves["trial"].max()))
    axes.set_ylim(-1.8, 1.05)
    axes.legend(loc="lower right", fontsize=6)


def draw(
    consequents: pd.DataFrame, curves: pd.DataFrame, initial: float, printed: Mapping[str, float]
) -> Figure:
    """Draw the initial rule base, the consequents of both signs, and the reward rates.

    `initial` is the exact rate of the initial rules, and `printed` has the paper's rates by name.
    """
    figure, axes = style.subplots(
        1, 4, width=style.PAGE, height=2.8, width_ratios=(0.7, 0.95, 0.95, 1.6)
    )
    draw_rules(axes[0], initial_rules(consequents))
    for panel, rule in zip(axes[1:3], RULES, strict=True):
        _draw_consequents(panel, consequents[consequents["rule"] == rule])
        panel.set_title(rule, fontsize=6.5)
    _draw_rates(axes[3], curves, initial, printed)
    above = {"title": "T, POS", "loc": "outside upper center", "ncols": 10, "fontsize": 6}
    figure.legend(*axes[1].get_legend_handles_labels(), **above)
    style.letter_all(axes)
    style.note(
        figure,
        f"{curves['replicate'].nunique()} simulated subjects: medians and the middle 80 %; {KEY}; "
        "D: last 1000 trials, or all so far if they are fewer",
    )
    return figure
