"""From a fuzzy controller to stop probabilities on the canoe's lattice.

The probability of responding at a decision is p = O / o (ambiguity A07): o and the time between two
decisions, which the paper does not give, are arguments everywhere.  Nobody decides before the canoe
has moved.  Time and position are normalised by the deadline and by the edge of the screen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from fuzzybounds.canoe.lattice import edges_of
from fuzzybounds.canoe.task import DEADLINE_FRAMES, DEADLINE_STEPS, EDGE_FRAMES, FRAMES_PER_STEP
from fuzzybounds.fuzzy.controller import Controller
from fuzzybounds.fuzzy.membership import Memberships, equidistant
from fuzzybounds.learning.design import POLICY_SHAPE

PAPER_VARIANCE = 0.04
"""Variance of the memberships in the paper's simulation."""
TIMES = np.arange(DEADLINE_FRAMES) / DEADLINE_FRAMES
"""Normalised time of every frame before the deadline."""
POSITIONS = np.arange(EDGE_FRAMES + 1) / EDGE_FRAMES
"""Normalised distance of every column of a policy."""


@dataclass(frozen=True)
class Decisions:
    """When a fuzzy subject decides, and with which probability.

    Parameters
    ----------
    o : float
        The constant of p = O / o.
    frames : int
        Frames between two decisions, a divisor of the 30 frames of a step.
    """

    o: float = 1.0
    frames: int = FRAMES_PER_STEP

    def __post_init__(self):
        if not self.o > 0:
            raise ValueError(f"o = {self.o}: expected a positive number")
        if self.frames < 1 or FRAMES_PER_STEP % self.frames:
            raise ValueError(f"frames = {self.frames}: expected a divisor of {FRAMES_PER_STEP}")

    @property
    def rows(self) -> slice:
        """The rows of a policy that are decisions."""
        return slice(self.frames, DEADLINE_FRAMES, self.frames)


def paper_memberships(n_labels: int) -> Memberships:
    """Return the memberships of the paper's simulation: centres equidistant, variance 0.04."""
    return equidistant(n_labels, width=np.sqrt(PAPER_VARIANCE), convention="width")


def time_degrees(memberships: Memberships, rows: slice = slice(None)) -> np.ndarray:
    """Return the normalised memberships of every frame, or of some, of shape (frames, labels)."""
    return memberships.degrees(TIMES[rows], normalised=True)


def position_degrees(memberships: Memberships) -> np.ndarray:
    """Return the normalised memberships of every distance, of shape (distances, labels)."""
    return memberships.degrees(POSITIONS, normalised=True)


def stop_probabilities(controller: Controller, decisions: Decisions) -> np.ndarray:
    """Return the policy of a fuzzy controller, of shape (frames, distances).

    Consequents outside [0, 1] may ask for more than certainty: p is kept within [0, 1].
    """
    time = time_degrees(controller.time, decisions.rows)
    output = time @ controller.rules.consequents @ position_degrees(controller.position).T
    policy = np.zeros(POLICY_SHAPE)
    policy[decisions.rows] = np.clip(output / decisions.o, 0.0, 1.0)
    return policy


class StepDecisions(NamedTuple):
    """Every decision of every edge of the lattice (:mod:`fuzzybounds.canoe.lattice`).

    Attributes
    ----------
    frame, walked : array of int, shape (edges, decisions)
        When, and where on the free walk (in frames of movement, positive toward correct).
    premises : array, shape (edges, decisions, rules)
        y_j; 0 at the deadline, where nobody can decide.
    """

    frame: np.ndarray
    walked: np.ndarray
    premises: np.ndarray


def step_decisions(time: np.ndarray, position: np.ndarray, frames: int) -> StepDecisions:
    """Return the decisions of every edge, `frames` apart, and the premises there.

    Parameters
    ----------
    time, position : array, shape (frames, n_time), (distances, n_position)
        Memberships of every frame before the deadline and of every distance.
    frames : int
    """
    within = np.arange(frames, FRAMES_PER_STEP + 1, frames)
    n, net, way = edges_of(DEADLINE_STEPS).T[:, :, None]
    frame, walked = FRAMES_PER_STEP * n + within, FRAMES_PER_STEP * net + way * within
    shown = frame < DEADLINE_FRAMES
    time_now = np.where(shown[..., None], time[np.where(shown, frame, 0)], 0.0)
    position_now = position[np.minimum(np.abs(walked), EDGE_FRAMES)]
    premises = time_now[..., :, None] * position_now[..., None, :]
    return StepDecisions(frame, walked, premises.reshape(*frame.shape, -1))
