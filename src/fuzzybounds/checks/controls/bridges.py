"""Survival-weighted bridges: unrecorded paths, weighted by a fitted model.

A trial whose path is unknown has a uniform random-walk bridge to its response
(:mod:`fuzzybounds.canoe.paths`).  But a subject who follows a model would have responded earlier
on some of those paths.  Given the response, a path's probability is its bridge probability times
the model's probability of continuing all the way.
"""

from __future__ import annotations

import numpy as np

ROUNDS, TOLERANCE = 200, 1e-10
"""Rounds in which scale and weights are iterated, and the relative change that ends them."""


def weigh_by_survival(exposures: np.ndarray, responses: int) -> tuple[np.ndarray, float]:
    """Weigh the paths of trials by their survival exp(-∫ O dt / scale).

    Parameters
    ----------
    exposures : array of shape (n_paths, n_trials)
        ∫ O dt along every path, in s.
    responses : int
        How many of the trials ended with a response.

    Returns
    -------
    weights : array of shape (n_paths, n_trials)
        They sum to 1 over the paths of a trial.
    scale : float
        The maximum-likelihood scale (s) of p = O dt / scale (A07), as dt goes to 0: the weighted
        exposure per response.
    """
    weights = np.full(exposures.shape, 1 / len(exposures))
    scale = 0.0
    for _ in range(ROUNDS):
        before, scale = scale, float((weights * exposures).sum() / responses)
        if abs(scale - before) <= TOLERANCE * scale:
            break
        logs = -exposures / scale
        weights = np.exp(logs - logs.max(axis=0))
        weights /= weights.sum(axis=0)
    return weights, scale
