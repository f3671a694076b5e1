"""Fig. 8: the two classes of points of a sample subject."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from fuzzybounds.canoe.samples import RECORDED
from fuzzybounds.core.errors import InputError, TooFew
from fuzzybounds.paper.figures import style


def typical_subject(points: pd.DataFrame) -> str:
    """The subject whose median boundary is nearest the median over all subjects.

    Where some subjects have recorded paths, one of those is chosen.
    """
    responded = points[points["responded"] & (points["draw"] == 1)]
    medians = responded.groupby("subject", sort=True)["position"].median()
    distance = (medians - medians.median()).abs()
    recorded = points.loc[points["path"] == RECORDED, "subject"].unique()
    return str((distance[recorded] if len(recorded) else distance).idxmin())


def select(
    samples: pd.DataFrame, subject: str | None, condition: str = "easy", blocks: int = 20
) -> tuple[str, pd.DataFrame]:
    """Choose the subject; return draw 1 of one condition in the first blocks, as fits use them."""
    points = samples[(samples["condition"] == condition) & (samples["block"] <= blocks)]
    if points.empty:
        raise TooFew(f"there is no {condition} trial with a response and a path to show")
    subject = subject or typical_subject(points)
    chosen = points[(points["subject"] == subject) & (points["draw"] == 1)]
    if chosen.empty:
        known = ", ".join(sorted(points["subject"].unique()))
        raise InputError(f"sample_subject {subject!r}: no {condition} trials", [f"known: {known}"])
    return subject, chosen


def draw(points: pd.DataFrame, dataset: Mapping[str, Any]) -> Figure:
    """Draw the two classes of one subject's points."""
    figure, axes = style.subplots(width=style.COLUMN, height=2.7)
    for responded, name, marker, colour in (
        (False, "continued", "x", style.CONTINUE_COLOUR),
        (True, "responded", "o", style.STOP_COLOUR),
    ):
        own = points[points["responded"] == responded]
        look = {"color": colour, "mfc": "none", "ms": 3, "mew": 0.7, "alpha": 0.8}
        axes.plot(own["time"], own["position"], marker, label=name, **look)
    axes.set(xlabel=style.TIME, ylabel=style.POSITION, xlim=(0, None), ylim=(0, None))
    axes.legend(loc="upper right", ncols=2, bbox_to_anchor=(1.0, 1.1), handletextpad=0.2)
    subject, path = points["subject"].iloc[0], points["path"].iloc[0]
    said = f"subject {subject}, easy trials of the first 20 blocks, {path} paths"
    style.say_source(figure, dataset, said)
    return figure
