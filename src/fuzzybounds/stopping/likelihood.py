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
from fuzzybounds.stopping.recorded import Watched

SURE = 1e-6
"""Hazards are kept this far from 0 and 1, so that no outcome is impossible."""


class Passes(NamedTuple):
    """Log-likelihoods by node and case, and what the pass backward needs (:mod:`kernel`)."""

    logs: np.ndarray
    shares: np.ndarray
    ways: np.ndarray
    go_on: np.ndarray


class Likelihood:
    """Log-likelihoods of one subject's trials, by *case*.

    A case is an outcome on the lattice, summed over all paths, or one trial with a recorded path.

    Parameters
    ----------
    outcomes : Outcomes or None
        Of the trials without a recorded path; their states have as many steps, or more.
    states : LatticeStates
        Without outcomes on the lattice, any states.
    watched : Watched, optional
        The other trials.
    recorded : array of bool, optional
        Which of all trials these are.
    """

    def __init__(
        self,
        outcomes: Outcomes | None,
        states: LatticeStates,
        watched: Watched | None = None,
        recorded: np.ndarray | None = None,
    ):
        self.outcomes, self.states, self._watched = outcomes, states, watched
        parts = [] if outcomes is None else [outcomes.of_trial]
        self._bridged = 0 if outcomes is None else outcomes.decision.size
        if outcomes is not None and states.steps < outcomes.steps:
            raise ValueError(f"states of {states.steps} steps, expected {outcomes.steps} or more")
        if watched is not None:
            parts.append(self._bridged + np.arange(watched.trials))
        case = np.concatenate(parts)
        if recorded is not None:
            # Trials keep their order.
            case[np.argsort(recorded, kind="stable")] = case.copy()
        self.of_trial = case
        self.cases = self._bridged + (watched.trials if watched is not None else 0)

    def counts(self, chosen: np.ndarray) -> np.ndarray:
        """Return how many of the chosen trials are of each case."""
        return np.bincount(self.of_trial[chosen], minlength=self.cases).astype(float)

    def log_likelihoods(self, hazard: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Return the log-likelihood of every case, given the nodes' hazards and weights."""
        logs = self.forward(hazard).logs
        return kernel.mix(logs, weights, np.ones(logs.shape[1]))[0]

    def slopes(
        self, hazard: np.ndarray, weights: np.ndarray, counts: np.ndarray
    ) -> tuple[float, np.ndarray, np.ndarray]:
        """Return the log-likelihood of so many trials of each case, and :meth:`backward`."""
        passes = self.forward(hazard)
        _, total, responsibilities = kernel.mix(passes.logs, weights, counts)
        return total, *self.backward(hazard, passes, responsibilities)

    def forward(self, hazard: np.ndarray) -> Passes:
        """Return the log-likelihood of every case at every node."""
        go_on = 1.0 - np.clip(hazard, SURE, 1.0 - SURE)
        logs, shares, ways = [], np.empty(0), np.empty(0)
        if self.outcomes is not None:
            of_edge, steps = self.states.of_edge, self.states.steps
            cells, powers, ways = kernel.forward(go_on, of_edge, steps)
            bridged, shares = kernel.outcome_logs(
                go_on, of_edge, cells, powers, *_ends(self.outcomes), self.outcomes.log_paths
            )
            logs.append(bridged - self.outcomes.log_widths)
        if self._watched is not None:
            logs.append(self._watched.logs(go_on))
        together = logs[0] if len(logs) == 1 else np.concatenate(logs, axis=1)
        return Passes(np.ascontiguousarray(together), shares, ways, go_on)

    def totals(self, hazard: np.ndarray, counts: np.ndarray) -> np.ndarray:
        """Return the log-likelihood of trials at every node: nodes by columns of `counts`.

        A column has how many trials of each case are taken.  Decisions on known paths are summed
        before they meet a hazard, so that many nodes cost little.
        """
        total = np.zeros((len(hazard), counts.shape[1]))
        if self.outcomes is not None:
            bridged = Likelihood(self.outcomes, self.states)
            total += bridged.forward(hazard).logs @ counts[: self._bridged]
        if self._watched is not None:
            known = counts[self._bridged :]
            gone, stopped = (side.T for side in self._watched.count(known.T))
            go_on = 1.0 - np.clip(hazard, SURE, 1.0 - SURE)
            some, last = gone.any(axis=1), stopped.any(axis=1)
            total += np.log(go_on[:, some]) @ gone[some]
            total += np.log1p(-go_on[:, last]) @ stopped[last] - self._watched.log_widths @ known
        return total

    def backward(
        self, hazard: np.ndarray, passes: Passes, responsibilities: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Differentiate the sum of the logs of so many trials of each node and case.

        Returns the derivatives by the hazard at every node and state, and the information: the
        second derivatives, with the opposite sign, that are expected if paths are known.
        """
        counted = self._count(passes, responsibilities)
        return kernel.slopes_of(hazard, SURE, passes.go_on, *counted)

    def decisions(self, hazard: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return how often subjects are expected to have gone on, and responded, at every state.

        `counts` are how many trials are of each case; the hazard has one node.
        """
        gone, stopped = self._count(self.forward(hazard), counts[None])
        return gone[0], stopped[0]

    def _count(self, passes: Passes, responsibilities: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        gone, stopped = np.zeros_like(passes.go_on), np.zeros_like(passes.go_on)
        if self.outcomes is not None:
            of_edge, steps = self.states.of_edge, self.states.steps
            ends = _ends(self.outcomes)
            bridged = np.ascontiguousarray(responsibilities[:, : self._bridged])
            gone, stopped = kernel.backward(
                passes.go_on, of_edge, steps, passes.ways, *ends, bridged, passes.shares
            )
        if self._watched is not None:
            counted = self._watched.count(responsibilities[:, self._bridged :])
            gone, stopped = gone + counted[0], stopped + counted[1]
        return gone, stopped


def _ends(outcomes: Outcomes) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return outcomes.edges, outcomes.decision, outcomes.responded
