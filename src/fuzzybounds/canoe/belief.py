"""What the directions that a canoe has taken say about the condition and the heading of a trial."""

from __future__ import annotations

import numpy as np

from fuzzybounds.canoe.task import Condition


def belief(conditions: tuple[Condition, ...], n: int, k: np.ndarray) -> np.ndarray:
    """Return the probability of every condition and heading after k of n directions were right.

    Its shape is (conditions, 2, len(k)); the second axis is the heading: right, left.
    """
    weights = path_weights(conditions, n, np.asarray(k))
    return weights / weights.sum(axis=(0, 1))


def path_weights(conditions: tuple[Condition, ...], n: int, k: np.ndarray) -> np.ndarray:
    """Return w_h(n, k): prior times probability of one path, of shape (conditions, 2, len(k))."""
    p0 = np.array([condition.p0 for condition in conditions])[:, None]
    right = p0**k * (1 - p0) ** (n - k)
    left = p0 ** (n - k) * (1 - p0) ** k
    return np.stack([right, left], axis=1) / (2 * len(conditions))
