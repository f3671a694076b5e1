"""The boundary models one trial at a time, in plain Python.

This writes the five classes down as they are defined, without regard to speed.  It
generates new data, and it is the reference that the compiled likelihood must agree with.
"""

from __future__ import annotations

import math

import numpy as np

from fuzzybounds.weibull.models import LEVEL_RANGE, SIGMA_RANGE, Model
from fuzzybounds.weibull.trials import Trials


class Learner:
    """A subject who follows a boundary model.

    Parameters
    ----------
    model : Model
    theta : array_like
        Parameters, in the order of ``model.names``.
    """

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
        self.outcomes: list[list[tuple[float, float]]] = [[] for _ in self.p]

    def used(self, c: int) -> float:
        """The level that condition c's boundary has now: m_c, ψ0 + v_c or ψ_c."""
        return _clip(self.level[c], LEVEL_RANGE)

    def survivor(self, c: int, t: float | np.ndarray) -> float | np.ndarray:
        """Return e = exp(-(t/λ)^φ), the part of the change that is still to come at t."""
        if self.model.shape == "constant":
            return 1.0
        exp = np.exp if isinstance(t, np.ndarray) else math.exp
        return exp(-((t / self.p[c]["lam"]) ** self.p[c]["phi"]))

    def boundary(self, c: int, t: float | np.ndarray) -> float | np.ndarray:
        """The mean boundary b(t) of condition c now (Eq. 1)."""
        if self.model.shape == "constant":
            return self.used(c)
        # In classes 2 and 3 v_c shifts the whole curve; in the others ψ itself has moved.
        shifts = self.model.learning in ("utility", "accuracy")
        psi = self.start[c] if shifts else self.used(c)
        change = psi / 2 - self.p[c]["psi_prime"]
        return self.used(c) - (1 - self.survivor(c, t)) * change

    def sigma(self, c: int) -> float:
        """The noise of condition c's next trial."""
        p = self.p[c]
        i = len(self.outcomes[c]) + 1
        return _clip(p["sigma"] - p.get("alpha_s", 0.0) * i, SIGMA_RANGE)

    def learn(
        self,
        c: int,
        next_c: int | None,
        reward: float,
        correct: float,
        total: float,
        t: float,
        size: float | None,
    ) -> None:
        """Learn from a trial.

        Parameters
        ----------
        c, next_c : int
            Condition of the trial and of the next one; None after the last trial.
        reward, correct, total
            What the trial brought.
        t, size : float
            Time and |position| of the response; None for the position of a missed deadline.
        """
        self.outcomes[c].append((correct, total))
        match self.model.learning:
            case "utility":
                self.level[c] -= self._utility(reward)
            case "accuracy":
                self.level[c] -= self._excess_accuracy(c)
            case "window":
                self.level[c] = _clip(self.used(c) + self._window_change(c), LEVEL_RANGE)
            case "rl" if next_c is not None:
                self._reinforce(c, next_c, reward, total, t, size)

    def live_through(self, trials: Trials, k: int, size: float | None) -> None:
        """Learn from trial k of a subject, had it ended with the given |position|."""
        self.learn(
            trials.condition[k],
            next_c=trials.condition[k + 1] if k + 1 < len(trials.condition) else None,
            reward=float(trials.rewards[trials.outcome[k]]),
            correct=float(trials.correct[k]),
            total=float(trials.total[k]),
            t=float(trials.time[k]),
            size=size,
        )

    def _utility(self, reward: float) -> float:
        kind = "gain" if reward > 0 else "loss"
        alpha, beta = self.p[0][f"alpha_{kind}"], self.p[0][f"beta_{kind}"]
        if abs(beta) < 1e-9:
            return alpha * reward
        return alpha * (1 - math.exp(-beta * reward)) / beta

    def _excess_accuracy(self, c: int) -> float:
        p = self.p[c]
        wins = sum(correct for correct, _ in self.outcomes[c])
        estimate = (p["prior_a"] + wins) / (p["prior_a"] + p["prior_b"] + len(self.outcomes[c]))
        return p["alpha"] * (estimate - p["theta"])

    def _window_change(self, c: int) -> float:
        p = self.p[c]
        wins = [correct for correct, _ in self.outcomes[c][-int(p["w_r"]) :]]
        times = [total for _, total in self.outcomes[c][-int(p["w_t"]) :]]
        accuracy, duration = sum(wins) / len(wins), sum(times) / len(times)
        return p["alpha_1"] * accuracy + p["alpha_2"] * duration + p["const"]

    def _reinforce(self, c, next_c, reward, total, t, size) -> None:
        p = self.p[c]
        delta = reward - p["kappa"] * total + self.value[next_c] - self.value[c]
        self.value[c] += p.get("alpha_V", 0.0) * delta
        if size is None:
            return
        g = 1.0 if self.model.shape == "constant" else 1 + self.survivor(c, t)
        change = -p["alpha_m"] * delta * (self.boundary(c, t) - size) * g
        self.level[c] = _clip(self.used(c) + change, LEVEL_RANGE)


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
        learner.live_through(trials, k, size)
    return total


def _clip(value: float, bounds: tuple[float, float]) -> float:
    return min(max(value, bounds[0]), bounds[1])
