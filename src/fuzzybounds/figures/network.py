"""Fig. 7: the fuzzy model as a network of four layers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle

from fuzzybounds.figures import style
from fuzzybounds.paper.worked_example import HIGHLIGHTED, POSITION, TIME

RADIUS = 0.33
INPUT, MEMBERSHIP, PREMISE, SUM, OUTPUT = 0.0, 2.2, 4.8, 7.6, 9.6
"""Horizontal places of the input and of layers 1 to 4."""


@dataclass(frozen=True)
class Neuron:
    """A circle of the network: its place, its text and whether it is highlighted."""

    x: float
    y: float
    text: str = ""
    highlighted: bool = False


def _column(x: float, heights: np.ndarray, texts: list[str], marked: set[int]) -> list[Neuron]:
    return [
        Neuron(x, float(y), text, number in marked)
        for number, (y, text) in enumerate(zip(heights, texts, strict=True))
    ]


def _connect(axes: Axes, source: Neuron, target: Neuron, *, marked: bool, text: str = "") -> None:
    colour, width = (style.VERMILLION, 1.6) if marked else (style.GREY, 0.5)
    start, end = np.array([source.x, source.y]), np.array([target.x, target.y])
    along = (end - start) / np.hypot(*(end - start))
    start, end = start + RADIUS * along, end - RADIUS * along
    axes.plot(*zip(start, end, strict=True), color=colour, lw=width, zorder=3 if marked else 1)
    if text:
        axes.text(
            *(start + 0.16 * (end - start)),
            text,
            fontsize=6,
            ha="center",
            va="center",
            zorder=4,
            bbox={"fc": "white", "ec": "none", "pad": 0.6},
        )


def _place(axes: Axes, neuron: Neuron) -> None:
    edge = style.VERMILLION if neuron.highlighted else style.BLACK
    axes.add_patch(
        Circle((neuron.x, neuron.y), RADIUS, fc="white", ec=edge, lw=1.1, zorder=4, clip_on=False)
    )
    axes.text(neuron.x, neuron.y, neuron.text, ha="center", va="center", zorder=5, fontsize=7)


def _bell(axes: Axes, neuron: Neuron) -> None:
    """A small Gaussian inside a neuron of layer 1: its activation function."""
    x = np.linspace(-1, 1, 41)
    axes.plot(
        neuron.x + 0.2 * x,
        neuron.y - 0.2 + 0.22 * np.exp(-((x / 0.45) ** 2)),
        color=style.GREY,
        lw=0.8,
        zorder=5,
    )


def draw() -> Figure:
    """Draw the layers, with the path that computes the premise of the highlighted rule."""
    figure, axes = style.subplots(width=style.WIDE, height=4.4)
    time_label, position_label = HIGHLIGHTED
    t = TIME.labels.index(time_label)
    p = POSITION.labels.index(position_label)
    n = len(TIME.labels)
    inputs = _column(INPUT, np.array([6.6, 1.4]), ["T", "POS"], {0, 1})
    labels = [*TIME.labels, *POSITION.labels]
    heights = np.array([7.8, 6.6, 5.4, 2.6, 1.4, 0.2])
    memberships = _column(MEMBERSHIP, heights, [""] * 2 * n, {t, n + p})
    premises = _column(PREMISE, np.linspace(8.0, 0.0, n * n), ["Π"] * n * n, {t * n + p})
    sums = _column(SUM, np.array([5.6, 2.4]), ["Σ", "Σ"], set())
    (output,) = _column(OUTPUT, np.array([4.0]), ["÷"], set())

    for number, neuron in enumerate(memberships):
        source = inputs[number // n]
        _connect(axes, source, neuron, marked=neuron.highlighted)
        _bell(axes, neuron)
        axes.text(neuron.x, neuron.y + 0.13, labels[number], ha="center", va="center", zorder=6)
    for number, premise in enumerate(premises):
        i, j = divmod(number, n)
        for source in (memberships[i], memberships[n + j]):
            _connect(axes, source, premise, marked=premise.highlighted)
        _connect(axes, premise, sums[0], marked=False, text=f"$c_{{{number + 1}}}$")
        _connect(axes, premise, sums[1], marked=False)
    for neuron in sums:
        _connect(axes, neuron, output, marked=False)
    for neuron in (*inputs, *memberships, *premises, *sums, output):
        _place(axes, neuron)
    arrow = {"arrowstyle": "<-", "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", (OUTPUT + RADIUS, 4.0), (OUTPUT + 1.0, 4.0), arrowprops=arrow)
    axes.text(OUTPUT + 1.1, 4.0, "O", va="center")
    for x, name in (
        (INPUT, "Input"),
        (MEMBERSHIP, "Layer 1\nmemberships $y_{1,i}$"),
        (PREMISE, "Layer 2\npremises $y_{2,j}$"),
        (SUM, "Layer 3\n$\\sum y_{2,j}c_j$ and $\\sum y_{2,j}$"),
        (OUTPUT, "Layer 4\noutput"),
    ):
        axes.text(x, 9.0, name, ha="center", va="center")
    axes.set(xlim=(-0.5, 11.1), ylim=(-0.5, 9.5), aspect="equal")
    axes.axis("off")
    return figure
