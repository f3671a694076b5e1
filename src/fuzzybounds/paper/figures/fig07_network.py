"""Fig. 7: the fuzzy model as a network of four layers."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle

from fuzzybounds.paper.figures import style
from fuzzybounds.paper.worked_example import HIGHLIGHTED, POSITION, TIME

RADIUS = 0.33
LAYERS = {
    0.0: "Input",
    2.2: "Layer 1\nmemberships $y_{1,i}$",
    4.8: "Layer 2\npremises $y_{2,j}$",
    7.6: "Layer 3\n$\\sum y_{2,j}c_j$ and $\\sum y_{2,j}$",
    9.6: "Layer 4\noutput",
}
"""Names of the layers by their horizontal place."""
INPUT, MEMBERSHIP, PREMISE, SUM, OUTPUT = LAYERS


def _connect(axes: Axes, source: tuple, target: tuple, *, marked: bool, text: str = "") -> None:
    """Draw a line from neuron to neuron, with a weight near its start."""
    start, end = np.array(source), np.array(target)
    along = RADIUS * (end - start) / np.hypot(*(end - start))
    start, end = start + along, end - along
    look = {"color": style.VERMILLION, "lw": 1.6, "zorder": 3} if marked else {}
    axes.plot(*zip(start, end, strict=True), **{"color": style.GREY, "lw": 0.5, **look})
    box = {"fc": "white", "ec": "none", "pad": 0.6}
    middle = {"ha": "center", "va": "center", "fontsize": 6, "zorder": 4}
    if text:
        axes.text(*(start + 0.16 * (end - start)), text, bbox=box, **middle)


def _neuron(axes: Axes, place: tuple, text: str = "", *, marked: bool = False) -> None:
    """Draw a neuron; one of layer 1, which has a label, has a small Gaussian inside."""
    edge = style.VERMILLION if marked else style.BLACK
    axes.add_patch(Circle(place, RADIUS, fc="white", ec=edge, lw=1.1, zorder=4, clip_on=False))
    x, y = place
    if x == MEMBERSHIP:
        curve = np.linspace(-1, 1, 41)
        bell = y - 0.2 + 0.22 * np.exp(-((curve / 0.45) ** 2))
        axes.plot(x + 0.2 * curve, bell, color=style.GREY, lw=0.8, zorder=5)
        y += 0.13
    axes.text(x, y, text, ha="center", va="center", zorder=6)


def draw() -> Figure:
    """Draw the layers, with the path that computes the premise of the highlighted rule."""
    figure, axes = style.subplots(width=style.WIDE, height=4.4)
    n = len(TIME.labels)
    t, p = TIME.labels.index(HIGHLIGHTED[0]), n + POSITION.labels.index(HIGHLIGHTED[1])
    inputs = [(INPUT, 6.6), (INPUT, 1.4)]
    memberships = [(MEMBERSHIP, y) for y in (7.8, 6.6, 5.4, 2.6, 1.4, 0.2)]
    premises = [(PREMISE, y) for y in np.linspace(8.0, 0.0, n * n)]
    sums, output = [(SUM, 5.6), (SUM, 2.4)], (OUTPUT, 4.0)
    for place, text in zip(inputs, ("T", "POS"), strict=True):
        _neuron(axes, place, text, marked=True)
    for i, (place, label) in enumerate(
        zip(memberships, (*TIME.labels, *POSITION.labels), strict=True)
    ):
        _connect(axes, inputs[i // n], place, marked=i in (t, p))
        _neuron(axes, place, label, marked=i in (t, p))
    for j, place in enumerate(premises):
        i, k = j // n, n + j % n
        for source in (i, k):
            _connect(axes, memberships[source], place, marked=(i, k) == (t, p))
        _connect(axes, place, sums[0], marked=False, text=f"$c_{{{j + 1}}}$")
        _connect(axes, place, sums[1], marked=False)
        _neuron(axes, place, "Π", marked=(i, k) == (t, p))
    for place in sums:
        _connect(axes, place, output, marked=False)
        _neuron(axes, place, "Σ")
    _neuron(axes, output, "÷")
    arrow = {"arrowstyle": "<-", "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", (OUTPUT + RADIUS, 4.0), (OUTPUT + 1.0, 4.0), arrowprops=arrow)
    axes.text(OUTPUT + 1.1, 4.0, "O", va="center")
    for x, name in LAYERS.items():
        axes.text(x, 9.0, name, ha="center", va="center")
    axes.set(xlim=(-0.5, 11.1), ylim=(-0.5, 9.5), aspect="equal")
    axes.axis("off")
    return figure
