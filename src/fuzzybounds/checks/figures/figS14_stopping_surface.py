"""Fig. S14: the stopping surface of people by the direction of the canoe, and where models differ.

The upper half has the chance to respond in cells of time and distance, observed, and what models
leave of it; the lower half slices through it at a few times, and single subjects.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm, Normalize
from matplotlib.figure import Figure, SubFigure

from fuzzybounds.checks.figures.figS13_direction import MODELS
from fuzzybounds.core.errors import TooFew
from fuzzybounds.paper.figures import style

FEWEST = 20.0
"""Decisions below which a cell stays empty."""
TIMES, DISTANCES = 11.0, 270.0
"""Ends of what is drawn (s, px)."""
SCALE = LogNorm(0.003, 0.3)
"""Colours of chances to respond in 0.1 s."""
ERRORS = Normalize(-8, 8)
"""Colours of residuals, in standard errors; the map is safe for the colour-blind."""
LARGE = 2.0
"""Residuals from this size on are written."""
SLICES = 1.0, 3.0, 6.0
"""Where the cells of time begin at which the surface is cut."""
FAR = 90.0
"""The distance (px) beyond which single subjects are counted."""
DIRECTIONS = {True: "outward", False: "inward"}


def _draw_cells(axes: Axes, rows: pd.DataFrame, column: str, look: Mapping[str, Any]) -> Any:
    """Draw a column of the table as cells of equal size, with a number in most of them."""
    table = rows.pivot_table(index="position_low", columns="time_low", values=column, dropna=False)
    values = table.to_numpy()
    mesh = axes.pcolormesh(np.ma.masked_invalid(values), **look)
    for (row, place), value in np.ndenumerate(values):
        if np.isnan(value) or (column == "residual" and abs(value) < LARGE):
            continue
        red, green, blue, _ = mesh.cmap(mesh.norm(value))
        dark = 0.3 * red + 0.6 * green + 0.1 * blue < 0.45
        text = f"{100 * value:.0f}" if column == "hazard" else f"{value:.0f}"
        axes.text(
            place + 0.5, row + 0.5, text.replace("-", "\N{MINUS SIGN}"), ha="center", va="center",
            fontsize=5, color="white" if dark else "black",
        )  # fmt: skip
    ends = [*table.columns, TIMES]
    axes.set_xticks(range(len(ends)), [f"{end:g}" for end in ends])
    ends = [*table.index, DISTANCES]
    axes.set_yticks(range(0, len(ends), 2), [f"{end:g}" for end in ends[::2]])
    return mesh


def _draw_surfaces(figure: SubFigure, pooled: pd.DataFrame) -> list[Axes]:
    """Draw the observed surface and residuals of models, outward above and inward below."""
    known = pooled.assign(
        hazard=pooled["hazard"].where(pooled["decisions"] >= FEWEST),
        residual=pooled["residual"].where(pooled["decisions"] >= FEWEST),
    )
    known["hazard"] = known["hazard"].clip(lower=SCALE.vmin)
    names = {"data": "observed"}
    names |= {model: "minus " + MODELS[model][0].replace(", ", ",\n") for model in _shown(pooled)}
    panels = figure.subplots(2, len(names), sharex=True, sharey=True, squeeze=False)
    looks = {
        "hazard": {"norm": SCALE, "cmap": style.OUTPUT_MAP},
        "residual": {"norm": ERRORS, "cmap": "PuOr_r"},
    }
    meshes = {}
    for column, (source, name) in enumerate(names.items()):
        value = "hazard" if source == "data" else "residual"
        for row, (outward, word) in enumerate(DIRECTIONS.items()):
            part = known[(known["source"] == source) & (known["outward"] == outward)]
            meshes[value] = _draw_cells(panels[row, column], part, value, looks[value])
            panels[row, 0].set_ylabel(f"Distance (px), {word}")
        panels[0, column].set_title(name, fontsize=6.5, loc="right")
        panels[1, column].set_xlabel(style.TIME)
    for value, axes, ticks, words in (
        ("hazard", panels[:, 0], [0.003, 0.03, 0.3], "Per 100 decisions"),
        ("residual", panels[:, 1:], range(-8, 9, 2), "Observed minus predicted (standard errors)"),
    ):
        shrink = 1.0 if value == "hazard" else 0.5
        bar = figure.colorbar(
            meshes[value], ax=axes, location="bottom", shrink=shrink, ticks=ticks, label=words,
            aspect=12 if value == "hazard" else 30,
        )  # fmt: skip
        if value == "hazard":
            bar.ax.set_xticklabels([f"{100 * tick:g}" for tick in ticks])
            bar.ax.minorticks_off()
    return list(panels[0])


def _shown(pooled: pd.DataFrame) -> list[str]:
    return [model for model in MODELS if model in set(pooled["source"])]


def _draw_slice(axes: Axes, pooled: pd.DataFrame, subjects: pd.DataFrame) -> None:
    """Draw the chance to respond by distance: people as points, models and subjects as lines."""

    def middle(rows: pd.DataFrame) -> pd.Series:
        return (rows["position_low"] + rows["position_high"]) / 2

    for _, rows in subjects.groupby("subject"):
        axes.plot(middle(rows), 100 * rows["hazard"], color="0.85", lw=0.5, zorder=0)
    for model in _shown(pooled):
        name, colour, line = MODELS[model]
        rows = pooled[pooled["source"] == model]
        axes.plot(middle(rows), 100 * rows["hazard"], line, color=colour, lw=1.0, label=name)
    people = pooled[pooled["source"] == "data"]
    reach = [people["hazard"] - people["low"], people["high"] - people["hazard"]]
    axes.errorbar(
        middle(people), 100 * people["hazard"], yerr=100 * np.array(reach), fmt="o",
        color=style.BLACK, ms=3, lw=0.8, label="observed", zorder=9,
    )  # fmt: skip


def _draw_slices(figure: SubFigure, pooled: pd.DataFrame, subjects: pd.DataFrame) -> list[Axes]:
    """Draw slices at some times, outward above and inward below, and single subjects beside."""
    grid = figure.add_gridspec(2, len(SLICES) + 1, width_ratios=[*(1.0 for _ in SLICES), 1.4])
    first, upper = None, []
    enough = [rows[rows["decisions"] >= FEWEST] for rows in (pooled, subjects)]
    for row, (outward, word) in enumerate(DIRECTIONS.items()):
        for column, time in enumerate(SLICES):
            axes = figure.add_subplot(grid[row, column], sharex=first, sharey=first)
            first = first or axes
            at = [
                part[(part["time_low"] == time) & (part["outward"] == outward)] for part in enough
            ]
            _draw_slice(axes, *at)
            axes.label_outer()
            if row == 0:
                upper.append(axes)
                end = at[0]["time_high"].max()
                axes.set_title(f"{time:g} to {end:g} s", fontsize=7, loc="right")
            else:
                axes.set_xlabel("Distance (px)")
            if column == 0:
                axes.set_ylabel(f"Moving {word}")
    axes.set(xlim=(0, DISTANCES), ylim=(0, 22), xticks=range(0, 271, 90))
    handles, names = axes.get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=6, fontsize=6)
    figure.supylabel("Responses per 100 decisions", fontsize=7)
    last = figure.add_subplot(grid[:, -1])
    _draw_subjects(last, subjects)
    return [*upper, last]


def _draw_subjects(axes: Axes, subjects: pd.DataFrame) -> None:
    """Draw how often each subject responds far out, moving outward and inward."""
    far = subjects[subjects["position_low"] >= FAR]
    values = ["responses", "decisions"]
    sums = far.pivot_table(index="subject", columns="outward", values=values, aggfunc="sum")
    decisions = sums["decisions"]
    share = 100 * sums["responses"] / decisions.where(decisions >= FEWEST)
    axes.plot(share[True], share[False], "o", color=style.BLACK, ms=2.5, mfc="none", mew=0.8)
    end = 1.08 * share.max().max()
    axes.plot([0, end], [0, end], color="0.7", lw=0.7, zorder=0)
    axes.text(0.62 * end, 0.66 * end, "equal", fontsize=6, color="0.5", rotation=45, ha="center")
    axes.set(xlim=(0, end), ylim=(0, end), aspect="equal", anchor="N")
    axes.set_title(f"subjects, beyond {FAR:g} px", fontsize=7, loc="right")
    axes.set_xlabel("Per 100 decisions, outward")
    axes.set_ylabel("Per 100 decisions, inward")


def draw(surface: pd.DataFrame, dataset: Mapping[str, Any]) -> Figure:
    """Draw the surface of the first condition, what models leave of it, slices, and subjects."""
    if surface.empty:
        raise TooFew("no subject has enough responses for a stopping model")
    condition = surface["condition"].iloc[0]
    rows = surface[
        (surface["condition"] == condition)
        & (surface["time_high"] <= TIMES)
        & (surface["position_high"] <= DISTANCES)
    ]
    alone = rows["subject"].fillna("") != ""
    figure = style.new_figure(width=style.PAGE, height=6.6)
    above, below = figure.subfigures(2, 1, height_ratios=[1.1, 1])
    letters = _draw_surfaces(above, rows[~alone])
    letters += _draw_slices(below, rows[~alone], rows[alone])
    style.letter_all(letters)
    style.say_source(figure, dataset, f"{condition} trials, unrecorded paths weighted by a model")
    return figure
