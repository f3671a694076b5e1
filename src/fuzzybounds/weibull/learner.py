"""A subject who follows a boundary model, one trial at a time, in plain Python.

This generates new data, and it is the reference that the compiled likelihood must agree with.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from fuzzybounds.weibull.boundary import at_remaining, remaining
from fuzzybounds.weibull.models import LEVEL_RANGE, SIGMA_RANGE, Model
from fuzzybounds.weibull.trials import Trials


class Outcome(NamedTuple):
    """What a trial brought.

    `t` and `size` are time and |position| of the response, `size` is None for a missed deadline,
    and `next_c` is the condition of the next trial, None after the last one.
    """

    reward: float
    correct: float
    total: float
    t: float
    size: float | None
    next_c: int | None


class Learner:
    """A subject who follows a boundary model with the parameters `theta`."""

    def __init__(self, model: Model, theta: np.ndarray):
        named = dict(zip(model.names, map(float, theta), strict=True))
        self.model = model
        self.p = [
            {
                part.name: named[part.name if part.name in named else f"{part.name}_{c}"]
                for part in model.parts
            }
            for c in model.conditions
        ]
        self.start = [p["m" if model.shape == "constant" else "psi"] for p in self.p]
        self.level = list(self.start)
        self.value = [p.get("V", 0.0) for p in self.p]
        self.past: list[list[Outcome]] = [[] for _ in self.p]

    def used(self, c: int) -> float:
        """The level that condition c's boundary has now: m_c, ψ0 + v_c or ψ_c."""
        return _clip(self.level[c], LEVEL_RANGE)

    def remaining(self, c: int, t: float | np.ndarray) -> Any:
        """Return the part of the change that is still to come at t."""
        if self.model.shape == "constant":
            return 1.0
        return remaining(t, self.p[c]["lam"], self.p[c]["phi"])

    def boundary(self, c: int, t: float | np.ndarray) -> Any:
        """The mean boundary b(t) of condition c now (Eq. 1), a number or an array like `t`."""
        if self.model.shape == "constant":
            return self.used(c)
        # Either the level shifts the whole curve, or ψ itself has moved.
        psi = self.start[c] if self.model.shifts else self.used(c)
        curve = at_remaining(psi, self.p[c]["psi_prime"], self.remaining(c, t))
        return self.used(c) - psi + curve

    def sigma(self, c: int) -> float:
        """The noise of condition c's next trial."""
        p = self.p[c]
        return _clip(p["sigma"] - p.get("alpha_s", 0.0) * (len(self.past[c]) + 1), SIGMA_RANGE)

    def learn(self, c: int, outcome: Outcome) -> None:
        """Learn from a trial of condition c."""
        self.past[c].append(outcome)
        change = self.model.learning_class.change(self, c, outcome)
        if self.model.shifts:
            self.level[c] += change
        else:
            self.level[c] = _clip(self.used(c) + change, LEVEL_RANGE)

    def learn_from(self, trials: Trials, k: int, size: float | None) -> None:
        """Learn from trial k of a subject, had it ended with the given |position|."""
        last = k + 1 == len(trials.condition)
        outcome = Outcome(
            reward=float(trials.reward[k]),
            correct=float(trials.correct[k]),
            total=float(trials.total[k]),
            t=float(trials.time[k]),
            size=size,
            next_c=None if last else trials.condition[k + 1],
        )
        self.learn(trials.condition[k], outcome)


def plain_nll(model: Model, theta: np.ndarray, trials: Trials) -> float:
    """Return the negative log-likelihood, without regard to speed."""
    learner = Learner(model, theta)
    total = 0.0
    for k, c in enumerate(trials.condition):
        size = float(trials.size[k]) if trials.responded[k] else None
        if size is not None:
            sigma = learner.sigma(c)
            z = (size - float(learner.boundary(c, float(trials.time[k])))) / sigma
            total += 0.5 * z**2 + math.log(sigma) + 0.5 * math.log(2 * math.pi)
        learner.learn_from(trials, k, size)
    return total


def _clip(value: float, bounds: tuple[float, float]) -> float:
    return min(max(value, bounds[0]), bounds[1])
