"""The learning classes: how the level of a boundary moves from trial to trial.

This is the one file that describes a class: its parameters with the bounds of the search, and its
update with derivatives, which :mod:`recursion` runs along the trials.  After each trial of its
condition the level moves

- utility: by -u(r), u(r) = α (1 - e^(-β r)) / β, with one (α, β) for gains, another for losses;
- accuracy: by -α (p̂ - θ), p̂ the running estimate of accuracy with a Beta(a, b) prior;
- window: by α1 p̂ + α2 t̂ + const, means over the last w_r and w_t trials;
- rl: by -α_m δ (b - |x|) g, with δ = r - κ d + V(c') - V(c), which also moves the critic V(c).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from fuzzybounds.core.compilation import njit

LARGEST_WINDOW = 50


@dataclass(frozen=True)
class BoundaryParameter:
    """A free parameter of a boundary model, with the bounds of its search.

    The conditions share one value of a `common` parameter; of the others each condition has its
    own, with the condition in its name, `part` without it and `owner` the condition's number (-1
    where it is shared).  The search runs over the cube root of a
    `cubic` parameter, so that values near zero get their share where they do most of the work and
    the bounds are far.  With every `rate` at zero nothing changes from trial to trial.  Of a
    `whole` parameter only the whole part counts, so there is no slope to follow.
    """

    name: str
    lower: float
    upper: float
    common: bool = False
    cubic: bool = False
    rate: bool = False
    whole: bool = False
    part: str = ""
    owner: int = 0


@dataclass(frozen=True)
class LearningClass:
    """A learning class: at most five parameters, in the order in which its update reads them.

    Where the level `shifts` the whole curve, only the value used is kept within its range;
    otherwise the level is ψ itself and every update is kept within the range.
    """

    parameters: tuple[BoundaryParameter, ...]
    shifts: bool = False


LEARNING = {
    "none": LearningClass(()),
    "utility": LearningClass(
        (
            BoundaryParameter("alpha_gain", 0, 15, common=True, cubic=True, rate=True),
            BoundaryParameter("beta_gain", -5, 15, common=True, cubic=True),
            BoundaryParameter("alpha_loss", 0, 5, common=True, cubic=True, rate=True),
            BoundaryParameter("beta_loss", -5, 15, common=True, cubic=True),
        ),
        shifts=True,
    ),
    "accuracy": LearningClass(
        (
            BoundaryParameter("prior_a", 0, 20),
            BoundaryParameter("prior_b", 0, 20),
            BoundaryParameter("theta", 0, 1),
            BoundaryParameter("alpha", -10, 10, cubic=True, rate=True),
        ),
        shifts=True,
    ),
    "window": LearningClass(
        (
            BoundaryParameter("w_r", 1, LARGEST_WINDOW, common=True, whole=True),
            BoundaryParameter("w_t", 1, LARGEST_WINDOW, common=True, whole=True),
            BoundaryParameter("alpha_1", -10, 10, common=True, cubic=True, rate=True),
            BoundaryParameter("alpha_2", -10, 10, common=True, cubic=True, rate=True),
            BoundaryParameter("const", -10, 10, cubic=True, rate=True),
        ),
    ),
    "rl": LearningClass(
        (
            BoundaryParameter("alpha_m", -0.1, 0.1, cubic=True, rate=True),
            BoundaryParameter("kappa", -20, 20, cubic=True),
            BoundaryParameter("alpha_V", -0.01, 0.01, common=True, cubic=True),
            BoundaryParameter("V", -5, 5),
        ),
    ),
}
LEARNING_CLASSES = tuple(LEARNING)
NONE, UTILITY, ACCURACY, WINDOW, RL = map(
    LEARNING_CLASSES.index, ("none", "utility", "accuracy", "window", "rl")
)


@njit
def change_of(learning, q, k, trials, count, wins):
    """Return the change of the level after trial k, and its derivatives by the parameters `q`.

    `count` and `wins` are the trials of the condition so far and the correct ones, this trial
    included.  The update of class rl depends on the boundary and on a critic: it is part of
    :func:`~fuzzybounds.paper.boundaries.recursion.follow`.
    """
    if learning == UTILITY:
        reward = trials.reward[k]
        alpha, beta = (q[0], q[1]) if reward > 0 else (q[2], q[3])
        if abs(beta) < 1e-9:
            by_alpha, by_beta = -reward, 0.5 * alpha * reward**2
        else:
            lost = math.expm1(-beta * reward)
            by_alpha = lost / beta
            by_beta = -alpha * (reward * (1 + lost) + by_alpha) / beta
        if reward > 0:
            return alpha * by_alpha, (by_alpha, by_beta, 0.0, 0.0, 0.0)
        return alpha * by_alpha, (0.0, 0.0, by_alpha, by_beta, 0.0)
    if learning == ACCURACY:
        prior_a, prior_b, theta, alpha = q[0], q[1], q[2], q[3]
        evidence = prior_a + prior_b + count
        estimate = (prior_a + wins) / evidence
        by_prior_a = -alpha * (1 - estimate) / evidence
        by_prior_b = alpha * estimate / evidence
        change = -alpha * (estimate - theta)
        return change, (by_prior_a, by_prior_b, alpha, theta - estimate, 0.0)
    if learning == WINDOW:
        # The lengths of windows are whole numbers, which have no derivatives.
        accuracy = trials.accuracy[k, int(q[0]) - 1]
        duration = trials.duration[k, int(q[1]) - 1]
        change = q[2] * accuracy + q[3] * duration + q[4]
        return change, (0.0, 0.0, accuracy, duration, 1.0)
    return 0.0, (0.0, 0.0, 0.0, 0.0, 0.0)
