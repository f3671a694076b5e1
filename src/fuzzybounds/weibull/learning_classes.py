"""The five learning classes: how the level of a boundary moves from trial to trial.

This is the one place that describes a class: its parameters with the bounds of the search, its
update in plain Python, and the same update compiled, with its derivatives.
:mod:`~fuzzybounds.weibull.learner` runs the plain updates; it generates data and is the reference
for the compiled :mod:`~fuzzybounds.weibull.recursion`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fuzzybounds.storage.compilation import njit

if TYPE_CHECKING:
    from fuzzybounds.weibull.learner import Learner, Outcome

LARGEST_WINDOW = 50


@dataclass(frozen=True)
class Parameter:
    """A free parameter of one part of a model, with the bounds of its search.

    The conditions share one value of a `common` parameter.  The search runs over the signed root of
    order `power`, so that values near zero get their share where they do most of the work and the
    bounds are far.  With every `rate` at zero nothing changes from trial to trial.  Of a `whole`
    parameter only the whole part counts, so there is no slope to follow.
    """

    name: str
    lower: float
    upper: float
    common: bool = False
    power: int = 1
    rate: bool = False
    whole: bool = False


@dataclass(frozen=True)
class LearningClass:
    """A learning class.

    The compiled update reads the parameters, at most five, in this order.  The plain update,
    ``change(learner, c, outcome)``, returns the change of condition c's level.  Where the level
    `shifts` the whole curve, only the value used is kept within its range; otherwise the level is
    ψ itself and every update is kept within the range.
    """

    parameters: tuple[Parameter, ...]
    change: Callable[[Learner, int, Outcome], float]
    shifts: bool = False


def _nothing(learner: Learner, c: int, outcome: Outcome) -> float:
    return 0.0


def _utility(learner: Learner, c: int, outcome: Outcome) -> float:
    """-u(r), u(r) = α (1 - e^(-β r)) / β."""
    kind = "gain" if outcome.reward > 0 else "loss"
    alpha, beta = learner.p[c][f"alpha_{kind}"], learner.p[c][f"beta_{kind}"]
    if abs(beta) < 1e-9:
        return -alpha * outcome.reward
    return -alpha * (1 - math.exp(-beta * outcome.reward)) / beta


def _accuracy(learner: Learner, c: int, outcome: Outcome) -> float:
    """-α (p̂ - θ), p̂ the running estimate of accuracy, this trial included."""
    p, past = learner.p[c], learner.past[c]
    wins = sum(earlier.correct for earlier in past)
    estimate = (p["prior_a"] + wins) / (p["prior_a"] + p["prior_b"] + len(past))
    return -p["alpha"] * (estimate - p["theta"])


def _window(learner: Learner, c: int, outcome: Outcome) -> float:
    """α1 p̂ + α2 t̂ + const, over the last w_r and w_t trials, this one included."""
    p, past = learner.p[c], learner.past[c]
    wins = [earlier.correct for earlier in past[-int(p["w_r"]) :]]
    times = [earlier.total for earlier in past[-int(p["w_t"]) :]]
    accuracy, duration = sum(wins) / len(wins), sum(times) / len(times)
    return p["alpha_1"] * accuracy + p["alpha_2"] * duration + p["const"]


def _rl(learner: Learner, c: int, outcome: Outcome) -> float:
    """-α_m δ (b - |x|) g, with δ = r - κ d + V(c') - V(c), which also moves the critic V(c)."""
    if outcome.next_c is None:
        return 0.0
    p, value = learner.p[c], learner.value
    delta = outcome.reward - p["kappa"] * outcome.total + value[outcome.next_c] - value[c]
    value[c] += p.get("alpha_V", 0.0) * delta
    if outcome.size is None:
        return 0.0
    g = 1.0 if learner.model.shape == "constant" else 1 + learner.remaining(c, outcome.t)
    return -p["alpha_m"] * delta * (learner.boundary(c, outcome.t) - outcome.size) * g


LEARNING = {
    "none": LearningClass((), _nothing),
    "utility": LearningClass(
        (
            Parameter("alpha_gain", 0, 15, common=True, power=3, rate=True),
            Parameter("beta_gain", -5, 15, common=True, power=3),
            Parameter("alpha_loss", 0, 5, common=True, power=3, rate=True),
            Parameter("beta_loss", -5, 15, common=True, power=3),
        ),
        _utility,
        shifts=True,
    ),
    "accuracy": LearningClass(
        (
            Parameter("prior_a", 0, 20),
            Parameter("prior_b", 0, 20),
            Parameter("theta", 0, 1),
            Parameter("alpha", -10, 10, power=3, rate=True),
        ),
        _accuracy,
        shifts=True,
    ),
    "window": LearningClass(
        (
            Parameter("w_r", 1, LARGEST_WINDOW, common=True, whole=True),
            Parameter("w_t", 1, LARGEST_WINDOW, common=True, whole=True),
            Parameter("alpha_1", -10, 10, common=True, power=3, rate=True),
            Parameter("alpha_2", -10, 10, common=True, power=3, rate=True),
            Parameter("const", -10, 10, power=3, rate=True),
        ),
        _window,
    ),
    "rl": LearningClass(
        (
            Parameter("alpha_m", -0.1, 0.1, power=3, rate=True),
            Parameter("kappa", -20, 20, power=3),
            Parameter("alpha_V", -0.01, 0.01, common=True, power=3),
            Parameter("V", -5, 5),
        ),
        _rl,
    ),
}
LEARNING_CLASSES = tuple(LEARNING)
NONE, UTILITY, ACCURACY, WINDOW, RL = range(len(LEARNING))
ALPHA_M, KAPPA, ALPHA_V, V = range(4)
"""Parameters of class rl, in their order."""


@njit
def change_of(learning, q, k, trials, count, wins):
    """Return the change of the level after trial k, and its derivatives by the parameters.

    Class rl is not here: its update depends on the boundary and on a critic, so it is part of
    :func:`~fuzzybounds.weibull.recursion.follow`.

    `q` are the class's parameters in their order; `count` and `wins` are the trials of the
    condition so far and the correct ones, this trial included.
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
