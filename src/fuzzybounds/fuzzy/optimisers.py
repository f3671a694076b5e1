"""Minimise many functions at once: L-BFGS, and gradient descent as in the paper.

Every row of a batch is a separate problem with its own steps, line search and stopping.  Only the
arithmetic is shared: one call evaluates all problems that still run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

Objective = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]
"""From row numbers (n,) and their parameters (n, n_parameters) to values (n,) and gradients."""

RUNNING = ""
FLAT = "the gradient vanished"
STALLED = "the loss stopped falling"
LIMIT = "the iteration limit was reached"
STUCK = "no step along the descent direction lowered the loss"
UNBOUNDED = "the loss is not finite"
CONVERGED = (FLAT, STALLED)

MEMORY = 10
SUFFICIENT_DECREASE = 1e-4
SMALLEST_STEP = 1e-12
FIRST_MOVE = 0.1


@dataclass(frozen=True, eq=False)
class Minimum:
    """Where each problem ended.

    Attributes
    ----------
    parameters : array of shape (n_problems, n_parameters)
    value : array of shape (n_problems,)
    iterations : array of int, shape (n_problems,)
    reason : array of str, shape (n_problems,)
        Why each problem ended.
    """

    parameters: np.ndarray
    value: np.ndarray
    iterations: np.ndarray
    reason: np.ndarray

    @property
    def converged(self) -> np.ndarray:
        """Whether each problem ended at a minimum, within the tolerances."""
        return np.isin(self.reason, CONVERGED)


def lbfgs(
    objective: Objective,
    start: np.ndarray,
    *,
    max_iterations: int = 1000,
    gradient_tolerance: float = 1e-5,
    loss_tolerance: float = 1e-9,
) -> Minimum:
    """Minimise by limited-memory BFGS with a backtracking line search.

    Parameters
    ----------
    objective : callable
    start : array of shape (n_problems, n_parameters)
    max_iterations : int
        Of accepted steps.
    gradient_tolerance : float
        A problem ends when no component of its gradient is larger.
    loss_tolerance : float
        A problem ends when an accepted step lowers its value by no more.
    """
    at = np.array(start, dtype=float)
    value, gradient = objective(np.arange(len(at)), at)
    iterations = np.zeros(len(at), dtype=int)
    reason = np.full(len(at), RUNNING, dtype=object)
    memory = _Memory(*at.shape)
    steepest = np.abs(gradient).max(axis=1, initial=0.0)
    reason[steepest <= gradient_tolerance] = FLAT
    reason[~np.isfinite(value)] = UNBOUNDED

    # The first direction has no scale yet: it moves the steepest parameter by FIRST_MOVE.
    direction = -gradient * (FIRST_MOVE / np.maximum(steepest, gradient_tolerance))[:, None]
    length = np.ones(len(at))
    running = np.flatnonzero(reason == RUNNING)
    while running.size:
        trial = at[running] + length[running, None] * direction[running]
        new_value, new_gradient = objective(running, trial)
        slope = length[running] * (gradient[running] * direction[running]).sum(axis=1)
        excess = new_value - value[running] - slope
        accepted = new_value <= value[running] + SUFFICIENT_DECREASE * slope

        took, refused = running[accepted], running[~accepted]
        fall = value[took] - new_value[accepted]
        memory.add(took, trial[accepted] - at[took], new_gradient[accepted] - gradient[took])
        at[took], value[took] = trial[accepted], new_value[accepted]
        gradient[took] = new_gradient[accepted]
        direction[took] = -memory.times_inverse_hessian(took, gradient[took])
        length[took] = 1.0
        iterations[took] += 1
        reason[took[iterations[took] >= max_iterations]] = LIMIT
        reason[took[fall <= loss_tolerance]] = STALLED
        reason[took[np.abs(gradient[took]).max(axis=1) <= gradient_tolerance]] = FLAT

        # The minimum of the parabola through both values and the slope, within limits.
        with np.errstate(invalid="ignore"):
            shrink = -slope[~accepted] / (2 * excess[~accepted])
        length[refused] *= np.clip(np.nan_to_num(shrink, nan=0.1), 0.1, 0.5)
        reason[refused[length[refused] < SMALLEST_STEP]] = STUCK
        running = running[reason[running] == RUNNING]
    return Minimum(at, value, iterations, reason)


class _Memory:
    """The last steps of every problem and the changes of its gradient, oldest first."""

    def __init__(self, n_problems: int, n_parameters: int):
        self.steps = np.zeros((n_problems, MEMORY, n_parameters))
        self.changes = np.zeros((n_problems, MEMORY, n_parameters))
        self.inverse_curvature = np.zeros((n_problems, MEMORY))  # 0 marks an unused place

    def add(self, rows: np.ndarray, step: np.ndarray, change: np.ndarray) -> None:
        curvature = (step * change).sum(axis=1)
        # A step with negative curvature would make the estimate indefinite: it is left out.
        convex = curvature > 1e-10 * np.linalg.norm(step, axis=1) * np.linalg.norm(change, axis=1)
        rows = rows[convex]
        for kept, new in (
            (self.steps, step[convex]),
            (self.changes, change[convex]),
            (self.inverse_curvature, 1 / curvature[convex]),
        ):
            kept[rows, :-1] = kept[rows, 1:]
            kept[rows, -1] = new

    def times_inverse_hessian(self, rows: np.ndarray, vector: np.ndarray) -> np.ndarray:
        """Multiply by the estimate of the inverse Hessian: the two-loop recursion."""
        steps, changes = self.steps[rows], self.changes[rows]
        inverse_curvature = self.inverse_curvature[rows]
        shares = np.zeros_like(inverse_curvature)
        result = vector.copy()
        for k in reversed(range(MEMORY)):
            shares[:, k] = inverse_curvature[:, k] * (steps[:, k] * result).sum(axis=1)
            result -= shares[:, k, None] * changes[:, k]
        newest = inverse_curvature[:, -1] * (changes[:, -1] ** 2).sum(axis=1)
        result /= np.where(newest > 0, newest, 1.0)[:, None]
        for k in range(MEMORY):
            undo = inverse_curvature[:, k] * (changes[:, k] * result).sum(axis=1)
            result += (shares[:, k] - undo)[:, None] * steps[:, k]
        return result


def gradient_descent(
    objective: Objective,
    start: np.ndarray,
    *,
    learning_rate: float = 0.5,
    max_iterations: int = 1000,
    gradient_tolerance: float = 1e-5,
) -> Minimum:
    """Minimise by plain gradient descent, theta <- theta - learning_rate * gradient (the paper's).

    Parameters
    ----------
    objective : callable
    start : array of shape (n_problems, n_parameters)
    learning_rate : float
        eta.
    max_iterations : int
        Number of epochs.
    gradient_tolerance : float
        A problem ends when no component of its gradient is larger; 0 runs all epochs.
    """
    at = np.array(start, dtype=float)
    running = np.arange(len(at))
    value, gradient = objective(running, at)
    iterations = np.zeros(len(at), dtype=int)
    reason = np.full(len(at), RUNNING, dtype=object)
    for epoch in range(max_iterations + 1):
        steepest = np.abs(gradient[running]).max(axis=1, initial=0.0)
        reason[running[steepest <= gradient_tolerance]] = FLAT
        reason[running[~np.isfinite(value[running])]] = UNBOUNDED
        iterations[running] = epoch
        running = running[reason[running] == RUNNING]
        if epoch == max_iterations or not running.size:
            break
        at[running] -= learning_rate * gradient[running]
        value[running], gradient[running] = objective(running, at[running])
    reason[running] = LIMIT
    return Minimum(at, value, iterations, reason)
