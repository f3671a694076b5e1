"""One damped scoring step within bounds, as by Levenberg and Marquardt, compiled.

The boundary models (:mod:`fuzzybounds.weibull.polish`), the stopping models
(:mod:`fuzzybounds.storage.fitting`) and the learning models of people
(:mod:`fuzzybounds.learning.people.fits`) take it.  How the function and its derivatives are
computed, and how the damping follows from what a step gains, is theirs.
"""

from __future__ import annotations

import numpy as np

from fuzzybounds.storage.compilation import njit


@njit
def solve(matrix, right, size, solution):
    """Solve a symmetric positive system in place by Cholesky; False if it is not positive."""
    for i in range(size):
        for j in range(i + 1):
            rest = matrix[i, j]
            for q in range(j):
                rest -= matrix[i, q] * matrix[j, q]
            if i > j:
                matrix[i, j] = rest / matrix[j, j]
            elif rest > 0:
                matrix[i, i] = np.sqrt(rest)
            else:
                return False
    for i in range(size):
        rest = right[i]
        for q in range(i):
            rest -= matrix[i, q] * solution[q]
        solution[i] = rest / matrix[i, i]
    for i in range(size - 1, -1, -1):
        rest = solution[i]
        for q in range(i + 1, size):
            rest -= matrix[q, i] * solution[q]
        solution[i] = rest / matrix[i, i]
    return True


@njit
def damped_step(theta, lower, upper, information, gradient, damping, ridge, new):
    """Fill `new` with a damped scoring step within bounds; False if there is none.

    A parameter that the step would take over a bound goes to the bound, and the step of the others
    is solved for again: cut off afterwards, the step would be one that fits nothing.

    Parameters
    ----------
    theta, lower, upper : numpy.ndarray
        Parameters, and between what they may lie after the step.
    information : numpy.ndarray
        Expected or empirical information; its lower triangle is read.
    gradient : numpy.ndarray
        Of the function to be minimised.
    damping : float
        What is added to the diagonal, as a share of it.
    ridge : numpy.ndarray
        What is added to the diagonal besides.
    new : numpy.ndarray
        Takes the parameters after the step.
    """
    size = 0
    free = np.empty(len(theta), np.int64)
    for j in range(len(theta)):
        new[j] = theta[j]
        outward = (theta[j] <= lower[j] and gradient[j] > 0) or (
            theta[j] >= upper[j] and gradient[j] < 0
        )
        if not outward and information[j, j] * (upper[j] - lower[j]) ** 2 > 1e-12:
            free[size] = j
            size += 1
    if size == 0:
        return False
    matrix, right, solution = np.empty((size, size)), np.empty(size), np.empty(size)
    downhill, bound = -gradient[: len(theta)], np.full(len(theta), False)
    while size > 0:
        for i in range(size):
            for j in range(i + 1):
                matrix[i, j] = information[free[i], free[j]]
            matrix[i, i] += damping * matrix[i, i] + ridge[free[i]]
            right[i] = downhill[free[i]]
        if not solve(matrix, right, size, solution):
            return False
        left = 0
        for i in range(size):
            j = free[i]
            new[j] = min(max(theta[j] + solution[i], lower[j]), upper[j])
            if lower[j] <= theta[j] + solution[i] <= upper[j]:
                free[left] = j
                left += 1
            else:
                bound[j] = True
        if left == size:
            break
        size = left
        for i in range(size):
            j = free[i]
            downhill[j] = -gradient[j]
            for q in range(len(theta)):
                if bound[q]:
                    downhill[j] -= information[max(j, q), min(j, q)] * (new[q] - theta[q])
    return True
