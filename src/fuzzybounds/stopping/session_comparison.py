"""Boundaries and rules of whole sessions: which predicts what is left out, and the population.

Both kinds are compared by the density of a fifth of the session that is left out, given the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import t as student

from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.fitting import SCALES
from fuzzybounds.stopping.answers import BOUNDARY
from fuzzybounds.stopping.comparison import compared, elpd_by_subject
from fuzzybounds.stopping.data import CONTIGUOUS
from fuzzybounds.stopping.sessions import CHANGE

INDEPENDENT = {
    BOUNDARY: "both_exponential",
    f"{BOUNDARY}_directed": "both_exponential_directed",
    f"{BOUNDARY}_met": "met_exponential",
}
"""The same hazards, with shifts that are independent from trial to trial; rules have none."""


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
    every = pd.concat([part for part in fits if len(part)] or list(fits[:1]), ignore_index=True)
    if every.empty:
        return SessionTables(*(TABLES[name].empty() for name in names))
    plain = independent[
        (independent["scheme"] == CONTIGUOUS) & (independent["delay"] == "fitted")
    ].astype({"subject": str})
    tables = []
    for condition, condition_fits in every[every["shuffle"] == 0].groupby("condition", sort=False):
        elpd = elpd_by_subject(condition_fits[condition_fits["fold"] > 0], "kind").add_suffix(
            ", dependent trials"
        )
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
    for key, session_fits in fits[fits["fold"] == 0].groupby(keys, sort=False):
        n = len(session_fits)
        shared = {**dict(zip(keys, key, strict=True)), "subjects": n}
        scales = {parameter.name: SCALES[parameter.scale][0] for parameter in CHANGE}
        for quantity, natural in {**scales, "motor_delay": float}.items():
            theta = session_fits[quantity]
            variance = (session_fits[f"sd_{quantity}"] ** 2).mean() if quantity in scales else 0.0
            half = student.ppf(0.975, n - 1) * np.sqrt((theta.var(ddof=1) + variance) / n)
            ends = (float(natural(theta.mean() + by)) for by in (0.0, -half, half))
            named = dict(zip(("mean", "low", "high"), ends, strict=True))
            yield {**shared, "quantity": quantity, **named}
