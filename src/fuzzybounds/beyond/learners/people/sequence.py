"""The trials of one subject, in the form that the compiled likelihood needs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.canoe import task
from fuzzybounds.canoe.paths import frames_before, locate


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
    on_lattice : array of bool
        Whether the path to the response can be reconstructed.  If not, dropped frames had slowed
        the canoe; such a trial has no likelihood and changes no consequents, but earns coins and
        takes time.
    deviation : array of float
        Distance of the response minus the mean over the earlier trials of the same rule base; 0
        for the first of them, and if there was no response.
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
    on_lattice: np.ndarray
    deviation: np.ndarray
    heading: np.ndarray
    reward: np.ndarray
    total: np.ndarray
    payoff: np.ndarray
    penalty: np.ndarray


def sequence(trials: pd.DataFrame, *, cued: bool) -> Sequence:
    """Prepare the trials of one subject, who knew the condition of a trial if `cued`."""
    trials = trials.sort_values("trial")
    responded, correct = (trials[c].to_numpy(dtype=bool) for c in ("responded", "correct"))
    time = np.where(responded, trials["rt"].to_numpy(dtype=float), task.DEADLINE)
    position, condition = trials["position"].to_numpy(dtype=float), trials["condition"].to_numpy()
    own = [task.CONDITIONS[name] for name in condition]
    payoff, penalty = np.array([(c.payoff, c.penalty) for c in own], dtype=float).T.copy()
    # A missed trial was last seen in the frame before the deadline.
    place = locate(np.where(responded, time, task.DEADLINE - task.FRAME), position)
    cue = (condition != "easy").astype(int) if cued else np.zeros(len(trials), dtype=int)
    distance = np.minimum(
        np.round(np.abs(position) / task.FRAME_PIXELS).astype(int), task.EDGE_FRAMES
    )
    deviation, known = np.zeros(distance.size), responded & place.fits
    for number in np.unique(cue[known]):
        same = known & (cue == number)
        own = distance[same]
        before = np.cumsum(own[:-1]) / np.arange(1, own.size)
        deviation[np.flatnonzero(same)[1:]] = own[1:] - before
    return Sequence(
        cue=cue,
        completed=place.completed,
        right=place.right,
        started=place.started,
        frame=np.minimum(frames_before(time), task.DEADLINE_FRAMES),
        distance=distance,
        responded=responded,
        on_lattice=place.fits,
        deviation=deviation,
        heading=np.where(responded, np.sign(position) * np.where(correct, 1, -1), 0).astype(int),
        reward=np.where(correct, payoff, -payoff),
        total=time + task.OVERHEAD + np.where(correct, 0.0, penalty),
        payoff=payoff,
        penalty=penalty,
    )


def strata(trials: pd.DataFrame) -> np.ndarray:
    """Number responses by condition, third of distance and third of time; -1 without a response."""
    done = trials[trials["responded"]]
    names = done["condition"].astype(str)
    for values in (done["rt"], done["position"].abs()):
        rank = values.groupby(done["condition"]).rank(pct=True, method="first")
        names = names + np.minimum((3 * rank).astype(int), 2).astype(str)
    codes = np.full(len(trials), -1)
    codes[trials["responded"].to_numpy(dtype=bool)] = np.unique(names, return_inverse=True)[1]
    return codes


def permute_within(values: np.ndarray, codes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Permute values among entries with the same code."""
    order, permuted = np.argsort(codes, kind="stable"), np.empty_like(values)
    permuted[order] = values[np.lexsort((rng.random(codes.size), codes))]
    return permuted


def shuffle_outcomes(trials: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Permute which responses were correct, among those that look alike (:func:`strata`).

    Everything else stays: times, positions, the order of trials and the accuracy in each condition.
    A model that learns from outcomes must thereby lose what it gained from them.  The trials are
    those of one subject; a missed deadline stays incorrect.
    """
    correct = trials["correct"].to_numpy(dtype=bool)
    return trials.assign(correct=permute_within(correct, strata(trials), rng))
