"""Fits of the learning models to one subject, by maximum likelihood."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzybounds.criteria import InformationCriteria
from fuzzybounds.fuzzy.membership import Memberships
from fuzzybounds.learning.people.likelihood import Likelihood, Model
from fuzzybounds.learning.people.sequence import Sequence
from fuzzybounds.learning.policy import Decisions
from fuzzybounds.learning.reach import staircases
from fuzzybounds.storage.damped_step import damped_step

RATE_UNIT = 1e-5
"""Learning rates are searched on the scale asinh(alpha / RATE_UNIT): signed, and log-like."""
LARGEST_LOGIT = 14.0
GRID = [
    (rate * RATE_UNIT, leak)
    for rate in (-300, -30, -3, -0.3, 0.3, 3, 30, 300)
    for leak in (0.3, 0.8, 0.98)
]
"""Learning rates and leaks from which the search may start."""
SCORING = 4
"""Scoring steps before a descent."""
RIDGE, LONGEST_STEP, MOST_DAMPING = 1e-5, 3.0, 1e6


@dataclass(frozen=True)
class HumanFit(InformationCriteria):
    """A model fitted to one subject.

    Attributes
    ----------
    model : str
    n, k : int
        Number of trials with a likelihood, and of parameters.
    nll : float
        Negative log-likelihood at its minimum.
    consequents : array, shape (cues, n_time, n_position)
        At the first trial.
    learning_rate, leak : float
        alpha (positive where it lowers the weights of a good trial, as printed) and gamma, from
        one decision to the next (serial: from one trial to the next); NaN without learning.
    off_lattice : int
        Number of trials without a likelihood, because their path cannot be reconstructed.
    """

    model: str
    n: int
    k: int
    nll: float
    consequents: np.ndarray
    learning_rate: float
    leak: float
    off_lattice: int


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
    model : {"none", "drift", "serial", "outcome", "outcome_logit", "hindsight"}
    time, position : Memberships
    decisions : Decisions
    start : HumanFit, optional
        The subject's fit without learning, from which learning models start; computed if not given.
    """
    likelihood = Likelihood(subject, time, position, decisions)
    if model == "none":
        # The same for all rules, and stop when far or late.
        far_or_late = np.maximum(staircases(*likelihood.shape[1:])[1].consequents, 0.003)
        fits = [
            _minimise(likelihood, model, np.broadcast_to(table, likelihood.shape), None, 0)
            for table in (np.array(0.05), far_or_late)
        ]
    else:
        start = start or fit_subject(subject, "none", time, position, decisions)
        # Scoring steps are large at first, and may find another optimum than descent alone.
        table = start.consequents
        pair = max(GRID, key=lambda pair: likelihood(model, table, *pair)[0].sum())
        fits = [_minimise(likelihood, model, table, pair, steps) for steps in (0, SCORING)]
    return min(fits, key=lambda fit: fit.nll)


def _minimise(likelihood, model, consequents, pair, scoring: int) -> HumanFit:
    """Minimise the negative log-likelihood from given consequents and (learning rate, leak).

    So many scoring steps come before the descent.
    """
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

    def scores(parameters):
        logs, slopes = likelihood(model, *parts(parameters), slopes=True)
        if pair is not None:
            slopes[:, -2] *= RATE_UNIT * np.cosh(parameters[-2])
        return -logs.sum(), -slopes[:, : parameters.size]

    def descend(parameters):
        value, slopes = scores(parameters)
        return value, slopes.sum(axis=0)

    result = minimize(
        descend,
        _score(scores, first, np.array(bounds).T, scoring),
        jac=True,
        method="L-BFGS-B",
        bounds=bounds,
        options={"maxiter": 300, "ftol": 1e-8},
    )
    table, rate, leak = parts(result.x)
    if pair is None:
        rate = leak = np.nan
    on_lattice = likelihood.subject.on_lattice
    return HumanFit(
        model,
        int(on_lattice.sum()),
        first.size,
        float(result.fun),
        table,
        float(rate),
        float(leak),
        int((~on_lattice).sum()),
    )


def _score(scores, x: np.ndarray, bounds: np.ndarray, steps: int) -> np.ndarray:
    """Take scoring steps: Newton's, with the products of the trials' scores for the curvature.

    Damped as by Levenberg and Marquardt; each parameter moves by :data:`LONGEST_STEP` at most.
    """
    damping, (low, high) = 0.01, bounds
    tried, ridge = np.empty(x.size), np.full(x.size, RIDGE)
    if steps:
        value, slopes = scores(x)
    for _ in range(steps):
        information, gradient = slopes.T @ slopes, slopes.sum(axis=0)
        box = np.maximum(low, x - LONGEST_STEP), np.minimum(high, x + LONGEST_STEP)
        while damping < MOST_DAMPING:
            if damped_step(x, *box, information, gradient, damping, ridge, tried):
                new_value, new_slopes = scores(tried)
                if new_value < value:
                    break
            damping *= 5
        else:
            break
        x, value, slopes, damping = tried.copy(), new_value, new_slopes, damping / 5
    return x
