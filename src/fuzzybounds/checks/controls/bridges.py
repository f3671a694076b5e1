"""Survival-weighted bridges: unrecorded paths, weighted by the model.

A trial whose path is unknown has a uniform random-walk bridge to its response
(:mod:`fuzzybounds.canoe.paths`).  But a subject who follows a model would have responded earlier
on some of those paths.  Given the response, a path's probability is its bridge probability times
the model's probability of continuing all the way, so uniform candidates are weighted by their
survival.  The model comes from a fit, and the fit from the weights: both are iterated to a fixed
point.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.canoe.paths import (
    draw_bridges,
    frames_before,
    locate,
    positions_along,
    positions_at,
)
from fuzzybounds.canoe.task import DEADLINE, EDGE, EDGE_FRAMES, FRAME, FRAME_PIXELS
from fuzzybounds.core.seeds import generator
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.membership import Memberships
from fuzzybounds.paper.fuzzy.network import Network
from fuzzybounds.paper.fuzzy.rules import RuleBase
from fuzzybounds.paper.fuzzy.tuning import Points, tune
from fuzzybounds.paper.fuzzy.wang_mendel import learn_structure

CANDIDATES = 60
"""Uniform bridges of each trial, among which paths are drawn by their weights."""
STEP = 0.1
"""Time in s between the points of a path at which the desire to respond is added up."""
ROUNDS, TOLERANCE = 30, 1e-3
"""The weights are at a fixed point when a round changes them by no more than this: the mean over
trials of the total variation."""


class Candidates(NamedTuple):
    """Candidate paths of the trials of one fit.

    Attributes
    ----------
    ranges : tuple of float
        The time (s) and distance (px) that are 1 in normalised units.
    cells : array of int, shape (n_candidates, n_trials, n_times)
        Distance at times STEP, 2 STEP, ... in steps of one frame's movement; -1 from the response
        on.
    earlier : array of shape (2, n_candidates, n_trials)
        Normalised time and distance of a random frame of each path, at which the subject continued.
    response : array of shape (2, n_trials)
        Normalised time and distance of the responses.
    """

    ranges: tuple[float, float]
    cells: np.ndarray
    earlier: np.ndarray
    response: np.ndarray


def draw_candidates(
    time: np.ndarray,
    position: np.ndarray,
    number: int,
    rng: np.random.Generator,
    ranges: tuple[float, float] = (DEADLINE, EDGE),
) -> Candidates:
    """Draw uniform bridges to responses (s and px), and a random earlier frame on each."""
    time, position = np.asarray(time, dtype=float), np.asarray(position, dtype=float)
    directions = draw_bridges(locate(time, position), number, rng)
    earlier = FRAME * rng.integers(0, frames_before(time), size=(number, time.size))
    times = STEP * np.arange(1, int(np.ceil(time.max() / STEP)) + 1)
    distance = np.abs(positions_along(directions, times))
    cells = np.where(times < time[:, None], np.round(distance / FRAME_PIXELS), -1).astype(int)
    unit = np.array(ranges)
    points = np.stack([earlier, np.abs(positions_at(directions, earlier))])
    response = np.stack([time, np.abs(position)])
    return Candidates(ranges, cells, points / unit[:, None, None], response / unit[:, None])


def exposure(controller: Controller, candidates: Candidates) -> np.ndarray:
    """Return ∫ O dt along every path up to the response, in s, of shape (n_candidates, n_trials).

    The controller is in the normalised units of the candidates.
    """
    number = np.arange(candidates.cells.shape[-1])
    times = STEP * (number + 1) / candidates.ranges[0]
    distances = FRAME_PIXELS * np.arange(EDGE_FRAMES + 1) / candidates.ranges[1]
    output = controller.output_grid(times, distances)
    return STEP * np.where(candidates.cells >= 0, output[number, candidates.cells], 0).sum(axis=-1)


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


def fit_candidates(candidates: Candidates, weights: np.ndarray, start: Memberships) -> Controller:
    """Fit one controller to weighted candidates: structure learning by vote, then tuning.

    Votes take weights into account; the largest certainty would favour the side with more
    candidates.
    """
    n = candidates.response.shape[1]
    inputs = np.concatenate([candidates.response, candidates.earlier.reshape(2, -1)], axis=1)
    points = Points(
        inputs[None],
        (np.arange(inputs.shape[1]) < n)[None],
        np.concatenate([np.ones(n), weights.ravel()])[None],
    )
    structure = learn_structure(
        points.inputs, points.responded, (start, start), weights=points.weights, resolution="vote"
    )
    tuned = tune(
        Network.grid((len(start.labels), len(start.labels)), start.convention),
        points,
        structure.consequents.reshape(1, -1),
        np.tile(start.centers, 2),
        np.tile(start.widths, 2),
    )
    parts = zip(np.split(tuned.centers[0], 2), np.split(tuned.widths[0], 2), strict=True)
    time, position = (Memberships(start.labels, *part, start.convention) for part in parts)
    return Controller(time, position, RuleBase(time.labels, time.labels, structure.consequents[0]))


def reweight(candidates: Candidates, start: Memberships) -> tuple[np.ndarray, Controller]:
    """Iterate fit and survival weights to a fixed point, from uniform weights.

    Returns the weights of shape (n_candidates, n_trials), and the last fit.
    """
    shape = candidates.earlier.shape[1:]
    weights = np.full(shape, 1 / shape[0])
    for _ in range(ROUNDS):
        controller = fit_candidates(candidates, weights, start)
        exposures = exposure(controller, candidates)
        scale = response_scale(exposures, weights)
        old, weights = weights, survival_weights(exposures, scale)
        if np.abs(weights - old).sum(axis=0).mean() / 2 <= TOLERANCE:
            break
    return weights, controller


def redraw(points: pd.DataFrame, start: Memberships, seed: int, dataset: str) -> pd.DataFrame:
    """Redraw the earlier points from bridges that a subject's own model would have survived.

    The two-class points of windows are normalised (:func:`fuzzybounds.canoe.samples.normalise`),
    and structure learning starts from `start` for both variables.  Random numbers are named by
    seed, dataset, subject and window.
    """
    parts = []
    for (subject, window), own in points.groupby(["subject", "window"], sort=False):
        rng = generator(seed, dataset, subject, window, "survival")
        ranges = (float(own["time_range"].iloc[0]), float(own["position_range"].iloc[0]))
        responses = own[own["responded"] & (own["draw"] == own["draw"].min())]
        time, position = responses["time"] * ranges[0], responses["position"] * ranges[1]
        candidates = draw_candidates(time, position, CANDIDATES, rng, ranges)
        weights, _ = reweight(candidates, start)
        # Inverting each trial's cumulated weights; rounding may leave the last one below 1.
        shares = rng.random((own["draw"].nunique(), 1, len(responses)))
        chosen = (shares > np.cumsum(weights, axis=0)).sum(axis=1)
        chosen = np.minimum(chosen, len(weights) - 1)
        drawn = candidates.earlier[:, chosen, np.arange(len(responses))]
        # Points are ordered by draw, and within a draw by trial, as the responses are.
        redrawn = own.copy()
        # Candidates have the units of one draw, points those of their own.
        units = own.loc[~own["responded"], ["time_range", "position_range"]].to_numpy()
        drawn = drawn.reshape(2, -1).T * ranges / units
        redrawn.loc[~own["responded"], ["time", "position"]] = drawn
        parts.append(redrawn)
    return pd.concat(parts, ignore_index=True)
