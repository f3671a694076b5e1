"""The boundary models along a subject's trials, compiled: likelihood, gradient and information.

:func:`follow` goes from trial to trial.  The derivatives of a boundary by the parameters of its
condition follow the same recursion as the boundary itself.  With them the expected information of
the Gaussian likelihood is a sum of squares over the trials.
"""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

import numpy as np

from fuzzybounds.core.compilation import njit
from fuzzybounds.paper.boundaries import boundary
from fuzzybounds.paper.boundaries.learning_classes import (
    LEARNING,
    LEARNING_CLASSES,
    NONE,
    RL,
    change_of,
)
from fuzzybounds.paper.boundaries.models import CUED, LARGEST_GAIN, LEVEL_RANGE, SIGMA_RANGE, Model
from fuzzybounds.paper.boundaries.trials import Trials

SIGMA, ALPHA_S, LEVEL, PSI_PRIME, LAM, PHI, LEARNT = range(7)
"""Slots of a condition's parameters; those of the learning class begin at the last."""
CRITIC, ALPHA_V, SLOTS = LEARNT + 1, LEARNT + 5, LEARNT + 6
"""In class rl the critic's follow α_m: κ and V of both conditions, since the value of one learns
from that of the other, and last α_V."""
HALF_LOG_2PI = 0.5 * math.log(2 * math.pi)
LOW, HIGH = LEVEL_RANGE
SIGMA_LOW, SIGMA_HIGH = SIGMA_RANGE
MARGIN = 20.0
"""The penalty of growing errors begins at exp(-MARGIN / stiffness) times the largest gain."""

at_remaining = njit(boundary.at_remaining)


class Form(NamedTuple):
    """What the compiled code knows of a model; see :class:`models.Model`.

    `columns` (condition, slot) is the place of each slot's parameter in the parameter vector, and
    the number of parameters where a slot is unused.  The first `slots` may be used.
    """

    weibull: bool
    shifts: bool
    learning: int
    slots: int
    columns: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    stable: bool


class Course(NamedTuple):
    """Arrays over the trials: b_k, σ_k, the level after the trial and the gain.

    In classes that shift the whole curve the level is the one before its clipping.  The gain, of
    class rl, is how much an error that entered the level at some earlier trial has grown by now.
    `rows` (condition, response, slot) holds what is squared for the information: derivatives of the
    standardised residuals, and last the residual itself.
    """

    boundary: np.ndarray
    sigma: np.ndarray
    level: np.ndarray
    gain: np.ndarray
    rows: np.ndarray


