"""One hierarchical model of sessions: a boundary or rules, with priors estimated over subjects.

Every parameter of :mod:`~fuzzybounds.stopping.sessions` has a normal prior whose mean and
standard deviation are estimated over subjects by empirical Bayes.  With theta_j the mode of subject
j's posterior and V_j its variance by Laplace's approximation, each round sets

    mean <- mean of theta_j,    sd^2 <- mean of (theta_j - mean)^2 + V_j.

Both kinds are compared by the density of a fifth of the session that is left out, given the rest.
As a control of what follows an error, errors are permuted among trials that look alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.signal import lfilter
from scipy.stats import t as student

from fuzzybounds.core import fitting
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.fitting import SCALES, Fit, Start
from fuzzybounds.core.seeds import generator
from fuzzybounds.stopping.answers import BOUNDARY, RULES
from fuzzybounds.stopping.comparison import compared, elpd_by_subject
from fuzzybounds.stopping.data import ALL, CONTIGUOUS, FEWEST, folds, of_condition
from fuzzybounds.stopping.lattice import Bins, states
from fuzzybounds.stopping.predictions import simulate
from fuzzybounds.stopping.recovery import called
from fuzzybounds.stopping.sessions import (
    CHANGE,
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

KINDS = (BOUNDARY, RULES)
ROUNDS = 4
"""Of empirical Bayes."""
NARROWEST, WIDEST = 0.1, 2.0
"""Standard deviations of estimated priors stay within these multiples of the default."""
INDEPENDENT = {BOUNDARY: "both_exponential", RULES: "graded_tuned_both_3"}
"""The same hazards, with shifts that are independent from trial to trial."""


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
    kind : {"boundary", "rules"}
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
        The table ``session_models_boundary`` or ``session_models_rules``: one row per subject and
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
        found = list(_fit_folds(kind, sessions, fold_number))
        whole = [own for own, fold in found if fold == 0]
        for number, shuffled in enumerate(permuted, start=1):
            others = read_sessions(shuffled, condition, delays)
            everything = [np.ones_like(own.known) for own in others]
            members = fit_population(kind, others, everything, whole)
            rows += [{"condition": condition, **_row(own, 0, number)} for own in members]
        rows += [{"condition": condition, **_row(own, fold, 0)} for own, fold in found]
    table = TABLES[f"session_models_{kind}"]
    if not rows:
        return table.empty()
    frame = pd.DataFrame(rows)
    return frame[[*table.names, *(column for column in frame if column not in table.names)]]


def _fit_folds(
    kind: str, sessions: Sequence[Session], fold_number: int
) -> Iterator[tuple[Member, int]]:
    """Yield fits to all trials (fold 0), then those to all but each fold."""
    whole = fit_population(kind, sessions, [np.ones_like(own.known) for own in sessions])
    yield from ((own, 0) for own in whole)
    division = [folds(own.block, CONTIGUOUS, fold_number) for own in sessions]
    for fold in range(1, fold_number + 1):
        used = [own != fold for own in division]
        yield from ((own, fold) for own in fit_population(kind, sessions, used, whole))


def _row(own: Member, fold: int, shuffle: int) -> dict[str, Any]:
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


class SessionTables(NamedTuple):
    """What :func:`compare_sessions` returns."""

    comparison: pd.DataFrame
    population: pd.DataFrame


def compare_sessions(fits: Sequence[pd.DataFrame], independent: pd.DataFrame) -> SessionTables:
    """Compare the kinds of session models, and describe the population.

    Parameters
    ----------
    fits : list of DataFrame
        The tables ``session_models_boundary`` and ``session_models_rules``.
    independent : DataFrame
        The table ``stopping_fits``: the same hazards with independent trials and the same folds.
    """
    names = ("session_comparison", "session_population")
    every = pd.concat([own for own in fits if len(own)] or list(fits[:1]), ignore_index=True)
    if every.empty:
        return SessionTables(*(TABLES[name].empty() for name in names))
    plain = independent[
        (independent["scheme"] == CONTIGUOUS) & (independent["delay"] == "fitted")
    ].astype({"subject": str})
    tables = []
    for condition, own in every[every["shuffle"] == 0].groupby("condition", sort=False):
        elpd = elpd_by_subject(own[own["fold"] > 0], "kind").add_suffix(", dependent trials")
        known = elpd_by_subject(plain[plain["condition"] == condition])
        for kind, model in INDEPENDENT.items():
            if model in known:
                elpd[f"{kind}, independent trials"] = known[model]
        elpd = elpd.dropna()
        table = compared(elpd).reset_index(names="model")
        tables.append(table.assign(condition=condition, subjects=len(elpd)))
    return SessionTables(
        pd.concat(tables, ignore_index=True)[TABLES[names[0]].names],
        pd.DataFrame(_population(every), columns=TABLES[names[1]].names),
    )


def _population(fits: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield means over subjects, with intervals, of what shifts positions, and of the delay."""
    keys = ["condition", "kind", "shuffle"]
    for key, own in fits[fits["fold"] == 0].groupby(keys, sort=False):
        n = len(own)
        shared = {**dict(zip(keys, key, strict=True)), "subjects": n}
        scales = {parameter.name: SCALES[parameter.scale][0] for parameter in CHANGE}
        for quantity, natural in {**scales, "motor_delay": float}.items():
            theta = own[quantity]
            variance = (own[f"sd_{quantity}"] ** 2).mean() if quantity in scales else 0.0
            half = student.ppf(0.975, n - 1) * np.sqrt((theta.var(ddof=1) + variance) / n)
            ends = (float(natural(theta.mean() + by)) for by in (0.0, -half, half))
            named = dict(zip(("mean", "low", "high"), ends, strict=True))
            yield {**shared, "quantity": quantity, **named}


