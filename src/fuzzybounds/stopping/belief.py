"""What a subject without a cue can infer about the condition of a trial.

The canoe of an easy trial goes more often the way that it is heading.  So after n directions, of
which k were to the right, an observer who knows the design believes in a condition with

    P(c | n, k) ∝ p_c^k (1 - p_c)^(n - k) + p_c^(n - k) (1 - p_c)^k,

p_c being its P0, if both conditions and both headings are equally likely beforehand.  The same as
:func:`fuzzybounds.learning.optimum.belief` summed over headings, but with the same bits on every
processor.
"""

from __future__ import annotations

import numpy as np

from fuzzybounds.canoe.lattice import edges_of
from fuzzybounds.canoe.task import Condition
from fuzzybounds.stopping.lattice import States
from fuzzybounds.storage.elementary import exp_of, log

CERTAIN = 1e-9
"""P0 is kept this far from 0 and 1, which few trials may suggest."""


def beliefs(conditions: tuple[Condition, ...], where: States) -> dict[str, np.ndarray]:
    """Return the probability of every condition at every state.

    Parameters
    ----------
    conditions : tuple of Condition
        What is possible on a trial: one condition after a cue, or all.
    where : States
    """
    step, net, way = edges_of(where.steps).T
    seen, towards = step + 1, np.abs(net + way)
    weights = np.stack([_weight(condition.p0, seen, towards) for condition in conditions])
    weights /= weights.sum(axis=0)
    # At the edge of the screen several walks look alike: their mean.
    number = np.bincount(where.of_edge.ravel(), minlength=where.time.size)
    shares = [
        np.bincount(where.of_edge.ravel(), np.repeat(own, where.of_edge.shape[1])) / number
        for own in weights
    ]
    return {own.name: share for own, share in zip(conditions, shares, strict=True)}


def _weight(p0: float, seen: np.ndarray, towards: np.ndarray) -> np.ndarray:
    """Return the probability of a path, up to the same factor for all conditions, by heading."""
    more, fewer = (seen + towards) / 2, (seen - towards) / 2
    p0 = min(max(p0, CERTAIN), 1 - CERTAIN)
    right, left = log(p0), log(1 - p0)
    return exp_of(more * right + fewer * left) + exp_of(fewer * right + more * left)
