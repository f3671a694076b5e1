"""Maximum a posteriori fits of a stopping model, from several starts, by analytic gradients."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from fuzzybounds.stopping.descent import Minimum, add_prior, descend, information_of
from fuzzybounds.stopping.likelihood import Likelihood
from fuzzybounds.stopping.model import Model

AGREE = 0.01
"""Nats within which two searches count as having found the same optimum."""
FLAT = 0.02
"""A search has converged when no free parameter changes the objective by more nats per unit."""
MOST_RESTARTS = 3
"""How often a search that ended on a slope is taken up with a new curvature."""
RARE = 1e-3
"""States with less information than this are left out of the first curvature."""


class Start(NamedTuple):
    """Where a search starts, and the curvature there, where it is known."""

    theta: np.ndarray
    curvature: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class Fit:
    """A fitted model.

    Attributes
    ----------
    model : Model
    theta : array
        Parameters on their search scales.
    log_likelihood, log_posterior : float
        Without and with the log prior density (up to a constant).
    starts, agree : int
        Number of searches, and how many of them ended within :data:`AGREE` of the best.
    evaluations : int
    converged : bool
        Whether the slope of the best one vanishes (or points out of a bound).
    curvature : array, shape (parameters, parameters)
        Second derivatives of minus the log posterior, as far as the search learned them.
    """

    model: Model
    theta: np.ndarray
    log_likelihood: float
    log_posterior: float
    starts: int
    agree: int
    evaluations: int
    converged: bool
    curvature: np.ndarray


def log_likelihoods(model: Model, theta: np.ndarray, likelihood: Likelihood) -> np.ndarray:
    """Return the log-likelihood of every outcome."""
    where = likelihood.states
    hazard, weights = model.at(theta, where, model.nodes(theta))
    return likelihood.log_likelihoods(hazard.value, weights)


def objective(
    model: Model, theta: np.ndarray, likelihood: Likelihood, counts: np.ndarray, nodes: int
) -> tuple[float, np.ndarray]:
    """Return minus the log posterior and its gradient."""
    hazard, weights = model.at(theta, likelihood.states, nodes)
    value, slopes = likelihood.slopes(hazard.value, weights, counts)
    prior, gradient = add_prior(theta, model.mean, model.sd, hazard.pull(slopes.first)[0])
    return prior - value, gradient


def information(
    model: Model, theta: np.ndarray, likelihood: Likelihood, counts: np.ndarray, nodes: int
) -> np.ndarray:
    """Return the information that trials would carry if all paths were known, and the prior's.

    What is drawn once per trial counts as known, too.  With n decisions expected at a state of
    hazard h, that is the sum over states of n / (h (1 - h)) times the products of the derivatives
    of h, and 1 / sd^2 on the diagonal.
    """
    hazard, weights = model.at(theta, likelihood.states, nodes)
    _, slopes = likelihood.slopes(hazard.value, weights, counts)
    by_parameter = np.ascontiguousarray(hazard.slopes(by_shift=False).reshape(len(theta), -1))
    found = information_of(by_parameter, slopes.information.ravel(), RARE)
    return found + np.diag(model.sd**-2)


def fit(
    models: Sequence[Model],
    likelihood: Likelihood,
    counts: np.ndarray,
    near: Sequence[Start] = (),
) -> list[Fit]:
    """Fit candidates of one model and return them, the best one first.

    Parameters
    ----------
    models : sequence of Model
        They differ only in what was fixed before: the rules of several draws.
    likelihood : Likelihood
    counts : array
        How many trials had each outcome.
    near : sequence of Start, optional
        Instead of each model's own.
    """
    fits = [
        _fit(model, likelihood, counts, near or [Start(theta) for theta in model.starts])
        for model in models
    ]
    return sorted(fits, key=lambda own: -own.log_posterior)


def _fit(model: Model, likelihood: Likelihood, counts: np.ndarray, starts: Sequence[Start]) -> Fit:
    low, high = model.bounds
    given = (likelihood, counts)

    def search(theta: np.ndarray, nodes: int, curvature: np.ndarray | None) -> Minimum:
        if curvature is None:
            curvature = information(model, theta, *given, nodes)

        def value(theta: np.ndarray) -> tuple[float, np.ndarray]:
            return objective(model, theta, *given, nodes)

        return descend(value, theta, low, high, model.sd, curvature)

    inside = [Start(np.clip(theta, low, high), curvature) for theta, curvature in starts]
    nodes = min(model.nodes(start.theta) for start in inside)
    results = [search(start.theta, nodes, start.curvature) for start in inside]
    evaluations = sum(result.evaluations for result in results)
    best = min(results, key=lambda result: result.value)
    agree = sum(result.value <= best.value + AGREE for result in results)
    # If the quadrature is too coarse where the search ended, it is refined there.
    while nodes < model.nodes(best.theta):
        nodes = model.nodes(best.theta)
        best = search(best.theta, nodes, best.curvature)
        evaluations += best.evaluations
    for _ in range(MOST_RESTARTS):
        if _flat(best, low, high):
            break
        best = search(best.theta, nodes, None)
        evaluations += best.evaluations
    deviation = (best.theta - model.mean) / model.sd
    return Fit(
        model,
        best.theta,
        0.5 * float((deviation**2).sum()) - best.value,
        -best.value,
        len(results),
        agree,
        evaluations,
        _flat(best, low, high),
        best.curvature,
    )


def _flat(found: Minimum, low: np.ndarray, high: np.ndarray) -> bool:
    """Return whether the slope vanishes, or points out of a bound."""
    theta, slope = found.theta, found.gradient
    pressed = ((theta <= low) & (slope > 0)) | ((theta >= high) & (slope < 0))
    return bool(np.abs(np.where(pressed, 0.0, slope)).max() <= FLAT)
