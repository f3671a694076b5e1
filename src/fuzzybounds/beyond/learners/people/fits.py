"""The learning models fitted to the trials of people, by maximum likelihood."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log

import numpy as np
import pandas as pd
from scipy.special import expit, logit

from fuzzybounds.beyond.learners.people.likelihood import FROM_OUTCOMES, MODELS, Likelihood, Model
from fuzzybounds.beyond.learners.people.sequence import Sequence, sequence, shuffle_outcomes
from fuzzybounds.beyond.learners.reach import staircases
from fuzzybounds.core import fitting
from fuzzybounds.core.fitting import Parameter
from fuzzybounds.core.seeds import generator
from fuzzybounds.paper.fuzzy.membership import Memberships
from fuzzybounds.paper.reinforcement.policy import paper_memberships

RATE_UNIT = 1e-5
"""Learning rates are searched on the scale asinh(alpha / RATE_UNIT): signed, and log-like."""
FLAT_PRIOR = (0.0, 1e3)
CONSEQUENT = Parameter("consequent", "logit", *FLAT_PRIOR, -14.0, 14.0)
LEARNING = (
    Parameter("learning_rate", "identity", *FLAT_PRIOR, -10.0, 10.0),
    Parameter("leak", "identity", *FLAT_PRIOR, 0.0, 1.0),
)
ERROR_SHIFT = Parameter("error_shift", "identity", *FLAT_PRIOR, -3.0, 3.0)
GRID = [
    (rate * RATE_UNIT, leak)
    for rate in (-300, -30, -3, -0.3, 0.3, 3, 30, 300)
    for leak in (0.3, 0.8, 0.98)
]
"""Learning rates and leaks from which the search may start."""
STARTS = 2
"""Of these, how many are used: the most likely ones."""


def fit_people(
    trials: pd.DataFrame,
    *,
    cued: bool,
    labels: int,
    frames: int,
    shuffles: int,
    seed: int,
    dataset: str,
) -> pd.DataFrame:
    """Fit every learning model to every subject, trial by trial.

    The models that learn from outcomes are refitted to trials whose outcomes are shuffled
    (:func:`sequence.shuffle_outcomes`).  This is their control: an advantage that remains there
    does not come from outcomes.

    Parameters
    ----------
    trials : DataFrame
        Trials of some subjects.
    cued : bool
        Whether each condition has its own consequents.
    labels, frames : int
        Labels of time and of position; frames between two decisions.
    shuffles : int
        Number of shuffles.
    seed, dataset
        Name the random numbers of shuffles, together with subject and shuffle.

    Returns
    -------
    DataFrame
        The table ``learning_people``.
    """
    how = (paper_memberships(labels), frames)
    rows = []
    for name, own in trials.groupby("subject", sort=False):
        start = None
        for number in range(shuffles + 1):
            rng = generator(seed, dataset, str(name), "shuffled outcomes", number)
            subject = sequence(shuffle_outcomes(own, rng) if number else own, cued=cued)
            for model in FROM_OUTCOMES if number else MODELS:
                row, consequents = fit_subject(subject, model, *how, start)
                start = consequents if start is None else start
                rows.append({"subject": name, "model": model, "shuffle": number, **row})
    return pd.DataFrame(rows)


@dataclass(frozen=True, eq=False)
class LearningModel:
    """A learning model as :func:`fuzzybounds.core.fitting.fit` takes it; its data: a likelihood."""

    name: Model
    shape: tuple[int, ...]
    starts: list[np.ndarray] = field(default_factory=list)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Log-odds of the consequents, and what learning adds."""
        learning = LEARNING if self.name != "none" else ()
        error = (ERROR_SHIFT,) if self.name == "serial_error" else ()
        return (CONSEQUENT,) * int(np.prod(self.shape)) + learning + error

    def values(self, theta: np.ndarray) -> tuple[np.ndarray, float, float, float]:
        """Return consequents, learning rate, leak and error shift."""
        size = int(np.prod(self.shape))
        rate, leak, error = np.append(theta[size:], [0.0, 1.0, 0.0][theta.size - size :])
        return expit(theta[:size]).reshape(self.shape), RATE_UNIT * np.sinh(rate), leak, error

    def scores(self, theta: np.ndarray, data: Likelihood) -> tuple[np.ndarray, np.ndarray]:
        """Return the log-likelihood of every trial, and its derivatives by the parameters."""
        logs, scores = data(self.name, *self.values(theta), slopes=True)
        size = int(np.prod(self.shape))
        if theta.size > size:
            scores[:, size] *= RATE_UNIT * np.cosh(theta[size])
        return logs, scores[:, : theta.size]

    def log_likelihood(self, theta: np.ndarray, data: Likelihood) -> tuple[float, np.ndarray]:
        """Return the log-likelihood and its gradient."""
        logs, scores = self.scores(theta, data)
        return logs.sum(), scores.sum(axis=0)

    def information(self, theta: np.ndarray, data: Likelihood) -> np.ndarray:
        """Return the products of the trials' scores, summed."""
        scores = self.scores(theta, data)[1]
        return scores.T @ scores


def fit_subject(
    subject: Sequence,
    model: Model,
    memberships: Memberships,
    frames: int,
    start: np.ndarray | None = None,
) -> tuple[dict[str, float], np.ndarray]:
    """Fit a model to a subject: what the table ``learning_people`` says, and the consequents.

    The consequents are those of the first trial, of shape (cues, n_time, n_position).  Learning
    models `start` from those of the model "none".
    """
    likelihood = Likelihood(subject, memberships, frames)
    own = LearningModel(model, likelihood.shape)
    if start is None:
        # The same for all rules, and stop when far or late.
        far_or_late = np.maximum(staircases(*likelihood.shape[1:])[1].consequents, 0.003)
        for table in (np.array(0.05), far_or_late):
            own.starts.append(_odds(np.broadcast_to(table, likelihood.shape)))
    else:
        worth = {pair: likelihood(model, start, *pair)[0].sum() for pair in GRID}
        no_shift = [0.0] if model == "serial_error" else []
        for rate, leak in sorted(GRID, key=lambda pair: -worth[pair])[:STARTS]:
            learning = [np.arcsinh(rate / RATE_UNIT), leak, *no_shift]
            own.starts.append(np.append(_odds(start), learning))
    found = fitting.fit(own, likelihood)
    consequents, rate, leak, error = own.values(found.theta)
    n, k, nll = int(subject.on_lattice.sum()), len(found.theta), -found.log_likelihood
    row = {
        "n": n,
        "off_lattice": int((~subject.on_lattice).sum()),
        "k": k,
        "nll": nll,
        "aic": 2 * nll + 2 * k,
        "bic": 2 * nll + k * log(n),
        "learning_rate": float(rate) if model != "none" else np.nan,
        "leak": float(leak) if model != "none" else np.nan,
        "error_shift": float(error) if model == "serial_error" else np.nan,
    }
    named = {"theta_{}_{}_{}".format(*at): float(v) for at, v in np.ndenumerate(consequents)}
    return {**row, **named}, consequents


def _odds(consequents: np.ndarray) -> np.ndarray:
    """Return log-odds within their bounds."""
    return logit(np.clip(consequents, expit(CONSEQUENT.low), expit(CONSEQUENT.high))).ravel()
