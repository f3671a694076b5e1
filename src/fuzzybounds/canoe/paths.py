"""The canoe's path up to the response: inferred from the response, or drawn if unrecorded.

With n = floor(rt / 0.5) completed steps, k of them to the right, and the started step in direction
s = ±1, the canoe is at ``45 (2k - n) + s * 90 * (rt - 0.5 n)`` px.  So (n, k, s) can be read off
(rt, position).  Given them, every order of the k right steps of the walk is equally likely,
whatever P0 is: a uniform random-walk bridge.  Drawing bridges is the procedure for trials of which
only the response time and the position are known (announced in the section "Fitting fuzzy model to
data" of the paper, but never given; A10 of the errata).  It leaves out that the subject had not
responded earlier, which makes paths near the centre more likely (A26).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from fuzzybounds.canoe.task import EDGE, FRAME, FRAME_PIXELS, FRAME_RATE, SPEED, STEP, STEP_PIXELS

TOLERANCE = 1.5 * FRAME_PIXELS
"""Residual in px up to which a response lies on the lattice: one frame, and half a frame of clock
jitter between the logged time and the drawn position."""


@dataclass(frozen=True)
class Lattice:
    """Where on the walk's lattice each response lies.

    `completed` is n, the number of completed steps, `right` k, the number of those that went right,
    and `started` s, the direction of the started step; `residual` (px) is the observed minus the
    predicted position.  Where the canoe stood at the `edge` of the screen, (n, k, s) is the walk
    that overshoots it least.
    """

    completed: np.ndarray
    right: np.ndarray
    started: np.ndarray
    residual: np.ndarray
    edge: np.ndarray

    @property
    def fits(self) -> np.ndarray:
        """Whether the canoe can have been there, to within :data:`TOLERANCE`."""
        return np.abs(self.residual) <= TOLERANCE


def locate(time: np.ndarray, position: np.ndarray) -> Lattice:
    """Infer (n, k, s) from response times (s) and positions (px).

    Of the two directions of the started step the one with the smaller residual is taken.  They
    tie when the step has just begun, where they are the same path but for a frame, and at the edge,
    where the one that overshoots it less is taken.
    """
    time = np.asarray(time, dtype=float)
    position = np.asarray(position, dtype=float)
    # A response in the last half frame before a step counts as after it: the clock's jitter.
    completed = np.floor((time + FRAME / 2) / STEP).astype(int)
    partial = np.maximum(time - STEP * completed, 0.0) * SPEED
    edge = np.abs(position) >= EDGE - FRAME_PIXELS / 2

    def nearest(direction: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        steps = ((position - direction * partial) / STEP_PIXELS + completed) / 2
        # At the edge the free walk may be beyond: round outwards, to the least overshoot.
        outwards = np.where(position > 0, np.ceil(steps - 0.05), np.floor(steps + 0.05))
        right = np.clip(np.where(edge, outwards, np.round(steps)), 0, completed).astype(int)
        walked = STEP_PIXELS * (2 * right - completed) + direction * partial
        residual = position - np.clip(walked, -EDGE, EDGE)
        # The overshoot has little weight, but decides between two walks that end at the edge.
        overshoot = np.maximum(np.abs(walked) - EDGE, 0.0)
        return right, residual, np.abs(residual) + 1e-3 * overshoot

    right_if_right, residual_if_right, cost_if_right = nearest(+1)
    right_if_left, residual_if_left, cost_if_left = nearest(-1)
    to_right = cost_if_right <= cost_if_left
    return Lattice(
        completed=completed,
        right=np.where(to_right, right_if_right, right_if_left),
        started=np.where(to_right, 1, -1),
        residual=np.where(to_right, residual_if_right, residual_if_left),
        edge=edge,
    )


def draw_bridges(lattice: Lattice, draws: int, rng: np.random.Generator) -> np.ndarray:
    """Draw paths that end where the responses were, uniformly among all that do.

    Returns the direction of every step, of shape (draws, trials, steps): the completed ones, then
    the started one, then 0.
    """
    trials = lattice.completed.size
    longest = int(lattice.completed.max(initial=0))
    directions = np.zeros((draws, trials, longest + 1), dtype=np.int8)
    right = np.broadcast_to(lattice.right, (draws, trials)).copy()
    for step in range(longest):
        # Sampling without replacement: of the steps left, the share that must still go right.
        left = lattice.completed - step
        goes_right = rng.random((draws, trials)) * left < right
        directions[:, :, step] = np.where(left > 0, np.where(goes_right, 1, -1), 0)
        right -= goes_right
    directions[:, np.arange(trials), lattice.completed] = lattice.started
    return directions


def positions_at(directions: np.ndarray, time: np.ndarray) -> np.ndarray:
    """Return the position (px) of each path at its own time (s), of shape (...)."""
    return positions_along(directions, time[..., None])[..., 0]


def positions_along(directions: np.ndarray, time: np.ndarray) -> np.ndarray:
    """Return positions (px) at many times (s), on the last axis, on paths given by their steps.

    After its last step the canoe stands still.
    """
    step = np.minimum(np.floor(time / STEP + 1e-9).astype(int), directions.shape[-1] - 1)
    step = np.broadcast_to(step, (*directions.shape[:-1], step.shape[-1]))
    walked = np.cumsum(directions, axis=-1) - directions
    before = np.take_along_axis(walked, step, axis=-1)
    direction = np.take_along_axis(directions, step, axis=-1)
    return np.clip(STEP_PIXELS * before + direction * SPEED * (time - STEP * step), -EDGE, EDGE)


def frames_before(time: np.ndarray) -> np.ndarray:
    """Number of frames that were shown before a response (at least the first)."""
    return np.maximum(np.round(np.asarray(time) * FRAME_RATE).astype(int), 1)


def plain(trials: pd.DataFrame) -> np.ndarray:
    """Return which trials started at the centre and had no gate, as all of the paper's."""
    result = np.ones(len(trials), dtype=bool)
    if "start" in trials:
        result &= trials["start"].to_numpy() == 0
    if "signal" in trials:
        result &= trials["signal"].isna().to_numpy()
    return result
