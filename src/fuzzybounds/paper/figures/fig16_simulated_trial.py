"""Fig. 16: one simulated trial, and how active every rule is in it."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from fuzzybounds.canoe.task import DEADLINE, EDGE
from fuzzybounds.paper.figures import style
from fuzzybounds.paper.figures.parts import KEY, draw_output, draw_path, draw_rules
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.reinforcement.paper_simulation import initial_rules
from fuzzybounds.paper.reinforcement.policy import paper_memberships


def rule_look(time: str, position: str) -> dict:
    """Return line, by the label of time, and colour, by that of position, of a rule."""
    look = {"color": style.LABEL_COLOURS[position], "ls": style.LABEL_LINES[time]}
    return {**look, "label": f"{time},{position}"}


def draw(trial: pd.DataFrame, consequents: pd.DataFrame, response: tuple[float, float]) -> Figure:
    """Draw the rule base, the output with the canoe's path, and the activation of the rules.

    `response` is where the paper's caption has it: time and position, normalised.
    """
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
    time, position = trial["time"] / DEADLINE, trial["position"].abs() / EDGE
    draw_path(middle, time, position)
    ring = {"marker": "o", "ms": 6, "mfc": "none", "mec": "white", "mew": 1.2, "lw": 0}
    middle.plot(*response, label="response as printed", **ring)
    middle.set(xlabel=style.UNIT_TIME, ylabel=style.UNIT_POSITION, xlim=(0, 1), ylim=(0, 1))
    for rule in [name for name in trial if "," in name]:
        right.plot(time, trial[rule], **rule_look(*rule.split(",")))
    right.axvline(time.iloc[-1], color=style.GREY, lw=0.8, ls=":")
    right.set(xlabel=style.UNIT_TIME, ylabel="Activation of the rule", xlim=(0, 1), ylim=(0, 1.02))
    beside = {"loc": "center left", "bbox_to_anchor": (1.0, 0.5), "handlelength": 2.6}
    right.legend(title="T, POS", fontsize=6, **beside)
    style.letter_all((left, middle, right))
    end = f"({time.iloc[-1]:.2f}, {position.iloc[-1]:.2f})"
    at = f"({response[0]:g}, {response[1]:g})"
    style.note(
        figure,
        f"Simulated trial; {KEY}; cross: response, at {end}, one of the two points nearest to the "
        f"printed one, {at} (ring), that the canoe can reach",
    )
    return figure
