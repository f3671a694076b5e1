"""Fig. 3: a decision boundary as a weighted sum of basis functions."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from fuzzybounds.paper.figures import style
from fuzzybounds.paper.worked_example import weighted_basis


def draw() -> Figure:
    """Draw the weighted basis functions and their sum, the boundary b(t)."""
    figure, axes = style.subplots(width=style.COLUMN, height=2.3)
    time = np.linspace(0.0, 12.0, 481)
    parts = weighted_basis(time)
    lines = axes.plot(time, parts.T, color=style.GREY, lw=0.9)
    (boundary,) = axes.plot(time, parts.sum(axis=0), color=style.BLUE, lw=1.8)
    axes.set(xlabel=style.TIME, ylabel=style.POSITION, xlim=(0, 12), ylim=(0, 230))
    names = ["boundary b(t)", "weighted basis functions ω$_j$B$_j$(t)"]
    axes.legend([boundary, lines[0]], names, loc="upper right")
    return figure
