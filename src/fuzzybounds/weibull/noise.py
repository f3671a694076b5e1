"""The best noise of a boundary, given what its responses leave to explain, compiled.

Noise is kept within a range, and where it would leave it no slope leads back.  But given the
boundary, the likelihood of noise is a sum over two numbers per condition: they can be tried.
"""

from __future__ import annotations

import numpy as np

from fuzzybounds.storage.compilation import njit
from fuzzybounds.storage.elementary import log
from fuzzybounds.weibull.kernel import ALPHA_S, SIGMA, clip, new_course, run

GRID = np.array(
    [6.0, 8.0, 11.0, 14.0, 18.0, 22.0, 27.0, 33.0, 40.0, 48.0, 58.0, 70.0, 82.0, 92.0, 100.0]
)
"""Noise at a condition's first and last trial, in px."""


@njit
def with_best_noise(population, form, trials):
    """Return parameters with the noise of a grid, where that is better than their own."""
    found = population.copy()
    course = new_course(len(trials.time))
    count = np.zeros(form.layout.shape[0])
    for c in trials.condition:
        count[c] += 1
    for i in range(len(found)):
        theta = found[i]
        run(theta, form, trials, course)
        for c in range(form.layout.shape[0]):
            at, change_at = form.layout[c, SIGMA], form.layout[c, ALPHA_S]
            changes = change_at < len(theta)
            change = theta[change_at] if changes else 0.0
            best = _nll(c, theta[at], change, form, trials, course)
            for first in GRID:
                for last in GRID:
                    if changes or first == last:
                        change = clip((first - last) / max(count[c], 1.0), -1.0, 1.0)
                        value = _nll(c, first, change, form, trials, course)
                        if value < best:
                            best = value
                            theta[at] = first
                            if changes:
                                theta[change_at] = change
    return found


@njit
def _nll(c, sigma_0, change, form, trials, course):
    """Return a condition's NLL with another noise, but for a constant."""
    total, product, count, responses = 0.0, 1.0, 0, 0
    for k in range(len(trials.size)):
        if trials.condition[k] != c:
            continue
        count += 1
        if trials.responded[k]:
            sigma = clip(sigma_0 - change * count, form.sigma_low, form.sigma_high)
            z = (trials.size[k] - course.boundary[k]) / sigma
            total += 0.5 * z * z
            product *= sigma
            responses += 1
            if responses % 64 == 0:
                total += log(product)
                product = 1.0
    return total + log(product)
