"""One subject's trials as the arrays that the boundary models read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fuzzybounds.canoe.task import CONDITIONS, DEADLINE
from fuzzybounds.storage.elementary import log_all
from fuzzybounds.storage.errors import InputError
from fuzzybounds.weibull.models import BOUNDARY_TIMES, CUED, LARGEST_WINDOW, UNCUED

if TYPE_CHECKING:
    import pandas as pd


COLUMNS = ("rt", "total", "reward", "condition", "correct", "position", "responded")
"""Columns of the trials table that the boundary models read."""
INDEX = np.uint32
"""Type of indices: compiled code need not check whether an unsigned one is negative."""


class Trials(NamedTuple):
    """Arrays over the trials of one subject, in the order in which they were lived through.

    Attributes
    ----------
    condition : int
        Which boundary the trial uses; always 0 where the conditions share one.
    time, log_time : float
        Where on the time axis its boundary is read, in s, and the logarithm of that.
    size : float
        |position| at the response in px.
    responded : bool
        False for a missed deadline.
    correct : float
        0 or 1.
    outcome : int
        Index of the trial's reward in `rewards`.
    rewards : float
        The different rewards, in coins.
    total : float
        Total time of the trial in s; with the deadline's 15 s where it was missed.
    accuracy, duration : float, (trial, window)
        Mean of `correct` and of `total` over the last 1, 2, ... trials of the condition.  The means
        of one window lie side by side in memory, because a model follows one window along the
        trials.
    """

    condition: np.ndarray
    time: np.ndarray
    log_time: np.ndarray
    size: np.ndarray
    responded: np.ndarray
    correct: np.ndarray
    outcome: np.ndarray
    rewards: np.ndarray
    total: np.ndarray
    accuracy: np.ndarray
    duration: np.ndarray


def trials_of(
    table: pd.DataFrame | Mapping[str, np.ndarray],
    conditions: Sequence[str] = CUED,
    boundary_time: str = "decision",
) -> Trials:
    """Prepare one subject's trials for the boundary models.

    Parameters
    ----------
    table : pandas.DataFrame or mapping of arrays
        Columns rt, total, reward, condition, correct, position, responded of one subject.
    conditions : sequence of str
        ``("easy", "hard")``, or ``("all",)`` without cues, with one boundary.
    boundary_time : {"decision", "total"}
        The time at which the boundary is read: decision time, or total trial time as in the
        authors' published code (A19).
    """
    if boundary_time not in BOUNDARY_TIMES:
        raise ValueError(f"boundary_time is {boundary_time!r}, expected one of {BOUNDARY_TIMES}")
    column = {name: np.asarray(table[name]) for name in COLUMNS}
    names = column["condition"].astype(str)
    unknown = sorted(set(names.tolist()) - set(CUED))
    if unknown or len(names) == 0:
        found = f"{len(names)} trials, unknown conditions {unknown}"
        raise InputError("trials of a subject", [f"{found}, expected some, each easy or hard"])
    if tuple(conditions) == UNCUED:
        condition = np.zeros(len(names), INDEX)
    else:
        condition = np.searchsorted(CUED, names).astype(INDEX)
    responded = column["responded"].astype(bool)
    correct = column["correct"].astype(float)
    # The logs' total leaves out the 15 s that a missed deadline took.
    whole = [float(CONDITIONS[name].total_time(DEADLINE, False)) for name in CUED]
    missed = np.array(whole)[np.searchsorted(CUED, names)]
    total = np.where(responded, column["total"], missed).astype(float)
    decision = np.where(responded, column["rt"], DEADLINE).astype(float)
    time = decision if boundary_time == "decision" else total
    rewards, outcome = np.unique(column["reward"].astype(float), return_inverse=True)
    return Trials(
        condition=condition,
        time=time,
        log_time=log_all(time),
        size=np.abs(column["position"].astype(float)),
        responded=responded,
        correct=correct,
        outcome=outcome.astype(INDEX),
        rewards=rewards,
        total=total,
        accuracy=_window_means(correct, condition),
        duration=_window_means(total, condition),
    )


def of_condition(trials: Trials, condition: int) -> Trials:
    """Return the trials of one condition, as those of a subject with one boundary."""
    here = trials.condition == condition
    # In the same order in memory: compiled code is made for one.
    own = {
        name: np.asfortranarray(values[here]) if name != "rewards" else values
        for name, values in trials._asdict().items()
    }
    return Trials(**own | {"condition": np.zeros(int(here.sum()), INDEX)})


def without_early_responses(
    trials: Trials, table: pd.DataFrame | Mapping[str, np.ndarray], earliest: float
) -> Trials:
    """Return trials in which responses before a decision time do not count as responses.

    They are lived through and their outcomes teach, but no boundary is compared with them.
    """
    early = np.asarray(table["rt"], float) < earliest
    return trials._replace(responded=trials.responded & ~early)


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
