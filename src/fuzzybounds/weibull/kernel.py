"""The boundary models along a subject's trials, compiled.

:func:`run` follows the five learning classes (docs/boundaries.md) from trial to trial.
Exponentials and logarithms are those of :mod:`fuzzybounds.storage.elementary`, so that a likelihood
has the same bits on every processor, even where a recursion amplifies the last one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fuzzybounds.storage.compilation import njit
from fuzzybounds.storage.elementary import exp_all, expm1, log

SLOTS = (
    *("level", "psi_prime", "lam", "phi", "sigma", "alpha_s"),
    *("alpha_gain", "beta_gain", "alpha_loss", "beta_loss"),
    *("prior_a", "prior_b", "theta", "alpha"),
    *("w_r", "w_t", "alpha_1", "alpha_2", "const"),
    *("alpha_m", "kappa", "alpha_V", "V"),
)
"""What is read for each condition; a model fills some slots, and the rest are 0."""
LEVEL, PSI_PRIME, LAM, PHI, SIGMA, ALPHA_S = range(6)
ALPHA_GAIN, BETA_GAIN, ALPHA_LOSS, BETA_LOSS = range(6, 10)
PRIOR_A, PRIOR_B, THETA, ALPHA = range(10, 14)
W_R, W_T, ALPHA_1, ALPHA_2, CONST = range(14, 19)
ALPHA_M, KAPPA, ALPHA_V, V = range(19, 23)
CLASSES = ("none", "utility", "accuracy", "window", "rl")
NONE, UTILITY, ACCURACY, WINDOW, RL = range(len(CLASSES))
HALF_LOG_2PI = 0.9189385332046727
MARGIN = 20.0
"""The penalty of growing errors begins at exp(-MARGIN / stiffness) times the largest gain."""


class Form(NamedTuple):
    """What the compiled code knows of a model.

    Attributes
    ----------
    weibull : bool
    learning : int
        Index in :data:`CLASSES`.
    layout : numpy.ndarray of int, (condition, slot)
        Column of the parameter vector; the number of parameters where a slot is unused.
    level_low, level_high, sigma_low, sigma_high : float
        Where level and noise are kept.
    largest_gain : float
        Parameters with a larger gain are ruled out.
    stiffness : float
        0, or the weight of a penalty that keeps the gain down in place of ruling parameters out:
        a search can then pass along the edge of what is stable, and come back from beyond it.
    """

    weibull: bool
    learning: int
    layout: np.ndarray
    level_low: float
    level_high: float
    sigma_low: float
    sigma_high: float
    largest_gain: float
    stiffness: float


class Course(NamedTuple):
    """What a model goes through along a subject's trials: arrays over the trials.

    Attributes
    ----------
    hazard, survivor : float
        (t_k/λ)^φ and e_k = exp(-(t_k/λ)^φ), the part of the change that is still to come; 0 and 1
        for the constant boundary.
    boundary, sigma : float
        b_k and σ_k in px.
    error : float
        δ_k of class rl.
    level : float
        Level of the trial's condition after the trial (before its clipping in classes utility and
        accuracy, where only the value used is clipped).
    gain : float
        Class rl: how much an error that entered the level at some earlier trial has grown by now.
    bits : int
        Room for the exponentials.
    """

    hazard: np.ndarray
    survivor: np.ndarray
    boundary: np.ndarray
    sigma: np.ndarray
    error: np.ndarray
    level: np.ndarray
    gain: np.ndarray
    bits: np.ndarray


@njit
def nll_population(population, form, trials):
    """Return the negative log-likelihood of every row of `population`."""
    course = new_course(len(trials.time))
    values = np.empty(len(population))
    for member in range(len(population)):
        values[member] = run(population[member], form, trials, course)
    return values


@njit
def new_course(n):
    """Return an empty course of n trials."""
    return Course(
        hazard=np.zeros(n),
        survivor=np.ones(n),
        boundary=np.empty(n),
        sigma=np.empty(n),
        error=np.zeros(n),
        level=np.empty(n),
        gain=np.zeros(n),
        bits=np.empty(n, np.int64),
    )


@njit
def run(theta, form, trials, course):
    """Fill the course of one parameter vector and return its negative log-likelihood."""
    slots = spread(theta, form.layout)
    if form.weibull:
        _survive(slots, trials, course)
    _follow(slots, form, trials, course)
    value = _gaussian_nll(trials, course)
    if form.largest_gain == np.inf:
        return value
    for c in range(len(slots)):
        gain = largest_gain(c, trials, course)
        if form.stiffness == 0 and gain > form.largest_gain:
            return np.inf
        value += 0.5 * form.stiffness * excess(gain, form) ** 2
    return value


@njit
def largest_gain(c, trials, course):
    """Return the largest gain of a condition's level."""
    largest = 0.0
    for k in range(len(course.gain)):
        if trials.condition[k] == c and course.gain[k] > largest:
            largest = course.gain[k]
    return largest


