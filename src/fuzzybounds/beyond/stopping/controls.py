"""Controls: hazards with neither a boundary nor rules.

A constant hazard; one that depends on time alone, or on position alone; logistic regressions on
both; and the advantage of responding over going on under the optimal policy, through a softmax.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from scipy.special import expit

from fuzzybounds.beyond.stopping.lattice import States
from fuzzybounds.beyond.stopping.model import Hazard, HazardFunction
from fuzzybounds.core.fitting import Parameter

INTERCEPT = Parameter("intercept", "identity", -3.0, 3.0, -14.0, 8.0)
TIME_UNIT, POSITION_UNIT = 4.0, 100.0
"""Regressors are in units of 4 s and 100 px."""

TERMS: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "t": lambda t, x: t,
    "x": lambda t, x: x,
    "tx": lambda t, x: t * x,
    "tt": lambda t, x: t**2,
    "xx": lambda t, x: x**2,
}
"""Regressors as functions of scaled time and position."""

REGRESSIONS: dict[str, tuple[str, ...]] = {
    "hazard_constant": (),
    "hazard_time": ("t", "tt"),
    "hazard_position": ("x", "xx"),
    "logistic": ("t", "x", "tx"),
    "quadratic": ("t", "x", "tx", "tt", "xx"),
}


def regression_parameters(terms: Sequence[str]) -> tuple[Parameter, ...]:
    """Return the parameters of a logistic regression: intercept and one per term."""
    return (
        INTERCEPT,
        *(Parameter(f"by_{term}", "identity", 0.0, 3.0, -20.0, 20.0) for term in terms),
    )


def regression(terms: Sequence[str]) -> HazardFunction:
    """Return the hazard logistic(intercept + sum of coefficients times terms)."""

    def hazard(theta: np.ndarray, where: States, shift: np.ndarray) -> Hazard:
        t, x = where.time / TIME_UNIT, where.position / POSITION_UNIT
        regressors = np.stack([np.ones_like(t), *(TERMS[term](t, x) for term in terms)])
        return _logistic(theta @ regressors, regressors)

    return hazard


def _logistic(total: np.ndarray, by_parameter: np.ndarray) -> Hazard:
    """Return a hazard of one node, given its log-odds and their derivatives by the parameters."""
    p = expit(total)

    def pull(slopes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return by_parameter @ (slopes[0] * p * (1 - p)), np.zeros(1)

    return Hazard(p[None], pull)


SENSITIVITY = Parameter("sensitivity", "log", 0.0, 1.5, -7.0, 5.0)


def softmax(advantage: np.ndarray) -> HazardFunction:
    """Return the hazard logistic(intercept + sensitivity A), A known at every state, in coins."""

    def hazard(theta: np.ndarray, where: States, shift: np.ndarray) -> Hazard:
        term = np.exp(theta[1]) * advantage
        return _logistic(theta[0] + term, np.stack([np.ones_like(term), term]))

    return hazard
