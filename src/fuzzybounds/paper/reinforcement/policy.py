"""From a fuzzy controller to stop probabilities on the canoe's lattice.

The probability of responding at a decision is p = O / o (ambiguity A07): o and the time between two
decisions, which the paper does not give, are arguments everywhere.  Nobody decides before the canoe
has moved.  Time and position are normalised by the deadline and by the edge of the screen.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzybounds.canoe.task import DEADLINE_FRAMES, EDGE_FRAMES, FRAMES_PER_STEP
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.membership import Memberships, equidistant
from fuzzybounds.paper.reinforcement.design import POLICY_SHAPE

PAPER_VARIANCE = 0.04
"""Variance of the memberships in the paper's simulation."""
TIMES = np.arange(DEADLINE_FRAMES) / DEADLINE_FRAMES
"""Normalised time of every frame before the deadline."""
POSITIONS = np.arange(EDGE_FRAMES + 1) / EDGE_FRAMES
"""Normalised distance of every column of a policy."""


@dataclass(frozen=True)
class Decisions:
    """When a fuzzy subject decides, and with which probability.

    `o` is the constant of p = O / o, and `frames` those between two decisions, a divisor of the 30
    frames of a step.
    """

    o: float = 1.0
    frames: int = FRAMES_PER_STEP

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
