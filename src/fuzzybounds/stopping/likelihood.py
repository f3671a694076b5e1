"""The one likelihood: of a subject's outcomes under any hazard, exactly.

The likelihood of a trial is the mean, over all paths of the canoe that end where the trial did, of
the product of 1 - h at every decision before the response and h at the response; a missed deadline
is survival of all decisions (:mod:`kernel`).  A model whose boundary is drawn
once per trial is a mixture of hazards: the mean is then also over the draws.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fuzzybounds.stopping import kernel
from fuzzybounds.stopping.lattice import LatticeStates, Outcomes

SURE = 1e-6
"""Hazards are kept this far from 0 and 1, so that no outcome is impossible."""


class Passes(NamedTuple):
    """Log-likelihoods by node and outcome, and what the pass backward needs (:mod:`kernel`)."""

    logs: np.ndarray
    shares: np.ndarray
    ways: np.ndarray
    go_on: np.ndarray


class Likelihood:
    """Log-likelihoods of the outcomes of one subject; the states have as many steps, or more."""

    def __init__(self, outcomes: Outcomes, states: LatticeStates):
        if states.steps < outcomes.steps:
            raise ValueError(f"states of {states.steps} steps, expected {outcomes.steps} or more")
        self.outcomes, self.states = outcomes, states
        self._ends = (outcomes.edges, outcomes.decision, outcomes.responded)

    def log_likelihoods(self, hazard: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Return the log-likelihood of every outcome, given the nodes' hazards and weights."""
        logs = self.forward(hazard).logs
        return kernel.mix(logs, weights, np.ones(logs.shape[1]))[0]

    def slopes(
        self, hazard: np.ndarray, weights: np.ndarray, counts: np.ndarray
    ) -> tuple[float, np.ndarray, np.ndarray]:
        """Return the log-likelihood of so many trials of each outcome, and :meth:`backward`."""
        passes = self.forward(hazard)
        _, total, responsibilities = kernel.mix(passes.logs, weights, counts)
        return total, *self.backward(hazard, passes, responsibilities)

    def forward(self, hazard: np.ndarray) -> Passes:
        """Return the log-likelihood of every outcome at every node."""
        go_on = 1.0 - np.clip(hazard, SURE, 1.0 - SURE)
        of_edge, steps = self.states.of_edge, self.states.steps
        cells, powers, ways = kernel.forward(go_on, of_edge, steps)
        logs, shares = kernel.outcome_logs(
            go_on, of_edge, cells, powers, *self._ends, self.outcomes.log_paths
        )
        logs -= self.outcomes.log_widths
        return Passes(logs, shares, ways, go_on)

    def backward(
        self, hazard: np.ndarray, passes: Passes, responsibilities: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Differentiate the sum of the logs of so many trials of each node and outcome.

        Returns the derivatives by the hazard at every node and state, and the information: the
        second derivatives, with the opposite sign, that are expected if paths are known.
        """
        counted = self._count(passes, responsibilities)
        return kernel.slopes_of(hazard, SURE, passes.go_on, *counted)

    def decisions(self, hazard: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return how often subjects are expected to have gone on, and responded, at every state.

        `counts` are how many trials had each outcome; the hazard has one node.
        """
        gone, stopped = self._count(self.forward(hazard), counts[None])
        return gone[0], stopped[0]

    def _count(self, passes: Passes, responsibilities: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        states = self.states
        return kernel.backward(
            passes.go_on, states.of_edge, states.steps, passes.ways, *self._ends, responsibilities,
            passes.shares,
        )  # fmt: skip
