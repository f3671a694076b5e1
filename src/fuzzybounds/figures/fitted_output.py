"""Fig. 10: output of the fitted model for two subjects, before and after tuning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from fuzzybounds.figures import contrast, style
from fuzzybounds.figures.fuzzy_output import draw_output, draw_points
from fuzzybounds.fuzzy.controller import Controller

GRID = np.linspace(0.0, 1.0, 121)


def mean_output(fitted: Sequence[Controller]) -> np.ndarray:
    """Output on the unit square, averaged over draws, of shape (times, positions)."""
    return np.mean([controller.output_grid(GRID, GRID) for controller in fitted], axis=0)


def draw(fits: Sequence[contrast.Fit], dataset: Mapping[str, Any]) -> Figure:
    """Draw one column per fit: structure learning above, tuning and the data below."""
    figure, axes = style.subplots(
        2, len(fits), width=style.PAGE, height=3.8, sharex="col", sharey="col", squeeze=False
    )
    for column, fit in enumerate(fits):
        reach = (fit.time_range, fit.position_range)
        draw_output(axes[0, column], mean_output(fit.untuned), *reach)
        image = draw_output(axes[1, column], mean_output(fit.tuned), *reach)
        draw_points(axes[1, column], fit.points)
        axes[0, column].set_title(fit.name, fontsize=6.5)
        axes[1, column].set_xlabel(style.TIME)
    for row, name in enumerate(("structure learning", "after tuning")):
        axes[row, 0].set_ylabel(f"{name}\n{style.POSITION}")
    style.letter_all(axes.flat)
    figure.colorbar(image, ax=axes, label="Output O (mean over draws)", pad=0.01, aspect=40)
    figure.legend(
        *axes[1, 0].get_legend_handles_labels(),
        loc="outside upper right",
        ncols=2,
        handletextpad=0.1,
    )
    style.say_source(figure, dataset, contrast.source(fits, dataset))
    return figure
