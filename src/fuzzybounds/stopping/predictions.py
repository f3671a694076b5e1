"""Predictions of a fitted model for new trials: exact, and by simulation.

The exact prediction carries probabilities over the lattice: with P0 the chance that a step goes
toward the correct side, the probability of every response bin and place follows without any
simulated trial, and so does everything that is computed from it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.canoe.lattice import edge_row, edges_of
from fuzzybounds.canoe.task import (
    DEADLINE_FRAMES,
    DEADLINE_STEPS,
    EDGE,
    FRAME,
    FRAME_PIXELS,
    FRAMES_PER_STEP,
    draw_directions,
    end_trials,
    free_walk,
)
from fuzzybounds.stopping.lattice import LatticeStates, whole_frames
from fuzzybounds.stopping.likelihood import SURE
from fuzzybounds.stopping.model import Model


class Prediction(NamedTuple):
    """Probabilities of responses, each in the middle of its bin, and of a missed deadline.

    Times are in s, positions in px toward the correct side.  `step` numbers the step of the walk in
    which the response falls, `phase` is the time in s since that step began, and `outward` says
    whether the canoe then moves away from the centre.
    """

    time: np.ndarray
    position: np.ndarray
    probability: np.ndarray
    missed: float
    step: np.ndarray
    phase: np.ndarray
    outward: np.ndarray


def predict(
    model: Model, theta: np.ndarray, where: LatticeStates, p0: float, delay: float = 0.0
) -> Prediction:
    """Return the exact distribution of outcomes, given states up to the deadline and P0."""
    hazard, weights = model.at(theta, where, model.nodes(theta))
    respond = np.clip(hazard, SURE, 1.0 - SURE)
    probability, missed = _spread(respond, weights, where, p0)
    bins = where.bins
    # The response comes a motor delay after the decision: perhaps in the next step.
    later = whole_frames("delay", delay, 0)
    end = bins.within - np.diff(bins.within, prepend=0) / 2 + later
    step, net, way = edges_of(where.steps).T[:, :, None]
    # The first bin begins with the trial (:func:`~fuzzybounds.stopping.lattice.outcomes`).
    end = np.where((step == 0) & (bins.within == bins.within[0]), end - later / 2, end)
    frame = FRAMES_PER_STEP * step + end + 0 * net
    there = FRAMES_PER_STEP * net + way * np.minimum(end, FRAMES_PER_STEP)
    after = np.maximum(end - FRAMES_PER_STEP, 0.0)
    position = np.stack([there + after, there - after]) * FRAME_PIXELS
    probability = np.stack([p0 * probability, (1 - p0) * probability])
    # A response in the next step: the canoe goes either way there.
    later_step = end > FRAMES_PER_STEP
    same = np.broadcast_to(net * way >= 0, frame.shape)
    outward = [np.where(later_step, (net + way) * side >= 0, same) for side in (1, -1)]
    late = frame >= DEADLINE_FRAMES
    missed += probability[:, late].sum()

    def kept(values: np.ndarray) -> np.ndarray:
        return np.broadcast_to(values, probability.shape)[:, ~late].ravel()

    return Prediction(
        kept(frame * FRAME),
        np.clip(kept(position), -EDGE, EDGE),
        kept(probability),
        float(missed),
        kept(step + later_step),
        kept(np.where(later_step, end - FRAMES_PER_STEP, end) * FRAME),
        kept(np.array(outward)),
    )


def _spread(
    respond: np.ndarray, weights: np.ndarray, where: LatticeStates, p0: float
) -> tuple[np.ndarray, float]:
    """Return the probability of a response at every decision of every edge, and that of none."""
    probability, here = np.empty(where.of_edge.shape), weights[:, None]
    for m in range(where.steps):
        right, there = np.arange(m + 1), np.zeros((weights.size, m + 2))
        for way, chance in ((0, 1 - p0), (1, p0)):
            edges = edge_row(m, right, way)
            h = respond[:, where.of_edge[edges]]
            left = np.cumprod(1 - h, axis=-1)
            before = np.insert(left[..., :-1], 0, 1.0, axis=-1)
            probability[edges] = chance * (here[..., None] * before * h).sum(axis=0)
            there[:, right + way] += chance * here * left[..., -1]
        here = there
    return probability, float(here.sum())


def simulate(
    model: Model,
    theta: np.ndarray,
    where: LatticeStates,
    p0: np.ndarray,
    rng: np.random.Generator,
    delay: float = 0.0,
    shift: np.ndarray | None = None,
) -> pd.DataFrame:
    """Simulate trials, one for each P0, as the result table ``trials`` has them.

    Responses come at any frame of their bin, after the motor delay.  If the shift of every trial
    (px) is not given, it is drawn, in models with noise between trials.
    """
    n, bins = p0.size, where.bins
    heading = np.where(rng.random(n) < 0.5, 1, -1)
    directions = draw_directions(p0, heading, rng)
    toward = (directions == heading[:, None]).astype(int)
    correct_steps = np.cumsum(toward, axis=1) - toward
    edges = edge_row(np.arange(DEADLINE_STEPS), correct_steps, toward)
    at = where.of_edge[edges].reshape(n, -1)
    if shift is None and model.mixed:
        shift, theta = np.exp(theta[-1]) * rng.normal(size=n), theta[:-1]
    if shift is not None:
        value = model.shifted(theta, where, shift)[np.arange(n)[:, None], at]
    else:
        value = model.at(theta, where)[0][0][at]
    respond = np.clip(value, SURE, 1.0 - SURE)
    stops = rng.random(respond.shape) < respond
    place, width = stops.argmax(axis=1), int(bins.within[0])
    later = whole_frames("delay", delay, 0)
    # Nobody could decide sooner: the first bin holds all responses up to its end and the delay.
    soonest = np.where(place == 0, 0, width * place + later)
    frame = rng.integers(soonest + 1, width * (place + 1) + later + 1)
    frame = np.where(stops.any(axis=1), np.minimum(frame, DEADLINE_FRAMES), DEADLINE_FRAMES)
    guess = np.where(rng.random(n) < 0.5, heading, -heading)
    done = end_trials(free_walk(directions), heading, frame, guess)
    return pd.DataFrame(
        {
            "rt": np.where(done.responded, done.decision_time, np.nan),
            # A missed trial was last seen in the frame before the deadline.
            "position": np.where(done.responded, done.position, done.paths[:, -2]),
            "responded": done.responded,
            "correct": done.correct,
        }
    )
