"""Fig. 4: membership functions of elapsed time, canoe position and the output."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from fuzzybounds.paper.figures import style
from fuzzybounds.paper.figures.parts import draw_memberships
from fuzzybounds.paper.worked_example import POSITION, TIME

WORKED_TIME = 1.5
"""The elapsed time (s) whose degrees the text gives."""


def draw() -> Figure:
    """Draw the labels of T and POS, and those of the output at its two centres."""
    figure, (time, position, output) = style.subplots(
        1, 3, width=style.PAGE, height=2.1, sharey=True
    )
    draw_memberships(time, TIME, 0.0, 12.0)
    draw_memberships(position, POSITION, 0.0, 420.0)
    for label, degree in zip(TIME.labels, TIME.degrees(WORKED_TIME, normalised=False), strict=True):
        if degree > 0.05:
            time.plot([WORKED_TIME, 0], [degree, degree], ":", color=style.GREY, lw=0.8)
            time.plot(WORKED_TIME, degree, "o", color=style.LABEL_COLOURS[label])
            # The curve of S falls and that of M rises: the free side is above or below.
            above = label == "S"
            at = (WORKED_TIME + 0.3, degree + (0.02 if above else -0.01))
            time.text(*at, f"{degree:.2f}", va="bottom" if above else "top")
    time.set(xlabel="T, " + style.TIME.lower(), ylabel="Degree of membership")
    position.set_xlabel("POS, " + style.POSITION.lower())
    outcome = np.linspace(0.0, 1.0, 201)
    for name, centre, colour, line in (
        ("continue", 0.0, style.CONTINUE_COLOUR, "-"),
        ("stop", 1.0, style.STOP_COLOUR, "--"),
    ):
        output.plot(outcome, 1.0 - np.abs(outcome - centre), color=colour, ls=line, label=name)
    output.set(xlabel="Output, desire to respond", xlim=(0, 1))
    for axes in (time, position, output):
        axes.legend(loc="upper center", ncols=3, bbox_to_anchor=(0.5, 1.17))
    style.letter_all((time, position, output))
    return figure
