"""Fig. 1: the boundary of each subject after the first and the last block."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from fuzzybounds.canoe.task import DEADLINE, EDGE
from fuzzybounds.core.errors import TooFew
from fuzzybounds.paper.figures import style

LOOKS = {
    "first_block": ("after the first block", style.FIRST_COLOUR, "-"),
    "last_block": ("after the last block", style.LAST_COLOUR, "--"),
}
COLUMNS = 7


def draw(
    boundaries: pd.DataFrame,
    changes: pd.DataFrame,
    dataset: Mapping[str, Any],
    boundary_time: str = "decision",
    condition: str = "easy",
    stable: bool = True,
) -> Figure:
    """Draw one panel per subject; times that the subject hardly used are faint."""
    curves, used = (
        table[
            (table["boundary_time"] == boundary_time)
            & (table["condition"] == condition)
            & (table["stable"] == stable)
        ]
        for table in (boundaries, changes)
    )
    used = used.assign(subject=used["subject"].astype(str)).set_index("subject")
    subjects = list(curves["subject"].unique())
    if not subjects:
        raise TooFew(f"no subject responded to any {condition} trial")
    rows = int(np.ceil(len(subjects) / COLUMNS))
    figure, axes = style.subplots(
        rows,
        COLUMNS,
        width=style.PAGE,
        height=0.45 + 1.05 * rows,
        sharex=True,
        sharey=True,
        squeeze=False,
    )
    for panel, subject in zip(axes.flat, subjects, strict=False):
        subject_curves = curves[curves["subject"] == subject]
        span = used.loc[subject, ["earliest", "latest"]]
        for after, (name, colour, line) in LOOKS.items():
            curve = subject_curves[subject_curves["after"] == after]
            inside = curve["time"].between(*span)
            panel.plot(curve["time"], curve["boundary"], color=colour, ls=line, lw=0.7, alpha=0.3)
            bold = curve["boundary"].where(inside)
            panel.plot(curve["time"], bold, color=colour, ls=line, label=name)
        panel.set_title(subject, fontsize=6.5, pad=2)
        panel.set(xlim=(0, DEADLINE), ylim=(0, EDGE), xticks=(0, 5, 10, 15))
    for panel in axes.flat[len(subjects) :]:
        panel.axis("off")
    for panel in axes.flat[max(len(subjects) - COLUMNS, 0) : len(subjects)]:
        panel.tick_params(labelbottom=True)
    # Only below the last row: a label above an empty place would push the rows apart.
    for panel in axes[-1]:
        panel.set_xlabel("Time (s)")
    figure.supylabel(style.POSITION, fontsize=7)
    figure.legend(*axes.flat[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
    style.say_source(figure, dataset, f"{condition} trials, {boundary_time} time")
    return figure
