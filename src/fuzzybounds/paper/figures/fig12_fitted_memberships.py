"""Fig. 12: membership functions of two subjects' fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fuzzybounds.paper.figures import contrast, style
from fuzzybounds.paper.figures.parts import draw_memberships
from fuzzybounds.paper.fuzzy.membership import Memberships


def _draw_draws(axes: Axes, drawn: Sequence[Memberships], reach: float) -> None:
    """Draw each label with its median centre and width, and thinly as it is in each draw."""
    center, width = (
        np.median([getattr(labels, name) for labels in drawn], axis=0)
        for name in ("centers", "widths")
    )
    draw_memberships(axes, replace(drawn[0], centers=center, widths=width), 0.0, reach)
    x = np.linspace(0.0, reach, 201)
    for labels in drawn:
        degrees = labels.degrees(x, normalised=False)
        for label, degree in zip(labels.labels, degrees.T, strict=True):
            axes.plot(x, degree, color=style.LABEL_COLOURS[label], lw=0.4, alpha=0.3, zorder=1)
    axes.set(ylim=(0, 1.02), yticks=(0, 0.5, 1))


def draw(fits: Sequence[contrast.Fit], dataset: Mapping[str, Any]) -> Figure:
    """Draw one column per fit: labels of time above, of position below."""
    figure, axes = style.subplots(
        2, len(fits), width=style.PAGE, height=3.4, sharey=True, squeeze=False
    )
    for column, fit in enumerate(fits):
        _draw_draws(axes[0, column], [draw.time for draw in fit.tuned], fit.time_range)
        _draw_draws(axes[1, column], [draw.position for draw in fit.tuned], fit.position_range)
        axes[0, column].set_title(fit.name, fontsize=6.5, loc="right")
        axes[0, column].set_xlabel(style.TIME)
        axes[1, column].set_xlabel(style.POSITION)
    for row in axes:
        row[0].set_ylabel("Degree of membership")
    style.letter_all(axes.flat)
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper right", ncols=3)
    source = f"thick: medians of centre and width, thin: single draws; {contrast.source(fits)}"
    style.say_source(figure, dataset, source)
    return figure
