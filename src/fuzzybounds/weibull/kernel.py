"""Everything that is compiled: the boundary models along a subject's trials, and their polish.

This module is long because the derivatives repeat the recursion of the boundary line by line, and
are read beside it.

**Likelihood.**  :func:`run` follows the five learning classes (docs/boundaries.md) from trial to
trial.

**Fisher scoring.**  The derivatives of the boundary by every parameter follow the same recursion as
the boundary itself.  With them the expected information of the Gaussian likelihood is a sum of
squares, and a Levenberg-Marquardt step within the bounds needs no second derivatives.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fuzzybounds.storage.compilation import njit

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
HALF_LOG_2PI = 0.5 * np.log(2 * np.pi)
HOPE = 3.0
NOBODY, ALL = -1, -2


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
    """

    weibull: bool
    learning: int
    layout: np.ndarray
    level_low: float
    level_high: float
    sigma_low: float
    sigma_high: float
    largest_gain: float


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
    """

    hazard: np.ndarray
    survivor: np.ndarray
    boundary: np.ndarray
    sigma: np.ndarray
    error: np.ndarray
    level: np.ndarray
    gain: np.ndarray


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
        np.zeros(n), np.ones(n), np.empty(n), np.empty(n), np.zeros(n), np.empty(n), np.zeros(n)
    )


@njit
def run(theta, form, trials, course):
    """Fill the course of one parameter vector and return its negative log-likelihood."""
    slots = spread(theta, form.layout)
    if form.weibull:
        _survive(slots, trials, course)
    _follow(slots, form, trials, course)
    if course.gain.max() > form.largest_gain:
        return np.inf
    return _gaussian_nll(trials, course)


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
        log_lam[c] = np.log(slots[c, LAM])
    for k in range(len(trials.time)):
        c = trials.condition[k]
        course.hazard[k] = np.exp(slots[c, PHI] * (trials.log_time[k] - log_lam[c]))
        course.survivor[k] = np.exp(-course.hazard[k])


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
            utilities[j] = -alpha * np.expm1(-beta * reward) / beta
    return utilities


@njit
def _follow(slots, form, trials, course):
    """Follow the subject's trials and fill the course; section 4 of the replication notes."""
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
                total += np.log(product)
                product = 1.0
    return total + np.log(product) + HALF_LOG_2PI * count


