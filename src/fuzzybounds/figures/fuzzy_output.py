"""Fig. 6: the output of the fuzzy model, and the boundary that a threshold implies."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.patheffects import withStroke

from fuzzybounds.canoe.task import EDGE
from fuzzybounds.figures import style
from fuzzybounds.paper.worked_example import (
    CONTROLLER,
    OUTPUT_RESPONSE,
    OUTPUT_STEPS,
    steps_to_path,
)

LONGEST = 12.0
THRESHOLD = 0.5


def draw_output(
    axes: Axes, output: np.ndarray, time_range: float, position_range: float
) -> AxesImage:
    """Draw O, of shape (times, positions), as a heat map from 0 to 1."""
    return axes.imshow(
        output.T,
        origin="lower",
        extent=(0, time_range, 0, position_range),
        aspect="auto",
        vmin=0,
        vmax=1,
        cmap=style.OUTPUT_MAP,
        interpolation="bilinear",
    )


def draw_points(axes: Axes, points: pd.DataFrame, edge_of_responses: str = "white") -> None:
    """Draw points at which a subject went on or responded on top of an output."""
    for responded, name, marker, face, edge in (
        (False, "continued", "s", "white", "black"),
        (True, "responded", "X", style.VERMILLION, edge_of_responses),
    ):
        own = points[points["responded"] == responded]
        look = {"marker": marker, "facecolor": face, "edgecolor": edge, "linewidth": 0.4, "s": 9}
        # Points on the edge of the range are whole.
        axes.scatter(own["time"], own["position"], label=name, clip_on=False, zorder=3, **look)


def draw() -> Figure:
    """Draw the example's output with a path, and the output passed through a threshold."""
    figure, (top, bottom) = style.subplots(2, 1, width=style.COLUMN, height=3.9, sharex=True)
    times, positions = np.linspace(0, LONGEST, 241), np.linspace(0, EDGE, 211)
    output = CONTROLLER.output_grid(times, positions)
    image = draw_output(top, output, LONGEST, EDGE)
    figure.colorbar(image, ax=top, label="Output O", pad=0.02)
    corners, path = steps_to_path(OUTPUT_STEPS)
    # A dark outline keeps white visible on the bright end of the map.
    outlined = {"color": "white", "path_effects": [withStroke(linewidth=2.2, foreground="black")]}
    top.plot(corners, np.abs(path), lw=1, **outlined)
    top.plot(corners[1:-1], np.abs(path[1:-1]), "x", ms=3.5, **outlined)
    top.plot(corners[-1], np.abs(path[-1]), "X", color=style.VERMILLION, mec="black", ms=7)
    top.plot(*OUTPUT_RESPONSE, "o", mfc="none", mec="black", ms=7)
    colours = ListedColormap([style.CONTINUE_COLOUR, style.STOP_COLOUR])
    stops = (output >= THRESHOLD).T
    extent = (0, LONGEST, 0, EDGE)
    bottom.imshow(stops, origin="lower", extent=extent, aspect="auto", cmap=colours, vmin=0, vmax=1)
    bottom.text(2.0, 80, "continue", color="white", fontsize=8)
    bottom.text(8.2, 330, "stop", color="white", fontsize=8)
    bottom.plot(times, CONTROLLER.boundary(times, THRESHOLD, reach=EDGE), color="white", lw=1.5)
    bottom.set(xlabel=style.TIME)
    for axes in (top, bottom):
        axes.set(ylabel=style.POSITION, xlim=(0, LONGEST), ylim=(0, EDGE))
    style.letter_all((top, bottom))
    return figure
