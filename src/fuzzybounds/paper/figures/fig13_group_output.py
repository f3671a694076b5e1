"""Fig. 13: output of the fitted model, averaged over the subjects of each group."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from fuzzybounds.core.errors import counted
from fuzzybounds.core.words import FAST, SLOW
from fuzzybounds.paper.figures import style
from fuzzybounds.paper.figures.parts import draw_output, need_groups, window_names


def draw(output: pd.DataFrame, groups: pd.DataFrame, dataset: Mapping[str, Any]) -> Figure:
    """Draw one column per group and one row per window."""
    need_groups(output, groups)
    figure, axes = style.subplots(2, 2, width=style.WIDE, height=4.0, sharex=True, sharey=True)
    for row, (window, blocks) in zip(axes, window_names(output).items(), strict=True):
        for panel, group in zip(row, (SLOW, FAST), strict=True):
            shown = output[(output["group"] == group) & (output["window"] == window)]
            subjects = int(shown["n_subjects"].iloc[0]) if len(shown) else 0
            panel.set_title(f"{group} ({counted(subjects, 'subject')}), {blocks}")
            if shown.empty:
                style.nothing(panel, f"no fits of {group} subjects")
                continue
            grid = shown.pivot_table("output", "time", "position").to_numpy()
            image = draw_output(panel, grid, 1.0, 1.0)
            # Black on white: the map below may be dark or bright.
            text = {"fontsize": 6, "ha": "right", "transform": panel.transAxes}
            box = {"fc": "white", "ec": "none", "pad": 1.5, "alpha": 0.85}
            panel.text(0.97, 0.04, f"least {shown['output'].min():.2f}", bbox=box, **text)
        row[0].set_ylabel(style.UNIT_POSITION)
    for panel in axes[1]:
        panel.set_xlabel(style.UNIT_TIME)
    style.letter_all(axes.flat)
    figure.colorbar(image, ax=axes, label="Output O (mean over subjects and draws)", pad=0.02)
    used = output.iloc[0]
    source = f"fits with {used['labels']} labels to {used['condition']} trials"
    style.say_source(figure, dataset, source)
    return figure
