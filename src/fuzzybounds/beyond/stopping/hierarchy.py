"""One hierarchical model of sessions: a boundary or rules, with priors estimated over subjects.

Every parameter of :mod:`~fuzzybounds.beyond.stopping.sessions` has a normal prior whose mean and
standard deviation are estimated over subjects by empirical Bayes.  With theta_j the mode of subject
j's posterior and V_j its variance by Laplace's approximation, each round sets

    mean <- mean of theta_j,    sd^2 <- mean of (theta_j - mean)^2 + V_j.

Both kinds are compared by the density of a fifth of the session that is left out, given the rest.
As a control of what follows an error, errors are permuted among trials that look alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.signal import lfilter
from scipy.stats import t as student

from fuzzybounds.beyond.learners.people.sequence import shuffle_outcomes
from fuzzybounds.beyond.recovery.stopping import called
from fuzzybounds.beyond.stopping.comparison import compared
from fuzzybounds.beyond.stopping.data import ALL, CONTIGUOUS, FEWEST, folds
from fuzzybounds.beyond.stopping.lattice import Bins, states
from fuzzybounds.beyond.stopping.predictions import simulate
from fuzzybounds.beyond.stopping.sessions import (
    BOUNDARY,
    CHANGE,
    RULES,
    Given,
    Session,
    SessionModel,
    first_fit,
    left_out,
    read_session,
    session_model,
)
from fuzzybounds.canoe.task import DEADLINE_STEPS
from fuzzybounds.core import fitting
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.fitting import SCALES, Fit, Start
from fuzzybounds.core.seeds import generator

KINDS = (BOUNDARY, RULES)
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
    def variance(self) -> np.ndarray:
        """Variances of the posterior by Laplace's approximation; at most those of the prior."""
        prior = np.array([own.sd**2 for own in self.model.parameters])
        return np.minimum(np.diag(np.linalg.inv(self.fit.curvature)), prior)


def fit_population(
    kind: str,
    sessions: Sequence[Session],
    used: Sequence[np.ndarray],
    before: Sequence[Member] = (),
    rounds: int = ROUNDS,
) -> list[Member]:
    """Fit one kind of model to all subjects, with a prior that is estimated over them.

    Parameters
    ----------
    kind : {"boundary", "rules"}
    sessions : sequence of Session
    used : sequence of arrays of bool
        Which trials of each session are used.
    before : sequence of Member, optional
        Fits to all trials, from which searches start.
    rounds : int
    """
    members = []
    for number, (session, own) in enumerate(zip(sessions, used, strict=True)):
        model = session_model(kind, session)
        delay, theta = first_fit(model, session, own)
        start = Start(before[number].fit.theta if before else theta)
        found = fitting.fit(model, Given(session, delay, own), [start])
        members.append(Member(session, own, model, found, delay))
    for number in range(rounds):
        theta = np.array([own.fit.theta for own in members])
        mean = theta.mean(axis=0)
        spread = (theta - mean) ** 2 + [own.variance for own in members]
        default = np.array([own.sd for own in session_model(kind, sessions[0]).parameters])
        sd = np.clip(np.sqrt(spread.mean(axis=0)), NARROWEST * default, WIDEST * default)
        members = [_next(own, mean, sd, refine=number == 0) for own in members]
    return members


def _next(member: Member, mean: np.ndarray, sd: np.ndarray, *, refine: bool) -> Member:
    """Fit a subject again under a new prior; with neighbouring delays too, if they are refined."""
    old = np.array([own.sd for own in member.model.parameters])
    curvature = member.fit.curvature + np.diag(sd**-2 - old**-2)
    values, vectors = np.linalg.eigh(curvature)
    curvature = (vectors * np.maximum(values, 0.1 * (sd**-2).min())) @ vectors.T
    own = member._replace(model=member.model.with_prior(mean, sd))
    start = [Start(member.fit.theta, curvature)]
    delays = list(member.session.likelihoods)
    place = delays.index(member.delay)
    tried = delays[max(place - 1, 0) : place + 2] if refine else [member.delay]
    found = {
        delay: fitting.fit(own.model, Given(own.session, delay, own.used), start) for delay in tried
    }
    best = max(found, key=lambda delay: found[delay].log_posterior)
    return own._replace(fit=found[best], delay=best)


