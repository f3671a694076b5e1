"""Fig. 5: a rule base as a table, rows POS and columns T."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from fuzzybounds.figures import style
from fuzzybounds.fuzzy.rules import CONTINUE, STOP, RuleBase
from fuzzybounds.paper.worked_example import HIGHLIGHTED, RULES

LETTERS = {STOP: "S", CONTINUE: "C"}
KEY = "S: stop, C: continue"


def _tint(colour: str, share: float) -> np.ndarray:
    """Mix a colour with white, so that black letters stand out on it."""
    return 1 - share * (1 - np.array(to_rgb(colour)))


def draw_table(axes: Axes, rules: RuleBase, highlighted: tuple[str, str] | None = None) -> None:
    """Draw a rule base as the paper prints it: position labels up, time labels to the right.

    Whole consequents are letters (S stop, C continue), others numbers; an empty cell is hatched.
    """
    n_time, n_position = rules.consequents.shape
    for i in range(n_time):
        for j in range(n_position):
            value = rules.consequents[i, j]
            empty = np.isnan(value)
            face = "white" if empty else _tint(style.STOP_COLOUR, 0.15 + 0.55 * value)
            if value == CONTINUE:
                face = _tint(style.CONTINUE_COLOUR, 0.25)
            if empty:
                # The hatch takes the edge's colour; a white frame on top keeps the grid.
                hatched = {"fc": "white", "ec": style.PALE, "lw": 0, "hatch": "/////"}
                axes.add_patch(Rectangle((i - 0.5, j - 0.5), 1, 1, **hatched))
                face = "none"
            axes.add_patch(Rectangle((i - 0.5, j - 0.5), 1, 1, fc=face, ec="white", lw=1.5))
            text = "" if empty else LETTERS.get(value, f"{value:.2f}")
            axes.text(i, j, text, ha="center", va="center")
    if highlighted is not None:
        i = rules.time_labels.index(highlighted[0])
        j = rules.position_labels.index(highlighted[1])
        framed = {"fc": "none", "ec": style.BLACK, "lw": 2, "zorder": 3, "clip_on": False}
        axes.add_patch(Rectangle((i - 0.5, j - 0.5), 1, 1, **framed))
    axes.set(
        xlim=(-0.5, n_time - 0.5),
        ylim=(-0.5, n_position - 0.5),
        xticks=range(n_time),
        xticklabels=rules.time_labels,
        yticks=range(n_position),
        yticklabels=rules.position_labels,
        aspect="equal",
    )
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set(xlabel="T, elapsed time", ylabel="POS, canoe position")


def draw() -> Figure:
    """Draw the example's rule base with the cell that the text reads out."""
    figure, axes = style.subplots(width=style.COLUMN * 0.6, height=2.25)
    draw_table(axes, RULES, HIGHLIGHTED)
    style.note(figure, KEY)
    return figure
