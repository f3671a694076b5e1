"""What several figures draw: rule tables, outputs, paths, points, memberships, and groups."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.image import AxesImage
from matplotlib.patches import Rectangle
from matplotlib.patheffects import withStroke

from fuzzybounds.core.errors import TooFew, counted
from fuzzybounds.core.words import FAST, FIRST, LAST, SLOW
from fuzzybounds.paper.figures import style
from fuzzybounds.paper.fuzzy.membership import Memberships
from fuzzybounds.paper.fuzzy.rules import CONTINUE, STOP, RuleBase

LETTERS = {STOP: "S", CONTINUE: "C"}
KEY = "S: stop, C: continue"
T_LABEL, POS_LABEL = "T, elapsed time", "POS, canoe position"
TRIALS = {"easy": "easy trials", "hard": "hard trials", "all": "all trials"}
"""Conditions, in words."""


def draw_rules(axes: Axes, rules: RuleBase, highlighted: tuple[str, str] | None = None) -> None:
    """Draw a rule base as the paper prints it: position labels up, time labels to the right.

    Whole consequents are letters, others numbers; an empty cell is hatched.
    """

    def cell(i: int, j: int, **look: Any) -> None:
        axes.add_patch(Rectangle((i - 0.5, j - 0.5), 1, 1, **look))

    for (i, j), value in np.ndenumerate(rules.consequents):
        if np.isnan(value):
            hatch_cell(axes, i, j)
        else:
            stops = value != CONTINUE
            colour = style.STOP_COLOUR if stops else style.CONTINUE_COLOUR
            cell(i, j, fc=tint(colour, 0.15 + 0.55 * value if stops else 0.25), lw=0)
            axes.text(i, j, LETTERS.get(value, f"{value:.2f}"), ha="center", va="center")
        cell(i, j, fc="none", ec="white", lw=1.5)
    if highlighted is not None:
        i = rules.time_labels.index(highlighted[0])
        j = rules.position_labels.index(highlighted[1])
        cell(i, j, fc="none", ec=style.BLACK, lw=2, zorder=3, clip_on=False)
    n_time, n_position = rules.consequents.shape
    axes.set(xlim=(-0.5, n_time - 0.5), ylim=(-0.5, n_position - 0.5), aspect="equal")
    name_cells(axes, rules.time_labels, rules.position_labels)
    axes.set(xlabel=T_LABEL, ylabel=POS_LABEL)


def tint(colour: str, share: float) -> np.ndarray:
    """Mix a colour with white, so that black letters stand out."""
    return 1 - share * (1 - np.array(to_rgb(colour)))


def hatch_cell(axes: Axes, i: int, j: int) -> None:
    """Hatch a cell of a table, which says nothing."""
    look = {"fc": "white", "ec": style.PALE, "lw": 0, "hatch": "/////"}
    axes.add_patch(Rectangle((i - 0.5, j - 0.5), 1, 1, **look))


def name_cells(axes: Axes, time_labels: Any, position_labels: Any) -> None:
    """Name the columns and rows of a table, without ticks and frame."""
    axes.set_xticks(range(len(time_labels)), time_labels)
    axes.set_yticks(range(len(position_labels)), position_labels)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def draw_output(
    axes: Axes, output: np.ndarray, time_range: float, position_range: float
) -> AxesImage:
    """Draw O, of shape (times, positions), as a heat map from 0 to 1."""
    return axes.imshow(
        output.T,
        origin="lower",
        extent=(0, time_range, 0, position_range),
        aspect="auto",
        vmin=0,
        vmax=1,
        cmap=style.OUTPUT_MAP,
        interpolation="bilinear",
    )


def draw_path(axes: Axes, time: Any, position: Any, steps: str = "") -> None:
    """Draw a canoe's path to its response on an output, with a marker at every step if given."""
    # A dark outline keeps white visible on the bright end of the map.
    look = {"color": "white", "path_effects": [withStroke(linewidth=2.2, foreground="black")]}
    time, position = np.asarray(time), np.abs(np.asarray(position))
    axes.plot(time, position, lw=1, label="path of the canoe", **look)
    if steps:
        axes.plot(time[1:-1], position[1:-1], steps, ms=3.5, lw=0, label="its steps", **look)
    response = {"color": style.VERMILLION, "mec": "black", "ms": 7, "lw": 0}
    axes.plot(time[-1], position[-1], marker="X", label="response", **response)


def draw_points(
    axes: Axes, points: pd.DataFrame, edge_of_responses: str = "white", size: float = 9
) -> None:
    """Draw points at which a subject went on or responded on top of an output."""
    for responded, name, marker, face, edge in (
        (False, "continued", "s", "white", "black"),
        (True, "responded", "X", style.VERMILLION, edge_of_responses),
    ):
        part = points[points["responded"] == responded]
        look = {"marker": marker, "facecolor": face, "edgecolor": edge, "linewidth": 0.4, "s": size}
        # Points on the edge of the range are whole.
        axes.scatter(part["time"], part["position"], label=name, clip_on=False, zorder=3, **look)


def draw_memberships(
    axes: Axes, memberships: Memberships, low: float, high: float, *, normalised: bool = False
) -> None:
    """Draw the membership function of every label over [low, high]."""
    x = np.linspace(low, high, 401)
    degrees = memberships.degrees(x, normalised=normalised)
    for label, degree in zip(memberships.labels, degrees.T, strict=True):
        colour, line = style.LABEL_COLOURS.get(label, style.GREY), style.LABEL_LINES.get(label, "-")
        axes.plot(x, degree, label=label, color=colour, ls=line)
    axes.set(xlim=(low, high), ylim=(0, 1.05))


def window_names(table: pd.DataFrame) -> dict[str, str]:
    """Return the names of the two windows, with the number of blocks that a table has."""
    blocks = int(table["blocks"].iloc[0])
    return {window: f"{window} {counted(blocks, 'block')}" for window in (FIRST, LAST)}


def need_groups(averaged: pd.DataFrame, groups: pd.DataFrame, least: int = 1) -> None:
    """Raise :class:`TooFew` with the reason if a table averages fewer groups than are needed."""
    shown = [name for name in (FAST, SLOW) if (averaged["group"] == name).any()]
    if len(shown) >= least:
        return
    counts = {name: int((groups["group"] == name).sum()) for name in (FAST, SLOW)}
    empty = [name for name, count in counts.items() if not count]
    if empty:
        subjects = counted(len(groups), "one-session subject")
        raise TooFew(f"of {subjects} none is {' and none '.join(empty)}")
    lacking = [f"{counts[name]} {name}" for name in (FAST, SLOW) if name not in shown]
    raise TooFew(f"there are {' and '.join(lacking)} subjects, but no fits to average")
