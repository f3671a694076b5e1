"""The one likelihood: of a subject's outcomes under any hazard h(t, |x|), exactly.

The likelihood of a trial is the mean, over all paths of the canoe that end where the trial did, of
the product of 1 - h at every decision before the response and h at the response; a missed deadline
is survival of all decisions (:mod:`fuzzybounds.stopping.kernel`).  A model whose boundary is drawn
once per trial is a mixture of hazards: the mean is then also over the draws.
"""

from __future__ import annotations

import numpy as np

from fuzzybounds.stopping import kernel
from fuzzybounds.stopping.lattice import Outcomes, States

SURE = 1e-6
"""Hazards are kept this far from 0 and 1, so that no outcome is impossible."""


class Likelihood:
    """Log-likelihoods of the outcomes of one subject.

    Parameters
    ----------
    outcomes : Outcomes
    states : States
        With at least as many steps as the outcomes.
    """

    def __init__(self, outcomes: Outcomes, states: States):
        if states.steps < outcomes.steps:
            raise ValueError(f"states of {states.steps} steps, expected {outcomes.steps} or more")
        self.outcomes, self.states = outcomes, states
        self._shortened = bool((states.exposure != 1.0).any())
        self._ends = (outcomes.edges, outcomes.decision, outcomes.responded)

    def log_likelihoods(self, hazard: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Return the log-likelihood of every outcome.

        Parameters
        ----------
        hazard : array, shape (nodes, states)
        weights : array, shape (nodes,)
            Of the nodes of a mixture; they sum to 1.
        """
        return self._forward(hazard, weights)[0]

    def slopes(
        self, hazard: np.ndarray, weights: np.ndarray, counts: np.ndarray
    ) -> tuple[float, np.ndarray]:
        """Return the log-likelihood of so many trials of each outcome, and its slopes.

        Returns
        -------
        float
        array, shape (nodes, states)
            Derivatives by the hazard.
        """
        logs, by_node, shares, ways, go_on = self._forward(hazard, weights)
        posterior = counts * np.exp(by_node - logs)
        out = np.empty_like(go_on)
        of_edge, steps = self.states.of_edge, self.states.steps
        kernel.backward(go_on, of_edge, steps, ways, *self._ends, posterior, shares, out)
        if self._shortened:
            exposure = self.states.exposure
            out *= exposure * np.maximum(1.0 - hazard, SURE) ** (exposure - 1.0)
        if hazard.min() <= SURE or hazard.max() >= 1.0 - SURE:
            out[(hazard <= SURE) | (hazard >= 1.0 - SURE)] = 0.0
        return float(counts @ logs), out

    def _forward(self, hazard, weights):
        go_on = kernel.survival(hazard, SURE)
        if self._shortened:
            go_on = go_on**self.states.exposure
        of_edge, steps = self.states.of_edge, self.states.steps
        nodes, size = len(go_on), (steps + 1) * (steps + 2) // 2
        cells, ways = np.empty((nodes, size)), np.empty((nodes, size))
        kernel.forward(go_on, of_edge, steps, cells, ways)
        by_node = np.empty((nodes, len(self.outcomes.decision)))
        shares = np.empty_like(by_node)
        kernel.outcome_logs(
            go_on, of_edge, cells, *self._ends, self.outcomes.log_paths, by_node, shares
        )
        by_node += np.log(weights)[:, None]
        largest = by_node.max(axis=0)
        logs = largest + np.log(np.exp(by_node - largest).sum(axis=0))
        return logs, by_node, shares, ways, go_on
