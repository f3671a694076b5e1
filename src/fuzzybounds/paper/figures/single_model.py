"""One fitted model for library users: its output, implied boundary and membership functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from fuzzybounds.paper.figures import style
from fuzzybounds.paper.figures.fig06_fuzzy_output import THRESHOLD
from fuzzybounds.paper.figures.parts import draw_memberships, draw_output, draw_points
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.estimator import FuzzyClassifier
from fuzzybounds.paper.fuzzy.membership import label_words


def draw(
    model: FuzzyClassifier | Controller,
    points: Sequence[Any] | None = None,
    *,
    title: str = "",
) -> Figure:
    """Draw the output of a model with the boundary that it implies, and its membership functions.

    Parameters
    ----------
    model : FuzzyClassifier or Controller
        With memberships in s and px.
    points : tuple, optional
        What :meth:`fuzzybounds.Dataset.points` returns, or (X, y), drawn on the output.
    title : str
        Whose model it is.
    """
    controller = model if isinstance(model, Controller) else model.controller_
    longest, furthest = _reach(controller, points)
    times, positions = np.linspace(0, longest, 201), np.linspace(0, furthest, 201)
    figure, axes = style.subplots(1, 3, width=style.PAGE, height=2.3, width_ratios=(1.5, 1, 1))
    image = draw_output(axes[0], controller.output_grid(times, positions), longest, furthest)
    figure.colorbar(image, ax=axes[0], label="Output O", pad=0.02)
    boundary = controller.boundary(times, THRESHOLD, reach=furthest)
    boundary[~np.isfinite(boundary)] = np.nan
    axes[0].plot(times, boundary, color="white", lw=3)
    axes[0].plot(times, boundary, color="black", lw=1.4, label=f"O = {THRESHOLD}")
    if points is not None:
        draw_points(axes[0], points[0].assign(responded=points[1] == "stop"), "black")
    axes[0].set(xlim=(0, longest), ylim=(0, furthest), xlabel=style.TIME, ylabel=style.POSITION)
    above = {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0), "ncols": 3}
    axes[0].legend(handletextpad=0.3, **above)
    for panel, variable, own, reach, name in (
        (axes[1], "time", controller.time, longest, style.TIME),
        (axes[2], "position", controller.position, furthest, style.POSITION),
    ):
        draw_memberships(panel, own, 0.0, reach)
        panel.set(xlabel=name, ylabel="Degree of membership")
        names = [label_words(variable, label) for label in own.labels]
        panel.legend(names, handlelength=1.4, columnspacing=1, **above)
    if title:
        style.note(figure, title)
    return figure


def _reach(controller: Controller, points: Sequence[Any] | None) -> tuple[float, float]:
    """Return the largest time and position to draw."""
    if points is not None:
        return tuple(points[0][["time", "position"]].max())
    return float(controller.time.centers.max()), float(controller.position.centers.max())
