"""NLL, gradient and expected information of several parameter vectors side by side, compiled.

The derivatives of the boundary by every parameter follow the same recursion as the boundary itself.
With them the expected information of the Gaussian likelihood is a sum of squares over the trials.
Where errors in the level must not grow (stable models of class rl), the logarithm of each
condition's largest gain enters as one more square.

Trials come one after the other, but parameter vectors have nothing to do with each other.  So
:data:`LANES` of them are followed at once, each in a lane of its own: the last axis of every array.
The processor works on as many lanes at a time as it can, and each lane's sums keep their order, so
the result has the same bits on every processor.

This module is long because the derivatives repeat the recursion of the boundary line by line, and
because every quantity of a lane has a name.
"""

from __future__ import annotations

import math
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from fuzzybounds.storage.compilation import njit
from fuzzybounds.storage.elementary import exp_all, expm1, log
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
    HALF_LOG_2PI,
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
    excess,
)
from fuzzybounds.weibull.likelihood import form_of
from fuzzybounds.weibull.models import Model
from fuzzybounds.weibull.trials import INDEX, Trials

LANES = 8
"""How many parameter vectors are followed at once."""
BATCH = 16
"""How many responses of a condition are gathered before they are added to the information."""
CARRIED = ("kappa", "alpha_V", "V")
"""Parameters of the critic, which act on every condition."""
NOISE_SUMS = ("by_sigma", "by_change", "of_sigma", "of_both", "of_change")
MOMENTARY = (
    *("used", "half", "boundary", "by_level", "e_lam", "e_phi"),
    *("product", "accuracy", "mean_duration", "per_count"),
    *("error", "rate", "by_error", "by_rate", "by_e", "factor", "before", "since", "inside"),
)
"""What one trial needs."""


class Acting(NamedTuple):
    """Which parameters act on each condition's boundary, its own before shared ones.

    Attributes
    ----------
    columns : (condition, place)
        The parameters.
    own, total : (condition,)
        How many there are of its own, and in total.
    at : (condition, slot)
        The place of each slot's parameter; the place after the last for those that do not act.
    """

    columns: np.ndarray
    own: np.ndarray
    total: np.ndarray
    at: np.ndarray


