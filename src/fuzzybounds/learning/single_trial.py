"""One trial of a fuzzy subject, looked at closely (Fig. 16)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzybounds.canoe.task import (
    DEADLINE,
    DEADLINE_FRAMES,
    DEADLINE_STEPS,
    EDGE,
    FRAME,
    Condition,
    free_walk,
)
from fuzzybounds.fuzzy.controller import Controller
from fuzzybounds.learning.policy import Decisions


@dataclass(frozen=True)
class TrialTrace:
    """What happened in a trial, frame by frame up to its end.

    Attributes
    ----------
    time, position : array, shape (frames,)
        In s and px, from frame 0; position is positive toward the correct side.
    output : array, shape (frames,)
        O, Eq. fuzzy_O.
    activation : array, shape (frames, n_time, n_position)
        y_(2,j), how active every rule is, with normalised memberships.
    responded, correct : bool
    """

    time: np.ndarray
    position: np.ndarray
    output: np.ndarray
    activation: np.ndarray
    responded: bool
    correct: bool


def simulate_trial(
    controller: Controller, decisions: Decisions, condition: Condition, rng: np.random.Generator
) -> TrialTrace:
    """Simulate one trial of a condition."""
    steps = np.where(rng.random(DEADLINE_STEPS) < condition.p0, 1, -1)
    position = free_walk(steps[None])[0]
    time = np.arange(DEADLINE_FRAMES + 1) * FRAME
    output = controller.output(time / DEADLINE, np.abs(position) / EDGE)
    responds = rng.random(DEADLINE_FRAMES) * decisions.o < output[:-1]
    stops = np.flatnonzero(responds & decisions.mask)
    end = stops[0] if stops.size else DEADLINE_FRAMES
    side = position[end] or rng.choice((-1.0, 1.0))
    shown = slice(end + 1)
    return TrialTrace(
        time[shown],
        position[shown],
        output[shown],
        controller.premises(time[shown] / DEADLINE, position[shown] / EDGE, normalised=True),
        responded=bool(stops.size),
        correct=bool(stops.size and side > 0),
    )
