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
        prior = np.array([parameter.sd**2 for parameter in self.model.parameters])
        return np.minimum(np.diag(np.linalg.inv(self.fit.curvature)), prior)

    def curvature(self, sd: np.ndarray) -> np.ndarray:
        """Return the curvature of the fit under a prior with other standard deviations."""
        old = np.array([parameter.sd for parameter in self.model.parameters])
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
    default = np.array([parameter.sd for parameter in session_model(kind, sessions[0]).parameters])
    for number, (session, chosen) in enumerate(zip(sessions, used, strict=True)):
        model = session_model(kind, session)
        delay, starts = first_fit(model, session, chosen)
        if before:
            starts = [Start(before[number].fit.theta, before[number].curvature(default))]
        best = fitting.fit(model, Given(session, delay, chosen), starts)
        members.append(Member(session, chosen, model, best, delay))
    for number in range(ROUNDS):
        theta = np.array([one.fit.theta for one in members])
        mean = theta.mean(axis=0)
        spread = (theta - mean) ** 2 + [one.variance for one in members]
        sd = np.clip(np.sqrt(spread.mean(axis=0)), NARROWEST * default, WIDEST * default)
        for place, member in enumerate(members):
            model = member.model.with_prior(mean, sd)
            start = [Start(member.fit.theta, member.curvature(sd))]
            # The first round tries neighbouring delays as well.
            delay, best = fit_near(model, member.given, start, reach=int(number == 0))
            members[place] = member._replace(model=model, fit=best, delay=delay)
    return members


def read_sessions(
    trials: pd.DataFrame,
    condition: str,
    delays: Sequence[float],
    paths: pd.DataFrame | None = None,
) -> list[Session]:
    """Return the first session of every subject with enough responses."""
    sessions = []
    for _, subject_trials in trials.groupby("subject", sort=False):
        first = subject_trials[subject_trials["session"] == subject_trials["session"].min()]
        if of_condition(first, condition)["responded"].sum() >= FEWEST:
            sessions.append(read_session(first, condition, delays, paths))
    return sessions


def fit_hierarchy(
    trials: pd.DataFrame,
    paths: pd.DataFrame | None = None,
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
    paths : DataFrame, optional
        Recorded paths; where there are none, the likelihood is summed over all paths.
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
            shuffle_outcomes(
                subject_trials, generator(seed, dataset, str(subject), "session", number)
            )
            for subject, subject_trials in trials.groupby("subject", sort=False)
        )
        for number in range(1, shuffles + 1)
    ]
    rows = []
    for condition in conditions if cued else [ALL]:
        sessions = read_sessions(trials, condition, delays, paths)
        if len(sessions) < 2:
            continue
        fitted = list(fit_folds(kind, sessions, fold_number))
        whole = [member for member, fold in fitted if fold == 0]
        for number, shuffled in enumerate(permuted, start=1):
            others = read_sessions(shuffled, condition, delays, paths)
            everything = [np.ones_like(session.known) for session in others]
            members = fit_population(kind, others, everything, whole)
            rows += [{"condition": condition, **row_of(member, 0, number)} for member in members]
        rows += [{"condition": condition, **row_of(member, fold, 0)} for member, fold in fitted]
    table = TABLES[f"session_models_{kind}"]
    if not rows:
        return table.empty()
    frame = pd.DataFrame(rows)
    return frame[[*table.names, *(column for column in frame if column not in table.names)]]


def fit_folds(
    kind: str, sessions: Sequence[Session], fold_number: int
) -> Iterator[tuple[Member, int]]:
    """Yield fits to all trials (fold 0), then those to all but each fold."""
    whole = fit_population(kind, sessions, [np.ones_like(session.known) for session in sessions])
    yield from ((member, 0) for member in whole)
    division = [folds(session.block, CONTIGUOUS, fold_number) for session in sessions]
    for fold in range(1, fold_number + 1):
        used = [fold_numbers != fold for fold_numbers in division]
        yield from ((member, fold) for member in fit_population(kind, sessions, used, whole))


def row_of(member: Member, fold: int, shuffle: int) -> dict[str, Any]:
    """Return the row of a fit in the table of session models."""
    names = [parameter.name for parameter in member.model.parameters]
    sd = np.sqrt(member.variance)
    return {
        "subject": member.session.subject,
        "kind": member.model.kind,
        "fold": fold,
        "shuffle": shuffle,
        "motor_delay": member.delay,
        "n": int((member.used & member.session.known).sum()),
        "log_density_left_out": left_out(member.model, member.fit.theta, member.given)
        if fold
        else np.nan,
        "converged": member.fit.converged,
        **dict(zip(names, member.fit.theta, strict=True)),
        **{f"sd_{name}": value for name, value in zip(names, sd, strict=True)},
    }
