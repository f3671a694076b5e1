"""The learning models fitted to the trials of people, by maximum likelihood."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from scipy.special import expit, logit

from fuzzybounds.beyond.learners.people.likelihood import FROM_OUTCOMES, MODELS, Likelihood, Model
from fuzzybounds.beyond.learners.people.sequence import Sequence, sequence, shuffle_outcomes
from fuzzybounds.beyond.learners.reach import staircases
from fuzzybounds.core import fitting
from fuzzybounds.core.fitting import Parameter
from fuzzybounds.core.seeds import generator
from fuzzybounds.core.statistics import InformationCriteria
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
        subject = sequence(own, cued=cued)
        none = fit_subject(subject, "none", *how)
        rows.append(none.row(name, 0))
        for model in MODELS[1:]:
            rows.append(fit_subject(subject, model, *how, start=none).row(name, 0))
        for number in range(1, shuffles + 1):
            rng = generator(seed, dataset, str(name), "shuffled outcomes", number)
            shuffled = sequence(shuffle_outcomes(own, rng), cued=cued)
            for model in FROM_OUTCOMES:
                rows.append(fit_subject(shuffled, model, *how, start=none).row(name, number))
    return pd.DataFrame(rows)


@dataclass(frozen=True)
class HumanFit(InformationCriteria):
    """A model fitted to one subject.

    Attributes
    ----------
    model : str
    n, k : int
        Number of trials with a likelihood, and of parameters.
    nll : float
        Negative log-likelihood at its minimum.
    learning_rate, leak, error_shift : float
        alpha (positive where it lowers the weights of a good trial, as printed) and gamma, from
        one decision to the next (serial: from one trial to the next), and the change of log-odds
        after an error; NaN without them.
    off_lattice : int
        Number of trials without a likelihood, because their path cannot be reconstructed.
    consequents : array, shape (cues, n_time, n_position)
        At the first trial.
    """

    model: str
    n: int
    k: int
    nll: float
    learning_rate: float
    leak: float
    error_shift: float
    off_lattice: int
    consequents: np.ndarray

    def row(self, subject: object, shuffle: int) -> dict[str, object]:
        """Return the row of the table ``learning_people``; shuffle 0 has the logged outcomes."""
        names = ("n", "off_lattice", "k", "nll", "aic", "bic", "learning_rate", "leak")
        row = {"subject": subject, "model": self.model, "shuffle": shuffle}
        row |= {name: getattr(self, name) for name in (*names, "error_shift")}
        for at, value in np.ndenumerate(self.consequents):
            row["theta_{}_{}_{}".format(*at)] = float(value)
        return row


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
        logs, scores, _ = data(self.name, *self.values(theta), slopes=True)
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
    *,
    start: HumanFit | None = None,
) -> HumanFit:
    """Fit a model to a subject; learning models start from the fit without learning."""
    likelihood = Likelihood(subject, memberships, frames)
    own = LearningModel(model, likelihood.shape)
    if model == "none":
        # The same for all rules, and stop when far or late.
        far_or_late = np.maximum(staircases(*likelihood.shape[1:])[1].consequents, 0.003)
        for table in (np.array(0.05), far_or_late):
            own.starts.append(_odds(np.broadcast_to(table, likelihood.shape)))
    else:
        start = start or fit_subject(subject, "none", memberships, frames)
        worth = {pair: likelihood(model, start.consequents, *pair)[0].sum() for pair in GRID}
        no_shift = [0.0] if model == "serial_error" else []
        for rate, leak in sorted(GRID, key=lambda pair: -worth[pair])[:STARTS]:
            learning = [np.arcsinh(rate / RATE_UNIT), leak, *no_shift]
            own.starts.append(np.append(_odds(start.consequents), learning))
    found = fitting.fit(own, likelihood)
    consequents, rate, leak, error = own.values(found.theta)
    learns, shifts = model != "none", model == "serial_error"
    return HumanFit(
        model,
        int(subject.on_lattice.sum()),
        len(found.theta),
        -found.log_likelihood,
        float(rate) if learns else np.nan,
        float(leak) if learns else np.nan,
        float(error) if shifts else np.nan,
        int((~subject.on_lattice).sum()),
        consequents,
    )


def _odds(consequents: np.ndarray) -> np.ndarray:
    """Return log-odds within their bounds."""
    return logit(np.clip(consequents, expit(CONSEQUENT.low), expit(CONSEQUENT.high))).ravel()