@njit
def excess(gain, form):
    """Return by how much the logarithm of a gain lies above where its penalty begins."""
    if form.stiffness == 0 or not gain > 1:
        return 0.0
    return max(log(gain / form.largest_gain) + MARGIN / form.stiffness, 0.0)


@njit
def spread(theta, layout):
    """Copy a parameter vector into the slots of every condition; unused slots are 0."""
    slots = np.zeros(layout.shape)
    for c in range(layout.shape[0]):
        for slot in range(layout.shape[1]):
            if layout[c, slot] < len(theta):
                slots[c, slot] = theta[layout[c, slot]]
    return slots


@njit
def _survive(slots, trials, course):
    log_lam = np.empty(len(slots))
    for c in range(len(slots)):
        log_lam[c] = log(slots[c, LAM])
    for k in range(len(trials.time)):
        c = trials.condition[k]
        course.hazard[k] = slots[c, PHI] * (trials.log_time[k] - log_lam[c])
    exp_all(course.hazard, course.bits)
    for k in range(len(trials.time)):
        course.survivor[k] = -course.hazard[k]
    exp_all(course.survivor, course.bits)


@njit
def clip(value, low, high):
    """Keep a number within bounds."""
    return min(max(value, low), high)


@njit
def _utilities(rewards, p):
    """u(r) = α (1 - e^(-β r)) / β for every reward; α r where β is 0."""
    utilities = np.empty(len(rewards))
    for j, reward in enumerate(rewards):
        alpha = p[ALPHA_GAIN] if reward > 0 else p[ALPHA_LOSS]
        beta = p[BETA_GAIN] if reward > 0 else p[BETA_LOSS]
        if abs(beta) < 1e-9:
            utilities[j] = alpha * reward
        else:
            utilities[j] = -alpha * expm1(-beta * reward) / beta
    return utilities


@njit
def _follow(slots, form, trials, course):
    """Follow the subject's trials and fill the course; the five learning classes."""
    n, conditions = len(trials.time), len(slots)
    level, value = slots[:, LEVEL].copy(), slots[:, V].copy()
    count, wins, gain = np.zeros(conditions), np.zeros(conditions), np.zeros(conditions)
    shifts = form.learning == UTILITY or form.learning == ACCURACY
    utilities = _utilities(trials.rewards, slots[0])
    for k in range(n):
        c = trials.condition[k]
        count[c] += 1
        course.sigma[k] = clip(
            slots[c, SIGMA] - slots[c, ALPHA_S] * count[c], form.sigma_low, form.sigma_high
        )
        e = course.survivor[k]
        used = clip(level[c], form.level_low, form.level_high)
        start = slots[c, LEVEL] if shifts else used
        b = used - (1 - e) * (start / 2 - slots[c, PSI_PRIME])
        course.boundary[k] = b
        if form.learning == UTILITY:
            level[c] -= utilities[trials.outcome[k]]
        elif form.learning == ACCURACY:
            wins[c] += trials.correct[k]
            accuracy = (slots[c, PRIOR_A] + wins[c]) / (
                slots[c, PRIOR_A] + slots[c, PRIOR_B] + count[c]
            )
            level[c] -= slots[c, ALPHA] * (accuracy - slots[c, THETA])
        elif form.learning == WINDOW:
            accuracy = trials.accuracy[k, int(slots[c, W_R]) - 1]
            duration = trials.duration[k, int(slots[c, W_T]) - 1]
            change = slots[c, ALPHA_1] * accuracy + slots[c, ALPHA_2] * duration + slots[c, CONST]
            level[c] = clip(used + change, form.level_low, form.level_high)
        elif form.learning == RL and k + 1 < n:
            # The last trial has no next condition, and nothing comes after it to be moved.
            reward = trials.rewards[trials.outcome[k]]
            ahead = value[trials.condition[k + 1]]
            error = reward - slots[c, KAPPA] * trials.total[k] + ahead - value[c]
            course.error[k] = error
            value[c] += slots[c, ALPHA_V] * error
            if trials.responded[k]:
                g = 1 + e if form.weibull else 1.0
                rate = slots[c, ALPHA_M] * error * g
                level[c] = clip(used - rate * (b - trials.size[k]), form.level_low, form.level_high)
                # An error in the level passes on as 1 - rate db/dψ, and ends where it is clipped.
                inside = form.level_low < level[c] < form.level_high
                gain[c] = max(gain[c], 1.0) * abs(1 - rate * (1 + e) / 2) if inside else 0.0
                course.gain[k] = gain[c]
        course.level[k] = level[c]


@njit
def _gaussian_nll(trials, course):
    """Sum of -log Normal(|position|; b_k, σ_k²) over the trials with a response."""
    total, product, count = 0.0, 1.0, 0
    for k in range(len(trials.size)):
        if trials.responded[k]:
            z = (trials.size[k] - course.boundary[k]) / course.sigma[k]
            total += 0.5 * z * z
            # One logarithm for 64 trials: a product of 64 σ's of at most 100 stays finite.
            product *= course.sigma[k]
            count += 1
            if count % 64 == 0:
                total += log(product)
                product = 1.0
    return total + log(product) + HALF_LOG_2PI * count
