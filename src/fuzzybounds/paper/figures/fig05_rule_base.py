"""Fig. 5: a rule base as a table."""

from __future__ import annotations

from matplotlib.figure import Figure

from fuzzybounds.paper.figures import style
from fuzzybounds.paper.figures.parts import KEY, draw_rules
from fuzzybounds.paper.worked_example import HIGHLIGHTED, RULES


def draw() -> Figure:
    """Draw the example's rule base with the cell that the text reads out."""
    figure, axes = style.subplots(width=style.COLUMN * 0.6, height=2.25)
    draw_rules(axes, RULES, HIGHLIGHTED)
    style.note(figure, KEY)
    return figure
