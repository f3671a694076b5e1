"""Fig. 10: output of the fitted model for two subjects, before and after tuning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage

from fuzzybounds.paper.figures import contrast, style
from fuzzybounds.paper.figures.parts import draw_output, draw_points
from fuzzybounds.paper.fuzzy.controller import Controller

POINTS = 121
"""Times, and positions, at which outputs are computed."""
AGREED = 0.8
"""Share of draws whose outputs are on one side of 0.5, below which a place is hatched."""
DISPUTE = {"hatch.color": "white", "hatch.linewidth": 0.5}


def _draw_draws(axes: Axes, drawn: Sequence[Controller], *reach: float) -> AxesImage:
    """Draw the output averaged over draws, hatched where they do not agree with one another."""
    time, position = (np.linspace(0.0, end, POINTS) for end in reach)
    outputs = np.stack([controller.output_grid(time, position) for controller in drawn])
    stops = (outputs >= 0.5).mean(axis=0)
    disputed = np.maximum(stops, 1 - stops) < AGREED
    image = draw_output(axes, outputs.mean(axis=0), *reach)
    if disputed.any():
        grid = (time, position, disputed.T.astype(float))
        with plt.rc_context(DISPUTE):
            axes.contourf(*grid, levels=[0.5, 1.5], colors="none", hatches=["////"])
        axes.contour(*grid, levels=[0.5], colors="white", linewidths=0.5)
    return image


def draw(fits: Sequence[contrast.Fit], dataset: Mapping[str, Any]) -> Figure:
    """Draw one column per fit: structure learning above, tuning and the data below."""
    figure, axes = style.subplots(
        2, len(fits), width=style.PAGE, height=4.6, sharex="col", sharey="col", squeeze=False
    )
    for column, fit in enumerate(fits):
        reach = (fit.time_range, fit.position_range)
        _draw_draws(axes[0, column], fit.untuned, *reach)
        image = _draw_draws(axes[1, column], fit.tuned, *reach)
        draw_points(axes[1, column], fit.points, size=5)
        axes[0, column].set_title(fit.name, fontsize=7, loc="right")
        axes[1, column].set_xlabel(style.TIME)
    for row, name in enumerate(("structure learning", "after tuning")):
        axes[row, 0].set_ylabel(f"{name}\n{style.POSITION}")
    style.letter_all(axes.flat)
    figure.colorbar(image, ax=axes, label="Output O, mean over draws", pad=0.01, aspect=40)
    handles, names = axes[1, 0].get_legend_handles_labels()
    handles.append(plt.Rectangle((0, 0), 1, 1, fc=style.GREY, ec="white", hatch="////", lw=0))
    names.append(f"fewer than {AGREED:.0%} of draws agree")
    figure.legend(handles, names, loc="outside upper right", ncols=3, handletextpad=0.4)
    style.say_source(figure, dataset, contrast.source(fits))
    return figure
