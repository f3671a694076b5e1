"""Fig. 6: the output of the fuzzy model, and the boundary that a threshold implies."""

from __future__ import annotations

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

from fuzzybounds.canoe.task import EDGE
from fuzzybounds.paper.figures import style
from fuzzybounds.paper.figures.parts import draw_output, draw_path
from fuzzybounds.paper.worked_example import (
    CONTROLLER,
    OUTPUT_RESPONSE,
    OUTPUT_STEPS,
    steps_to_path,
)

LONGEST = 12.0
THRESHOLD = 0.5


def draw() -> Figure:
    """Draw the example's output with a path, and the output passed through a threshold."""
    figure, (top, bottom) = style.subplots(2, 1, width=style.COLUMN, height=4.2, sharex=True)
    times, positions = np.linspace(0, LONGEST, 241), np.linspace(0, EDGE, 211)
    output = CONTROLLER.output_grid(times, positions)
    image = draw_output(top, output, LONGEST, EDGE)
    figure.colorbar(image, ax=top, label="Output O", pad=0.02)
    draw_path(top, *steps_to_path(OUTPUT_STEPS), steps="x")
    named = {"mfc": "none", "mec": "black", "ms": 7, "label": "response that the text names"}
    top.plot(*OUTPUT_RESPONSE, "o", **named)
    colours = ListedColormap([style.CONTINUE_COLOUR, style.STOP_COLOUR])
    draw_output(bottom, (output >= THRESHOLD).astype(float), LONGEST, EDGE).set(
        cmap=colours, interpolation="nearest"
    )
    bottom.text(2.0, 80, "continue", color="white", fontsize=8)
    bottom.text(8.2, 330, "stop", color="white", fontsize=8)
    bottom.plot(times, CONTROLLER.boundary(times, THRESHOLD, reach=EDGE), color="white", lw=1.5)
    bottom.set(xlabel=style.TIME)
    for axes in (top, bottom):
        axes.set(ylabel=style.POSITION, xlim=(0, LONGEST), ylim=(0, EDGE))
    style.letter_all((top, bottom))
    figure.legend(*top.get_legend_handles_labels(), loc="outside upper center", ncols=2)
    return figure
