"""Fig. 16: one simulated trial, and how active every rule is in it."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke

from fuzzybounds.canoe.task import DEADLINE, EDGE
from fuzzybounds.figures import style
from fuzzybounds.figures.fuzzy_output import draw_output
from fuzzybounds.figures.rule_base import draw_table
from fuzzybounds.fuzzy.controller import Controller
from fuzzybounds.learning.paper_simulation import initial_rules
from fuzzybounds.learning.policy import paper_memberships

SHOWN = 0.1
"""Rules that are never more active than this are grey and have no name in the legend."""


def draw(trial: pd.DataFrame, consequents: pd.DataFrame) -> Figure:
    """Draw the rule base, the output with the canoe's path, and the activation of the rules.

    Parameters
    ----------
    trial, consequents : DataFrame
        The tables ``example_trial`` and ``learning_consequents``.
    """
    rules = initial_rules(consequents)
    memberships = paper_memberships(len(rules.time_labels))
    controller = Controller(memberships, memberships, rules)
    figure, (left, middle, right) = style.subplots(
        1, 3, width=style.PAGE, height=2.4, width_ratios=(0.8, 1.15, 1.25)
    )
    draw_table(left, rules)
    grid = np.linspace(0, 1, 121)
    image = draw_output(middle, controller.output_grid(grid, grid), 1.0, 1.0)
    figure.colorbar(image, ax=middle, label="Output O", pad=0.02)
    time, position = trial["time"] / DEADLINE, trial["position"].abs() / EDGE
    outline = [withStroke(linewidth=2.2, foreground="black")]
    middle.plot(time, position, color="white", lw=1, path_effects=outline)
    middle.plot(time.iloc[-1], position.iloc[-1], "X", color=style.VERMILLION, mec="black", ms=7)
    middle.set(xlabel=style.UNIT_TIME, ylabel=style.UNIT_POSITION, xlim=(0, 1), ylim=(0, 1))
    for rule in [name for name in trial if "," in name]:
        position_label = rule.split(",")[1]
        active = trial[rule].max() > SHOWN
        look = {
            "color": style.LABEL_COLOURS[position_label] if active else style.PALE,
            "ls": style.LABEL_LINES[rule.split(",")[0]],
            "label": rule if active else None,
        }
        right.plot(time, trial[rule], **look)
    right.set(xlabel=style.UNIT_TIME, ylabel="Activation of the rule", ylim=(0, 1.02))
    right.set_xlim(0, time.iloc[-1])
    right.legend(
        title="T, POS", loc="center left", bbox_to_anchor=(1.0, 0.5), handlelength=2.6, fontsize=6
    )
    style.letter_all((left, middle, right))
    style.note(figure, "Simulated trial")
    return figure
