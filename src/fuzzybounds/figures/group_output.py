"""Fig. 13: output of the fitted model, averaged over the subjects of each group."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from fuzzybounds.analysis.groups import FAST, SLOW
from fuzzybounds.canoe.block_windows import FIRST, LAST
from fuzzybounds.figures import style
from fuzzybounds.figures.fuzzy_output import draw_output
from fuzzybounds.storage.errors import TooFew, counted


def window_names(table: pd.DataFrame) -> dict[str, str]:
    """Return the names of the two windows, with the number of blocks that a table has."""
    blocks = int(table["blocks"].iloc[0])
    return {window: f"{window} {counted(blocks, 'block')}" for window in (FIRST, LAST)}


def need_groups(averaged: pd.DataFrame, groups: pd.DataFrame, least: int = 1) -> None:
    """Raise :class:`TooFew` with the reason if a table averages fewer groups than are needed.

    Parameters
    ----------
    averaged : DataFrame
        A table with the column group.
    groups : DataFrame
        The table ``groups``.
    least : int
        How many groups are needed.
    """
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


def draw(output: pd.DataFrame, groups: pd.DataFrame, dataset: Mapping[str, Any]) -> Figure:
    """Draw one column per group and one row per window.

    Parameters
    ----------
    output, groups : DataFrame
        The tables ``group_output`` and ``groups``.
    dataset : mapping
        Content of ``dataset.json``.
    """
    need_groups(output, groups)
    names = window_names(output)
    figure, axes = style.subplots(2, 2, width=style.WIDE, height=4.0, sharex=True, sharey=True)
    for row, window in enumerate((FIRST, LAST)):
        for column, group in enumerate((SLOW, FAST)):
            own = output[(output["group"] == group) & (output["window"] == window)]
            grid = own.pivot_table("output", "time", "position").to_numpy()
            panel = axes[row, column]
            subjects = int(own["n_subjects"].iloc[0]) if len(own) else 0
            panel.set_title(f"{group} ({counted(subjects, 'subject')}), {names[window]}")
            if own.empty:
                style.nothing(panel, f"no fits of {group} subjects")
                continue
            image = draw_output(panel, grid, 1.0, 1.0)
            panel.text(
                0.97,
                0.04,
                f"least {own['output'].min():.2f}",
                transform=panel.transAxes,
                ha="right",
                fontsize=6,
            )
        axes[row, 0].set_ylabel(style.UNIT_POSITION)
    for panel in axes[1]:
        panel.set_xlabel(style.UNIT_TIME)
    style.letter_all(axes.flat)
    figure.colorbar(image, ax=axes, label="Output O (mean over subjects and draws)", pad=0.02)
    style.say_source(figure, dataset, fits_of(output))
    return figure


def fits_of(averaged: pd.DataFrame) -> str:
    """Say which fits a table averages."""
    used = averaged.iloc[0]
    return f"fits with {used['labels']} labels to {used['condition']} trials"
