"""One hierarchical model of sessions: a boundary or rules, with priors estimated over subjects.

Every parameter of :mod:`~fuzzybounds.stopping.sessions` has a normal prior whose mean and
standard deviation are estimated over subjects by empirical Bayes.  With theta_j the mode of subject
j's posterior and V_j its variance by Laplace's approximation, each round sets

    mean <- mean of theta_j,    sd^2 <- mean of (theta_j - mean)^2 + V_j.

As a control of what follows an error, errors are permuted among trials that look alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.core import fitting
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.fitting import Fit, Start
from fuzzybounds.core.seeds import generator
from fuzzybounds.stopping.data import ALL, CONTIGUOUS, FEWEST, folds, of_condition
from fuzzybounds.stopping.sessions import (
    Given,
    Session,
    SessionModel,
    first_fit,
    fit_near,
    left_out,
    read_session,
    session_model,
)
from fuzzybounds.stopping.shuffled_errors import shuffle_outcomes

ROUNDS = 4
"""Of empirical Bayes."""
NARROWEST, WIDEST = 0.1, 2.0
"""Standard deviations of estimated priors stay within these multiples of the default."""


class Member(NamedTuple):
    """One subject's fit under the prior of the population."""

    session: Session
    used: np.ndarray
    model: SessionModel
    fit: Fit
    delay: float

    @property
    def given(self) -> Given:
        """What the model was fitted to."""
        return Given(self.session, self.delay, self.used)

    @property
    def variance(self) -> np.ndarray:
        """Variances of the posterior by Laplace's approximation; at most those of the prior."""
        prior = np.array([own.sd**2 for own in self.model.parameters])
        return np.minimum(np.diag(np.linalg.inv(self.fit.curvature)), prior)

    def curvature(self, sd: np.ndarray) -> np.ndarray:
        """Return the curvature of the fit under a prior with other standard deviations."""
        old = np.array([own.sd for own in self.model.parameters])
        values, vectors = np.linalg.eigh(self.fit.curvature + np.diag(sd**-2 - old**-2))
        return (vectors * np.maximum(values, 0.1 * (sd**-2).min())) @ vectors.T


def fit_population(
    kind: str,
    sessions: Sequence[Session],
    used: Sequence[np.ndarray],
    before: Sequence[Member] = (),
) -> list[Member]:
    """Fit one kind of model to the used trials of all subjects, with a prior estimated over them.

    Searches start from the fits to all trials, if they are given.
    """
    members = []
    default = np.array([own.sd for own in session_model(kind, sessions[0]).parameters])
    for number, (session, own) in enumerate(zip(sessions, used, strict=True)):
        model = session_model(kind, session)
        delay, starts = first_fit(model, session, own)
        if before:
            starts = [Start(before[number].fit.theta, before[number].curvature(default))]
        found = fitting.fit(model, Given(session, delay, own), starts)
        members.append(Member(session, own, model, found, delay))
    for number in range(ROUNDS):
        theta = np.array([own.fit.theta for own in members])
        mean = theta.mean(axis=0)
        spread = (theta - mean) ** 2 + [own.variance for own in members]
        sd = np.clip(np.sqrt(spread.mean(axis=0)), NARROWEST * default, WIDEST * default)
        for place, member in enumerate(members):
            model = member.model.with_prior(mean, sd)
            start = [Start(member.fit.theta, member.curvature(sd))]
            # The first round tries neighbouring delays as well.
            delay, found = fit_near(model, member.given, start, reach=int(number == 0))
            members[place] = member._replace(model=model, fit=found, delay=delay)
    return members


def read_sessions(trials: pd.DataFrame, condition: str, delays: Sequence[float]) -> list[Session]:
    """Return the first session of every subject with enough responses."""
    sessions = []
    for _, own in trials.groupby("subject", sort=False):
        first = own[own["session"] == own["session"].min()]
        if of_condition(first, condition)["responded"].sum() >= FEWEST:
            sessions.append(read_session(first, condition, delays))
    return sessions


def fit_hierarchy(
    trials: pd.DataFrame,
    *,
    kind: str,
    cued: bool,
    conditions: Sequence[str],
    delays: Sequence[float],
    fold_number: int,
    shuffles: int,
    seed: int,
    dataset: str,
) -> pd.DataFrame:
    """Fit one kind of session model to all subjects: to all trials, and to all but each fold.

    Parameters
    ----------
    trials : DataFrame
        The table ``trials``.
    kind : str
        One of :data:`~fuzzybounds.stopping.sessions.KINDS`.
    cued : bool
        Without cues, one hazard serves all trials.
    conditions : sequence of str
        Whose trials are fitted, if there are cues.
    delays : sequence of float
        Motor delays in s to choose from.
    fold_number : int
        Parts of the session that are left out in turn.
    shuffles : int
        How often errors are permuted within strata.
    seed, dataset
        Name the random numbers.

    Returns
    -------
    DataFrame
        The table ``session_models_KIND``: one row per subject and
        fold, and per permutation of errors.
    """
    permuted = [
        pd.concat(
            shuffle_outcomes(own, generator(seed, dataset, str(subject), "session", number))
            for subject, own in trials.groupby("subject", sort=False)
        )
        for number in range(1, shuffles + 1)
    ]
    rows = []
    for condition in conditions if cued else [ALL]:
        sessions = read_sessions(trials, condition, delays)
        if len(sessions) < 2:
            continue
        found = list(fit_folds(kind, sessions, fold_number))
        whole = [own for own, fold in found if fold == 0]
        for number, shuffled in enumerate(permuted, start=1):
            others = read_sessions(shuffled, condition, delays)
            everything = [np.ones_like(own.known) for own in others]
            members = fit_population(kind, others, everything, whole)
            rows += [{"condition": condition, **row_of(own, 0, number)} for own in members]
        rows += [{"condition": condition, **row_of(own, fold, 0)} for own, fold in found]
    table = TABLES[f"session_models_{kind}"]
    if not rows:
        return table.empty()
    frame = pd.DataFrame(rows)
    return frame[[*table.names, *(column for column in frame if column not in table.names)]]


def fit_folds(
    kind: str, sessions: Sequence[Session], fold_number: int
) -> Iterator[tuple[Member, int]]:
    """Yield fits to all trials (fold 0), then those to all but each fold."""
    whole = fit_population(kind, sessions, [np.ones_like(own.known) for own in sessions])
    yield from ((own, 0) for own in whole)
    division = [folds(own.block, CONTIGUOUS, fold_number) for own in sessions]
    for fold in range(1, fold_number + 1):
        used = [own != fold for own in division]
        yield from ((own, fold) for own in fit_population(kind, sessions, used, whole))


def row_of(own: Member, fold: int, shuffle: int) -> dict[str, Any]:
    """Return the row of a fit in the table of session models."""
    names = [parameter.name for parameter in own.model.parameters]
    sd = np.sqrt(own.variance)
    return {
        "subject": own.session.subject,
        "kind": own.model.kind,
        "fold": fold,
        "shuffle": shuffle,
        "motor_delay": own.delay,
        "n": int((own.used & own.session.known).sum()),
        "log_density_left_out": left_out(own.model, own.fit.theta, own.given) if fold else np.nan,
        "converged": own.fit.converged,
        **dict(zip(names, own.fit.theta, strict=True)),
        **{f"sd_{name}": value for name, value in zip(names, sd, strict=True)},
    }