def recover_hierarchy(
    trials: pd.DataFrame,
    fits: Sequence[pd.DataFrame],
    design: pd.DataFrame,
    *,
    delays: Sequence[float],
    fold_number: int,
    subjects: int,
    seed: int,
    dataset: str,
) -> pd.DataFrame:
    """Simulate sessions from the fits of either kind, fit both kinds, and say what is concluded.

    Parameters
    ----------
    trials, design : DataFrame
        Result tables.
    fits : list of DataFrame
        The tables ``session_models_boundary`` and ``session_models_rules``.
    delays, fold_number
        As in :func:`fit_hierarchy`.
    subjects : int
        How many subjects are simulated.
    seed, dataset
        Name the random numbers.

    Returns
    -------
    DataFrame
        The table ``session_power``.
    """
    p0 = design[design["quantity"] == "p0"].set_index("condition")["value"]
    rows = []
    for table in fits:
        whole = table[(table["fold"] == 0) & (table["shuffle"] == 0)]
        for (condition, truth), own in whole.groupby(["condition", "kind"], sort=False):
            some = own.iloc[:: max(len(own) // subjects, 1)][:subjects]
            sessions = []
            for row in some.to_dict("records"):
                mine = trials[trials["subject"].astype(str) == row["subject"]]
                mine = mine[mine["session"] == mine["session"].min()]
                names = (row["subject"], "session recovery", str(truth), str(condition))
                rng = generator(seed, dataset, *names)
                sessions.append(_simulated(mine, row, str(condition), p0, delays, rng))
            found = {
                kind: pd.DataFrame(
                    _row(*part, 0) for part in _fit_folds(kind, sessions, fold_number)
                )
                for kind in KINDS
            }
            leads = [elpd_by_subject(found[kind], "kind")[kind] for kind in KINDS]
            rng = generator(seed, dataset, "", "session power", str(truth), str(condition))
            fitted = found[str(truth)][found[str(truth)]["fold"] == 0]
            recovered = {
                f"{stage}_{parameter.name}": float(source[parameter.name].mean())
                for stage, source in (("true", some), ("fitted", fitted))
                for parameter in CHANGE
            }
            lead = (leads[0] - leads[1]).to_numpy()
            shared = {"condition": condition, "true_answer": truth}
            rows.append({**shared, **called(lead, len(own), rng), **recovered})
    power = TABLES["session_power"]
    return pd.DataFrame(rows)[power.names] if rows else power.empty()


def _simulated(
    trials: pd.DataFrame,
    row: Mapping[str, Any],
    condition: str,
    p0: pd.Series,
    delays: Sequence[float],
    rng: np.random.Generator,
) -> Session:
    """Simulate a subject's trials of a condition; which trials follow an error stays as logged."""
    trials = trials.sort_values("trial").reset_index(drop=True)
    session = read_session(trials, condition)
    model = session_model(row["kind"], session)
    theta = np.array([row[own.name] for own in model.parameters])
    change = theta[-len(CHANGE) :]
    sigma, correlation = np.exp(change[0]), 1 / (1 + np.exp(-change[1]))
    noise = sigma * rng.normal(size=session.known.size)
    noise[1:] *= np.sqrt(1 - correlation**2)
    shift = lfilter([1.0], [1.0, -correlation], noise) + 100.0 * change[2:] @ session.covariates
    chosen = of_condition(trials, condition)
    chances = chosen["condition"].map(p0).to_numpy(dtype=float)
    delay, first = row["motor_delay"], theta[: -len(CHANGE)]
    made = simulate(model.plain(), first, states(Bins()), chances, rng, delay, shift)
    result = chosen.reset_index(drop=True).assign(**made)
    return replace(read_session(result, ALL, delays), covariates=session.covariates)
