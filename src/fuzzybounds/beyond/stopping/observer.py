"""What an observer who knows the design can infer from the canoe: the condition of a trial."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fuzzybounds.beyond.learners.optimum import belief
from fuzzybounds.beyond.stopping.lattice import States
from fuzzybounds.canoe.lattice import edges_of
from fuzzybounds.canoe.task import Condition

CERTAIN = 1e-9
"""P0 is kept this far from 0 and 1, which few trials may suggest."""


def beliefs(conditions: tuple[Condition, ...], where: States) -> dict[str, np.ndarray]:
    """Return the probability of every condition that is possible on a trial, at every state.

    It follows from how many of the directions so far were right, by the belief of the optimal
    observer.  At the edge of the screen several walks look alike: a state has the mean over the
    walks that lead to it.
    """
    doubted = tuple(replace(c, p0=min(max(c.p0, CERTAIN), 1 - CERTAIN)) for c in conditions)
    known = [belief(doubted, n, np.arange(n + 1)).sum(axis=1) for n in range(where.steps + 1)]
    step, net, way = edges_of(where.steps).T
    seen = zip(step + 1, (step + net + way + 1) // 2, strict=True)
    by_edge = np.array([known[n][:, k] for n, k in seen])
    state = where.of_edge.ravel()
    sizes = np.bincount(state)
    return {
        own.name: np.bincount(state, np.repeat(by_edge[:, i], where.of_edge.shape[1])) / sizes
        for i, own in enumerate(conditions)
    }
