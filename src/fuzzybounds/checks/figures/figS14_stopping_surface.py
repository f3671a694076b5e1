"""Fig. S14: the stopping surface of people, and of models, by the direction of the canoe."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure

from fuzzybounds.core.errors import TooFew
from fuzzybounds.paper.figures import style

ROWS = {
    "data": "observed",
    "within_exponential": "boundary",
    "graded_3": "fuzzy rules",
    "graded_3_directed": "rules, direction",
}
"""What is drawn, a row each."""
FEWEST = 20.0
"""Decisions below which a cell stays empty."""
LEAST, MOST = 0.003, 0.5
"""Ends of the colour scale: chances to respond in 0.1 s."""


def _draw_surface(axes: Axes, rows: pd.DataFrame, *, written: bool) -> Any:
    """Draw the chance to respond in every cell of time and distance."""
    times = np.unique(np.append(rows["time_low"], rows["time_high"]))
    distances = np.unique(np.append(rows["position_low"], rows["position_high"]))
    table = rows.pivot_table(index="position_low", columns="time_low", values="hazard")
    decisions = rows.pivot_table(index="position_low", columns="time_low", values="decisions")
    known = table.where(decisions >= FEWEST).clip(lower=LEAST)
    mesh = axes.pcolormesh(
        times, distances, known.to_numpy(), norm=LogNorm(LEAST, MOST), cmap=style.OUTPUT_MAP
    )
    if written:
        for row in rows[rows["decisions"] >= FEWEST].itertuples():
            light = row.hazard < 0.05
            axes.text(
                (row.time_low + row.time_high) / 2, (row.position_low + row.position_high) / 2,
                f"{100 * row.hazard:.0f}", ha="center", va="center", fontsize=4.5,
                color="white" if light else "black", clip_on=True,
            )  # fmt: skip
    axes.set(xlim=(0, 11), ylim=(0, distances[-2]), yticks=distances[:-1:2])
    return mesh


def draw(surface: pd.DataFrame, dataset: Mapping[str, Any]) -> Figure:
    """Draw the surface of the first condition: outward and inward movement side by side."""
    if surface.empty:
        raise TooFew("no subject has enough responses for a stopping model")
    condition = surface["condition"].iloc[0]
    pooled = surface[(surface["condition"] == condition) & (surface["subject"].fillna("") == "")]
    present = [source for source in ROWS if source in set(pooled["source"])]
    figure, panels = style.subplots(
        2, len(present), width=style.PAGE, height=3.7, squeeze=False, sharex=True, sharey=True
    )
    for column, source in enumerate(present):
        for row, outward in enumerate((True, False)):
            part = pooled[(pooled["source"] == source) & (pooled["outward"] == outward)]
            mesh = _draw_surface(panels[row, column], part, written=True)
        panels[0, column].set_title(ROWS[source], fontsize=7)
        panels[1, column].set_xlabel("Elapsed time (s)")
    for row, name in enumerate(("outward", "inward")):
        panels[row, 0].set_ylabel(f"Distance (px), moving {name}")
    style.letter_all(panels.flat)
    bar = figure.colorbar(mesh, ax=panels, shrink=0.7, ticks=[0.003, 0.01, 0.03, 0.1, 0.3])
    bar.ax.set_yticklabels(["0.3", "1", "3", "10", "30"])
    bar.set_label("Responses per 100 decisions (0.1 s)", fontsize=6.5)
    style.say_source(figure, dataset, f"{condition} trials, unrecorded paths weighted by a model")
    return figure
