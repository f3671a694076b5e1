"""Fig. S15: how sure one can be of each subject's rules, beside Figs. 11 and 14."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fuzzybounds.paper.figures import style
from fuzzybounds.paper.figures.parts import POS_LABEL, T_LABEL, name_cells

GROUPS = ("fast", "middle", "slow")
WINDOWS = ("first", "last")
SURE = 0.95
"""The probability from which on a rule of a subject is known."""


def _cells(rows: pd.DataFrame) -> list[str]:
    """Return the premises in the order of the table: time, then position."""
    pairs = zip(rows["time_label"], rows["position_label"], strict=True)
    return list(dict.fromkeys(f"{time}\n{position}" for time, position in pairs))


def _draw_subjects(axes: Axes, rows: pd.DataFrame) -> Any:
    """Draw the probability of stop for every premise (columns) and subject (rows, by group)."""
    rows = rows.assign(
        cell=rows["time_label"] + "\n" + rows["position_label"],
        rank=rows["group"].map({name: place for place, name in enumerate(GROUPS)}).fillna(9),
    )
    order = rows.groupby("subject")[["rank", "p_stop"]].mean().sort_values(["rank", "p_stop"])
    table = rows.pivot_table(index="subject", columns="cell", values="p_stop")
    table = table.loc[order.index, _cells(rows)]
    mesh = axes.pcolormesh(table.to_numpy(), vmin=0, vmax=1, cmap=style.OUTPUT_MAP)
    ends = np.flatnonzero(np.diff(order["rank"]))
    axes.hlines(ends + 1, 0, table.shape[1], color="white", lw=1.5)
    middles = [(order["rank"] == place).to_numpy().nonzero()[0].mean() + 0.5 for place in range(3)]
    shown = [place for place in range(3) if not np.isnan(middles[place])]
    axes.set_yticks([middles[place] for place in shown], [GROUPS[place] for place in shown])
    axes.set_xticks(np.arange(table.shape[1]) + 0.5, table.columns, fontsize=6)
    axes.tick_params(length=0)
    axes.invert_yaxis()
    return mesh


def _draw_check(axes: Axes, check: pd.DataFrame) -> None:
    """Draw how often rules of simulated subjects are right, by how sure the posterior is."""
    whole, *_ = check.to_dict("records")
    bins = check.iloc[1:].dropna()
    axes.plot([0.5, 1], [0.5, 1], color="0.7", lw=0.7)
    se = np.sqrt(bins["right"] * (1 - bins["right"]) / bins["n"])
    axes.errorbar(
        bins["sure"], bins["right"], yerr=2 * se, fmt="o", color=style.BLACK, ms=3, lw=0.8
    )
    text = f"found: {whole['right']:.0%}\nby structure learning: {whole['wang_mendel']:.0%}"
    axes.text(0.97, 0.05, text, transform=axes.transAxes, ha="right", fontsize=6)
    axes.set(xlim=(0.48, 1.02), ylim=(0, 1.08), xlabel="How sure", ylabel="Share right (simulated)")


def _draw_group(axes: Axes, rows: pd.DataFrame, *, window: str, group: str) -> None:
    """Draw how common stop is in a group for every premise, and for how many it is known."""
    rows = rows[(rows["window"] == window) & (rows["group"] == group)]
    axes.set_title(f"{group}, {window}", fontsize=6.5, loc="right")
    if rows.empty:
        style.nothing(axes, "nobody")
        return
    names = list(dict.fromkeys(rows["time_label"]))
    known = (rows["p_stop"] > SURE) | (rows["p_stop"] < 1 - SURE)
    cells = rows.assign(known=known).groupby(["position_label", "time_label"])
    table = cells.agg(common=("common", "first"), known=("known", "sum"), n=("known", "size"))
    shown = table.pivot_table("common", "position_label", "time_label").reindex(names)[names]
    axes.imshow(shown, origin="lower", vmin=0, vmax=1, cmap=style.OUTPUT_MAP)
    for (position, time), row in table.iterrows():
        look = {"ha": "center", "color": "black" if row["common"] > 0.5 else "white"}
        at = names.index(time), names.index(position)
        axes.annotate(f"{row['common']:.0%}", at, va="bottom", fontsize=6.5, **look)
        text = f"{row['known']:.0f} of {row['n']:.0f}"
        axes.annotate(text, at, (0, -1.5), textcoords="offset points", va="top", fontsize=5, **look)
    name_cells(axes, names, names)


def draw(posterior: pd.DataFrame, check: pd.DataFrame, dataset: Mapping[str, Any]) -> Figure:
    """Draw the posterior of every subject's rules in both windows, its check, and the groups."""
    alone = posterior[posterior["prior"] == "independent"]
    figure = style.new_figure(width=style.PAGE, height=5.1)
    above, below = figure.subfigures(2, 1, height_ratios=[1.7, 1])
    upper = above.subplots(1, 3, width_ratios=[1.2, 1.2, 1])
    for axes, window in zip(upper, WINDOWS, strict=False):
        mesh = _draw_subjects(axes, alone[alone["window"] == window])
        axes.set_title(f"{window} blocks", fontsize=7)
        axes.set_xlabel("Premise: label of time, label of position")
    bar = above.colorbar(mesh, ax=upper[:2], shrink=0.8, location="bottom", aspect=40)
    bar.set_label("Probability that the rule says stop; below, share of a group", fontsize=6.5)
    _draw_check(upper[2], check)
    lower = below.subplots(1, len(WINDOWS) * len(GROUPS), sharey=True)
    for axes, (window, group) in zip(lower, product(WINDOWS, GROUPS), strict=True):
        _draw_group(axes, alone, window=window, group=group)
        axes.set_xlabel(T_LABEL)
    lower[0].set_ylabel(POS_LABEL)
    style.letter_all([*upper, *lower])
    extra = f"A, B: each row a subject; D to I: how common stop is, and who is known (P > {SURE:g})"
    style.say_source(figure, dataset, extra)
    return figure
