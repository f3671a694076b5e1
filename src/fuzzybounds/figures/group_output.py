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
from fuzzybounds.storage.errors import TooFew

WINDOW_NAMES = {FIRST: "first 20 blocks", LAST: "last 20 blocks"}


def draw(output: pd.DataFrame, dataset: Mapping[str, Any]) -> Figure:
    """Draw one column per group and one row per window."""
    if output.empty:
        raise TooFew("there are no fits of fast or slow subjects to average")
    figure, axes = style.subplots(2, 2, width=style.WIDE, height=4.0, sharex=True, sharey=True)
    for row, window in enumerate((FIRST, LAST)):
        for column, group in enumerate((SLOW, FAST)):
            own = output[(output["group"] == group) & (output["window"] == window)]
            grid = own.pivot_table("output", "time", "position").to_numpy()
            panel = axes[row, column]
            subjects = own["n_subjects"].iloc[0] if len(own) else 0
            panel.set_title(f"{group} ({subjects} subjects), {WINDOW_NAMES[window]}")
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
    style.say_source(figure, dataset)
    return figure
