"""The sums of :mod:`fuzzybounds.stopping.kernel` in a few lines of NumPy, as logs."""

from __future__ import annotations

import numpy as np

from fuzzybounds.canoe.lattice import edge_row
from fuzzybounds.stopping.lattice import Outcomes


def log_cells(go_on: np.ndarray, of_edge: np.ndarray, steps: int) -> np.ndarray:
    """Return log F(m, r) of every cell, at m (m + 1) / 2 + r.

    Parameters
    ----------
    go_on : array, shape (states,)
        q = 1 - h.
    of_edge : array of int, shape (edges, decisions)
    steps : int
    """
    passed = np.log(go_on)[of_edge].sum(axis=1)
    rows = [np.zeros(1)]
    for m in range(steps):
        right = np.arange(m + 1)
        to_left, to_right = (passed[edge_row(m, right, way)] for way in (0, 1))
        rows.append(
            np.logaddexp(
                np.append(rows[-1] + to_left, -np.inf), np.append(-np.inf, rows[-1] + to_right)
            )
        )
    return np.concatenate(rows)


def log_likelihoods(
    hazard: np.ndarray, of_edge: np.ndarray, steps: int, outcomes: Outcomes
) -> np.ndarray:
    """Return the log-likelihood of every outcome under the hazard of every state."""
    cells = log_cells(1.0 - hazard, of_edge, steps)
    go_on, respond = np.log1p(-hazard), np.log(hazard)
    logs = []
    for edges, number, responded in zip(
        outcomes.edges, outcomes.decision, outcomes.responded, strict=True
    ):
        terms = []
        for edge in edges[edges >= 0]:
            passed = go_on[of_edge[edge, :number]].sum()
            ended = respond[of_edge[edge, number]] if responded else 0.0
            terms.append(cells[edge // 2] + passed + ended)
        logs.append(np.logaddexp.reduce(terms))
    return np.array(logs) - outcomes.log_paths
