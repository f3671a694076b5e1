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
    axes.set(xlabel="Trial", ylabel="Consequent (median)", ylim=(-0.05, 1.05))


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
        text = {"transform": beside, "va": "center", "fontsize": 6.5}
        axes.text(1.01, value, f"{value:g}, {name}".replace("-", "−"), **text)
    axes.set(xlabel="Trial", ylabel="Reward rate (coins/s)", xlim=(0, curves["trial"].max()))
    axes.set_ylim(-1.15, 1.05)
    axes.legend(loc="lower center", ncols=2)


def draw(
    consequents: pd.DataFrame, curves: pd.DataFrame, initial: float, printed: Mapping[str, float]
) -> Figure:
    """Draw the initial rule base, the consequents of both signs, and the reward rates.

    `initial` is the exact rate of the initial rules, and `printed` has the paper's rates by name.
    """
    figure = style.new_figure(width=style.PAGE, height=5.2)
    panels = figure.subplot_mosaic("AABBBCCC;DDDDDDDD")
    draw_rules(panels["A"], initial_rules(consequents))
    for panel, rule in zip((panels["B"], panels["C"]), RULES, strict=True):
        _draw_consequents(panel, consequents[consequents["rule"] == rule])
        panel.set_title(rule)
    panels["C"].sharey(panels["B"])
    panels["C"].set_ylabel("")
    _draw_rates(panels["D"], curves, initial, printed)
    rules = panels["B"].get_legend_handles_labels()
    figure.legend(*rules, title="T, POS", loc="outside upper center", ncols=10, columnspacing=1.2)
    style.letter_all(panels.values())
    style.note(
        figure,
        f"{curves['replicate'].nunique()} simulated subjects: medians and the middle 80 %; {KEY}; "
        "D: last 1000 trials, or all so far if they are fewer",
    )
    return figure
