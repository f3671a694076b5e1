"""Predictions of a fitted model for new trials: exact, and by simulation.

The exact prediction carries probabilities over the lattice: with P0 the chance that a step goes
toward the correct side, the probability of every response bin and place follows without any
simulated trial, and so does everything that is computed from it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.canoe.lattice import compiled_edge_row, edge_row, edges_of
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
from fuzzybounds.stopping.lattice import States
from fuzzybounds.stopping.likelihood import SURE
from fuzzybounds.stopping.model import Model
from fuzzybounds.storage.compilation import njit
from fuzzybounds.storage.elementary import exp


class Prediction(NamedTuple):
    """The distribution of a trial's outcome.

    Attributes
    ----------
    time, position : array, shape (places,)
        Of the response, taken in the middle of its bin: s, and px toward the correct side.
    probability : array, shape (places,)
    missed : float
        Probability of no response before the deadline.
    """

    time: np.ndarray
    position: np.ndarray
    probability: np.ndarray
    missed: float


def predict(model: Model, theta: np.ndarray, where: States, p0: float) -> Prediction:
    """Return the exact distribution of outcomes under a model.

    Parameters
    ----------
    model : Model
    theta : array
        Its parameters on their search scales.
    where : States
        Of all steps up to the deadline.
    p0 : float
        Chance that a step goes toward the correct side.
    """
    if where.steps != DEADLINE_STEPS:
        raise ValueError(f"states of {where.steps} steps: expected all {DEADLINE_STEPS}")
    hazard, weights = model.at(theta, where, model.nodes(theta))
    respond = 1.0 - (1.0 - np.clip(hazard.value, SURE, 1.0 - SURE)) ** where.exposure
    probability = np.zeros(where.of_edge.shape)
    missed = _spread(respond, weights, where.of_edge, where.steps, p0, probability)
    bins = where.bins
    # The response comes a motor delay after the decision: perhaps in the next step.
    end = bins.within - np.diff(bins.within, prepend=0) / 2 + bins.delay_frames
    step, net, way = edges_of(where.steps).T[:, :, None]
    frame = FRAMES_PER_STEP * step + end + 0 * net
    there = FRAMES_PER_STEP * net + way * np.minimum(end, FRAMES_PER_STEP)
    after = np.maximum(end - FRAMES_PER_STEP, 0.0)
    position = np.stack([there + after, there - after]) * FRAME_PIXELS
    probability = np.stack([p0 * probability, (1 - p0) * probability])
    late = frame >= DEADLINE_FRAMES
    missed += probability[:, late].sum()
    return Prediction(
        np.tile(frame[~late] * FRAME, 2),
        np.clip(position[:, ~late], -EDGE, EDGE).ravel(),
        probability[:, ~late].ravel(),
        float(missed),
    )


@njit(nogil=True)
def _spread(respond, weights, of_edge, steps, p0, probability):
    """Fill the probability of a response at every decision; return that of none."""
    missed = 0.0
    for node in range(weights.size):
        here, there = np.zeros(steps + 1), np.zeros(steps + 1)
        here[0] = weights[node]
        for m in range(steps):
            there[:] = 0.0
            for r in range(m + 1):
                for way in range(2):
                    edge = compiled_edge_row(m, r, way)
                    left = here[r] * (p0 if way == 1 else 1.0 - p0)
                    for i in range(of_edge.shape[1]):
                        h = respond[node, of_edge[edge, i]]
                        probability[edge, i] += left * h
                        left *= 1.0 - h
                    there[r + way] += left
            here[:] = there
        missed += here.sum()
    return missed


def simulate(
    model: Model,
    theta: np.ndarray,
    where: States,
    p0: np.ndarray,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Simulate trials, one for each P0, as the result table ``trials`` has them.

    Responses come at the end of their bin, after the motor delay.

    Returns
    -------
    DataFrame
        Columns rt, position, responded, correct.
    """
    n, bins = p0.size, where.bins
    heading = np.where(rng.random(n) < 0.5, 1, -1)
    directions = draw_directions(p0, heading, rng)
    toward = (directions == heading[:, None]).astype(int)
    correct_steps = np.cumsum(toward, axis=1) - toward
    edges = edge_row(np.arange(DEADLINE_STEPS), correct_steps, toward)
    at = where.of_edge[edges].reshape(n, -1)
    if model.mixed:
        shift = exp(theta[-1]) * rng.normal(size=n)
        value = model.hazard(theta[:-1], where, shift).value[np.arange(n)[:, None], at]
    else:
        value = model.at(theta, where)[0].value[0][at]
    respond = 1.0 - (1.0 - np.clip(value, SURE, 1.0 - SURE)) ** where.exposure[at]
    stops = rng.random(respond.shape) < respond
    step, within = np.divmod(stops.argmax(axis=1), bins.within.size)
    frame = FRAMES_PER_STEP * step + bins.within[within] + bins.delay_frames
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
