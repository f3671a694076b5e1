"""The boundary models along a subject's trials, compiled: likelihood, gradient and information.

:func:`follow` goes from trial to trial.  The derivatives of the boundary by every parameter follow
the same recursion as the boundary itself.  With them the expected information of the Gaussian
likelihood is a sum of squares over the trials.
"""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

import numpy as np

from fuzzybounds.core.compilation import njit
from fuzzybounds.paper.boundaries import boundary
from fuzzybounds.paper.boundaries.learning_classes import (
    ALPHA_M,
    ALPHA_V,
    KAPPA,
    LEARNING,
    LEARNING_CLASSES,
    NONE,
    RL,
    V,
    change_of,
)
from fuzzybounds.paper.boundaries.models import LARGEST_GAIN, LEVEL_RANGE, SIGMA_RANGE, Model
from fuzzybounds.paper.boundaries.trials import Trials

LEVEL, PSI_PRIME, LAM, PHI, SIGMA, ALPHA_S, LEARNT = range(7)
"""Slots of a condition's parameters; those of the learning class begin at the last."""
SLOTS = LEARNT + 5
HALF_LOG_2PI = 0.5 * math.log(2 * math.pi)
LOW, HIGH = LEVEL_RANGE
SIGMA_LOW, SIGMA_HIGH = SIGMA_RANGE
MARGIN = 20.0
"""The penalty of growing errors begins at exp(-MARGIN / stiffness) times the largest gain."""

remaining = njit(boundary.remaining)
at_remaining = njit(boundary.at_remaining)


class Form(NamedTuple):
    """What the compiled code knows of a model; see :class:`models.Model`.

    `columns` (condition, slot) is the place of each slot's parameter in the parameter vector, and
    the number of parameters where a slot is unused.
    """

    weibull: bool
    shifts: bool
    learning: int
    columns: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    stable: bool


class Course(NamedTuple):
    """Arrays over the trials: b_k, σ_k, the level after the trial and the gain.

    In classes that shift the whole curve the level is the one before its clipping.  The gain, of
    class rl, is how much an error that entered the level at some earlier trial has grown by now.
    """

    boundary: np.ndarray
    sigma: np.ndarray
    level: np.ndarray
    gain: np.ndarray


@cache
def form_of(model: Model) -> Form:
    """Return what the compiled code needs to know of a model."""
    columns = np.full((len(model.conditions), SLOTS), model.k)
    slots = {"m": LEVEL, "psi": LEVEL, "psi_prime": PSI_PRIME, "lam": LAM, "phi": PHI}
    slots |= {"sigma": SIGMA, "alpha_s": ALPHA_S}
    slots |= {part.name: LEARNT + i for i, part in enumerate(LEARNING[model.learning].parameters)}
    for j, own in enumerate(model.parameters):
        columns[own.owner if own.owner >= 0 else slice(None), slots[own.part]] = j
    return Form(
        model.shape == "weibull",
        model.shifts,
        LEARNING_CLASSES.index(model.learning),
        columns,
        model.lower,
        model.upper,
        model.stable,
    )


def nll(model: Model, theta: np.ndarray, trials: Trials) -> np.ndarray:
    """Return the negative log-likelihood of parameter vectors.

    |position| of trial k is Normal(b_k, σ_k²): b_k the boundary at the trial's time, which learning
    has moved after every earlier trial of the condition, and σ_k = clip(σ0 - α_s i, 5, 100), i
    counting the trials of the condition so far.

    A missed deadline has no response and is left out of the likelihood, but it counts as a trial:
    boundaries learn from its loss and its time (with the deadline's 15 s).  Only the actor of
    class rl does not learn from it, as there is no response to compare with the boundary.

    Returns an array like `theta` (..., k) without its last axis, infinite where a stable model
    would not be stable.
    """
    theta = checked(model, theta, trials)
    form, course = form_of(model), new_course(len(trials.time))
    each = [follow(one, form, trials, 0.0, course, NO_SUMS) for one in theta.reshape(-1, model.k)]
    return np.array(each).reshape(theta.shape[:-1])


def course_of(model: Model, theta: np.ndarray, trials: Trials) -> Course:
    """Return the course of a model with the given parameters along a subject's trials."""
    course = new_course(len(trials.time))
    follow(checked(model, theta, trials), form_of(model), trials, 0.0, course, NO_SUMS)
    return course