class Lanes(NamedTuple):
    """Room for one pass along the trials; the last axis of each array is the lane.

    Attributes
    ----------
    sums : (everything,)
        What begins at zero: gain, largest, nll, and the sums over the trials, are parts of it.
    slots : (condition, slot)
        Parameters, as :func:`~fuzzybounds.weibull.kernel.spread` copies them.
    hazard, survivor : (trial,)
        (t_k/λ)^φ and e_k = exp(-(t_k/λ)^φ).
    bits : int
        Room for the exponentials.
    seen, won : (condition,), without lanes
        Trials and correct ones so far.
    log_lam, over_lam, level, value, gain, largest : (condition,)
        log λ and 1/λ; level and critic; gain now, and its largest so far.
    level_slopes, growing, growth : (condition, place)
        Derivatives of the level, of the logarithm of the gain, and of that of the largest gain.
    value_slopes : (condition, shared parameter)
        Derivatives of the critic; only shared parameters move it.
    slopes : (condition, response, place)
        Derivatives of the boundary, of the trial and of responses that wait to be added up.
    weight, z : (condition, response)
        1/σ, and the response's deviation in σ's.
    weighted : (response,)
        A slope in units of σ².
    waiting : (condition,), without lanes
        How many responses wait.
    record : bool, ()
        Whether the gain is the largest so far.
    error_slopes : (shared parameter,)
        Derivatives of the trial's δ.
    utility, by_alpha, by_beta : (reward,)
        Utilities and their derivatives.
    used, half, boundary : ()
        The trial's level within its range, start/2 - ψ', and boundary.
    by_level, e_lam, e_phi : ()
        Derivatives of the boundary by the level, and of e by λ and φ.
    product : ()
        Of the σ's since the last logarithm.
    accuracy, mean_duration, per_count : ()
        Classes accuracy and window: what is learnt from, and α over the count of trials.
    error, rate, by_error, by_rate, by_e : ()
        Class rl: δ, α_m δ g, and the derivatives of the level's change by δ, α_m and e.
    factor, before, since, inside : ()
        What an error in the level is multiplied by, the gain before the trial, whether it was more
        than 1, and whether the level lies within its range.
    nll : ()
        The sum so far; in the end the NLL.
    gradient : (condition, place)
    information : (condition, place, place)
        Its lower triangle.
    by_sigma, by_change : (condition,)
        The gradient by σ0 and α_s.
    of_sigma, of_both, of_change : (condition,)
        The information of σ0 with itself, of both, and of α_s with itself.
    """

    sums: np.ndarray
    seen: np.ndarray
    won: np.ndarray
    waiting: np.ndarray
    record: np.ndarray
    slots: np.ndarray
    hazard: np.ndarray
    survivor: np.ndarray
    bits: np.ndarray
    log_lam: np.ndarray
    over_lam: np.ndarray
    level: np.ndarray
    value: np.ndarray
    gain: np.ndarray
    largest: np.ndarray
    level_slopes: np.ndarray
    growing: np.ndarray
    growth: np.ndarray
    value_slopes: np.ndarray
    slopes: np.ndarray
    error_slopes: np.ndarray
    utility: np.ndarray
    by_alpha: np.ndarray
    by_beta: np.ndarray
    used: np.ndarray
    half: np.ndarray
    boundary: np.ndarray
    by_level: np.ndarray
    e_lam: np.ndarray
    e_phi: np.ndarray
    product: np.ndarray
    weight: np.ndarray
    z: np.ndarray
    weighted: np.ndarray
    accuracy: np.ndarray
    mean_duration: np.ndarray
    per_count: np.ndarray
    error: np.ndarray
    rate: np.ndarray
    by_error: np.ndarray
    by_rate: np.ndarray
    by_e: np.ndarray
    factor: np.ndarray
    before: np.ndarray
    since: np.ndarray
    inside: np.ndarray
    nll: np.ndarray
    gradient: np.ndarray
    information: np.ndarray
    by_sigma: np.ndarray
    by_change: np.ndarray
    of_sigma: np.ndarray
    of_both: np.ndarray
    of_change: np.ndarray


@cache
def acting(model: Model) -> Acting:
    """Return which parameters of a model act on which boundary.

    The critic of class rl carries its parameters over from one condition to the other.
    """
    layout = form_of(model).layout
    users: list[set[int]] = [set() for _ in range(model.k + 1)]
    for (c, slot), j in np.ndenumerate(layout):
        if slot not in (SIGMA, ALPHA_S):
            users[j].add(c)
    shared = [j for j in range(model.k) if len(users[j]) > 1 or model.part_names[j] in CARRIED]
    columns = np.zeros((len(layout), model.k), INDEX)
    own, total = np.zeros((2, len(layout)), INDEX)
    at = np.empty(layout.shape, INDEX)
    for c in range(len(layout)):
        mine = [j for j in range(model.k) if users[j] == {c} and j not in shared]
        own[c], total[c] = len(mine), len(mine) + len(shared)
        columns[c, : total[c]] = mine + shared
        place = {j: i for i, j in enumerate(mine + shared)}
        at[c] = [place.get(j, total[c]) for j in layout[c]]
    return Acting(columns, own, total, at)


def lanes_of(model: Model, trials: Trials) -> Lanes:
    """Return room for a pass of a model along the trials; the same one when asked again."""
    return _room(model, len(trials.time), len(trials.rewards))


