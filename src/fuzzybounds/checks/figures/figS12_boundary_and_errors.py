"""Fig. S12: the fitted boundary with its noise and delay on the data, and how errors shift it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fuzzybounds.core.errors import TooFew
from fuzzybounds.paper.figures import style

MODEL = "both_exponential"
"""Of the boundaries with both noises, the one with the fewest parameters that predicts well."""
SHARES = (0.15, 0.5, 0.85)
"""Quantiles of the boundary at 3 s of the subjects that are drawn."""
CONDITIONS = ("easy", "all")


def boundary(row: Mapping[str, Any], t: np.ndarray) -> np.ndarray:
    """Return b(t) in px."""
    left = np.exp(-t / row["time_scale"])
    return row["asymptote"] + (row["level"] - row["asymptote"]) * left


def chosen_fits(fits: pd.DataFrame) -> pd.DataFrame:
    """Return the fits of :data:`MODEL` to all trials, with the delay fitted."""
    kept = fits[(fits["model"] == MODEL) & (fits["scheme"] == "all") & (fits["delay"] == "fitted")]
    kept = kept[kept["condition"].isin(CONDITIONS)]
    if len(kept) < len(SHARES):
        raise TooFew(f"fewer than {len(SHARES)} subjects with a fitted boundary")
    at = [float(boundary(row, np.array([3.0]))[0]) for row in kept.to_dict("records")]
    return kept.assign(at_3_s=at).sort_values("at_3_s")


def _draw_subject(axes: Axes, row: Mapping[str, Any], trials: pd.DataFrame) -> None:
    """Draw responses a motor delay earlier, the boundary, its noise between and within trials."""
    done = trials[(trials["subject"].astype(str) == str(row["subject"])) & trials["responded"]]
    if row["condition"] != "all":
        done = done[done["condition"] == row["condition"]]
    axes.plot(done["rt"] - row["motor_delay"], done["position"].abs(), ".", color="0.6", ms=2.5)
    t = np.linspace(0.05, done["rt"].quantile(0.98), 200)
    curve = boundary(row, t)
    for width, alpha in ((np.hypot(row["sigma"], 1.7 * row["tau"]), 0.15), (row["sigma"], 0.3)):
        axes.fill_between(t, curve - width, curve + width, color=style.BLUE, alpha=alpha, lw=0)
    axes.plot(t, curve, color=style.BLUE, lw=1.2)
    axes.set(ylim=(0, None), xlabel="Response time minus delay (s)", ylabel="Distance (px)")
    axes.set_title(f"delay {row['motor_delay']:.1f} s", fontsize=7, loc="right")


def _draw_shift(axes: Axes, population: pd.DataFrame) -> None:
    """Draw the shift of the boundary after errors, as logged and with permuted errors."""
    population = population[population["condition"].isin(CONDITIONS)]
    place, ticks = 0, []
    for name, words in (("after_easy_error", "easy error"), ("after_hard_error", "hard error")):
        for kind in ("boundary", "rules"):
            shifts = population[(population["quantity"] == name) & (population["kind"] == kind)]
            for row in shifts.to_dict("records"):
                colour = style.BLACK if row["shuffle"] == 0 else "0.65"
                reach = [[row["mean"] - row["low"]], [row["high"] - row["mean"]]]
                y = place + 0.12 * row["shuffle"]
                axes.errorbar(row["mean"], y, xerr=reach, fmt="o", color=colour, ms=2.5, lw=0.8)
            ticks.append(f"{words}, {kind}")
            place += 1
    axes.axvline(0, color=style.BLACK, lw=0.5, zorder=0)
    axes.set_yticks(range(place), ticks, fontsize=6)
    axes.set(ylim=(place - 0.3, -0.4), xlabel="Shift on the next trial (px)")


def draw(
    trials: pd.DataFrame,
    fits: pd.DataFrame,
    population: pd.DataFrame,
    dataset: Mapping[str, Any],
) -> Figure:
    """Draw three subjects' boundaries, all delays, and how errors shift boundaries."""
    chosen = chosen_fits(fits)
    figure, panels = style.subplots(2, 3, width=style.PAGE, height=4.2)
    rows = chosen.to_dict("records")
    for axes, share in zip(panels[0], SHARES, strict=True):
        _draw_subject(axes, rows[round(share * (len(rows) - 1))], trials)
    delays, shifts, empty = panels[1]
    counts = chosen["motor_delay"].round(2).value_counts().sort_index()
    delays.bar(counts.index, counts, 0.07, color=style.BLUE)
    delays.set(xlabel="Motor delay (s)", ylabel="Subjects")
    if len(population):
        _draw_shift(shifts, population)
    else:
        style.nothing(shifts, "insufficient data")
    empty.set_axis_off()
    style.letter_all(panels.flat[:5])
    style.say_source(figure, dataset, "95 % intervals over subjects; grey: permuted errors")
    return figure