def read_sessions(trials: pd.DataFrame, condition: str, delays: Sequence[float]) -> list[Session]:
    """Return the first session of every subject with enough responses."""
    sessions = []
    for _, own in trials.groupby("subject", sort=False):
        first = own[own["session"] == own["session"].min()]
        counted = first if condition == ALL else first[first["condition"] == condition]
        if counted["responded"].sum() >= FEWEST:
            sessions.append(read_session(first, None if condition == ALL else condition, delays))
    return sessions


def fit_hierarchy(
    trials: pd.DataFrame,
    *,
    kind: str,
    cued: bool,
    condition: str,
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
    condition : str
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
    name = condition if cued else ALL
    sessions = read_sessions(trials, name, delays)
    if len(sessions) < 2:
        return TABLES["session_models_boundary"].empty()
    rows = _rows_of_folds(kind, sessions, fold_number)
    whole = [row.pop("member") for row in rows if row["fold"] == 0]
    for number in range(1, shuffles + 1):
        shuffled = pd.concat(
            shuffle_outcomes(own, generator(seed, dataset, str(subject), "session", number))
            for subject, own in trials.groupby("subject", sort=False)
        )
        others = read_sessions(shuffled, name, delays)
        everything = [np.ones_like(own.known) for own in others]
        for own in fit_population(kind, others, everything, whole):
            rows.append(_row(own, 0, number))
    table = pd.DataFrame([{key: v for key, v in row.items() if key != "member"} for row in rows])
    table = table.assign(condition=name)
    first = TABLES["session_models_boundary"].names
    return table[[*first, *(column for column in table if column not in first)]]


def _rows_of_folds(
    kind: str, sessions: Sequence[Session], fold_number: int
) -> list[dict[str, Any]]:
    """Fit all trials, and all but each fold."""
    everything = [np.ones_like(own.known) for own in sessions]
    whole = fit_population(kind, sessions, everything)
    rows = [{**_row(own, 0, 0), "member": own} for own in whole]
    division = [folds(own.block, CONTIGUOUS, fold_number) for own in sessions]
    for fold in range(1, fold_number + 1):
        used = [own != fold for own in division]
        rows += [_row(own, fold, 0) for own in fit_population(kind, sessions, used, whole)]
    return rows


def _row(own: Member, fold: int, shuffle: int) -> dict[str, Any]:
    data = Given(own.session, own.delay, own.used)
    sd = np.sqrt(own.variance)
    names = [parameter.name for parameter in own.model.parameters]
    return {
        "subject": own.session.subject,
        "kind": own.model.kind,
        "fold": fold,
        "shuffle": shuffle,
        "motor_delay": own.delay,
        "n": int((own.used & own.session.known).sum()),
        "k": len(names) + 1,
        "log_likelihood": own.fit.log_likelihood,
        "log_density_left_out": left_out(own.model, own.fit.theta, data) if fold else np.nan,
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
    held = every[(every["fold"] > 0) & (every["shuffle"] == 0)]
    elpd = held.pivot_table("log_density_left_out", "subject", "kind", aggfunc="sum", sort=False)
    elpd = elpd.add_suffix(", dependent trials")
    plain = independent[
        (independent["scheme"] == CONTIGUOUS)
        & (independent["delay"] == "fitted")
        & (independent["condition"] == every["condition"].iloc[0])
    ]
    for kind, model in PLAIN.items():
        own = plain[plain["model"] == model].groupby("subject")["log_density_left_out"].sum()
        own.index = own.index.astype(str)
        if len(own):
            elpd[f"{kind}, independent trials"] = own.reindex(elpd.index)
    table = compared(elpd.dropna()).reset_index(names="model")
    table = table.assign(condition=every["condition"].iloc[0], subjects=len(elpd.dropna()))
    return SessionTables(
        table[TABLES[names[0]].names],
        pd.DataFrame(_population(every), columns=TABLES[names[1]].names),
    )


PLAIN = {BOUNDARY: "both_exponential", RULES: "graded_tuned_both_3"}
"""The same hazards, with shifts that are independent from trial to trial."""


def _population(fits: pd.DataFrame) -> list[dict[str, Any]]:
    """Return means over subjects, with intervals, of what shifts positions, and of the delay."""
    rows = []
    for (condition, kind, shuffle), own in fits[fits["fold"] == 0].groupby(
        ["condition", "kind", "shuffle"], sort=False
    ):
        n = len(own)
        shared = {"condition": condition, "kind": kind, "shuffle": shuffle, "subjects": n}
        quantile = student.ppf(0.975, n - 1)
        for parameter in CHANGE:
            theta, sd = own[parameter.name], own[f"sd_{parameter.name}"]
            spread = np.sqrt(theta.var(ddof=1) + (sd**2).mean())
            half = quantile * spread / np.sqrt(n)
            to = SCALES[parameter.scale][0]
            ends = [float(to(value)) for value in theta.mean() + half * np.array([0, -1, 1])]
            rows.append({**shared, "quantity": parameter.name, **_named(ends)})
        delay = own["motor_delay"]
        half = quantile * delay.std(ddof=1) / np.sqrt(n)
        ends = [float(value) for value in delay.mean() + half * np.array([0, -1, 1])]
        rows.append({**shared, "quantity": "motor_delay", **_named(ends)})
    return rows


def _named(ends: Sequence[float]) -> dict[str, float]:
    return dict(zip(("mean", "low", "high"), ends, strict=True))


def recover_hierarchy(
    trials: pd.DataFrame,
    fits: Sequence[pd.DataFrame],
    design: pd.DataFrame,
    *,
    cued: bool,
    condition: str,
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
    cued, condition, delays, fold_number
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
    name = condition if cued else ALL
    p0 = design[design["quantity"] == "p0"].set_index("condition")["value"]
    rows = []
    for own in fits:
        whole = own[(own["fold"] == 0) & (own["shuffle"] == 0)] if len(own) else own
        if len(whole) < 2:
            continue
        cohort, some = len(whole), whole.iloc[:: max(len(whole) // subjects, 1)][:subjects]
        truth = str(some["kind"].iloc[0])
        sessions = []
        for row in some.to_dict("records"):
            mine = trials[trials["subject"].astype(str) == row["subject"]]
            mine = mine[mine["session"] == mine["session"].min()]
            rng = generator(seed, dataset, row["subject"], "session recovery", truth)
            sessions.append(_simulated(mine, row, name, p0, delays, rng))
        found: dict[str, pd.DataFrame] = {}
        for kind in KINDS:
            parts = _rows_of_folds(kind, sessions, fold_number)
            found[kind] = pd.DataFrame([{**part, "member": None} for part in parts])
        leads = [
            found[kind].groupby("subject", sort=False)["log_density_left_out"].sum()
            for kind in KINDS
        ]
        lead = (leads[0] - leads[1]).to_numpy()
        rng = generator(seed, dataset, "", "session power", truth)
        fitted = found[truth][found[truth]["fold"] == 0].set_index("subject")
        shared = {"condition": name, "true_answer": truth, "simulated": len(lead), "cohort": cohort}
        ahead = {"boundary_ahead": float(cohort * lead.mean()), **called(lead, cohort, rng)}
        recovered = {
            f"{stage}_{parameter.name}": float(source[parameter.name].mean())
            for stage, source in (("true", some), ("fitted", fitted))
            for parameter in CHANGE
        }
        rows.append({**shared, **ahead, **recovered})
    table = TABLES["session_power"]
    return pd.DataFrame(rows).reindex(columns=table.names) if rows else table.empty()


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
    asked = None if condition == ALL else condition
    session = read_session(trials, asked)
    model = session_model(row["kind"], session)
    theta = np.array([row[own.name] for own in model.parameters])
    change = theta[-len(CHANGE) :]
    sigma, correlation = np.exp(change[0]), 1 / (1 + np.exp(-change[1]))
    noise = sigma * rng.normal(size=session.known.size)
    noise[1:] *= np.sqrt(1 - correlation**2)
    shift = lfilter([1.0], [1.0, -correlation], noise) + 100.0 * change[2:] @ session.covariates
    chosen = trials["condition"].eq(condition) if asked else trials["trial"].notna()
    chances = trials.loc[chosen, "condition"].map(p0).to_numpy(dtype=float)
    where = states(Bins(), DEADLINE_STEPS)
    delay, first = row["motor_delay"], theta[: -len(CHANGE)]
    made = simulate(model.plain(), first, where, chances, rng, delay, shift)
    result = trials[chosen].reset_index(drop=True).assign(**made)
    return replace(read_session(result, None, delays), covariates=session.covariates)
