"""Fits of the learning models of :mod:`human` to one subject, by maximum likelihood."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzybounds.fuzzy.membership import Memberships
from fuzzybounds.learning.human import Likelihood, Model, Sequence
from fuzzybounds.learning.policy import Decisions
from fuzzybounds.learning.reach import staircases

RATE_UNIT = 1e-5
"""Learning rates are searched on the scale asinh(alpha / RATE_UNIT): signed, and log-like."""
LARGEST_LOGIT = 14.0
GRID = [
    (rate * RATE_UNIT, leak)
    for rate in (-300, -30, -3, -0.3, 0.3, 3, 30, 300)
    for leak in (0.3, 0.8, 0.98)
]
"""Learning rates and leaks from where the search may start."""


@dataclass(frozen=True)
class HumanFit:
    """A model fitted to one subject.

    Attributes
    ----------
    model : str
    n, k : int
        Number of trials, and of parameters.
    nll : float
        Negative log-likelihood at its minimum.
    consequents : array, shape (cues, n_time, n_position)
        At the first trial.
    learning_rate, leak : float
        alpha (positive where it lowers the weights of a good trial, as printed) and gamma, from
        one decision to the next; NaN without learning.
    """

    model: str
    n: int
    k: int
    nll: float
    consequents: np.ndarray
    learning_rate: float
    leak: float

    @property
    def aic(self) -> float:
        """Akaike's information criterion."""
        return 2 * self.k + 2 * self.nll

    @property
    def bic(self) -> float:
        """Bayesian information criterion."""
        return self.k * float(np.log(self.n)) + 2 * self.nll


def fit_subject(
    subject: Sequence,
    model: Model,
    time: Memberships,
    position: Memberships,
    decisions: Decisions,
    *,
    start: HumanFit | None = None,
) -> HumanFit:
    """Fit a model to a subject by maximum likelihood.

    Parameters
    ----------
    subject : Sequence
    model : {"none", "drift", "outcome", "outcome_logit", "hindsight"}
    time, position : Memberships
    decisions : Decisions
    start : HumanFit, optional
        The subject's fit without learning, from where learning models start; made if not given.
    """
    likelihood = Likelihood(subject, time, position, decisions)
    if model == "none":
        starts = [np.broadcast_to(table, likelihood.shape) for table in _tables(likelihood.shape)]
        fits = [_minimise(likelihood, model, table, None) for table in starts]
    else:
        start = start or fit_subject(subject, "none", time, position, decisions)
        fits = [
            _minimise(likelihood, model, start.consequents, pair)
            for pair in _promising(likelihood, model, start.consequents)
        ]
    return min(fits, key=lambda fit: fit.nll)


def _promising(likelihood, model, consequents, count=2):
    ranked = sorted(GRID, key=lambda pair: -likelihood(model, consequents, *pair)[0].sum())
    return ranked[:count]


def _tables(shape: tuple[int, int, int]) -> list[np.ndarray]:
    rules = staircases(*shape[1:])
    return [np.full(shape[1:], 0.05), *(np.maximum(r.consequents, 0.003) for r in rules[1::3])]


def _minimise(likelihood, model, consequents, pair) -> HumanFit:
    """Minimise the negative log-likelihood from given consequents and (learning rate, leak)."""
    from scipy.optimize import minimize
    from scipy.special import expit, logit

    tables = np.clip(consequents, expit(-LARGEST_LOGIT), expit(LARGEST_LOGIT))
    first, bounds = logit(tables).ravel(), [(-LARGEST_LOGIT, LARGEST_LOGIT)] * tables.size
    if pair is not None:
        first = np.append(first, [np.arcsinh(pair[0] / RATE_UNIT), pair[1]])
        bounds = [*bounds, (-10.0, 10.0), (0.0, 1.0)]

    def parts(parameters):
        rate, leak = parameters[tables.size :] if pair is not None else (0.0, 1.0)
        table = expit(parameters[: tables.size]).reshape(tables.shape)
        return table, RATE_UNIT * np.sinh(rate), leak

    def descend(parameters):
        logs, scores = likelihood(model, *parts(parameters), slopes=True)
        gradient = -scores.sum(axis=0)
        if pair is not None:
            gradient[-2] *= RATE_UNIT * np.cosh(parameters[-2])
        return -logs.sum(), gradient[: parameters.size]

    result = minimize(
        descend,
        first,
        jac=True,
        method="L-BFGS-B",
        bounds=bounds,
        options={"maxiter": 200, "maxfun": 100_000, "ftol": 1e-7},
    )
    table, rate, leak = parts(result.x)
    learns = (rate, leak) if pair is not None else (np.nan, np.nan)
    trials = likelihood.subject.frame.size
    return HumanFit(model, trials, first.size, float(result.fun), table, *map(float, learns))
