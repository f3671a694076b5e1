"""Fig. 8: the two classes of points of a sample subject."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from fuzzybounds.canoe.block_windows import FIRST, block_ranges
from fuzzybounds.canoe.samples import RECORDED
from fuzzybounds.core.errors import InputError, TooFew
from fuzzybounds.paper.figures import contrast, style
from fuzzybounds.paper.figures.parts import TRIALS


def typical_subject(points: pd.DataFrame) -> str:
    """The subject whose median boundary is nearest the median over all subjects.

    Where some subjects have recorded paths, one of those is chosen.
    """
    medians = points[points["responded"]].groupby("subject", sort=True)["position"].median()
    distance = (medians - medians.median()).abs()
    recorded = points.loc[points["path"] == RECORDED, "subject"].unique()
    return str((distance[recorded] if len(recorded) else distance).idxmin())


def select(
    fits: pd.DataFrame, trials: pd.DataFrame, samples: pd.DataFrame, subject: str | None
) -> tuple[str, pd.DataFrame]:
    """Choose the subject; return which trials are fitted, in words, and draw 1 of their points.

    These are the points of the first window, in the condition that the table ``fuzzy_fits`` names.
    """
    if fits.empty:
        raise TooFew("there is no trial with a response and a path to show")
    condition, blocks = fits[["condition", "blocks"]].iloc[0]
    ranges = block_ranges(trials, blocks)
    ranges = ranges[ranges["window"] == FIRST]
    points = contrast.fitted_points(samples, ranges, condition)
    subject = subject or typical_subject(points)
    chosen = points[points["subject"] == subject]
    if chosen.empty:
        known = ", ".join(sorted(points["subject"].unique()))
        raise InputError(f"sample_subject {subject!r}: no {condition} trials", [f"known: {known}"])
    shown = ranges[ranges["subject"] == subject].iloc[0]
    return f"{TRIALS[condition]} of blocks {shown['from_block']}–{shown['to_block']}", chosen


def draw(shown: str, points: pd.DataFrame, dataset: Mapping[str, Any]) -> Figure:
    """Draw the two classes of one subject's points, from the trials that `shown` names."""
    figure, axes = style.subplots(width=style.COLUMN, height=2.7)
    for responded, name, marker, colour in (
        (False, "continued", "x", style.CONTINUE_COLOUR),
        (True, "responded", "o", style.STOP_COLOUR),
    ):
        chosen = points[points["responded"] == responded]
        look = {"color": colour, "mfc": "none", "ms": 3, "mew": 0.7, "alpha": 0.8}
        axes.plot(chosen["time"], chosen["position"], marker, label=name, **look)
    axes.set(xlabel=style.TIME, ylabel=style.POSITION, xlim=(0, None), ylim=(0, None))
    axes.legend(loc="upper right", ncols=2, bbox_to_anchor=(1.0, 1.1), handletextpad=0.2)
    subject, path = points["subject"].iloc[0], points["path"].iloc[0]
    style.say_source(figure, dataset, f"subject {subject}, {shown}, {path} paths")
    return figure
