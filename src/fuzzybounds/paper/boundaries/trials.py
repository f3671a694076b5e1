"""One subject's trials as the arrays that the boundary models read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fuzzybounds.canoe.task import CONDITIONS, DEADLINE
from fuzzybounds.core.errors import InputError
from fuzzybounds.paper.boundaries.learning_classes import LARGEST_WINDOW
from fuzzybounds.paper.boundaries.models import BOUNDARY_TIMES, CUED, UNCUED

if TYPE_CHECKING:
    import pandas as pd


COLUMNS = ("rt", "total", "reward", "condition", "correct", "position", "responded")
"""Columns of the trials table that the boundary models read."""


class Trials(NamedTuple):
    """Arrays over the trials of one subject, in their order.

    `condition` says which boundary a trial uses, 0 where the conditions share one.  `time` (s) is
    where its boundary is read, and `size` (px) is |position| at the response.  `responded` is False
    for a missed deadline, `correct` is 0 or 1, `reward` is in coins, and `total` (s) includes the
    deadline's 15 s where it was missed.  `accuracy` and `duration` (trial, window) are the means of
    `correct` and `total` over the last 1, 2, ... trials of the condition.
    """

    condition: np.ndarray
    time: np.ndarray
    log_time: np.ndarray
    size: np.ndarray
    responded: np.ndarray
    correct: np.ndarray
    reward: np.ndarray
    total: np.ndarray
    accuracy: np.ndarray
    duration: np.ndarray


def trials_of(
    table: pd.DataFrame | Mapping[str, np.ndarray],
    conditions: Sequence[str] = CUED,
    boundary_time: str = "decision",
) -> Trials:
    """Prepare one subject's trials for the boundary models.

    The boundary is read at the decision time, or at the total trial time as in the authors'
    published code (A19).  The conditions are ``("easy", "hard")``, or ``("all",)`` without cues.
    """
    if boundary_time not in BOUNDARY_TIMES:
        raise ValueError(f"boundary_time is {boundary_time!r}, expected one of {BOUNDARY_TIMES}")
    column = {name: np.asarray(table[name]) for name in COLUMNS}
    names = column["condition"].astype(str)
    unknown = sorted(set(names.tolist()) - set(CUED))
    if unknown or len(names) == 0:
        given = f"{len(names)} trials, unknown conditions {unknown}"
        raise InputError("trials of a subject", [f"{given}, expected some, each easy or hard"])
    if tuple(conditions) == UNCUED:
        condition = np.zeros(len(names), np.int64)
    else:
        condition = np.searchsorted(CUED, names).astype(np.int64)
    responded = column["responded"].astype(bool)
    correct = column["correct"].astype(float)
    # The logs' total leaves out the 15 s that a missed deadline took.
    whole = [float(CONDITIONS[name].total_time(DEADLINE, False)) for name in CUED]
    missed = np.array(whole)[np.searchsorted(CUED, names)]
    total = np.where(responded, column["total"], missed).astype(float)
    decision = np.where(responded, column["rt"], DEADLINE).astype(float)
    time = decision if boundary_time == "decision" else total
    return Trials(
        condition=condition,
        time=time,
        log_time=np.log(time),
        size=np.abs(column["position"].astype(float)),
        responded=responded,
        correct=correct,
        reward=column["reward"].astype(float),
        total=total,
        accuracy=_window_means(correct, condition),
        duration=_window_means(total, condition),
    )


def _window_means(x: np.ndarray, condition: np.ndarray) -> np.ndarray:
    """Mean of the last w values of the same condition, the trial's own included, w = 1, 2, ..."""
    means = np.empty((len(x), LARGEST_WINDOW), order="F")
    for c in np.unique(condition):
        rows = np.flatnonzero(condition == c)
        sums = np.concatenate([[0.0], np.cumsum(x[rows])])
        end = np.arange(1, len(rows) + 1)[:, None]
        begin = np.maximum(end - np.arange(1, LARGEST_WINDOW + 1), 0)
        means[rows] = (sums[end] - sums[begin]) / (end - begin)
    return means
