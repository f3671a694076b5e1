"""Random-effects Bayesian model selection.

Every subject is taken to follow one of the models, drawn from frequencies r that are the same for
the whole population (Stephan et al. 2009).  A subject's log evidence for a model is approximated by
-AIC/2 or -BIC/2.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.special import digamma, gammainc, gammaincinv, gammaln, logsumexp

QUADRATURE_NODES = 512


class Selection(NamedTuple):
    """Posterior of the models' frequencies in the population.

    `alpha` are the parameters of the Dirichlet posterior, `frequency` its mean, `responsibility`
    (subject, model) the probability that a subject follows a model, `exceedance` that a model is
    more frequent than every other one, and `protected_exceedance` the same, allowing for all
    frequencies being equal, which has the probability `omnibus_risk` (Rigoux et al. 2014).
    """

    alpha: np.ndarray
    responsibility: np.ndarray
    frequency: np.ndarray
    exceedance: np.ndarray
    protected_exceedance: np.ndarray
    omnibus_risk: float


def select(log_evidence: np.ndarray, tolerance: float = 1e-10) -> Selection:
    """Compare models across subjects by their log evidence (subject, model).

    The log evidence is known up to a constant for each subject.  The variational iteration ends
    when alpha changes by less than `tolerance`.
    """
    log_evidence = np.asarray(log_evidence, float)
    if log_evidence.ndim != 2 or not np.isfinite(log_evidence).all():
        shape = log_evidence.shape
        raise ValueError(f"log_evidence has shape {shape}, expected finite (subject, model)")
    n_models = log_evidence.shape[1]
    prior = np.ones(n_models)
    alpha = prior
    while True:
        responsibility = _responsibility(log_evidence, alpha)
        updated = prior + responsibility.sum(axis=0)
        settled = np.abs(updated - alpha).max() < tolerance
        alpha = updated
        if settled:
            break
    risk = omnibus_risk(log_evidence, alpha, responsibility)
    exceedance = exceedance_probabilities(alpha)
    return Selection(
        alpha=alpha,
        responsibility=responsibility,
        frequency=alpha / alpha.sum(),
        exceedance=exceedance,
        protected_exceedance=(1 - risk) * exceedance + risk / n_models,
        omnibus_risk=risk,
    )


def exceedance_probabilities(alpha: np.ndarray) -> np.ndarray:
    """Return the probability that each component of a Dirichlet vector is the largest.

    A Dirichlet vector is a vector of independent Gamma(α_j) variables over their sum.  So this is
    the integral, over the density of component k, of the product of the other components'
    distribution functions, here by Gauss-Legendre quadrature.
    """
    alpha = np.asarray(alpha, float)[:, None]
    node, weight = _quadrature()
    farthest = gammaincinv(alpha.max(), 1 - 1e-15)
    x, weight = farthest * (node + 1) / 2, farthest * weight / 2
    density = np.exp((alpha - 1) * np.log(x) - x - gammaln(alpha))
    below = np.tile(gammainc(alpha, x), (len(alpha), 1, 1))  # (component, other one, node)
    below[np.arange(len(alpha)), np.arange(len(alpha))] = 1.0
    return (density * np.prod(below, axis=1)) @ weight


@cache
def _quadrature() -> tuple[np.ndarray, np.ndarray]:
    return np.polynomial.legendre.leggauss(QUADRATURE_NODES)


def omnibus_risk(log_evidence: np.ndarray, alpha: np.ndarray, responsibility: np.ndarray) -> float:
    """Return the posterior probability that all models are equally frequent.

    It weighs the log evidence of equal frequencies against the variational bound on that of unequal
    ones, both equally likely a priori (Rigoux et al. 2014).
    """
    n_models = log_evidence.shape[1]
    equal = np.sum(logsumexp(log_evidence, axis=1) - np.log(n_models))
    unequal = variational_bound(log_evidence, alpha, responsibility)
    return float(1 / (1 + np.exp(np.clip(unequal - equal, -700, 700))))


def variational_bound(
    log_evidence: np.ndarray, alpha: np.ndarray, responsibility: np.ndarray
) -> float:
    """Return the variational bound on the log evidence under a flat Dirichlet prior."""
    n_models = log_evidence.shape[1]
    expected_log_r = digamma(alpha) - digamma(alpha.sum())
    log_joint = np.sum(responsibility * (log_evidence + expected_log_r)) + gammaln(n_models)
    entropy_m = -np.sum(responsibility * np.log(np.maximum(responsibility, 1e-300)))
    entropy_r = np.sum(gammaln(alpha)) - gammaln(alpha.sum())
    entropy_r -= np.sum((alpha - 1) * expected_log_r)
    return float(log_joint + entropy_m + entropy_r)


def _responsibility(log_evidence: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    joint = log_evidence + digamma(alpha) - digamma(alpha.sum())
    return np.exp(joint - logsumexp(joint, axis=1, keepdims=True))
