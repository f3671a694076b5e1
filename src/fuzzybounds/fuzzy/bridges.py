"""Survival-weighted bridges: unrecorded paths, weighted by the model.

A trial whose path is unknown has a uniform random-walk bridge to its response
(:mod:`fuzzybounds.canoe.paths`).  But a subject who follows a model would have responded earlier
on some of those paths.  Given the response, a path's probability is its bridge probability times
the model's probability of continuing all the way, so uniform candidates are weighted by their
survival.  The model comes from a fit, and the fit from the weights: both are iterated to a fixed
point.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.canoe.paths import Lattice, draw_bridges, positions_along, positions_at
from fuzzybounds.canoe.task import DEADLINE, EDGE, FRAME
from fuzzybounds.fuzzy.controller import Controller
from fuzzybounds.fuzzy.membership import Memberships
from fuzzybounds.fuzzy.rules import RuleBase
from fuzzybounds.fuzzy.tuning import Points, tune_controller
from fuzzybounds.fuzzy.wang_mendel import learn_structure


class Places(NamedTuple):
    """Points that paths share.

    Attributes
    ----------
    time, position : array of shape (n_places,)
    numbers : array of int, of the shape of the paths
        Which of the points each one is; n_places from the response on.
    """

    time: np.ndarray
    position: np.ndarray
    numbers: np.ndarray


@dataclass(frozen=True, eq=False)
class Candidates:
    """Candidate paths of the trials of one fit, in normalised units.

    Attributes
    ----------
    step : float
        Time between two points of a path.
    positions : array of shape (n_candidates, n_trials, n_times)
        Distance from the centre at times step, 2 step, ... before the response; NaN from it on.
    earlier_time, earlier_position : array of shape (n_candidates, n_trials)
        One random point of each path, at which the subject continued.
    response_time, response_position : array of shape (n_trials,)
        Where she responded.
    """

    step: float
    positions: np.ndarray
    earlier_time: np.ndarray
    earlier_position: np.ndarray
    response_time: np.ndarray
    response_position: np.ndarray

    @property
    def n_candidates(self) -> int:
        """Number of paths for each trial."""
        return len(self.positions)

    @cached_property
    def places(self) -> Places:
        """The different points of all paths: the canoe moves on a lattice, so they are few."""
        seen = ~np.isnan(self.positions)
        times = self.step * np.arange(1, self.positions.shape[-1] + 1)
        which, distinct = pd.factorize(self.positions[seen])
        pair = which * times.size + np.broadcast_to(np.arange(times.size), seen.shape)[seen]
        number, pairs = pd.factorize(pair)
        position, time = np.divmod(pairs, times.size)
        numbers = np.full(seen.shape, pairs.size)
        numbers[seen] = number
        return Places(times[time], distinct[position], numbers)


def draw_candidates(
    lattice: Lattice,
    time: np.ndarray,
    position: np.ndarray,
    n_candidates: int,
    rng: np.random.Generator,
    *,
    step: float = 0.1,
    ranges: tuple[float, float] = (DEADLINE, EDGE),
) -> Candidates:
    """Draw uniform bridges, and a random earlier frame on each.

    Parameters
    ----------
    lattice : Lattice
        Where the responses lie, from :func:`fuzzybounds.canoe.paths.locate`.
    time, position : array of shape (n_trials,)
        Of the responses, in s and px.
    n_candidates : int
        Number of paths for each trial.
    rng : numpy.random.Generator
    step : float
        Time in s between the points at which survival is evaluated.
    ranges : tuple of float
        The time (s) and distance (px) that count as 1 (ambiguity A09).
    """
    time, position = np.asarray(time, dtype=float), np.asarray(position, dtype=float)
    directions = draw_bridges(lattice, n_candidates, rng)
    frames = np.maximum(np.round(time / FRAME).astype(int), 1)
    earlier = FRAME * rng.integers(0, frames, size=(n_candidates, time.size))
    times = step * np.arange(1, int(np.ceil(time.max() / step)) + 1)
    along = np.abs(positions_along(directions, times))
    reach_time, reach_position = ranges
    return Candidates(
        step=step / reach_time,
        positions=np.where(times < time[:, None], along, np.nan) / reach_position,
        earlier_time=earlier / reach_time,
        earlier_position=np.abs(positions_at(directions, earlier)) / reach_position,
        response_time=time / reach_time,
        response_position=np.abs(position) / reach_position,
    )


def exposure(controller: Controller, candidates: Candidates) -> np.ndarray:
    """Return ∫ O dt along every path up to the response, of shape (n_candidates, n_trials)."""
    places = candidates.places
    output = np.append(controller.output(places.time, places.position), 0.0)
    return candidates.step * output[places.numbers].sum(axis=-1)


def response_scale(exposures: np.ndarray, weights: np.ndarray) -> float:
    """Return the maximum-likelihood scale of p = O dt / scale (ambiguity A07), as dt goes to 0.

    It is the mean exposure per response.
    """
    return float((weights * exposures).sum(axis=0).mean())


def survival_weights(exposures: np.ndarray, scale: float) -> np.ndarray:
    """Return weights of shape (n_candidates, n_trials) that sum to 1 over each trial's paths.

    They are proportional to the survival exp(-∫ O dt / scale); where no path is exposed at all
    (scale 0) they are equal.
    """
    logs = -exposures / scale if scale > 0 else np.zeros_like(exposures)
    weights = np.exp(logs - logs.max(axis=0))
    return weights / weights.sum(axis=0)


@dataclass(frozen=True, eq=False)
class Reweighted:
    """A fit on survival-weighted bridges.

    Attributes
    ----------
    controller : Controller
    weights : array of shape (n_candidates, n_trials)
    scale : float
        Of p = O dt / scale, in normalised time.
    rounds : int
    change : float
        Mean over trials of the total variation between the last two sets of weights.
    converged : bool
    """

    controller: Controller
    weights: np.ndarray
    scale: float
    rounds: int
    change: float
    converged: bool


def weighted_points(candidates: Candidates, weights: np.ndarray) -> Points:
    """Return one fit's points: every response, and every earlier point with its weight."""
    n = candidates.response_time.size
    time = np.concatenate([candidates.response_time, candidates.earlier_time.ravel()])
    position = np.concatenate([candidates.response_position, candidates.earlier_position.ravel()])
    return Points(
        np.stack([time, position])[None],
        (np.arange(time.size) < n)[None],
        np.concatenate([np.ones(n), weights.ravel()])[None],
    )


