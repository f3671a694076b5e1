"""Fig. 2: a path whose likelihood under a boundary model is zero."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from fuzzybounds.paper.boundaries.boundary import weibull
from fuzzybounds.paper.figures import style
from fuzzybounds.paper.worked_example import CROSSING_STEPS, RESPONSE, WEIBULL, steps_to_path


def distance() -> float:
    """D = b(t_k) - x_k, the distance of the mean boundary from the response, in px."""
    time, position = RESPONSE
    return float(weibull(time, **WEIBULL)) - position


def first_crossing() -> tuple[float, float]:
    """Time (s) and position (px) at which the path first meets the mean boundary."""
    corners, positions = steps_to_path(CROSSING_STEPS)
    time = np.linspace(0.0, corners[-1], 16001)
    path = np.interp(time, corners, positions)
    crossed = np.flatnonzero(path >= weibull(time, **WEIBULL))
    return float(time[crossed[0]]), float(path[crossed[0]])


def draw() -> Figure:
    """Draw the response with its mean and sample boundary, and next to it the path."""
    figure, (left, right) = style.subplots(1, 2, width=style.WIDE, height=2.6, sharey=True)
    time = np.linspace(0.0, 12.0, 481)
    mean = weibull(time, **WEIBULL)
    at, position = RESPONSE
    for axes in (left, right):
        axes.plot(time, mean, color=style.BLACK, label="mean boundary b(t)")
        axes.plot(at, position, "x", color=style.VERMILLION, mew=1.6, ms=6, label="response")
        axes.set(xlabel=style.TIME, xlim=(0, 12), ylim=(0, 260))
    left.plot(time, mean - distance(), "--", color=style.BLACK, label="sample boundary y$_k$(t)")
    left.annotate(
        "", (at, position), (at, position + distance()), arrowprops={"arrowstyle": "<->", "lw": 0.7}
    )
    left.text(at + 0.2, position + distance() / 2, f"d = {distance():.1f} px", va="center")
    left.set_ylabel(style.POSITION)
    right.plot(*steps_to_path(CROSSING_STEPS), color=style.BLUE, label="canoe path")
    right.plot(*first_crossing(), "o", mfc="none", color=style.BLUE, ms=7, label="first crossing")
    handles = dict(zip(*reversed(right.get_legend_handles_labels()), strict=True))
    handles |= dict(zip(*reversed(left.get_legend_handles_labels()), strict=True))
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=5)
    style.letter_all((left, right))
    return figure
