"""Fig. 4: membership functions of elapsed time, canoe position and the output."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fuzzybounds.canoe.task import EDGE
from fuzzybounds.paper.figures import style
from fuzzybounds.paper.figures.parts import draw_memberships
from fuzzybounds.paper.fuzzy.membership import Memberships
from fuzzybounds.paper.worked_example import (
    OUTPUT,
    POSITION,
    TIME,
    WORKED_POSITION,
    WORKED_TIME,
    readings,
)


def _mark(axes: Axes, memberships: Memberships, value: float, shown: str, shift: float) -> None:
    """Write the degrees to which a value has the labels in `shown`, `shift` points beside it."""
    degrees = memberships.degrees(value, normalised=True)
    for label in shown:
        degree, colour = degrees[memberships.labels.index(label)], style.LABEL_COLOURS[label]
        axes.plot(value, degree, "o", color=colour)
        place = {"textcoords": "offset points", "ha": "left" if shift > 0 else "right"}
        line = {"arrowstyle": "-", "color": style.GREY, "lw": 0.6, "shrinkA": 1, "shrinkB": 2}
        text = f"{degree:.3f}"
        axes.annotate(
            text, (value, degree), (shift, 0), va="center", color=colour, arrowprops=line, **place
        )


def draw() -> Figure:
    """Draw the labels of T and POS, and those of the output, each normalised as the text says."""
    figure, (time, position, output) = style.subplots(
        1, 3, width=style.PAGE, height=2.2, sharey=True
    )
    draw_memberships(time, TIME, 0.0, 12.0, normalised=True)
    draw_memberships(position, POSITION, 0.0, EDGE, normalised=True)
    _mark(time, TIME, WORKED_TIME, "SM", shift=16)
    _mark(position, POSITION, WORKED_POSITION, "M", shift=-12)
    time.set(xlabel="T, " + style.TIME.lower(), ylabel="Degree of membership")
    position.set_xlabel("POS, " + style.POSITION.lower())
    outcome = np.linspace(0.0, 1.0, 201)
    looks = ((style.CONTINUE_COLOUR, "-"), (style.STOP_COLOUR, "--"))
    degrees = OUTPUT.degrees(outcome, normalised=True).T
    for name, degree, (colour, line) in zip(OUTPUT.labels, degrees, looks, strict=True):
        output.plot(outcome, degree, color=colour, ls=line, label=name)
    output.set(xlabel="Output, desire to respond", xlim=(0, 1))
    for axes in (time, position, output):
        axes.legend(loc="upper center", ncols=3, bbox_to_anchor=(0.5, 1.17))
    style.letter_all((time, position, output))
    tried = readings("width")
    style.note(
        figure,
        f"By Eq. 2, normalised; short and long: one of {tried.agree} of {tried.tried} settings "
        "that give the printed digits",
    )
    return figure
