"""Fig. 11: rule bases of two subjects' fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle
from matplotlib.patheffects import withStroke

from fuzzybounds.paper.figures import contrast, style
from fuzzybounds.paper.figures.parts import POS_LABEL, T_LABEL, name_cells, tint

LOOKS = {
    "stop": {"fc": tint(style.STOP_COLOUR, 0.7), "lw": 0},
    "continue": {"fc": tint(style.CONTINUE_COLOUR, 0.35), "lw": 0},
    "no rule": {"fc": "white", "ec": style.PALE, "lw": 0, "hatch": "/////"},
}
"""What a draw may say about a premise, from the bottom of a cell to its top."""
LETTERS = ("S", "C", "–")


def _draw_cell(axes: Axes, i: int, j: int, shares: np.ndarray) -> None:
    """Divide a cell by the shares of draws, and name what most draws say."""
    bottom = j - 0.5
    for share, look in zip(shares, LOOKS.values(), strict=True):
        axes.add_patch(Rectangle((i - 0.5, bottom), 1, share, **look))
        bottom += share
    axes.add_patch(Rectangle((i - 0.5, j - 0.5), 1, 1, fc="none", ec="white", lw=1.5))
    most = shares.max()
    name = "/".join(np.array(LETTERS)[shares == most])
    outline = [withStroke(linewidth=1.5, foreground="white")]
    place = {"ha": "center", "va": "center", "linespacing": 1.3}
    axes.text(i, j, f"{name}\n{most:.0%}", path_effects=outline, **place)


def draw(fits: Sequence[contrast.Fit], dataset: Mapping[str, Any]) -> Figure:
    """Draw one table per fit: how many draws say stop, say continue or have no rule."""
    figure, axes = style.subplots(1, len(fits), width=style.PAGE, height=2.8, squeeze=False)
    for panel, fit in zip(axes.flat, fits, strict=True):
        labels = fit.tuned[0].time.labels
        shares = contrast.shares(fit)
        for i, j in np.ndindex(shares.shape[1:]):
            _draw_cell(panel, i, j, shares[:, i, j])
        ends = (-0.5, len(labels) - 0.5)
        panel.set(xlim=ends, ylim=ends, aspect="equal", xlabel=T_LABEL, ylabel=POS_LABEL)
        name_cells(panel, labels, labels)
        panel.set_title(fit.name, fontsize=6.5, loc="right")
    style.letter_all(axes.flat)
    handles = [
        Patch(label=f"{name} ({letter})", **look)
        for (name, look), letter in zip(LOOKS.items(), LETTERS, strict=True)
    ]
    title = "A cell is divided by the shares of draws; written is what most draws say:"
    figure.legend(handles=handles, loc="outside upper right", ncols=3, title=title)
    style.say_source(figure, dataset, contrast.source(fits))
    return figure