def checked(model: Model, theta: np.ndarray, trials: Trials) -> np.ndarray:
    """Check what compiled code does not notice."""
    found, theta = int(trials.condition.max(initial=0)) + 1, np.asarray(theta, float)
    if found > len(model.conditions):
        raise ValueError(f"trials of {found} conditions given, the model has {model.conditions}")
    if theta.shape[-1] != model.k:
        raise ValueError(f"{theta.shape[-1]} parameters given, {model.name} has {model.k}")
    return theta


NO_SUMS = np.empty((0, 0))
"""Given in place of :func:`follow`'s sums where no derivatives are wanted."""


@njit
def new_course(n):
    """Return an empty course of n trials."""
    return Course(np.empty(n), np.empty(n), np.empty(n), np.zeros(n))


@njit
def follow(theta, form, trials, stiffness, course, sums):
    """Follow the trials with one parameter vector; return its negative log-likelihood.

    For a stable model a `stiffness` of 0 rules out parameters with too large a gain; otherwise it
    is the weight of a penalty in its place, with which a search can come back from beyond what is
    stable.  `course` takes what happens in each trial.  `sums` (k + 2, k + 1), unless it is empty,
    takes the expected information (the first k rows and columns) and the gradient (the last row);
    row and column k are for parameters that the model lacks.
    """
    size, n, conditions = len(theta) + 1, len(trials.time), len(form.columns)
    columns, p = form.columns, np.zeros((conditions, SLOTS))
    for c in range(conditions):
        for slot in range(SLOTS):
            if columns[c, slot] < len(theta):
                p[c, slot] = theta[columns[c, slot]]
    derive = len(sums) > 0
    sums[:] = 0.0
    count, wins = np.zeros(conditions), np.zeros(conditions)
    level, value = p[:, LEVEL].copy(), p[:, LEARNT + V].copy()
    gain, largest = np.zeros(conditions), np.zeros(conditions)
    # Derivatives by every parameter: of level, critic, boundary, prediction error, of the
    # logarithm of the gain, and of that of the largest gain.
    by_b, by_error, places = np.zeros(size), np.zeros(size), np.empty(size, np.int64)
    by_level, by_value = np.zeros((conditions, size)), np.zeros((conditions, size))
    by_gain, by_largest = np.zeros((conditions, size)), np.zeros((conditions, size))
    for c in range(conditions):
        by_level[c, columns[c, LEVEL]] = 1.0
        by_value[c, columns[c, LEARNT + V]] = 1.0
    total, e, e_lam, e_phi = 0.0, 1.0, 0.0, 0.0

    for k in range(n):
        c = trials.condition[k]
        count[c] += 1
        wins[c] += trials.correct[k]

        # The boundary.
        used = min(max(level[c], LOW), HIGH)
        psi = p[c, LEVEL] if form.shifts else used
        if form.weibull:
            e = remaining(trials.time[k], p[c, LAM], p[c, PHI])
        b = used - psi + at_remaining(psi, p[c, PSI_PRIME], e)
        wanted = p[c, SIGMA] - p[c, ALPHA_S] * count[c]
        sigma = min(max(wanted, SIGMA_LOW), SIGMA_HIGH)
        course.boundary[k], course.sigma[k] = b, sigma
        if derive:
            of_level = (1.0 if form.shifts else (1 + e) / 2) if used == level[c] else 0.0
            for i in range(size):
                by_b[i] = of_level * by_level[c, i]
            if form.shifts:
                by_b[columns[c, LEVEL]] -= (1 - e) / 2
            if form.weibull:
                # (t/λ)^φ e, from which the derivatives of e follow.
                density = -e * math.log(e) if e > 0 else 0.0
                e_lam = density * p[c, PHI] / p[c, LAM]
                e_phi = -density * math.log(trials.time[k] / p[c, LAM]) if density > 0 else 0.0
                change = psi / 2 - p[c, PSI_PRIME]
                by_b[columns[c, PSI_PRIME]] += 1 - e
                by_b[columns[c, LAM]] += change * e_lam
                by_b[columns[c, PHI]] += change * e_phi

        # The response.
        if trials.responded[k]:
            z = (b - trials.size[k]) / sigma
            total += 0.5 * z * z + math.log(sigma) + HALF_LOG_2PI
            if derive:
                add_square(by_b, 1 / sigma, z / sigma, sums, places)
                if wanted == sigma:
                    i, j, slope = columns[c, SIGMA], columns[c, ALPHA_S], -count[c]
                    first, second = (1 - z * z) / sigma, 2 / sigma**2
                    sums[size, i] += first
                    sums[size, j] += slope * first
                    sums[i, i] += second
                    sums[max(i, j), min(i, j)] += slope * second
                    sums[j, j] += slope * slope * second

        # Learning.
        if form.learning != RL:
            change, slopes = change_of(form.learning, p[c, LEARNT:], k, trials, count[c], wins[c])
            level[c] += change
            if derive:
                for i in range(len(slopes)):
                    by_level[c, columns[c, LEARNT + i]] += slopes[i]
        elif k + 1 < n:
            # The last trial has no next condition, and nothing comes after it to be moved.
            ahead = trials.condition[k + 1]
            error = trials.reward[k] - p[c, LEARNT + KAPPA] * trials.total[k]
            error += value[ahead] - value[c]
            value[c] += p[c, LEARNT + ALPHA_V] * error
            if derive:
                for i in range(size):
                    by_error[i] = by_value[ahead, i] - by_value[c, i]
                by_error[columns[c, LEARNT + KAPPA]] -= trials.total[k]
                for i in range(size):
                    by_value[c, i] += p[c, LEARNT + ALPHA_V] * by_error[i]
                by_value[c, columns[c, LEARNT + ALPHA_V]] += error
            if trials.responded[k]:
                g = 1 + e if form.weibull else 1.0
                alpha, distance = p[c, LEARNT + ALPHA_M], b - trials.size[k]
                level[c] = used - alpha * error * g * distance
                # An error in the level passes on as 1 - α_m δ g db/dψ, and ends where it is
                # clipped.
                factor = 1 - alpha * error * g * (1 + e) / 2
                before, gain[c] = gain[c], max(gain[c], 1.0) * abs(factor)
                if not LOW < level[c] < HIGH:
                    gain[c] = 0.0
                course.gain[k] = gain[c]
                if derive:
                    for i in range(size):
                        by_level[c, i] -= alpha * g * (error * by_b[i] + distance * by_error[i])
                    by_level[c, columns[c, LEARNT + ALPHA_M]] -= error * g * distance
                    by_level[c, columns[c, LAM]] -= alpha * error * distance * e_lam
                    by_level[c, columns[c, PHI]] -= alpha * error * distance * e_phi
                    if gain[c] > 1 and form.stable:
                        if before <= 1:
                            by_gain[c, :] = 0.0
                        half = g * (1 + e) / 2 / factor
                        for i in range(size):
                            by_gain[c, i] -= alpha * half * by_error[i]
                        by_gain[c, columns[c, LEARNT + ALPHA_M]] -= error * half
                        by_gain[c, columns[c, LAM]] -= alpha * error * g / factor * e_lam
                        by_gain[c, columns[c, PHI]] -= alpha * error * g / factor * e_phi
                        if gain[c] > largest[c]:
                            by_largest[c, :] = by_gain[c]
                largest[c] = max(largest[c], gain[c])
        if form.learning != NONE and not form.shifts and not LOW < level[c] < HIGH:
            level[c] = min(max(level[c], LOW), HIGH)
            by_level[c, :] = 0.0
        course.level[k] = level[c]

    for c in range(conditions if form.stable else 0):
        if stiffness == 0 and largest[c] > LARGEST_GAIN:
            return np.inf
        if stiffness > 0 and largest[c] > 1:
            excess = math.log(largest[c] / LARGEST_GAIN) + MARGIN / stiffness
            if excess > 0:
                total += 0.5 * stiffness * excess**2
                if derive:
                    add_square(
                        by_largest[c], math.sqrt(stiffness), stiffness * excess, sums, places
                    )
    return total


@njit
def add_square(slopes, weight, pull, sums, places):
    """Add a residual's square to the information, and to the gradient in the last row.

    `places` takes the parameters that have a slope: about half of them, those of one condition.
    """
    size, count = len(slopes), 0
    for i in range(size):
        if slopes[i] != 0:
            places[count] = i
            count += 1
    for a in range(count):
        i = places[a]
        scaled = weight * weight * slopes[i]
        for b in range(a + 1):
            sums[i, places[b]] += scaled * slopes[places[b]]
        sums[size, i] += pull * slopes[i]
