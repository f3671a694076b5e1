"""The trials of one subject, in the form in which the compiled likelihood takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fuzzybounds.canoe.paths import frames_before, locate
from fuzzybounds.canoe.task import (
    CONDITIONS,
    DEADLINE,
    DEADLINE_FRAMES,
    FRAME,
    FRAME_PIXELS,
    OVERHEAD,
)
from fuzzybounds.learning.design import EDGE_FRAMES
from fuzzybounds.storage.errors import InputError

if TYPE_CHECKING:
    import pandas as pd


class Sequence(NamedTuple):
    """The trials of one subject in their order, as compiled code takes them.

    Attributes
    ----------
    cue : array of int
        Which rule base the trial uses.
    completed, right, started : array of int
        n, k and s of :func:`fuzzybounds.canoe.paths.locate`.
    frame, distance : array of int
        Of the response, or of the deadline; distance in frames of movement.
    responded : array of bool
    heading : array of int
        Side that was correct: 1 right, -1 left, 0 not known (no response, or one at the centre).
    reward, total : array of float
        Coins and seconds of the trial.
    payoff, penalty : array of float
        Of the trial's condition.
    """

    cue: np.ndarray
    completed: np.ndarray
    right: np.ndarray
    started: np.ndarray
    frame: np.ndarray
    distance: np.ndarray
    responded: np.ndarray
    heading: np.ndarray
    reward: np.ndarray
    total: np.ndarray
    payoff: np.ndarray
    penalty: np.ndarray


def sequence(trials: pd.DataFrame, *, cued: bool) -> Sequence:
    """Prepare the trials of one subject.

    Parameters
    ----------
    trials : DataFrame
        Columns trial, rt, condition, correct, position, responded of ``trials.parquet``.
    cued : bool
        Whether the subject knew the condition of a trial.
    """
    if not len(trials):
        raise InputError("trials of one subject", ["none given, expected at least one"])
    trials = trials.sort_values("trial")
    responded, correct = (trials[c].to_numpy(dtype=bool) for c in ("responded", "correct"))
    time = np.where(responded, trials["rt"].to_numpy(dtype=float), DEADLINE)
    position = trials["position"].to_numpy(dtype=float)
    condition = trials["condition"].to_numpy()
    payoff = np.array([CONDITIONS[name].payoff for name in condition], dtype=float)
    penalty = np.array([CONDITIONS[name].penalty for name in condition], dtype=float)
    # A missed trial was last seen in the frame before the deadline.
    place = locate(np.where(responded, time, DEADLINE - FRAME), position)
    return Sequence(
        cue=(condition != "easy").astype(int) if cued else np.zeros(len(trials), dtype=int),
        completed=place.completed,
        right=place.right,
        started=place.started,
        frame=np.minimum(frames_before(time), DEADLINE_FRAMES),
        distance=np.minimum(np.round(np.abs(position) / FRAME_PIXELS).astype(int), EDGE_FRAMES),
        responded=responded,
        heading=np.where(responded, np.sign(position) * np.where(correct, 1, -1), 0).astype(int),
        reward=np.where(correct, payoff, -payoff),
        total=time + OVERHEAD + np.where(correct, 0.0, penalty),
        payoff=payoff,
        penalty=penalty,
    )
