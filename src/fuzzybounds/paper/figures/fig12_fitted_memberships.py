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
    """Draw each label with its median centre and width; a bar has the middle 80 % of centres."""
    centers, widths = (
        reach * np.array([getattr(own, name) for own in drawn]) for name in ("centers", "widths")
    )
    center, width = np.median(centers, axis=0), np.median(widths, axis=0)
    draw_memberships(axes, replace(drawn[0], centers=center, widths=width), 0.0, reach)
    low, high = np.quantile(centers, (0.1, 0.9), axis=0)
    for number, label in enumerate(drawn[0].labels):
        height, colour = 1.07 + 0.07 * number, style.LABEL_COLOURS[label]
        axes.plot([low[number], high[number]], [height, height], color=colour, lw=2)
        axes.plot(center[number], height, "|", color="black", ms=5)
    axes.set(xlim=(0, reach), ylim=(0, 1.3), yticks=(0, 0.5, 1))


def draw(fits: Sequence[contrast.Fit], dataset: Mapping[str, Any]) -> Figure:
    """Draw one column per fit: labels of time above, of position below."""
    figure, axes = style.subplots(
        2, len(fits), width=style.PAGE, height=3.4, sharey=True, squeeze=False
    )
    for column, fit in enumerate(fits):
        _draw_draws(axes[0, column], [own.time for own in fit.tuned], fit.time_range)
        _draw_draws(axes[1, column], [own.position for own in fit.tuned], fit.position_range)
        axes[0, column].set_title(fit.name, fontsize=6.5)
        axes[0, column].set_xlabel(style.TIME)
        axes[1, column].set_xlabel(style.POSITION)
    for row in axes:
        row[0].set_ylabel("Degree of membership")
    style.letter_all(axes.flat)
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper right", ncols=3)
    said = f"{contrast.source(fits)}; medians, bars: middle 80 % of the centres over draws"
    style.say_source(figure, dataset, said)
    return figure
