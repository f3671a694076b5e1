"""Leaps: other places for a few parameters of a fit, to which no slope leads.

Scoring steps end in a local optimum.  What separates local optima of the boundary models is known,
so a restart ends by trying, for the best that it has found, every other length of a window, other
times and steepnesses of each boundary's change, other curvatures of utility, other priors of
accuracy, and the other signs of class rl.  Each class has a few dozen such candidates.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from fuzzybounds.storage.elementary import expm1
from fuzzybounds.weibull.models import LARGEST_WINDOW, Model
from fuzzybounds.weibull.trials import Trials

SHARES = (0.1, 0.3, 0.5, 0.7, 0.9)
"""Shares of the responses that come before the change of a boundary."""
STEEPNESSES = (1.0, 3.0, 20.0)
CURVATURES = (-5.0, -1.0, -0.3, -0.1, 0.0, 0.1, 0.3, 1.0, 3.0, 15.0)
PRIORS = (0.0, 4.0, 20.0)
RATES, COSTS = (0.03, 0.09), (-0.15, 0.0, 0.15)
"""Class rl where rewards count: rate per reward, and cost of time in rewards."""
LARGE_COSTS = ((0.0004, 20.0), (0.0004, -20.0))
"""Rates and costs of class rl where only time counts."""


def leaps(model: Model, theta: np.ndarray, trials: Trials) -> np.ndarray:
    """Return parameters that differ from `theta` by one leap each, within the bounds.

    Parameters
    ----------
    model : Model
    theta : numpy.ndarray
    trials : Trials

    Returns
    -------
    numpy.ndarray, (candidate, k)
    """
    candidates = _shapes(model, theta, trials)
    if model.learning == "window":
        candidates += _windows(model, theta)
    elif model.learning == "utility":
        candidates += _curvatures(model, theta, trials)
    elif model.learning == "accuracy":
        candidates += _priors(model, theta)
    elif model.learning == "rl":
        candidates += _signs(model, theta, trials)
    others = np.array(candidates).reshape(-1, model.k)
    return np.clip(others, model.lower, model.upper)


@cache
def _own(model: Model, c: int, name: str) -> np.ndarray:
    """Return where a condition's parameter stands; shared ones are every condition's."""
    return np.flatnonzero((model.part_names == name) & np.isin(model.owners, (c, -1)))


def _shapes(model: Model, theta: np.ndarray, trials: Trials) -> list[np.ndarray]:
    """Let a condition's boundary change at other times, more or less steeply."""
    found: list[np.ndarray] = []
    if model.shape != "weibull":
        return found
    for c in range(len(model.conditions)):
        times = np.sort(trials.time[trials.responded & (trials.condition == c)])
        if times.size == 0:
            continue
        for share in SHARES:
            for phi in STEEPNESSES:
                other = theta.copy()
                other[_own(model, c, "lam")] = times[int(share * times.size)]
                other[_own(model, c, "phi")] = phi
                found.append(other)
    return found


def _windows(model: Model, theta: np.ndarray) -> list[np.ndarray]:
    """Try every other length of one window."""
    found: list[np.ndarray] = []
    for j in np.flatnonzero(np.isin(model.part_names, ("w_r", "w_t"))):
        for length in range(1, LARGEST_WINDOW + 1):
            if length != int(theta[j]):
                other = theta.copy()
                other[j] = length
                found.append(other)
    return found


def _curvatures(model: Model, theta: np.ndarray, trials: Trials) -> list[np.ndarray]:
    """Bend the utility of gains or of losses, but keep that of one reward.

    What the data determine are the utilities of a few rewards.  Rates and curvatures with the same
    utilities lie along a bent valley, which scoring steps follow slowly.
    """
    found: list[np.ndarray] = []
    for kind, sign in (("gain", 1), ("loss", -1)):
        rate, bend = (np.flatnonzero(model.part_names == f"{x}_{kind}") for x in ("alpha", "beta"))
        for reward in trials.rewards[trials.rewards * sign > 0]:
            kept = theta[rate] * _unit_utility(theta[bend][0], reward)
            for beta in CURVATURES:
                other = theta.copy()
                other[bend] = beta
                other[rate] = kept / _unit_utility(beta, reward)
                found.append(other)
    return found


def _unit_utility(beta: float, reward: float) -> float:
    """Return the utility of a reward at a rate of 1."""
    return reward if abs(beta) < 1e-9 else -expm1(-beta * reward) / beta


def _priors(model: Model, theta: np.ndarray) -> list[np.ndarray]:
    """Let accuracy begin with other counts."""
    found: list[np.ndarray] = []
    for c in range(len(model.conditions)):
        for prior_a in PRIORS:
            for prior_b in PRIORS:
                other = theta.copy()
                other[_own(model, c, "prior_a")] = prior_a
                other[_own(model, c, "prior_b")] = prior_b
                found.append(other)
    return found


def _signs(model: Model, theta: np.ndarray, trials: Trials) -> list[np.ndarray]:
    """Turn signs of class rl, or begin where rewards count and where only time does.

    With a large cost of time the reward hardly counts, and both signs of rate and cost do nearly
    the same.
    """
    found: list[np.ndarray] = []
    conditions = range(len(model.conditions))
    critic = np.isin(model.part_names, ("V",))
    rate_of_critic = model.part_names == "alpha_V"
    for turned in range(1, 2 ** (len(model.conditions) + 2 * bool(critic.any()))):
        other = theta.copy()
        for c in conditions:
            if turned >> c & 1:
                other[_own(model, c, "alpha_m")] *= -1
                other[_own(model, c, "kappa")] *= -1
        if turned >> len(model.conditions) & 1:
            other[critic] *= -1
        if turned >> (len(model.conditions) + 1) & 1:
            other[rate_of_critic] *= -1
        found.append(other)
    for c in conditions:
        scale = np.abs(trials.rewards[trials.outcome[trials.condition == c]]).max(initial=1.0)
        places = [(rate / scale, cost * scale) for rate in RATES for cost in COSTS]
        for rate, cost in (*places, *LARGE_COSTS):
            for sign in (1, -1):
                other = theta.copy()
                other[_own(model, c, "alpha_m")] = sign * rate
                other[_own(model, c, "kappa")] = cost
                found.append(other)
    return found
