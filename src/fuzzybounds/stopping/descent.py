"""Descent to a minimum within bounds: damped steps by a curvature that learns from the slopes.

The curvature B starts as the information of :func:`information_of` and takes in the change y of the
gradient over every step s (Broyden, Fletcher, Goldfarb and Shanno),

    B <- B - B s (B s)' / s'B s + y y' / s'y,

with y mixed with B s as by Powell where s'y is small, so that B stays positive.  Steps are damped as
by Levenberg and Marquardt (:mod:`fuzzybounds.storage.damped_step`).  All sums have a fixed order, so
a search has the same bits on every processor.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from fuzzybounds.storage.compilation import njit
from fuzzybounds.storage.damped_step import damped_step

Objective = Callable[[np.ndarray], tuple[float, np.ndarray]]
"""Maps parameters to a value and its gradient."""

LEAST_GAIN = 1e-8
"""A search ends when its next step promises less, in nats."""
LONGEST = 2.0
"""Each parameter moves by this at most in one step."""
MOST_STEPS = 500
MOST_DAMPING = 1e8
CURVED = 0.2
"""Least share of s'B s that s'y has after Powell's correction."""


class Minimum(NamedTuple):
    """Where a search ended.

    Attributes
    ----------
    theta : array
    value : float
    gradient : array
    curvature : array
        What the search learned of the second derivatives.
    evaluations : int
    """

    theta: np.ndarray
    value: float
    gradient: np.ndarray
    curvature: np.ndarray
    evaluations: int


@njit(nogil=True)
def information_of(slopes, weights, least):
    """Return the sum over states of weight times the products of slopes, in a fixed order.

    States with a weight below `least` are passed over.

    Parameters
    ----------
    slopes : array, shape (parameters, states)
    weights : array, shape (states,)
    least : float
    """
    size = len(slopes)
    total, own = np.zeros((size, size)), np.empty(size)
    for s in range(weights.size):
        if weights[s] < least:
            continue
        for i in range(size):
            own[i] = slopes[i, s]
        for i in range(size):
            scaled = weights[s] * own[i]
            row = total[i]
            for j in range(i + 1):
                row[j] += scaled * own[j]
    for i in range(size):
        for j in range(i):
            total[j, i] = total[i, j]
    return total


@njit(nogil=True)
def _promised(curvature, gradient, step):
    """Return -g's - s'B s / 2, and s'B s."""
    along = bent = 0.0
    for i in range(step.size):
        row = 0.0
        for j in range(step.size):
            row += curvature[i, j] * step[j]
        along += gradient[i] * step[i]
        bent += row * step[i]
    return -along - bent / 2, bent


@njit(nogil=True)
def learn_curvature(curvature, step, change):
    """Update the curvature in place by the change of the gradient over a step."""
    size = step.size
    bent, by_step, curved = np.zeros(size), 0.0, 0.0
    for i in range(size):
        for j in range(size):
            bent[i] += curvature[i, j] * step[j]
        by_step += bent[i] * step[i]
        curved += change[i] * step[i]
    if not by_step > 0.0:
        return
    share = 1.0
    if curved < CURVED * by_step:
        share = (1.0 - CURVED) * by_step / (by_step - curved)
        curved = share * curved + (1.0 - share) * by_step
    for i in range(size):
        y = share * change[i] + (1.0 - share) * bent[i]
        for j in range(size):
            other = share * change[j] + (1.0 - share) * bent[j]
            curvature[i, j] += y * other / curved - bent[i] * bent[j] / by_step


def descend(
    objective: Objective, start: np.ndarray, low: np.ndarray, high: np.ndarray, curvature: np.ndarray
) -> Minimum:
    """Return the minimum near a start.

    Parameters
    ----------
    objective : callable
        See :data:`Objective`.
    start, low, high : array
    curvature : array, shape (parameters, parameters)
        Positive definite; it is not changed.
    """
    theta, curvature, damping = start, curvature.copy(), 1e-3
    value, gradient = objective(theta)
    tried, ridge, evaluations = np.empty(theta.size), np.zeros(theta.size), 1
    while evaluations < MOST_STEPS and damping < MOST_DAMPING:
        box = np.maximum(low, theta - LONGEST), np.minimum(high, theta + LONGEST)
        if not damped_step(theta, *box, curvature, gradient, damping, ridge, tried):
            break
        step = tried - theta
        promised, _ = _promised(curvature, gradient, step)
        if promised < LEAST_GAIN and damping < 1.0:
            break
        if promised < LEAST_GAIN / 100:
            break
        new_value, new_gradient = objective(tried)
        evaluations += 1
        gain = value - new_value
        learn_curvature(curvature, step, new_gradient - gradient)
        if gain < 0.25 * promised:
            damping = max(4 * damping, 1e-2)
        elif gain > 0.75 * promised:
            damping = max(damping / 5, 1e-6)
        if gain > 0.0:
            theta, value, gradient = tried.copy(), new_value, new_gradient
    return Minimum(theta, value, gradient, curvature, evaluations)