@lru_cache(maxsize=32)
def _room(model: Model, n: int, rewards: int) -> Lanes:
    acts = acting(model)
    conditions, slots = acts.at.shape
    places = int(acts.total.max()) + 1
    shared = int((acts.total - acts.own).max()) + 1
    summed = {
        **dict.fromkeys(("gain", "largest", *NOISE_SUMS), (conditions,)),
        **dict.fromkeys(("level_slopes", "growing", "growth", "gradient"), (conditions, places)),
        "value_slopes": (conditions, shared),
        "information": (conditions, places, places),
        "nll": (),
    }
    others = {
        "slots": (conditions, slots),
        **dict.fromkeys(("hazard", "survivor"), (n,)),
        **dict.fromkeys(("log_lam", "over_lam", "level", "value"), (conditions,)),
        "slopes": (conditions, BATCH, places),
        **dict.fromkeys(("weight", "z"), (conditions, BATCH)),
        "weighted": (BATCH,),
        "error_slopes": (shared,),
        **dict.fromkeys(("utility", "by_alpha", "by_beta"), (rewards,)),
        **dict.fromkeys(MOMENTARY, ()),
    }
    shapes = {name: (*shape, LANES) for name, shape in (summed | others).items()}
    ends = np.cumsum([math.prod(shape) for shape in shapes.values()])
    room = _aligned_zeros(int(ends[-1]))
    pieces = zip(shapes, np.split(room, ends[:-1]), strict=True)
    arrays = {name: piece.reshape(shapes[name]) for name, piece in pieces}
    # Constant boundaries keep a hazard of 0 and a survivor of 1.
    arrays["survivor"] += 1
    seen, won = np.empty((2, conditions))
    return Lanes(
        sums=room[: ends[len(summed) - 1]],
        bits=np.empty(n * LANES, np.int64),
        seen=seen,
        won=won,
        waiting=np.empty(conditions, INDEX),
        record=np.empty(LANES, np.bool_),
        **arrays,
    )


