"""Parameters of people for the simulated cohort: a boundary that shifts from trial to trial.

The boundary of :mod:`~fuzzybounds.stopping.sessions` that is met, with a motor delay but without a
shift after errors, is fitted to every one-session subject and condition.  The parameters of
Experiment A's subjects are those of the simulated cohort (``cohort/people.csv``), and fits to the
cohort are compared with them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.cohort.boundary_subjects import BOUNDARIES, PARAMETERS, Boundary
from fuzzybounds.core import fitting
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.seeds import generator
from fuzzybounds.stopping.answers import BOUNDARY
from fuzzybounds.stopping.data import FEWEST
from fuzzybounds.stopping.sessions import (
    Given,
    first_fit,
    fit_near,
    read_session,
    session_model,
)

DIGITS = 3
"""Significant digits that are kept: fewer than searches on different machines agree to."""
MOMENTS = (1.0, 3.0, 6.0)
"""Times in s at which true and fitted boundaries are compared."""


class SessionTables(NamedTuple):
    """What :func:`describe_sessions` returns."""

    fits: pd.DataFrame
    people: pd.DataFrame


def describe_sessions(trials: pd.DataFrame, *, delays: Sequence[float]) -> SessionTables:
    """Fit every one-session subject of a data set with cues in both conditions.

    Returns the fits, and the parameters without names.
    """
    rows = []
    for subject, subject_trials in trials.groupby("subject", sort=False):
        if subject_trials["session"].min() < subject_trials["session"].max():
            continue
        for condition, part in subject_trials.groupby("condition", sort=False):
            if part["responded"].sum() >= FEWEST:
                fit = fit_session(subject_trials, str(condition), delays)
                rows.append({"subject": subject, "condition": condition, **fit})
    fits = pd.DataFrame(rows, columns=TABLES["session_fits"].names)
    # People are numbered in a random order.
    order = generator(0, "people").permutation(list(dict.fromkeys(fits["subject"])))
    number = {name: place for place, name in enumerate(order, start=1)}
    people = fits.assign(person=fits["subject"].map(number).astype(int))
    people = people[["person", "condition", *PARAMETERS]]
    return SessionTables(fits, people.sort_values(["person", "condition"], ignore_index=True))


def fit_session(trials: pd.DataFrame, condition: str, delays: Sequence[float]) -> dict[str, Any]:
    """Fit one subject in one condition: n, the parameters, and how the search went.

    `gain_by_dependence` is by how many nats the log-likelihood is larger than that of the fit with
    independent shifts and no drift.  The motor delay is the best of `delays` (s) for independent
    trials, or one of its two neighbours.
    """
    session = read_session(trials, condition, delays)
    used = np.ones_like(session.known)
    model = session_model(f"{BOUNDARY}_met", session).fixed(
        after_easy_error=0.0, after_hard_error=0.0
    )
    independent, starts = first_fit(model, session, used)
    delay, dependent = fit_near(model, Given(session, independent, used), starts)
    alone = model.fixed(correlation=-20.0, drift=0.0)
    plain = fitting.fit(alone, Given(session, delay, used), starts)
    values = {**fitting.natural(model.parameters, dependent.theta), "motor_delay": delay}
    return {
        "n": session.known.size,
        **{name: float(f"{values[name]:.{DIGITS}g}") for name in PARAMETERS},
        "gain_by_dependence": dependent.log_likelihood - plain.log_likelihood,
        "converged": dependent.converged,
    }


def compare_with_truth(fits: pd.DataFrame, truth: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Compare fits to simulated subjects with what was simulated.

    Parameters
    ----------
    fits : DataFrame
        The table ``session_fits``.
    truth : sequence of mappings
        Content of ``truth.json``; only subjects who follow boundaries are compared.

    Returns
    -------
    DataFrame
        The table ``session_recovery``: one row per condition and quantity.
    """
    true = {
        subject["subject"]: subject["policies"]
        for subject in truth
        if subject["follows"] == BOUNDARIES
    }
    rows = []
    for condition, chosen in fits[fits["subject"].isin(true)].groupby("condition", sort=False):
        pairs = [
            (
                Boundary(**true[row["subject"]][condition]),
                Boundary(**{p: row[p] for p in PARAMETERS}),
            )
            for row in chosen.to_dict("records")
        ]
        for quantity in (*PARAMETERS, *(f"boundary at {t:g} s" for t in MOMENTS)):
            known, fitted = (
                np.array([_value(boundary, quantity) for boundary in side])
                for side in zip(*pairs, strict=True)
            )
            error = fitted - known
            rows.append(
                {
                    "condition": condition,
                    "quantity": quantity,
                    "n": len(pairs),
                    "true_mean": known.mean(),
                    "fitted_mean": fitted.mean(),
                    "median_error": float(np.median(error)),
                    "median_absolute_error": float(np.median(np.abs(error))),
                    "rank_correlation": _ranks(known, fitted),
                }
            )
    columns = TABLES["session_recovery"].names
    return pd.DataFrame(rows, columns=columns)


def _value(boundary: Boundary, quantity: str) -> float:
    if quantity in PARAMETERS:
        return float(getattr(boundary, quantity))
    return float(boundary.curve(np.array([float(quantity.split()[2])]))[0])


def _ranks(known: np.ndarray, fitted: np.ndarray) -> float:
    """Return Spearman's correlation, or NaN where it has no meaning."""
    if known.size < 3 or np.ptp(known) == 0 or np.ptp(fitted) == 0:
        return float("nan")
    return float(pd.Series(known).corr(pd.Series(fitted), method="spearman"))
