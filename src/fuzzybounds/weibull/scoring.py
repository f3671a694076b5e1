"""Fisher scoring of the boundary models, compiled.

This module is long because the derivatives repeat the recursion of the boundary line by line.

The derivatives of the boundary by every parameter follow the same recursion as the boundary itself.
With them the expected information of the Gaussian likelihood is a sum of squares, and a
Levenberg-Marquardt step within the bounds needs no second derivatives.  Where errors in the level
must not grow (stable models of class rl), the logarithm of each condition's largest gain enters as
one more square.
"""

from __future__ import annotations

import numpy as np

from fuzzybounds.storage.compilation import njit
from fuzzybounds.storage.damped_step import damped_step
from fuzzybounds.storage.elementary import expm1, log
from fuzzybounds.weibull.kernel import (
    ACCURACY,
    ALPHA,
    ALPHA_1,
    ALPHA_2,
    ALPHA_GAIN,
    ALPHA_LOSS,
    ALPHA_M,
    ALPHA_S,
    ALPHA_V,
    BETA_GAIN,
    BETA_LOSS,
    CONST,
    KAPPA,
    LAM,
    LEVEL,
    PHI,
    PRIOR_A,
    PRIOR_B,
    PSI_PRIME,
    RL,
    SIGMA,
    THETA,
    UTILITY,
    W_R,
    W_T,
    WINDOW,
    V,
    clip,
    excess,
    largest_gain,
    new_course,
    run,
    spread,
)

HOPE = 3.0
NOBODY, ALL = -1, -2


@njit
def _arrange(trials, conditions):
    """Return each trial's place when conditions are put one after another, and where each begins.

    A parameter of one condition then has its derivatives in one piece.
    """
    begin = np.zeros(conditions + 1, np.int64)
    for c in trials.condition:
        begin[c + 1] += 1
    for c in range(conditions):
        begin[c + 1] += begin[c]
    place, taken = np.empty(len(trials.condition), np.int64), begin.copy()
    for k, c in enumerate(trials.condition):
        place[k] = taken[c]
        taken[c] += 1
    return place, begin


@njit
def _acting(form, owner):
    """Return the parameters that act on each condition's boundary, its own before shared ones.

    Returns
    -------
    columns : (condition, place)
        The parameters.
    own, acts : (condition,)
        How many of its own, and in total.
    at : (condition, slot)
        The place of each slot's parameter; the place after the last for those that do not act.
    """
    conditions, slots = form.layout.shape
    columns = np.zeros((conditions, len(owner)), np.int64)
    own, acts = np.zeros(conditions, np.int64), np.zeros(conditions, np.int64)
    at = np.empty((conditions, slots), np.int64)
    for c in range(conditions):
        for wanted in (c, ALL):
            for j in range(len(owner)):
                if owner[j] == wanted:
                    columns[c, acts[c]] = j
                    acts[c] += 1
            if wanted == c:
                own[c] = acts[c]
        for slot in range(slots):
            at[c, slot] = acts[c]
            for i in range(acts[c]):
                if columns[c, i] == form.layout[c, slot]:
                    at[c, slot] = i
    return columns, own, acts, at