def _aligned_zeros(size: int) -> np.ndarray:
    """Return zeros that begin where a cache line of 64 bytes does, so no eight lanes cross one."""
    room = np.zeros(size + LANES)
    first = -(room.ctypes.data // room.itemsize) % LANES
    return room[first : first + size]


@njit(inline="always")
def assess(thetas, form, trials, acts, lanes):
    """Fill in NLL, gradient and expected information of the parameter vectors of all lanes.

    Parameters
    ----------
    thetas : numpy.ndarray, (LANES, k)
    form : Form
    trials : Trials
    acts : Acting
    lanes : Lanes
        Takes the results, which :func:`normal_equations` puts together.
    """
    _begin(thetas, form, trials, acts, lanes)
    if form.weibull:
        exp_all(lanes.hazard.ravel(), lanes.bits)
        for k in range(len(trials.time)):
            for q in range(LANES):
                lanes.survivor[k, q] = -lanes.hazard[k, q]
        exp_all(lanes.survivor.ravel(), lanes.bits)
    responses = _pass(form, trials, acts, lanes)
    for q in range(LANES):
        lanes.nll[q] += log(lanes.product[q]) + HALF_LOG_2PI * responses
        if form.largest_gain < np.inf:
            for c in range(len(lanes.largest)):
                if form.stiffness == 0 and lanes.largest[c, q] > form.largest_gain:
                    lanes.nll[q] = np.inf
                lanes.nll[q] += 0.5 * form.stiffness * excess(lanes.largest[c, q], form) ** 2


@njit
def _begin(thetas, form, trials, acts, lanes):
    """Set up everything that the first trial finds."""
    conditions, slots = form.layout.shape
    for c in range(conditions):
        for slot in range(slots):
            j = form.layout[c, slot]
            if j < thetas.shape[1]:
                for q in range(LANES):
                    lanes.slots[c, slot, q] = thetas[q, j]
    for p in range(lanes.sums.size):
        lanes.sums[p] = 0.0
    for q in range(LANES):
        lanes.product[q] = 1.0
    for c in range(conditions):
        lanes.seen[c] = lanes.won[c] = 0.0
        lanes.waiting[c] = 0
        for q in range(LANES):
            lanes.level[c, q] = lanes.slots[c, LEVEL, q]
            lanes.value[c, q] = lanes.slots[c, V, q]
            lanes.level_slopes[c, acts.at[c, LEVEL], q] = 1.0
            if form.learning == RL:
                lanes.value_slopes[c, acts.at[c, V] - acts.own[c], q] = 1.0
            if form.weibull:
                lanes.log_lam[c, q] = log(lanes.slots[c, LAM, q])
                lanes.over_lam[c, q] = 1 / lanes.slots[c, LAM, q]
    if form.weibull:
        for k in range(len(trials.time)):
            c = trials.condition[k]
            for q in range(LANES):
                lanes.hazard[k, q] = lanes.slots[c, PHI, q] * (
                    trials.log_time[k] - lanes.log_lam[c, q]
                )
    if form.learning == UTILITY:
        _set_utilities(trials.rewards, lanes.slots, lanes.utility, lanes.by_alpha, lanes.by_beta)


@njit
def _set_utilities(rewards, slots, utility, by_alpha, by_beta):
    """Fill in u(r) = α (1 - e^(-β r)) / β and its derivatives, for every reward."""
    for j, reward in enumerate(rewards):
        for q in range(LANES):
            alpha = slots[0, ALPHA_GAIN if reward > 0 else ALPHA_LOSS, q]
            beta = slots[0, BETA_GAIN if reward > 0 else BETA_LOSS, q]
            if abs(beta) < 1e-6:
                by_alpha[j, q], by_beta[j, q] = reward, -alpha * reward**2 / 2
            else:
                gone = -expm1(-beta * reward)
                by_alpha[j, q] = gone / beta
                by_beta[j, q] = alpha * (reward * (1 - gone) - gone / beta) / beta
            utility[j, q] = alpha * by_alpha[j, q]


@njit(apart=True)
def _pass(form, trials, acts, lanes):
    """Follow the trials; return the number of responses.

    The recursion of :func:`~fuzzybounds.weibull.kernel._follow` and its derivatives.
    Parameters that do not act on a condition's boundary have slopes of zero there, which are not
    filled in.  It is one long function because a call costs more than the arithmetic.  No loop over
    the lanes writes to one array in two places: the compiler could not tell that they differ, and
    would not work on several lanes at a time.
    """
    # Arrays by names of their own: the compiled code counts references at every look into a tuple.
    condition, log_time, size, responded = (
        trials.condition,
        trials.log_time,
        trials.size,
        trials.responded,
    )
    correct, outcome, rewards = trials.correct, trials.outcome, trials.rewards
    total_time, window_accuracy, window_duration = trials.total, trials.accuracy, trials.duration
    own_number, number, at = acts.own, acts.total, acts.at
    slots, hazard, survivor = lanes.slots, lanes.hazard, lanes.survivor
    log_lam, over_lam, level, value = lanes.log_lam, lanes.over_lam, lanes.level, lanes.value
    gain, largest_gain, before = lanes.gain, lanes.largest, lanes.before
    factor, since, growing, growth = lanes.factor, lanes.since, lanes.growing, lanes.growth
    record = lanes.record
    slopes, level_slopes = lanes.slopes, lanes.level_slopes
    error_slopes, value_slopes = lanes.error_slopes, lanes.value_slopes
    utility, by_alpha, by_beta = lanes.utility, lanes.by_alpha, lanes.by_beta
    used, half, boundary = lanes.used, lanes.half, lanes.boundary
    by_level, e_lam, e_phi = lanes.by_level, lanes.e_lam, lanes.e_phi
    product, weight, z, waiting = lanes.product, lanes.weight, lanes.z, lanes.waiting
    accuracy, mean_duration, per_count = lanes.accuracy, lanes.mean_duration, lanes.per_count
    error, rate, inside = lanes.error, lanes.rate, lanes.inside
    by_error, by_rate, by_e = lanes.by_error, lanes.by_rate, lanes.by_e
    weighted, nll = lanes.weighted, lanes.nll
    gradient, information = lanes.gradient, lanes.information
    by_sigma, by_change = lanes.by_sigma, lanes.by_change
    of_sigma, of_both, of_change = lanes.of_sigma, lanes.of_both, lanes.of_change

    n = len(condition)
    low, high = form.level_low, form.level_high
    shifts = form.learning == UTILITY or form.learning == ACCURACY
    held = form.stiffness > 0 and form.largest_gain < np.inf
    count, wins, responses = lanes.seen, lanes.won, 0
    for k in range(n):
        c = condition[k]
        count[c] += 1
        wins[c] += correct[k]
        own, total, r = int(own_number[c]), int(number[c]), waiting[c]

        # The boundary, b = level - (1 - e)(start/2 - ψ').
        for q in range(LANES):
            e = survivor[k, q]
            kept = min(max(level[c, q], low), high)
            free = 1.0 * (level[c, q] == kept)
            start = slots[c, LEVEL, q] if shifts else kept
            change = start / 2 - slots[c, PSI_PRIME, q]
            density = hazard[k, q] * e
            e_lam[q] = density * slots[c, PHI, q] * over_lam[c, q]
            e_phi[q] = -density * (log_time[k] - log_lam[c, q])
            by_level[q] = free * (1.0 if shifts else (1 + e) / 2)
            used[q], half[q] = kept, change
            boundary[q] = kept - (1 - e) * change
        for i in range(total):
            for q in range(LANES):
                slopes[c, r, i, q] = by_level[q] * level_slopes[c, i, q]
        if shifts:
            for q in range(LANES):
                slopes[c, r, at[c, LEVEL], q] -= (1 - survivor[k, q]) / 2
        if form.weibull:
            for q in range(LANES):
                slopes[c, r, at[c, PSI_PRIME], q] += 1 - survivor[k, q]
            for q in range(LANES):
                slopes[c, r, at[c, LAM], q] += half[q] * e_lam[q]
            for q in range(LANES):
                slopes[c, r, at[c, PHI], q] += half[q] * e_phi[q]

        # The response: log σ + z²/2, its gradient and its information.
        if responded[k]:
            responses += 1
            for q in range(LANES):
                wanted = slots[c, SIGMA, q] - slots[c, ALPHA_S, q] * count[c]
                sigma = min(max(wanted, form.sigma_low), form.sigma_high)
                inverse = 1 / sigma
                deviation = (boundary[q] - size[k]) * inverse
                square = deviation * deviation
                nll[q] += 0.5 * square
                product[q] *= sigma
                z[c, r, q], weight[c, r, q] = deviation, inverse
                first = inverse * (wanted == sigma)
                later = -count[c] * first
                by_sigma[c, q] += first * (1 - square)
                by_change[c, q] += later * (1 - square)
                of_sigma[c, q] += 2 * first * first
                of_both[c, q] += 2 * first * later
                of_change[c, q] += 2 * later * later
            # One logarithm for 64 responses: a product of 64 σ's of at most 100 stays finite.
            if responses % 64 == 0:
                for q in range(LANES):
                    nll[q] += log(product[q])
                    product[q] = 1.0
            waiting[c] += 1
            if waiting[c] == BATCH:
                _add_up(c, BATCH, total, slopes, weight, z, weighted, gradient, information)
                waiting[c] = 0

        # What the trial teaches.
        if form.learning == UTILITY:
            r = outcome[k]
            alpha_at = at[c, ALPHA_GAIN if rewards[r] > 0 else ALPHA_LOSS]
            beta_at = at[c, BETA_GAIN if rewards[r] > 0 else BETA_LOSS]
            for q in range(LANES):
                level[c, q] -= utility[r, q]
            for q in range(LANES):
                level_slopes[c, alpha_at, q] -= by_alpha[r, q]
            for q in range(LANES):
                level_slopes[c, beta_at, q] -= by_beta[r, q]
        elif form.learning == ACCURACY:
            for q in range(LANES):
                inverse = 1 / (slots[c, PRIOR_A, q] + slots[c, PRIOR_B, q] + count[c])
                accuracy[q] = (slots[c, PRIOR_A, q] + wins[c]) * inverse
                per_count[q] = slots[c, ALPHA, q] * inverse
            for q in range(LANES):
                level[c, q] -= slots[c, ALPHA, q] * (accuracy[q] - slots[c, THETA, q])
            for q in range(LANES):
                level_slopes[c, at[c, ALPHA], q] -= accuracy[q] - slots[c, THETA, q]
            for q in range(LANES):
                level_slopes[c, at[c, THETA], q] += slots[c, ALPHA, q]
            for q in range(LANES):
                level_slopes[c, at[c, PRIOR_A], q] -= per_count[q] * (1 - accuracy[q])
            for q in range(LANES):
                level_slopes[c, at[c, PRIOR_B], q] += per_count[q] * accuracy[q]
        elif form.learning == WINDOW:
            for q in range(LANES):
                accuracy[q] = window_accuracy[k, int(slots[c, W_R, q]) - 1]
                mean_duration[q] = window_duration[k, int(slots[c, W_T, q]) - 1]
            for q in range(LANES):
                change = slots[c, ALPHA_1, q] * accuracy[q]
                change += slots[c, ALPHA_2, q] * mean_duration[q] + slots[c, CONST, q]
                level[c, q] = min(max(used[q] + change, low), high)
            for q in range(LANES):
                level_slopes[c, at[c, ALPHA_1], q] += accuracy[q]
            for q in range(LANES):
                level_slopes[c, at[c, ALPHA_2], q] += mean_duration[q]
            for q in range(LANES):
                level_slopes[c, at[c, CONST], q] += 1.0
        elif form.learning == RL and k + 1 < n:
            following, shared = condition[k + 1], total - own
            reward = rewards[outcome[k]]
            for q in range(LANES):
                ahead = value[following, q] - value[c, q]
                error[q] = reward - slots[c, KAPPA, q] * total_time[k] + ahead
            for q in range(LANES):
                value[c, q] += slots[c, ALPHA_V, q] * error[q]
            for s in range(shared):
                for q in range(LANES):
                    error_slopes[s, q] = value_slopes[following, s, q] - value_slopes[c, s, q]
            for q in range(LANES):
                error_slopes[at[c, KAPPA] - own, q] -= total_time[k]
            for s in range(shared):
                for q in range(LANES):
                    value_slopes[c, s, q] += slots[c, ALPHA_V, q] * error_slopes[s, q]
            for q in range(LANES):
                value_slopes[c, at[c, ALPHA_V] - own, q] += error[q]
            if responded[k]:
                for q in range(LANES):
                    e = survivor[k, q]
                    g = 1 + e if form.weibull else 1.0
                    distance = boundary[q] - size[k]
                    change = slots[c, ALPHA_M, q] * error[q] * g
                    reached = min(max(used[q] - change * distance, low), high)
                    free = 1.0 * ((reached > low) & (reached < high))
                    # An error in the level is passed on as 1 - α_m δ g db/dψ, and ends where the
                    # level is clipped.
                    passed_on = 1 - change * (1 + e) / 2
                    before[q], factor[q] = gain[c, q], passed_on
                    gain[c, q] = max(gain[c, q], 1.0) * abs(passed_on) * free
                    level[c, q], rate[q] = reached, change
                    by_error[q] = slots[c, ALPHA_M, q] * distance * g
                    by_rate[q] = error[q] * distance * g
                    by_e[q] = slots[c, ALPHA_M, q] * error[q] * distance
                for i in range(total):
                    for q in range(LANES):
                        level_slopes[c, i, q] -= rate[q] * slopes[c, r, i, q]
                for s in range(shared):
                    for q in range(LANES):
                        level_slopes[c, own + s, q] -= by_error[q] * error_slopes[s, q]
                for q in range(LANES):
                    level_slopes[c, at[c, ALPHA_M], q] -= by_rate[q]
                for q in range(LANES):
                    level_slopes[c, at[c, LAM], q] -= by_e[q] * e_lam[q]
                for q in range(LANES):
                    level_slopes[c, at[c, PHI], q] -= by_e[q] * e_phi[q]
                grown = 0
                if held:
                    for q in range(LANES):
                        grown += gain[c, q] > 1
                if grown > 0:
                    # Derivatives of the gain's logarithm since it last was at most 1; an error is
                    # passed on as 1 - α_m δ h with h = g (1 + e) / 2.
                    for q in range(LANES):
                        e = survivor[k, q]
                        g = 1 + e if form.weibull else 1.0
                        grows = 1.0 * (gain[c, q] > 1)
                        inverse = grows / (factor[q] + (1 - grows))
                        since[q] = 1.0 * (before[q] > 1)
                        by_error[q] = slots[c, ALPHA_M, q] * g * (1 + e) / 2 * inverse
                        by_rate[q] = error[q] * g * (1 + e) / 2 * inverse
                        by_e[q] = slots[c, ALPHA_M, q] * error[q] * g * inverse
                    for i in range(total):
                        for q in range(LANES):
                            growing[c, i, q] *= since[q]
                    for s in range(shared):
                        for q in range(LANES):
                            growing[c, own + s, q] -= by_error[q] * error_slopes[s, q]
                    for q in range(LANES):
                        growing[c, at[c, ALPHA_M], q] -= by_rate[q]
                    for q in range(LANES):
                        growing[c, at[c, LAM], q] -= by_e[q] * e_lam[q]
                    for q in range(LANES):
                        growing[c, at[c, PHI], q] -= by_e[q] * e_phi[q]
                    records = 0
                    for q in range(LANES):
                        record[q] = gain[c, q] > max(largest_gain[c, q], 1.0)
                        records += record[q]
                    if records > 0:
                        for q in range(LANES):
                            largest_gain[c, q] = gain[c, q] if record[q] else largest_gain[c, q]
                        for i in range(total):
                            for q in range(LANES):
                                if record[q]:
                                    growth[c, i, q] = growing[c, i, q]
        if form.learning == WINDOW or form.learning == RL:
            for q in range(LANES):
                inside[q] = 1.0 * ((level[c, q] > low) & (level[c, q] < high))
            for i in range(total):
                for q in range(LANES):
                    level_slopes[c, i, q] *= inside[q]
    for c in range(len(waiting)):
        left, total = int(waiting[c]), int(number[c])
        _add_up(c, left, total, slopes, weight, z, weighted, gradient, information)
    return responses


@njit(apart=True)
def _add_up(c, responses, total, slopes, weight, z, weighted, gradient, information):
    """Add a condition's waiting responses to its gradient and information.

    Responses are added in their order, as one at a time would be, but each sum is read and written
    once.
    """
    for i in range(total):
        for r in range(responses):
            for q in range(LANES):
                slope = slopes[c, r, i, q] * weight[c, r, q]
                gradient[c, i, q] += slope * z[c, r, q]
                weighted[r, q] = slope * weight[c, r, q]
        for j in range(i + 1):
            for r in range(responses):
                for q in range(LANES):
                    information[c, i, j, q] += weighted[r, q] * slopes[c, r, j, q]


@njit
def normal_equations(q, form, acts, lanes, gradient, information):
    """Copy a lane's gradient and the lower triangle of its expected information to dense arrays."""
    for a in range(len(gradient)):
        gradient[a] = 0.0
        for b in range(a + 1):
            information[a, b] = 0.0
    for c in range(len(lanes.level)):
        over = 0.0
        if form.largest_gain < np.inf:
            over = excess(lanes.largest[c, q], form)
        for i in range(int(acts.total[c])):
            a = acts.columns[c, i]
            gradient[a] += lanes.gradient[c, i, q]
            if over > 0:
                gradient[a] += form.stiffness * over * lanes.growth[c, i, q]
            for j in range(i + 1):
                b = acts.columns[c, j]
                value = lanes.information[c, i, j, q]
                if over > 0:
                    value += form.stiffness * lanes.growth[c, i, q] * lanes.growth[c, j, q]
                information[max(a, b), min(a, b)] += value
        s, t = form.layout[c, SIGMA], form.layout[c, ALPHA_S]
        gradient[s] += lanes.by_sigma[c, q]
        information[s, s] += lanes.of_sigma[c, q]
        if t < len(gradient):
            gradient[t] += lanes.by_change[c, q]
            information[max(s, t), min(s, t)] += lanes.of_both[c, q]
            information[t, t] += lanes.of_change[c, q]
