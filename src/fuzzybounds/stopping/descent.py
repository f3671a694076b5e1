"""Descent to a minimum within bounds: damped steps by a curvature that learns from the slopes.

The curvature B starts as the information of :func:`information_of` and takes in the change y of the
gradient over every step s (Broyden, Fletcher, Goldfarb and Shanno),

    B <- B - B s (B s)' / s'B s + y y' / s'y,

with y mixed with B s as by Powell where s'y is small, so that B stays positive.  Steps are damped
as by Levenberg and Marquardt (:mod:`fuzzybounds.storage.damped_step`).  All sums have a fixed
order, so a search has the same bits on every processor.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from fuzzybounds.storage.compilation import njit
from fuzzybounds.storage.damped_step import damped_step

Objective = Callable[[np.ndarray], tuple[float, np.ndarray]]
"""Maps parameters to a value and its gradient."""

LEAST_GAIN = 1e-7
"""A search ends when its next step promises less, in nats."""
LONGEST = 1.0
"""A parameter moves by so many of its scales at most in one step."""
SHORTEST = 1e-12
FIRST_DAMPING = 1e-3
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
def add_prior(theta, mean, sd, pulled):
    """Return minus the log density of a normal prior, and the gradient with that of the data."""
    value, gradient = 0.0, np.empty(theta.size)
    for i in range(theta.size):
        deviation = (theta[i] - mean[i]) / sd[i]
        value += deviation * deviation / 2
        gradient[i] = deviation / sd[i] - pulled[i]
    return value, gradient


@njit(nogil=True)
def shorten(theta, new, scale, curvature, gradient, step):
    """Fill the step to `new`, shortened, and return how much lower the function should be then.

    That is -g's - s'B s / 2; it is negative if a bound has bent the step uphill.
    """
    longest = SHORTEST
    for i in range(theta.size):
        step[i] = new[i] - theta[i]
        longest = max(longest, abs(step[i]) / scale[i])
    if longest == SHORTEST:
        return 0.0
    promised, part = 0.0, min(1.0, LONGEST / longest)
    for i in range(theta.size):
        step[i] *= part
    for i in range(theta.size):
        bent = 0.0
        for j in range(theta.size):
            bent += curvature[i, j] * step[j]
        promised -= (gradient[i] + bent / 2) * step[i]
    return promised


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
    objective: Objective,
    start: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    scale: np.ndarray,
    curvature: np.ndarray,
) -> Minimum:
    """Return the minimum near a start.

    Parameters
    ----------
    objective : callable
        See :data:`Objective`.
    start, low, high : array
    scale : array
        By :data:`LONGEST` times this a parameter moves in one step at most.
    curvature : array, shape (parameters, parameters)
        Positive definite; it is not changed.
    """
    theta, curvature, damping = start, curvature.copy(), FIRST_DAMPING
    value, gradient = objective(theta)
    new, step, ridge = np.empty(theta.size), np.empty(theta.size), np.zeros(theta.size)
    evaluations = 1
    while evaluations < MOST_STEPS and damping < MOST_DAMPING:
        if not damped_step(theta, low, high, curvature, gradient, damping, ridge, new):
            break
        promised = shorten(theta, new, scale, curvature, gradient, step)
        if promised < 0.0:
            damping = max(4.0 * damping, 0.01)
            continue
        if promised < LEAST_GAIN * min(1.0, 1.0 / damping**2):
            break
        tried = theta + step
        new_value, new_gradient = objective(tried)
        evaluations += 1
        gain = value - new_value
        learn_curvature(curvature, step, new_gradient - gradient)
        if gain < 0.25 * promised:
            damping = max(4.0 * damping, 0.01)
        elif gain > 0.75 * promised:
            damping = max(damping / 5.0, 1e-6)
        if gain > 0.0:
            theta, value, gradient = tried, new_value, new_gradient
    return Minimum(theta, value, gradient, curvature, evaluations)
