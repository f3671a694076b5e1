"""Fisher scoring within bounds: how a search goes downhill, compiled.

A Levenberg-Marquardt step needs the gradient and the expected information of the likelihood, but
no second derivatives.
"""

from __future__ import annotations

import numpy as np

from fuzzybounds.storage.compilation import njit
from fuzzybounds.storage.damped_step import damped_step
from fuzzybounds.weibull.recursion import follow, new_course

HOPE = 3.0
"""Later steps are expected to gain at most this many times as much as the last one."""
LEAST_DAMPING, LARGEST_DAMPING = 1e-6, 1e6
SHRINK = 0.15
"""The damping is multiplied by at least this after a step that gains."""
NEGLIGIBLE = 0.1
"""A step that promises less than this share of the tolerance is not tried."""


@njit
def promise(theta, new, sums):
    """Return the gain that the quadratic model promises of a step."""
    gain = 0.0
    for i in range(len(theta)):
        step = new[i] - theta[i]
        if step != 0:
            gain -= step * (sums[len(theta) + 1, i] + 0.5 * step * sums[i, i])
            for j in range(i):
                gain -= step * (new[j] - theta[j]) * sums[i, j]
    return gain


@njit
def polish(theta, form, trials, stiffness, steps, tolerance, target):
    """Move parameters downhill in place; return their negative log-likelihood.

    The damping follows Nielsen: it is multiplied by 1 - (2 ρ - 1)³ after a step, ρ the ratio of
    actual to predicted gain, and grows faster the more steps in a row fail.

    Parameters
    ----------
    stiffness : float
        Weight of the penalty that keeps stable models stable.
    steps : int
        Largest number of steps.
    tolerance : float
        Steps end when two in a row gain less than this, or when the next one promises next to
        nothing.
    target : float
        Steps end when this would not be reached even if every later step gained :data:`HOPE` times
        as much as the last one did, or as the next one promises.
    """
    k = len(theta)
    course = new_course(len(trials.time))
    sums, new_sums = np.empty((k + 2, k + 1)), np.empty((k + 2, k + 1))
    ridge = 1e-10 / (form.upper - form.lower) ** 2
    new = np.empty(k)
    value = follow(theta, form, trials, stiffness, course, sums)
    damping, growth, idle = 1.0, 4.0, 0
    while steps > 0 and idle < 2 and damping < LARGEST_DAMPING:
        gain, promised = 0.0, 0.0
        if damped_step(theta, form.lower, form.upper, sums, sums[k + 1], damping, ridge, new):
            promised = promise(theta, new, sums)
            if promised < NEGLIGIBLE * tolerance or value - HOPE * promised * steps > target:
                break
            reached = follow(new, form, trials, stiffness, course, new_sums)
            gain = value - reached
        if gain > 0:
            theta[:], value = new, reached
            sums, new_sums = new_sums, sums
            ratio = min(2 * gain / promised - 1, 1.0)
            damping, growth = max(damping * max(SHRINK, 1 - ratio**3), LEAST_DAMPING), 4.0
            steps -= 1
            idle = idle + 1 if gain < tolerance else 0
            if value - HOPE * gain * steps > target:
                break
        else:
            damping, growth = damping * growth, growth * 2
    return value


@njit
def polish_all(population, form, trials, stiffness, steps, tolerance, targets):
    """Polish every row of `population` in place; return their negative log-likelihoods."""
    values = np.empty(len(population))
    for i in range(len(population)):
        values[i] = polish(population[i], form, trials, stiffness, steps, tolerance, targets[i])
    return values