def fit_candidates(
    candidates: Candidates, weights: np.ndarray, start: Sequence[Memberships], **options: Any
) -> Controller:
    """Fit one controller to weighted candidates: structure learning by vote, then tuning.

    Votes take weights into account; the largest certainty would favour the side with more
    candidates.
    """
    time, position = start
    points = weighted_points(candidates, weights)
    structure = learn_structure(
        points.inputs, points.responded, start, weights=points.weights, resolution="vote"
    )
    rules = RuleBase(time.labels, position.labels, structure.consequents[0])
    return tune_controller(Controller(time, position, rules), points, **options)[0]


def reweight(
    candidates: Candidates,
    start: Sequence[Memberships],
    *,
    max_rounds: int = 30,
    tolerance: float = 1e-3,
    **options: Any,
) -> Reweighted:
    """Iterate fit and survival weights to a fixed point, from uniform weights.

    Parameters
    ----------
    candidates : Candidates
    start : pair of Memberships
        Of time and position, for structure learning and as the start of tuning.
    max_rounds : int
    tolerance : float
        The weights are at a fixed point when a round changes them by no more (see
        :class:`Reweighted`).
    **options
        For :func:`~fuzzybounds.fuzzy.tuning.tune`.
    """
    weights = np.full(candidates.earlier_time.shape, 1 / candidates.n_candidates)
    change, rounds = np.inf, 0
    while change > tolerance and rounds < max_rounds:
        controller = fit_candidates(candidates, weights, start, **options)
        exposures = exposure(controller, candidates)
        scale = response_scale(exposures, weights)
        old, weights = weights, survival_weights(exposures, scale)
        change = float(np.abs(weights - old).sum(axis=0).mean() / 2)
        rounds += 1
    controller = fit_candidates(candidates, weights, start, **options)
    return Reweighted(controller, weights, scale, rounds, change, change <= tolerance)


def resample(
    candidates: Candidates, weights: np.ndarray, draws: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Draw paths by their weights, and return the earlier point of each.

    Returns
    -------
    time, position : array of shape (draws, n_trials)
        In normalised units: two-class points as uniform bridges give them, from better bridges.
    """
    # Inverting each trial's cumulated weights; rounding may leave the last one below 1.
    chosen = (rng.random((draws, 1, weights.shape[1])) > np.cumsum(weights, axis=0)).sum(axis=1)
    chosen = np.minimum(chosen, candidates.n_candidates - 1)
    trial = np.arange(weights.shape[1])
    return candidates.earlier_time[chosen, trial], candidates.earlier_position[chosen, trial]