@njit
def _boundary_slopes(slots, form, trials, course, owner, place, slopes, growth):
    """Fill the derivative of b_k by every parameter (parameter, trial), and that of log gains.

    The recursion of :func:`~fuzzybounds.weibull.kernel._follow`, differentiated: `level` and
    `value` hold the derivatives of each condition's level and critic, `b` and `error` those of the
    trial's boundary and δ, all in the order of :func:`_acting`.  Only shared parameters move the
    critic, and parameters that do not act on a condition's boundary have slopes of zero there,
    which are not filled in.  Trial k has the column ``place[k]``.  `growth` (condition, parameter)
    takes the derivatives of the logarithm of each condition's largest gain.  It is one long
    function that takes no row out of an array, because either would cost more than the arithmetic.
    """
    n, conditions, columns = len(trials.time), len(slots), len(slopes)
    acting, own, acts, at = _acting(form, owner)
    shared = acts[0] - own[0]
    level, value = np.zeros((conditions, columns)), np.zeros((conditions, columns))
    before, log_lam = np.empty(conditions), np.zeros(conditions)
    count, wins = np.zeros(conditions), np.zeros(conditions)
    b, error = np.zeros(columns), np.zeros(columns)
    held = form.stiffness > 0 and form.largest_gain < np.inf
    grown, gain = np.zeros((conditions, columns)), np.zeros(conditions)
    largest = np.zeros(conditions)
    growth[:] = 0.0
    for c in range(conditions):
        level[c, at[c, LEVEL]] = 1.0
        if form.learning == RL:
            value[c, at[c, V] - own[c]] = 1.0
        before[c] = slots[c, LEVEL]
        if form.weibull:
            log_lam[c] = log(slots[c, LAM])
    by_alpha, by_beta = _utility_slopes(trials.rewards, slots[0])
    shifts = form.learning == UTILITY or form.learning == ACCURACY
    for k in range(n):
        c, here = trials.condition[k], place[k]

        # The boundary, b = level - (1 - e)(start/2 - ψ').
        e, e_lam, e_phi = course.survivor[k], 0.0, 0.0
        inside = form.level_low <= before[c] <= form.level_high
        by_level = (1.0 if shifts else (1 + e) / 2) if inside else 0.0
        for i in range(acts[c]):
            b[i] = by_level * level[c, i]
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
        for i in range(acts[c]):
            slopes[acting[c, i], here] = b[i]

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
            for q in range(shared):
                error[q] = value[following, q] - value[c, q]
            error[at[c, KAPPA] - own[c]] -= trials.total[k]
            for q in range(shared):
                value[c, q] += slots[c, ALPHA_V] * error[q]
            value[c, at[c, ALPHA_V] - own[c]] += course.error[k]
            if trials.responded[k]:
                g = 1 + e if form.weibull else 1.0
                distance = course.boundary[k] - trials.size[k]
                by_error = slots[c, ALPHA_M] * distance * g
                by_b = slots[c, ALPHA_M] * course.error[k] * g
                for i in range(acts[c]):
                    level[c, i] -= by_b * b[i]
                for q in range(shared):
                    level[c, own[c] + q] -= by_error * error[q]
                by_rate = course.error[k] * distance
                level[c, at[c, ALPHA_M]] -= by_rate * g
                level[c, at[c, LAM]] -= slots[c, ALPHA_M] * by_rate * e_lam
                level[c, at[c, PHI]] -= slots[c, ALPHA_M] * by_rate * e_phi
                if held:
                    # An error passes on as 1 - α_m δ h with h = g (1 + e) / 2.
                    h = g * (1 + e) / 2
                    factor = 1 - slots[c, ALPHA_M] * course.error[k] * h
                    if gain[c] <= 1:
                        grown[c] = 0.0
                    gain[c] = course.gain[k]
                    if gain[c] > 0 and factor != 0:
                        by_error = slots[c, ALPHA_M] * h / factor
                        for q in range(shared):
                            grown[c, own[c] + q] -= by_error * error[q]
                        grown[c, at[c, ALPHA_M]] -= course.error[k] * h / factor
                        by_e = slots[c, ALPHA_M] * course.error[k] * g / factor
                        grown[c, at[c, LAM]] -= by_e * e_lam
                        grown[c, at[c, PHI]] -= by_e * e_phi
                    if gain[c] > largest[c]:
                        largest[c] = gain[c]
                        if gain[c] > 1:
                            for i in range(acts[c]):
                                growth[c, acting[c, i]] = grown[c, i]
        if not shifts and not form.level_low < before[c] < form.level_high:
            for i in range(acts[c]):
                level[c, i] = 0.0


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
            gone = -expm1(-beta * reward)
            by_alpha[j] = gone / beta
            by_beta[j] = alpha * (reward * (1 - gone) - gone / beta) / beta
    return by_alpha, by_beta


