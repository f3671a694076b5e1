"""The decisions of every step that the canoe can make, and the premises there."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fuzzybounds.canoe.lattice import edges_of
from fuzzybounds.canoe.task import DEADLINE_FRAMES, DEADLINE_STEPS, EDGE_FRAMES, FRAMES_PER_STEP


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
