"""Limitations of small or unusual data sets, reported before anything is computed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pandas as pd

from fuzzybounds.canoe.block_windows import block_ranges
from fuzzybounds.canoe.task import CONDITIONS

SHOWN = 8
"""How many subjects a remark names."""

GROUPED, TESTED = 3, 7
"""One-session subjects from which on the fast and the slow quarter have one subject each, and from
which on they have two, so that they can be tested."""

FEW = 10
"""Responses to easy trials in a window below which a fit follows single points."""


def remarks(trials: pd.DataFrame, blocks: int = 20) -> list[str]:
    """List analyses for which the trials are too few or too one-sided.

    Parameters
    ----------
    trials : DataFrame
        Validated trials.
    blocks : int
        Number of blocks of a window.

    Returns
    -------
    list of str
        One sentence each; none where the data set has all that the analysis needs.
    """
    return [*_of_the_group(trials), *_of_conditions(trials), *_of_subjects(trials, blocks)]


def _of_the_group(trials: pd.DataFrame) -> Iterator[str]:
    sessions = trials.groupby("subject", sort=False)["session"].nunique()
    n = int((sessions == 1).sum())
    if n >= TESTED:
        return
    has = f"{n} subject{'s' * (n != 1)} of one session"
    if n == 0:
        yield f"{has}: there are no fast and slow groups, and nothing is compared between them"
    elif n < GROUPED:
        yield f"{has}: fast and slow groups need {GROUPED}, and tests of them {TESTED}"
    else:
        yield f"{has}: tests of fast and slow groups need {TESTED}"


def _of_conditions(trials: pd.DataFrame) -> Iterator[str]:
    there = set(trials["condition"])
    for condition in CONDITIONS:
        if condition not in there:
            what = (
                "fuzzy fits, groups and boundaries of easy trials cannot be computed"
                if condition == "easy"
                else "the boundaries of hard trials are not estimated"
            )
            yield f"no {condition} trials: {what}"
    responses = trials[trials["responded"]]
    if not responses.empty and responses["correct"].all():
        yield "no errors: accuracy is 1 throughout, and the cost of an error cannot be measured"
    elif not responses.empty and not responses["correct"].any():
        yield "no correct responses: accuracy is 0 throughout"


def _of_subjects(trials: pd.DataFrame, blocks: int) -> Iterator[str]:
    subjects = list(trials["subject"].unique())
    responses = trials[trials["responded"]].groupby("subject").size().reindex(subjects).fillna(0)
    silent = responses.index[responses == 0]
    if len(silent):
        yield f"{_names(silent)}: no response before the deadline, so there is nothing to fit"
    ranges = block_ranges(trials, blocks)
    first = ranges[ranges["window"] == "first"].set_index("subject")
    short = first.index[(first["overlap"] > 0) & (first["sessions"] == 1)]
    if len(short):
        yield (
            f"{_names(short)}: fewer than {2 * blocks} blocks, so the first and the last {blocks} "
            "share blocks, and change with practice is underestimated"
        )
    easy = trials[trials["responded"] & (trials["condition"] == "easy")]
    span = easy["subject"].map(first["to_block"]).astype(float)
    counts = easy[easy["block"] <= span].groupby("subject").size().reindex(subjects).fillna(0)
    few = counts.index[(counts < FEW) & ~counts.index.isin(silent)]
    if len(few) and "easy" in set(trials["condition"]):
        yield (
            f"{_names(few)}: fewer than {FEW} responses to easy trials in the first window; "
            "fits follow single points"
        )


def _names(subjects: Iterable[str]) -> str:
    names = list(map(str, subjects))
    shown = ", ".join(names[:SHOWN])
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return f"subject{'s' * (len(names) > 1)} {shown}{more}"