@njit
def _normal_equations(
    slots, form, trials, course, owner, place, begin, slopes, growth, information, gradient
):
    """Fill the gradient of the NLL and the lower triangle of the expected information."""
    columns, at = len(slopes), form.layout
    information[:] = 0.0
    gradient[:] = 0.0
    count = np.zeros(len(slots))
    z = np.zeros(len(trials.time))
    weight = np.zeros(len(trials.time))
    for k in range(len(z)):
        c, here = trials.condition[k], place[k]
        count[c] += 1
        if not trials.responded[k]:
            continue
        weight[here] = 1 / course.sigma[k]
        z[here] = (course.boundary[k] - trials.size[k]) * weight[here]
        sigma = slots[c, SIGMA] - slots[c, ALPHA_S] * count[c]
        if form.sigma_low <= sigma <= form.sigma_high:
            by_sigma, by_change = weight[here], -count[c] * weight[here]
            gradient[at[c, SIGMA]] += by_sigma * (1 - z[here] ** 2)
            gradient[at[c, ALPHA_S]] += by_change * (1 - z[here] ** 2)
            information[at[c, SIGMA], at[c, SIGMA]] += 2 * by_sigma**2
            information[at[c, ALPHA_S], at[c, SIGMA]] += 2 * by_sigma * by_change
            information[at[c, ALPHA_S], at[c, ALPHA_S]] += 2 * by_change**2
    for i in range(columns):
        if owner[i] == NOBODY:
            continue
        first, last = _reach(owner[i], begin)
        row = slopes[i]
        for k in range(first, last):
            row[k] *= weight[k]
        gradient[i] += _dot(row[first:last], z[first:last])
        for j in range(i + 1):
            if owner[j] == NOBODY or (owner[i] != owner[j] and ALL not in (owner[i], owner[j])):
                continue
            # Where the narrower of the two acts.
            first, last = _reach(max(owner[i], owner[j]), begin)
            information[i, j] += _dot(row[first:last], slopes[j, first:last])
    if form.stiffness > 0 and form.largest_gain < np.inf:
        for c in range(len(slots)):
            over = excess(largest_gain(c, trials, course), form)
            if over > 0:
                for i in range(columns - 1):
                    gradient[i] += form.stiffness * over * growth[c, i]
                    for j in range(i + 1):
                        information[i, j] += form.stiffness * growth[c, i] * growth[c, j]


@njit
def _reach(owner, begin):
    """Return where the derivatives by a parameter begin and end."""
    return (begin[0], begin[-1]) if owner == ALL else (begin[owner], begin[owner + 1])


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
    the compiler orders them.
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
    growth = np.empty((form.layout.shape[0], columns + 1))
    owner = _owners(form, columns + 1)
    place, begin = _arrange(trials, form.layout.shape[0])
    information, gradient = np.empty((columns + 1, columns + 1)), np.empty(columns + 1)
    new, ridge = np.empty(columns), 1e-10 / (upper - lower) ** 2
    damping, idle = 1e-3, 0
    for left in range(steps - 1, -1, -1):
        slots = spread(theta, form.layout)
        _boundary_slopes(slots, form, trials, course, owner, place, slopes, growth)
        _normal_equations(
            slots, form, trials, course, owner, place, begin, slopes, growth, information, gradient
        )
        gain = 0.0
        while damping < 1e6:
            if damped_step(theta, lower, upper, information, gradient, damping, ridge, new):
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


@njit
def polish_all(population, targets, lower, upper, form, trials, steps, tolerance):
    """Move every row of `population` downhill in place; return their NLL."""
    values = np.empty(len(population))
    for i in range(len(population)):
        values[i] = polish(population[i], targets[i], lower, upper, form, trials, steps, tolerance)
    return values
