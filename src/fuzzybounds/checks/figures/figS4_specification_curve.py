"""Fig. S4: group sizes, p-values and key cells over all specifications."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fuzzybounds.checks.multiverse.key_cells import CELLS
from fuzzybounds.checks.multiverse.specification import GROUPING, TESTING
from fuzzybounds.core.errors import TooFew
from fuzzybounds.paper.figures import style

P_LOOKS = {
    "p_fast": ("fast, last against first", style.FAST_COLOUR, "o"),
    "p_slow": ("slow, last against first", style.SLOW_COLOUR, "s"),
}


def _draw_p(axes: Axes, sorted_curve: pd.DataFrame, printed: Mapping[str, float]) -> None:
    x = np.arange(len(sorted_curve))
    for column, (name, colour, marker) in P_LOOKS.items():
        look = {"color": colour, "ms": 1.2, "mew": 0, "label": name}
        axes.plot(x, sorted_curve[column], marker, rasterized=True, **look)
        axes.axhline(printed[column], color=colour, lw=0.8, ls="--")
    hits = np.flatnonzero(sorted_curve["matches_groups"])
    if hits.size:
        axes.axvspan(hits.min() - 3, hits.max() + 3, color=style.GREEN, alpha=0.35, lw=0)
    axes.set(ylabel="p-value\n(dashed: printed)", ylim=(0, 1), xlim=(0, len(x)))
    axes.legend(loc="lower center", markerscale=4, ncols=2, bbox_to_anchor=(0.5, 1.0))


def _draw_sizes(axes: Axes, sorted_curve: pd.DataFrame) -> None:
    x = np.arange(len(sorted_curve))
    for column, colour in (("n_fast", style.FAST_COLOUR), ("n_slow", style.SLOW_COLOUR)):
        axes.plot(x, sorted_curve[column], ".", color=colour, ms=1.2, mew=0, rasterized=True)
    sizes = sorted_curve[["n_fast", "n_slow"]]
    low, high = min(3, sizes.min(axis=None) - 1), max(11, sizes.max(axis=None) + 1)
    axes.set(ylabel="Group size", ylim=(low, high))


def _draw_ticks(axes: Axes, chosen: pd.Series, height: float, **look: Any) -> None:
    """Ticks where a choice is made, as one line with gaps: thousands would fill the SVG."""
    places = np.flatnonzero(chosen)
    ends = np.tile([height - 0.4, height + 0.4, np.nan], places.size)
    axes.plot(np.repeat(places, 3), ends, solid_capstyle="butt", rasterized=True, **look)


def _draw_choices(axes: Axes, sorted_curve: pd.DataFrame) -> None:
    """Draw one row per choice, with a tick where a specification makes it."""
    names, places = [], []
    height = 0.0
    for choice, values in {**GROUPING, **TESTING}.items():
        for number, value in enumerate(values):
            chosen = sorted_curve[choice] == value
            _draw_ticks(axes, chosen, height, color=style.GREY, lw=0.25)
            hits = chosen & sorted_curve["matches_groups"]
            _draw_ticks(axes, hits, height, color=style.GREEN, lw=0.8)
            name = ("yes" if value else "no") if choice == "missed" else str(value)
            name = name.replace("_", " ")
            names.append(f"{'' if number else f'{choice}: '}{name}")
            places.append(height)
            height += 1
        height += 0.6
    axes.set_yticks(places, names)
    axes.set(xlabel="Specification, sorted by the fast group's p", ylim=(height - 0.5, -0.7))
    axes.tick_params(length=0)


def _draw_cells(panels: Any, curve: pd.DataFrame, printed: Mapping[str, float]) -> None:
    for axes, (cell, (group, time, place)) in zip(panels, CELLS.items(), strict=True):
        values = curve[cell].dropna()
        shares = np.full(len(values), 1 / max(len(values), 1))
        axes.hist(values, bins=np.linspace(0, 1, 26), weights=shares, color=style.SKY)
        axes.axvline(printed[cell], color=style.VERMILLION, lw=1.2, ls="--", label="printed")
        for value in curve.loc[curve["default"], cell].dropna():
            axes.axvline(value, color=style.BLACK, lw=1.2, label="default")
        axes.set_title(f"{group}: {time}, {place}")
        axes.set(xlim=(-0.02, 1.02), ylabel="Share")
    panels[0].legend(loc="upper left", handlelength=1.2)
    axes.set_xlabel("Mean consequent (time, position)")


def draw(curve: pd.DataFrame, printed: Mapping[str, float], dataset: Mapping[str, Any]) -> Figure:
    """Draw p-values, group sizes and choices on the left, the key cells on the right."""
    if curve.empty:
        raise TooFew("no subject of one session has a boundary from which to make groups")
    figure = style.new_figure(width=style.PAGE, height=7.4)
    left, right = figure.subfigures(1, 2, width_ratios=(2.2, 1))
    top, sizes, choices = left.subplots(3, 1, sharex=True, height_ratios=(2, 0.8, 4.4))
    panels = right.subplots(3, 1, sharex=True)
    # One row per specification of groups and tests.
    once = curve.drop_duplicates([*GROUPING, *TESTING])
    ordered = once.sort_values(["p_fast", "p_slow"], kind="stable", ignore_index=True)
    _draw_p(top, ordered, printed)
    _draw_sizes(sizes, ordered)
    _draw_choices(choices, ordered)
    _draw_cells(panels, curve, printed)
    style.letter_all((top, sizes, choices, *panels))
    style.say_source(
        figure, dataset, f"{len(ordered)} specifications of groups, {len(curve)} with tables"
    )
    return figure
