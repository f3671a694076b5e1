"""A motor delay that varies from trial to trial: a mixture of likelihoods.

Each trial has a delay of its own, drawn from a normal distribution on a grid.  The likelihood of a
trial is the mean, over delays, of its likelihood given the delay, and the derivatives are weighted
by how probable each delay is given the trial.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.special import logsumexp

from fuzzybounds.stopping import kernel
from fuzzybounds.stopping.likelihood import Likelihood

REACH = 2.0
"""How many standard deviations the grid of delays reaches to either side."""


class VariableDelay(Likelihood):
    """The likelihood of one subject's trials whose delays vary about a mean.

    Parameters
    ----------
    by_delay : mapping
        Likelihoods of the same trials on the same states, by delay in s.
    mean, sd : float
        Of the delay in s.
    """

    def __init__(self, by_delay: Mapping[float, Likelihood], mean: float, sd: float):
        chosen = [delay for delay in by_delay if abs(delay - mean) <= REACH * sd + 1e-9]
        self._parts = [by_delay[delay] for delay in chosen]
        logs = -0.5 * ((np.array(chosen) - mean) / sd) ** 2
        self._log_shares = logs - logsumexp(logs)
        self.states = self._parts[0].states
        # Trials that no delay tells apart are one case.
        of_trial = np.stack([part.of_trial for part in self._parts], axis=1)
        cases, self.of_trial = np.unique(of_trial, axis=0, return_inverse=True)
        self.of_trial = self.of_trial.ravel()
        self._case_of_part, self.cases = cases.T, len(cases)

    def _by_delay(self, hazard: np.ndarray) -> np.ndarray:
        """Return logs of shares times likelihoods: delays, nodes, cases."""
        logs = [
            part.forward(hazard).logs[:, case]
            for part, case in zip(self._parts, self._case_of_part, strict=True)
        ]
        return np.array(logs) + self._log_shares[:, None, None]

    def log_likelihoods(self, hazard: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Return the log-likelihood of every case, given the nodes' hazards and weights."""
        logs = logsumexp(self._by_delay(hazard), axis=0)
        return kernel.mix(logs, weights, np.ones(self.cases))[0]

    def slopes(
        self, hazard: np.ndarray, weights: np.ndarray, counts: np.ndarray
    ) -> tuple[float, np.ndarray, np.ndarray]:
        """Return the log-likelihood of so many trials of each case, its slopes and information."""
        by_delay = self._by_delay(hazard)
        logs = logsumexp(by_delay, axis=0)
        _, total, responsibilities = kernel.mix(logs, weights, counts)
        slopes, information = np.zeros_like(hazard), np.zeros_like(hazard)
        for part, case, given_delay in zip(self._parts, self._case_of_part, by_delay, strict=True):
            of_part = np.zeros((len(hazard), part.cases))
            np.add.at(of_part.T, case, (responsibilities * np.exp(given_delay - logs)).T)
            by_hazard, known = part.backward(hazard, part.forward(hazard), of_part)
            slopes, information = slopes + by_hazard, information + known
        return total, slopes, information
