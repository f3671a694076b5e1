"""The power of designs as a figure."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from fuzzybounds.stopping.planning import RULES


def draw_power(power: pd.DataFrame) -> Figure:
    """Draw how often a cohort's answer is right, and how many rules are known, by design."""
    figure = Figure(figsize=(9, 3.6), layout="constrained")
    answers, cells = figure.subplots(1, 2)
    several = len(power["design"].unique()) > 1
    longest = power[power["share"] == power["share"].max()]
    for (design, truth), group in longest[longest["truth"] != RULES].groupby(
        ["design", "truth"], sort=False
    ):
        label = f"{design}, {truth}" if several else truth
        answers.plot(group["subjects"], group["right"], marker="o", label=label)
    answers.set(xlabel="Subjects", ylabel="Chance of the right answer", ylim=(0, 1.02))
    for design, group in power[power["truth"] == RULES].groupby("design", sort=False):
        cells.plot(group["minutes"], group["cells_right"], marker="o", label=f"{design}, right")
        cells.plot(group["minutes"], group["cells_wrong"], ls=":", marker="x", color="0.4")
    cells.set(xlabel="Minutes of a subject", ylabel="Known rules of nine (x: wrong)", ylim=(0, 9.2))
    for axes in (answers, cells):
        if axes.has_data():
            axes.legend(fontsize=6)
    return figure