@cache
def form_of(model: Model) -> Form:
    """Return what the compiled code needs to know of a model."""
    columns = np.full((len(model.conditions), SLOTS), model.k)
    slots = {"m": LEVEL, "psi": LEVEL, "psi_prime": PSI_PRIME, "lam": LAM, "phi": PHI}
    slots |= {"sigma": SIGMA, "alpha_s": ALPHA_S}
    slots |= {part.name: LEARNT + i for i, part in enumerate(LEARNING[model.learning].parameters)}
    slots |= {"kappa": CRITIC, "V": CRITIC + 1, "alpha_V": ALPHA_V}
    for j, part in enumerate(model.parameters):
        if part.part in ("kappa", "V"):
            columns[:, slots[part.part] + 2 * part.owner] = j
        else:
            columns[part.owner if part.owner >= 0 else slice(None), slots[part.part]] = j
    return Form(
        model.shape == "weibull",
        model.shifts,
        LEARNING_CLASSES.index(model.learning),
        SLOTS if model.learning == "rl" else LEARNT + len(LEARNING[model.learning].parameters),
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
    given, theta = int(trials.condition.max(initial=0)) + 1, np.asarray(theta, float)
    if given > len(model.conditions):
        raise ValueError(f"trials of {given} conditions given, the model has {model.conditions}")
    if theta.shape[-1] != model.k:
        raise ValueError(f"{theta.shape[-1]} parameters given, {model.name} has {model.k}")
    return theta


NO_SUMS = np.empty((0, 0))
"""Given in place of :func:`follow`'s sums where no derivatives are wanted."""


@njit
def new_course(n):
    """Return an empty course of n trials."""
    rows = np.zeros((len(CUED), n + 1, SLOTS + 1))
    return Course(np.empty(n), np.empty(n), np.empty(n), np.zeros(n), rows)


@njit
def follow(theta, form, trials, stiffness, course, sums):
    """Follow the trials with one parameter vector; return its negative log-likelihood.

    For a stable model a `stiffness` of 0 rules out parameters with too large a gain; otherwise it
    is the weight of a penalty in its place, with which a search can come back from beyond what is
    stable.  `course` takes what happens in each trial.  `sums` (k + 2, k + 1), unless it is empty,
    takes the expected information (the first k rows and columns) and the gradient (the last row);
    row and column k are for parameters that the model lacks.
    """
    n, conditions, columns = len(trials.time), len(form.columns), form.columns
    p = np.zeros((conditions, SLOTS))
    for c in range(conditions):
        for slot in range(form.slots):
            if columns[c, slot] < len(theta):
                p[c, slot] = theta[columns[c, slot]]
    derive = len(sums) > 0
    count, wins = np.zeros(conditions), np.zeros(conditions)
    level, value = p[:, LEVEL].copy(), np.zeros(conditions)
    gain, largest = np.zeros(conditions), np.zeros(conditions)
    responses = np.zeros(conditions, np.int64)
    # Derivatives by the parameters in the slots of a condition: of its boundary, its level, the
    # logarithm of its gain, and that of its largest gain; and of the prediction error and the
    # condition's value, by the critic's alone.  `squares` are the condition's `sums`.
    by_b, by_error = np.zeros(SLOTS), np.zeros(SLOTS)
    by_level, by_value = np.zeros((conditions, SLOTS)), np.zeros((conditions, SLOTS))
    by_gain, by_largest = np.zeros((conditions, SLOTS)), np.zeros((conditions, SLOTS))
    squares = np.zeros((conditions, SLOTS + 1, SLOTS + 1))
    for c in range(conditions):
        by_level[c, LEVEL] = 1.0
        if form.learning == RL:
            value[c] = p[c, CRITIC + 2 * c + 1]
            by_value[c, CRITIC + 2 * c + 1] = 1.0
    total, e, e_lam, e_phi, log_lam = 0.0, 1.0, 0.0, 0.0, np.log(p[:, LAM])

    for k in range(n):
        c = trials.condition[k]
        count[c] += 1
        wins[c] += trials.correct[k]

        # The boundary.
        used = min(max(level[c], LOW), HIGH)
        psi = p[c, LEVEL] if form.shifts else used
        if form.weibull:
            ratio = trials.log_time[k] - log_lam[c]
            passed = math.exp(p[c, PHI] * ratio)
            e = math.exp(-passed)
        b = used - psi + at_remaining(psi, p[c, PSI_PRIME], e)
        wanted = p[c, SIGMA] - p[c, ALPHA_S] * count[c]
        sigma = min(max(wanted, SIGMA_LOW), SIGMA_HIGH)
        course.boundary[k], course.sigma[k] = b, sigma
        if derive:
            of_level = (1.0 if form.shifts else (1 + e) / 2) if used == level[c] else 0.0
            for i in range(LEVEL, form.slots):
                by_b[i] = of_level * by_level[c, i]
            if form.shifts:
                by_b[LEVEL] -= (1 - e) / 2
            if form.weibull:
                density = passed * e if e > 0 else 0.0
                e_lam = density * p[c, PHI] / p[c, LAM]
                e_phi = -density * ratio if density > 0 else 0.0
                change = psi / 2 - p[c, PSI_PRIME]
                by_b[PSI_PRIME] += 1 - e
                by_b[LAM] += change * e_lam
                by_b[PHI] += change * e_phi

        # The response.
        if trials.responded[k]:
            z = (b - trials.size[k]) / sigma
            total += 0.5 * z * z + math.log(sigma) + HALF_LOG_2PI
            if derive:
                row, weight = course.rows[c, responses[c]], 1 / sigma
                responses[c] += 1
                for i in range(LEVEL, SLOTS):
                    row[i] = weight * by_b[i]
                row[SLOTS] = z
                if wanted == sigma:
                    first, second, slope = (1 - z * z) / sigma, 2 / sigma**2, -count[c]
                    squares[c, SLOTS, SIGMA] += first
                    squares[c, SLOTS, ALPHA_S] += slope * first
                    squares[c, SIGMA, SIGMA] += second
                    squares[c, ALPHA_S, SIGMA] += slope * second
                    squares[c, ALPHA_S, ALPHA_S] += slope * slope * second

        # Learning.
        if form.learning != RL:
            change, slopes = change_of(form.learning, p[c, LEARNT:], k, trials, count[c], wins[c])
            level[c] += change
            if derive:
                for i in range(len(slopes)):
                    by_level[c, LEARNT + i] += slopes[i]
        elif k + 1 < n:
            # The last trial has no next condition, and nothing comes after it to be moved.
            ahead, kappa = trials.condition[k + 1], CRITIC + 2 * c
            error = trials.reward[k] - p[c, kappa] * trials.total[k] + value[ahead] - value[c]
            value[c] += p[c, ALPHA_V] * error
            if derive:
                for i in range(CRITIC, SLOTS):
                    by_error[i] = by_value[ahead, i] - by_value[c, i]
                by_error[kappa] -= trials.total[k]
                for i in range(CRITIC, SLOTS):
                    by_value[c, i] += p[c, ALPHA_V] * by_error[i]
                by_value[c, ALPHA_V] += error
            if trials.responded[k]:
                g = 1 + e if form.weibull else 1.0
                alpha, distance = p[c, LEARNT], b - trials.size[k]
                level[c] = used - alpha * error * g * distance
                # An error in the level passes on as 1 - α_m δ g db/dψ, and ends where it is
                # clipped.
                factor = 1 - alpha * error * g * (1 + e) / 2
                before, gain[c] = gain[c], max(gain[c], 1.0) * abs(factor)
                if not LOW < level[c] < HIGH:
                    gain[c] = 0.0
                course.gain[k] = gain[c]
                if derive:
                    for i in range(LEVEL, SLOTS):
                        by_level[c, i] -= alpha * g * (error * by_b[i] + distance * by_error[i])
                    by_level[c, LEARNT] -= error * g * distance
                    by_level[c, LAM] -= alpha * error * distance * e_lam
                    by_level[c, PHI] -= alpha * error * distance * e_phi
                    if gain[c] > 1 and form.stable:
                        if before <= 1:
                            by_gain[c, :] = 0.0
                        half = g * (1 + e) / 2 / factor
                        for i in range(CRITIC, SLOTS):
                            by_gain[c, i] -= alpha * half * by_error[i]
                        by_gain[c, LEARNT] -= error * half
                        by_gain[c, LAM] -= alpha * error * g / factor * e_lam
                        by_gain[c, PHI] -= alpha * error * g / factor * e_phi
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
                row, root = course.rows[c, responses[c]], math.sqrt(stiffness)
                responses[c] += 1
                row[:SLOTS], row[SLOTS] = root * by_largest[c], root * excess
    sums[:] = 0.0
    for c in range(conditions if derive else 0):
        rows = course.rows[c, : responses[c]]
        squares[c] += rows.T @ rows
        for i in range(form.slots):
            row = columns[c, i]
            sums[-1, row] += squares[c, SLOTS, i]
            for j in range(i + 1):
                column = columns[c, j]
                sums[max(row, column), min(row, column)] += squares[c, i, j]
    return total
