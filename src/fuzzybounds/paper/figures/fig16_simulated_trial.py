"""Fig. 16: one simulated trial, and how active every rule is in it."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from fuzzybounds.canoe.task import DEADLINE, EDGE
from fuzzybounds.paper.figures import style
from fuzzybounds.paper.figures.parts import draw_output, draw_path, draw_rules
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.reinforcement.paper_simulation import initial_rules
from fuzzybounds.paper.reinforcement.policy import paper_memberships


def rule_look(time: str, position: str) -> dict:
    """Return line, by the label of time, and colour, by that of position, of a rule."""
    look = {"color": style.LABEL_COLOURS[position], "ls": style.LABEL_LINES[time]}
    return {**look, "label": f"{time},{position}"}


def draw(trial: pd.DataFrame, consequents: pd.DataFrame) -> Figure:
    """Draw the rule base, the output with the canoe's path, and the activation of the rules."""
    rules = initial_rules(consequents)
    memberships = paper_memberships(len(rules.time_labels))
    controller = Controller(memberships, memberships, rules)
    figure, (left, middle, right) = style.subplots(
        1, 3, width=style.PAGE, height=2.4, width_ratios=(0.8, 1.15, 1.25)
    )
    draw_rules(left, rules)
    grid = np.linspace(0, 1, 121)
    image = draw_output(middle, controller.output_grid(grid, grid), 1.0, 1.0)
    figure.colorbar(image, ax=middle, label="Output O", pad=0.02)
    time = trial["time"] / DEADLINE
    draw_path(middle, time, trial["position"] / EDGE)
    middle.set(xlabel=style.UNIT_TIME, ylabel=style.UNIT_POSITION, xlim=(0, 1), ylim=(0, 1))
    for rule in [name for name in trial if "," in name]:
        right.plot(time, trial[rule], **rule_look(*rule.split(",")))
    right.set(xlabel=style.UNIT_TIME, ylabel="Activation of the rule", ylim=(0, 1.02))
    right.set_xlim(0, time.iloc[-1])
    beside = {"loc": "center left", "bbox_to_anchor": (1.0, 0.5), "handlelength": 2.6}
    right.legend(title="T, POS", fontsize=6, **beside)
    style.letter_all((left, middle, right))
    style.note(figure, "Simulated trial; cross: response")
    return figure