@njit
def _boundary_slopes(slots, form, trials, course, slopes):
    """Fill the derivative of b_k by every parameter (parameter, trial).

    The recursion of :func:`_follow`, differentiated: `level` and `value` hold the derivatives of
    each condition's level and critic, `b` and `error` those of the trial's boundary and δ; only the
    parameters in `critic` move the critic.  It is one long function that takes no row out of an
    array, because either would cost more than the arithmetic.
    """
    n, conditions, columns, at = len(trials.time), len(slots), len(slopes), form.layout
    critic = np.unique(at[:, KAPPA:])
    level, value = np.zeros((conditions, columns)), np.zeros((conditions, columns))
    before, log_lam = np.empty(conditions), np.zeros(conditions)
    count, wins = np.zeros(conditions), np.zeros(conditions)
    b, error = np.empty(columns), np.zeros(columns)
    for c in range(conditions):
        level[c, at[c, LEVEL]] = 1.0
        value[c, at[c, V]] = 1.0
        before[c] = slots[c, LEVEL]
        if form.weibull:
            log_lam[c] = np.log(slots[c, LAM])
    by_alpha, by_beta = _utility_slopes(trials.rewards, slots[0])
    shifts = form.learning == UTILITY or form.learning == ACCURACY
    for k in range(n):
        c = trials.condition[k]

        # The boundary, b = level - (1 - e)(start/2 - ψ').
        e, e_lam, e_phi = course.survivor[k], 0.0, 0.0
        inside = form.level_low <= before[c] <= form.level_high
        by_level = (1.0 if shifts else (1 + e) / 2) if inside else 0.0
        for j in range(columns):
            b[j] = by_level * level[c, j]
        start = slots[c, LEVEL] if shifts else clip(before[c], form.level_low, form.level_high)
        if shifts:
            b[at[c, LEVEL]] -= (1 - e) / 2
        if form.weibull:
            density = course.hazard[k] * e
            e_lam = density * slots[c, PHI] / slots[c, LAM]
            e_phi = -density * (trials.log_time[k] - log_lam[c])
            b[at[c, PSI_PRIME]] += 1 - e
            b[at[c, LAM]] += (start / 2 - slots[c, PSI_PRIME]) * e_lam
            b[at[c, PHI]] += (start / 2 - slots[c, PSI_PRIME]) * e_phi
        for j in range(columns):
            slopes[j, k] = b[j]

        # What the trial teaches.
        count[c] += 1
        wins[c] += trials.correct[k]
        before[c] = course.level[k]
        if form.learning == UTILITY:
            outcome = trials.outcome[k]
            gained = trials.rewards[outcome] > 0
            level[c, at[c, ALPHA_GAIN if gained else ALPHA_LOSS]] -= by_alpha[outcome]
            level[c, at[c, BETA_GAIN if gained else BETA_LOSS]] -= by_beta[outcome]
        elif form.learning == ACCURACY:
            weight = slots[c, PRIOR_A] + slots[c, PRIOR_B] + count[c]
            accuracy = (slots[c, PRIOR_A] + wins[c]) / weight
            level[c, at[c, ALPHA]] -= accuracy - slots[c, THETA]
            level[c, at[c, THETA]] += slots[c, ALPHA]
            level[c, at[c, PRIOR_A]] -= slots[c, ALPHA] * (1 - accuracy) / weight
            level[c, at[c, PRIOR_B]] += slots[c, ALPHA] * accuracy / weight
        elif form.learning == WINDOW:
            level[c, at[c, ALPHA_1]] += trials.accuracy[k, int(slots[c, W_R]) - 1]
            level[c, at[c, ALPHA_2]] += trials.duration[k, int(slots[c, W_T]) - 1]
            level[c, at[c, CONST]] += 1.0
        elif form.learning == RL and k + 1 < n:
            following = trials.condition[k + 1]
            for j in critic:
                error[j] = value[following, j] - value[c, j]
            error[at[c, KAPPA]] -= trials.total[k]
            for j in critic:
                value[c, j] += slots[c, ALPHA_V] * error[j]
            value[c, at[c, ALPHA_V]] += course.error[k]
            if trials.responded[k]:
                g = 1 + e if form.weibull else 1.0
                distance = course.boundary[k] - trials.size[k]
                by_error = slots[c, ALPHA_M] * distance * g
                by_b = slots[c, ALPHA_M] * course.error[k] * g
                for j in range(columns):
                    level[c, j] -= by_error * error[j] + by_b * b[j]
                by_rate = course.error[k] * distance
                level[c, at[c, ALPHA_M]] -= by_rate * g
                level[c, at[c, LAM]] -= slots[c, ALPHA_M] * by_rate * e_lam
                level[c, at[c, PHI]] -= slots[c, ALPHA_M] * by_rate * e_phi
        if not shifts and not form.level_low < before[c] < form.level_high:
            for j in range(columns):
                level[c, j] = 0.0


@njit
def _utility_slopes(rewards, p):
    """Derivatives of u(r) = α (1 - e^(-β r)) / β by α and by β, for every reward."""
    by_alpha, by_beta = np.empty(len(rewards)), np.empty(len(rewards))
    for j, reward in enumerate(rewards):
        alpha = p[ALPHA_GAIN] if reward > 0 else p[ALPHA_LOSS]
        beta = p[BETA_GAIN] if reward > 0 else p[BETA_LOSS]
        if abs(beta) < 1e-6:
            by_alpha[j], by_beta[j] = reward, -alpha * reward**2 / 2
        else:
            gone = -np.expm1(-beta * reward)
            by_alpha[j] = gone / beta
            by_beta[j] = alpha * (reward * (1 - gone) - gone / beta) / beta
    return by_alpha, by_beta


@njit
def _normal_equations(slots, form, trials, course, slopes, information, gradient):
    """Fill the gradient of the NLL and the lower triangle of the expected information."""
    columns, at = len(slopes), form.layout
    information[:] = 0.0
    gradient[:] = 0.0
    count = np.zeros(len(slots))
    z = np.zeros(len(trials.time))
    weight = np.zeros(len(trials.time))
    for k in range(len(z)):
        c = trials.condition[k]
        count[c] += 1
        if not trials.responded[k]:
            continue
        weight[k] = 1 / course.sigma[k]
        z[k] = (course.boundary[k] - trials.size[k]) * weight[k]
        sigma = slots[c, SIGMA] - slots[c, ALPHA_S] * count[c]
        if form.sigma_low <= sigma <= form.sigma_high:
            by_sigma, by_change = weight[k], -count[c] * weight[k]
            gradient[at[c, SIGMA]] += by_sigma * (1 - z[k] ** 2)
            gradient[at[c, ALPHA_S]] += by_change * (1 - z[k] ** 2)
            information[at[c, SIGMA], at[c, SIGMA]] += 2 * by_sigma**2
            information[at[c, ALPHA_S], at[c, SIGMA]] += 2 * by_sigma * by_change
            information[at[c, ALPHA_S], at[c, ALPHA_S]] += 2 * by_change**2
    owner = _owners(form, columns)
    for i in range(columns):
        if owner[i] == NOBODY:
            continue
        row = slopes[i]
        for k in range(len(z)):
            row[k] *= weight[k]
        gradient[i] += _dot(row, z)
        for j in range(i + 1):
            if owner[i] == owner[j] or owner[i] == ALL or owner[j] == ALL:
                information[i, j] += _dot(row, slopes[j])


