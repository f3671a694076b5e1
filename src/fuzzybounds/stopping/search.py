"""Maximum a posteriori fits of a stopping model, from several starts, by analytic gradients."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fuzzybounds.stopping.likelihood import Likelihood
from fuzzybounds.stopping.model import Model

AGREE = 0.01
"""Nats within which two searches count as having found the same optimum."""
FLAT = 0.02
"""A search has converged when no free parameter changes the objective by more nats per unit."""
MOST_ITERATIONS = 1000


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
    """

    model: Model
    theta: np.ndarray
    log_likelihood: float
    log_posterior: float
    starts: int
    agree: int
    evaluations: int
    converged: bool


def log_likelihoods(model: Model, theta: np.ndarray, likelihood: Likelihood) -> np.ndarray:
    """Return the log-likelihood of every outcome."""
    where = likelihood.states
    hazard, weights = model.at(theta, where, model.nodes(theta))
    return likelihood.log_likelihoods(hazard.value, weights)


def objective(
    model: Model, theta: np.ndarray, likelihood: Likelihood, counts: np.ndarray, nodes: int
) -> tuple[float, np.ndarray]:
    """Return minus the log posterior and its gradient."""
    where = likelihood.states
    hazard, weights = model.at(theta, where, nodes)
    value, slopes = likelihood.slopes(hazard.value, weights, counts)
    deviation = (theta - model.mean) / model.sd
    gradient = deviation / model.sd - hazard.pull(slopes)[0]
    return -value + 0.5 * float(deviation @ deviation), gradient


def fit(
    models: Sequence[Model],
    likelihood: Likelihood,
    counts: np.ndarray,
    starts: Sequence[np.ndarray] | None = None,
) -> list[Fit]:
    """Fit candidates of one model and return them, the best one first.

    Parameters
    ----------
    models : sequence of Model
        They differ only in what was fixed before: the rules of several draws.
    likelihood : Likelihood
    counts : array
        How many trials had each outcome.
    starts : sequence of arrays, optional
        Instead of each model's own.
    """
    fits = [_fit(model, likelihood, counts, starts or model.starts) for model in models]
    return sorted(fits, key=lambda own: -own.log_posterior)


def _fit(model: Model, likelihood: Likelihood, counts: np.ndarray, starts) -> Fit:
    from scipy.optimize import OptimizeResult, minimize

    low, high = np.array(model.bounds).T

    def descend(start: np.ndarray, nodes: int) -> OptimizeResult:
        return minimize(
            lambda theta: objective(model, theta, likelihood, counts, nodes),
            start,
            jac=True,
            method="L-BFGS-B",
            bounds=model.bounds,
            options={"maxiter": MOST_ITERATIONS, "maxcor": 20, "ftol": 1e-11, "gtol": 1e-4},
        )

    starts = [np.clip(start, low, high) for start in starts]
    nodes = min(model.nodes(start) for start in starts)
    results = [descend(start, nodes) for start in starts]
    evaluations = sum(result.nfev for result in results)
    best = min(results, key=lambda result: result.fun)
    agree = sum(result.fun <= best.fun + AGREE for result in results)
    # If the quadrature is too coarse where the search ended, it is refined there.
    while nodes < model.nodes(best.x):
        nodes = model.nodes(best.x)
        best = descend(best.x, nodes)
        evaluations += best.nfev
    theta, slope = best.x, best.jac
    pressed = ((theta <= low) & (slope > 0)) | ((theta >= high) & (slope < 0))
    deviation = (theta - model.mean) / model.sd
    return Fit(
        model,
        theta,
        -float(best.fun) + 0.5 * float(deviation @ deviation),
        -float(best.fun),
        len(results),
        agree,
        evaluations,
        bool(np.abs(np.where(pressed, 0.0, slope)).max() <= FLAT),
    )
