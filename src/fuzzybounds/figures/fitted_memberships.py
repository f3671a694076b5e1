"""Fig. 12: membership functions of two subjects' fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fuzzybounds.figures import contrast, style
from fuzzybounds.fuzzy.membership import Memberships


def _draw_draws(axes: Axes, drawn: Sequence[Memberships], reach: float) -> None:
    """Draw the mean over draws of each label's membership, and the band of the middle 80 %."""
    x = np.linspace(0.0, 1.0, 201)
    degrees = np.stack([memberships.degrees(x, normalised=False) for memberships in drawn])
    low, high = np.quantile(degrees, (0.1, 0.9), axis=0)
    for number, label in enumerate(drawn[0].labels):
        look = {"color": style.LABEL_COLOURS[label]}
        axes.fill_between(x * reach, low[:, number], high[:, number], alpha=0.2, lw=0, **look)
        mean = degrees[:, :, number].mean(axis=0)
        axes.plot(x * reach, mean, ls=style.LABEL_LINES[label], label=label, **look)
    axes.set(xlim=(0, reach), ylim=(0, 1.05))


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
    style.say_source(figure, dataset, contrast.source(fits, dataset))
    return figure