@njit
def _owners(form, columns):
    """Say on which condition's boundary each parameter acts: one's, all or none (noise).

    What acts on the boundaries of different conditions has an inner product of zero, which need not
    be summed up.  The critic of class rl carries its parameters over from one to the other.
    """
    owner = np.full(columns, NOBODY)
    for c in range(form.layout.shape[0]):
        for slot in range(form.layout.shape[1]):
            j = form.layout[c, slot]
            if slot in (SIGMA, ALPHA_S) or j == columns - 1:  # the last takes unused slots
                continue
            carried = slot in (KAPPA, ALPHA_V, V)
            owner[j] = ALL if carried or owner[j] not in (NOBODY, c) else c
    return owner


@njit
def _dot(x, y):
    """Return the inner product, in eight running sums.

    Eight can be added at once, and unlike with fast-math flags the result does not depend on how
    the compiler went about it.
    """
    a = b = c = d = e = f = g = h = 0.0
    whole = len(x) - len(x) % 8
    for k in range(0, whole, 8):
        a += x[k] * y[k]
        b += x[k + 1] * y[k + 1]
        c += x[k + 2] * y[k + 2]
        d += x[k + 3] * y[k + 3]
        e += x[k + 4] * y[k + 4]
        f += x[k + 5] * y[k + 5]
        g += x[k + 6] * y[k + 6]
        h += x[k + 7] * y[k + 7]
    total = ((a + e) + (b + f)) + ((c + g) + (d + h))
    for k in range(whole, len(x)):
        total += x[k] * y[k]
    return total


@njit
def _solve(matrix, right, size, solution):
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
def _step(theta, lower, upper, information, gradient, damping, new):
    """Fill `new` with a damped scoring step within the bounds; False if there is none."""
    size = 0
    free = np.empty(len(theta), np.int64)
    for j in range(len(theta)):
        outward = (theta[j] <= lower[j] and gradient[j] > 0) or (
            theta[j] >= upper[j] and gradient[j] < 0
        )
        if not outward and information[j, j] * (upper[j] - lower[j]) ** 2 > 1e-12:
            free[size] = j
            size += 1
    matrix, right, solution = np.empty((size, size)), np.empty(size), np.empty(size)
    for i in range(size):
        for j in range(i + 1):
            matrix[i, j] = information[free[i], free[j]]
        matrix[i, i] += damping * matrix[i, i] + 1e-10 / (upper[free[i]] - lower[free[i]]) ** 2
        right[i] = -gradient[free[i]]
    if size == 0 or not _solve(matrix, right, size, solution):
        return False
    for j in range(len(theta)):
        new[j] = theta[j]
    for i in range(size):
        j = free[i]
        new[j] = clip(theta[j] + solution[i], lower[j], upper[j])
    return True


@njit
def polish(theta, target, lower, upper, form, trials, steps, tolerance):
    """Move `theta` downhill in place; return its NLL.

    Ends after `steps` steps, when a step gains less than `tolerance` twice in a row, when no
    damping gives a gain, or when the target would not be reached even if every step to come gained
    :data:`HOPE` times as much as the last one.
    """
    n, columns = len(trials.time), len(theta)
    course, ahead = new_course(n), new_course(n)
    value = run(theta, form, trials, course)
    # One more column than parameters: the layout points unused slots at it.
    slopes = np.empty((columns + 1, n))
    information, gradient = np.empty((columns + 1, columns + 1)), np.empty(columns + 1)
    new = np.empty(columns)
    damping, idle = 1e-3, 0
    for left in range(steps - 1, -1, -1):
        slots = spread(theta, form.layout)
        _boundary_slopes(slots, form, trials, course, slopes)
        _normal_equations(slots, form, trials, course, slopes, information, gradient)
        gain = 0.0
        while damping < 1e6:
            if _step(theta, lower, upper, information, gradient, damping, new):
                reached = run(new, form, trials, ahead)
                gain = value - reached
                if gain > 0:
                    break
            damping *= 8
        if not gain > 0:
            break
        theta[:] = new
        value = reached
        course, ahead = ahead, course
        damping = max(damping * 0.15, 1e-6)
        idle = idle + 1 if gain < tolerance else 0
        hopeless = value - HOPE * gain * left > target
        if idle == 2 or hopeless:
            break
    return value
