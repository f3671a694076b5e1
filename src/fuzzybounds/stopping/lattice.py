"""The canoe's lattice in bins of time: when a subject may respond, and where the canoe is then.

A bin ends at a *decision*: the subject sees the canoe there and responds in this bin with the
hazard of that time and distance.  No bin reaches over the end of a step, so given (n, k, s) of
:mod:`fuzzybounds.canoe.paths` the canoe's place at the end of the response's bin is known.

An *edge* is a step of the walk: its number m, the steps r that went right before it, and its way
(1 right, 0 left).  A trial's *outcome* is the edge on which the subject decided, and at which
decision.  With a motor delay the decision may lie in the step before the response; then the
direction of that step is not known, and the outcome has two edges.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import pandas as pd
from scipy.special import comb

from fuzzybounds.canoe.lattice import edge_row, edges_of
from fuzzybounds.canoe.paths import frames_before, locate
from fuzzybounds.canoe.task import (
    DEADLINE,
    DEADLINE_FRAMES,
    DEADLINE_STEPS,
    EDGE_FRAMES,
    FRAME,
    FRAME_PIXELS,
    FRAME_RATE,
    FRAMES_PER_STEP,
)
from fuzzybounds.core.errors import InputError


def whole_frames(name: str, seconds: float, smallest: int) -> int:
    """Return a time in frames; it is at least `smallest` of them and less than a step."""
    frames = seconds * FRAME_RATE
    if abs(frames - round(frames)) > 1e-6 or not smallest <= round(frames) < FRAMES_PER_STEP:
        raise ValueError(
            f"{name} = {seconds} s: expected a whole number of frames of 1/60 s, "
            f"at least {smallest} and less than a step of 0.5 s"
        )
    return round(frames)


@dataclass(frozen=True)
class Bins:
    """How time is divided into bins; a step of 0.5 s is divided into bins of so many s."""

    width: float = 0.1

    def __post_init__(self):
        if FRAMES_PER_STEP % whole_frames("width", self.width, 1):
            raise ValueError(f"width = {self.width} s: expected bins that divide a step of 0.5 s")

    @cached_property
    def within(self) -> np.ndarray:
        """Frames within a step at which its bins end."""
        frames = round(self.width * FRAME_RATE)
        return np.arange(frames, FRAMES_PER_STEP + 1, frames)


@dataclass(frozen=True, eq=False)
class States:
    """What a subject sees at a decision, an entry for every different case.

    Attributes
    ----------
    time : array
        Seconds since the canoe began to move.
    position : array
        Its distance from the centre in px.
    outward : array
        1 where it moves away from the centre, 0 where it moves toward it.
    """

    time: np.ndarray
    position: np.ndarray
    outward: np.ndarray


@dataclass(frozen=True, eq=False)
class LatticeStates(States):
    """The states of all decisions in the first steps of a trial.

    `of_edge` numbers the state of every decision (edges by decisions of a step).
    """

    bins: Bins
    steps: int
    of_edge: np.ndarray


@cache
def states(bins: Bins, steps: int = DEADLINE_STEPS) -> LatticeStates:
    """Number the states of the first steps of a trial.

    At the end of a step the direction is that of the step that ends.  A step from the centre leads
    outward, whichever way it goes.
    """
    step, net, way = edges_of(steps).T[:, :, None]
    frame = FRAMES_PER_STEP * step + bins.within
    walked = FRAMES_PER_STEP * net + way * bins.within
    distance = np.minimum(np.abs(walked), EDGE_FRAMES)
    outward = np.broadcast_to(net * way >= 0, walked.shape)
    codes = 2 * (frame * (EDGE_FRAMES + 1) + distance) + outward
    codes, of_edge = np.unique(codes, return_inverse=True)
    place, outward = np.divmod(codes, 2)
    frame, distance = np.divmod(place, EDGE_FRAMES + 1)
    return LatticeStates(
        frame * FRAME,
        distance * FRAME_PIXELS,
        outward.astype(float),
        bins,
        steps,
        np.ascontiguousarray(of_edge.reshape(walked.shape)),
    )


@dataclass(frozen=True, eq=False)
class Outcomes:
    """The different outcomes of a subject's trials, and which trial had which.

    Attributes
    ----------
    edges : array of int, shape (outcomes, 2)
        The edge of the decision; a second one where the direction of that step is not known, or -1.
    decision : array of int, shape (outcomes,)
        The number of the decision within its step: responded there; for a missed deadline the
        number of decisions of that step at which the subject went on.
    responded : array of bool, shape (outcomes,)
    log_paths : array, shape (outcomes,)
        Log of the number of paths that lead to the end of the trial.
    log_widths : array, shape (outcomes,)
        Log of the width of the response's bin, in bins.  With a motor delay the first bin holds all
        sooner responses as well; without this term a delay would gain by merging them.
    of_trial : array of int, shape (trials,)
        The outcome of every trial.
    """

    edges: np.ndarray
    decision: np.ndarray
    responded: np.ndarray
    log_paths: np.ndarray
    log_widths: np.ndarray
    of_trial: np.ndarray

    @property
    def steps(self) -> int:
        """Number of steps within which all decisions were made."""
        last = int(self.edges.max())
        return int(np.floor((np.sqrt(4 * last + 1) - 1) / 2)) + 1

    def counts(self, chosen: np.ndarray) -> np.ndarray:
        """Return how many of the chosen trials had each outcome."""
        return np.bincount(self.of_trial[chosen], minlength=len(self.decision)).astype(float)


def on_lattice(trials: pd.DataFrame) -> np.ndarray:
    """Return which trials have a path: responses to within a frame and a half, and all misses."""
    responded = trials["responded"].to_numpy(dtype=bool)
    return locate(_seen_until(trials), trials["position"]).fits | ~responded


def outcomes(trials: pd.DataFrame, bins: Bins, delay: float = 0.0) -> Outcomes:
    """Infer the outcomes of trials, all :func:`on_lattice`, from their times and positions.

    A decision lies the motor delay (s) before its response.  Responses that come sooner count as
    decided in the first bin, and are equally likely at each of its frames.
    """
    if not len(trials):
        raise InputError("trials of one subject", ["none given, expected at least one"])
    responded = trials["responded"].to_numpy(dtype=bool)
    place = locate(_seen_until(trials), trials["position"].to_numpy(dtype=float))
    n, k, way = place.completed, place.right, (place.started > 0).astype(int)
    # Hazards do not tell left from right: of a walk and its mirror image one is taken.
    mirrored = (2 * k < n) | ((2 * k == n) & (way == 0))
    k, way = np.where(mirrored, n - k, k), np.where(mirrored, 1 - way, way)
    last = np.where(responded, frames_before(_seen_until(trials)), DEADLINE_FRAMES)
    later = whole_frames("delay", delay, 0)
    decided = np.maximum(last - later, 1)
    step = (decided - 1) // FRAMES_PER_STEP
    within = decided - FRAMES_PER_STEP * step
    # A response is made in the bin that it falls into; a missed deadline passes all that fit.
    side = np.where(
        responded,
        np.searchsorted(bins.within, within, side="left"),
        np.searchsorted(bins.within, within, side="right"),
    )
    known = step == n
    edges = np.stack(
        [
            np.where(known, edge_row(n, k, way), _previous(n, k - 1, 1)),
            np.where(known, -1, _previous(n, k, 0)),
        ],
        axis=1,
    )
    edges = np.where(edges[:, :1] < 0, edges[:, ::-1], edges)
    log_paths = np.log(comb(n, k))
    first_bin = responded & (decided <= bins.within[0])
    log_widths = np.where(first_bin, np.log1p(later / bins.within[0]), 0.0)
    rows = np.column_stack([edges, side, responded, n, k])
    unique, first, of_trial = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    return Outcomes(
        np.ascontiguousarray(unique[:, :2]),
        np.ascontiguousarray(unique[:, 2]),
        unique[:, 3].astype(bool),
        log_paths[first],
        log_widths[first],
        of_trial.ravel(),
    )


def _previous(n: np.ndarray, right: np.ndarray, way: int) -> np.ndarray:
    """Return the edge of step n - 1, or -1 where the walk has none with so many steps right."""
    possible = (n > 0) & (right >= 0) & (right <= n - 1)
    return np.where(possible, edge_row(n - 1, right, way), -1)


def _seen_until(trials: pd.DataFrame) -> np.ndarray:
    """Return the time of the response; a missed trial was last seen a frame before the deadline."""
    return np.where(trials["responded"], trials["rt"].to_numpy(dtype=float), DEADLINE - FRAME)
