"""Tidy tables of the fits: what the workflow writes and the figures draw."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

import numpy as np
import pandas as pd

from fuzzybounds.canoe.task import OVERHEAD
from fuzzybounds.storage.errors import InputError
from fuzzybounds.storage.registry import TABLES
from fuzzybounds.weibull.fit import Fit
from fuzzybounds.weibull.models import CUED, UNCUED, Model
from fuzzybounds.weibull.recursion import HALF_LOG_2PI, course_of
from fuzzybounds.weibull.simulate import learner_after
from fuzzybounds.weibull.trials import Trials, trials_of, without_early_responses

MOMENTS = ("first_block", "last_block")
CURVE_TIMES = np.linspace(0.0, 15.0, 151)
"""Where the boundaries of Fig. 1 are drawn: decision times up to the deadline, in s."""
FIT_KEY = ("subject", "shape", "learning", "boundary_time", "stable")
"""What names a fit."""
USED_TIMES = (0.05, 0.95)
"""Quantiles of the response times between which a boundary was used."""


def model_fits(fits: Iterable[tuple[str, str, Fit]]) -> pd.DataFrame:
    """Return the table ``model_fits`` of (subject, boundary_time, fit): one row per fit.

    It has the registered columns, and one for every parameter that any of the models has.
    """
    rows = [_fit_row(*entry) for entry in fits]
    return pd.DataFrame(rows) if rows else TABLES["model_fits"].empty()


def _fit_row(subject: str, boundary_time: str, fit: Fit) -> dict:
    first, second, *_ = *fit.restart_nll, np.nan, np.nan
    return {
        "subject": subject,
        "shape": fit.model.shape,
        "learning": fit.model.learning,
        "boundary_time": boundary_time,
        "cued": fit.model.cued,
        "stable": fit.model.stable,
        "n": fit.n,
        "k": fit.k,
        "nll": fit.nll,
        "aic": fit.aic,
        "bic": fit.bic,
        "restarts": len(fit.restart_nll),
        "restarts_agree": fit.restarts_agree,
        "agreed": fit.agreed,
        "restart_spread": float(np.ptp(fit.restart_nll)),
        "restart_1": first,
        "restart_2": second,
        "on_bound": " ".join(fit.on_bound),
        "sigma_floor": fit.sigma_floor,
        "level_limit": fit.level_limit,
        "gain": fit.gain,
        "unstable": fit.unstable,
        **dict(zip(fit.model.names, fit.parameters.tolist(), strict=True)),
    }


def model_of(row: pd.Series) -> tuple[Model, np.ndarray]:
    """Return the model and the parameters of a row of :func:`model_fits`."""
    conditions = CUED if row["cued"] else UNCUED
    model = Model(row["shape"], row["learning"], conditions, bool(row["stable"]))
    return model, row[list(model.names)].to_numpy(float)


def boundaries(
    fits: pd.DataFrame,
    trials: pd.DataFrame,
    shape: str = "weibull",
    learning: str = "rl",
) -> pd.DataFrame:
    """Return the boundaries of a model after the first and the last block (Fig. 1).

    Under the total boundary time a boundary is read 4.05 s later, as after a correct response.
    Without cues the rows of both conditions are the same.  A condition in which the subject never
    responded has none.

    Returns the table ``boundaries``.
    """
    curves = []
    for fit, model, theta, table, prepared in _fitted(fits, trials, shape, learning):
        later = OVERHEAD if fit["boundary_time"] == "total" else 0.0
        for after, k in zip(MOMENTS, _ends(table), strict=True):
            learner = learner_after(model, theta, prepared, k + 1)
            for condition in _used(table):
                c = _code(model, condition)
                curve = {
                    "subject": fit["subject"],
                    "boundary_time": fit["boundary_time"],
                    "stable": fit["stable"],
                    "after": after,
                    "condition": condition,
                    "time": CURVE_TIMES,
                    "boundary": learner.boundary(c, CURVE_TIMES + later),
                }
                curves.append(pd.DataFrame(curve))
    return pd.concat(curves or [TABLES["boundaries"].empty()], ignore_index=True)


def first_block_changes(
    fits: pd.DataFrame, trials: pd.DataFrame, learning: str = "rl"
) -> pd.DataFrame:
    """Measure how much the boundary after the first block changes over the times used (C02).

    Returns the table ``boundary_changes``.
    """
    rows = []
    for fit, model, theta, table, prepared in _fitted(fits, trials, "weibull", learning):
        k = _ends(table)[0]
        learner = learner_after(model, theta, prepared, k + 1)
        for condition in _used(table):
            c = _code(model, condition)
            here = (table["condition"] == condition).to_numpy()
            earliest, latest = np.quantile(prepared.time[here & prepared.responded], USED_TIMES)
            curve = learner.boundary(c, np.linspace(earliest, latest, len(CURVE_TIMES)))
            sigma = learner.sigma(c)
            rows.append(
                {
                    "subject": fit["subject"],
                    "boundary_time": fit["boundary_time"],
                    "stable": fit["stable"],
                    "condition": condition,
                    "earliest": earliest,
                    "latest": latest,
                    "change": np.ptp(curve),
                    "net_change": curve[-1] - curve[0],
                    "sigma": sigma,
                    "varies": bool(np.ptp(curve) > sigma),
                }
            )
    return pd.DataFrame(rows, columns=TABLES["boundary_changes"].names)


def condition_nll(fits: pd.DataFrame, trials: pd.DataFrame, earliest: float = 0.0) -> pd.DataFrame:
    """Divide the NLL of fits among the conditions.

    Only responses from the decision time `earliest` on were fitted.  Returns the key of each fit,
    condition, n (responses) and nll.
    """
    tables = dict(tuple(trials.groupby("subject", sort=False)))
    rows = []

    @cache
    def prepared_of(subject: str, conditions: tuple[str, ...], time: str) -> tuple[Trials, dict]:
        table = tables[subject]
        prepared = without_early_responses(trials_of(table, conditions, time), table, earliest)
        own = {name: (table["condition"] == name).to_numpy() for name in CUED}
        return prepared, {name: prepared.responded & here for name, here in own.items()}

    for _, fit in fits.iterrows():
        model, theta = model_of(fit)
        prepared, responses = prepared_of(fit["subject"], model.conditions, fit["boundary_time"])
        course = course_of(model, theta, prepared)
        z = (prepared.size - course.boundary) / course.sigma
        each = 0.5 * z**2 + np.log(course.sigma) + HALF_LOG_2PI
        key = {name: fit[name] for name in FIT_KEY}
        for condition, here in responses.items():
            rows.append({**key, "condition": condition, "n": here.sum(), "nll": each[here].sum()})
    return pd.DataFrame(rows, columns=[*FIT_KEY, "condition", "n", "nll"])


def ten_models(fits: pd.DataFrame, stable: bool) -> pd.DataFrame:
    """Return the fits of the ten models, those of class rl stable ones or not."""
    return fits[fits["stable"] == (stable & (fits["learning"] == "rl"))]


def _fitted(
    fits: pd.DataFrame, trials: pd.DataFrame, shape: str, learning: str
) -> Iterator[tuple[pd.Series, Model, np.ndarray, pd.DataFrame, Trials]]:
    """Every fit of one model, with what it was fitted to."""
    tables = dict(tuple(trials.groupby("subject", sort=False)))
    chosen = fits[(fits["shape"] == shape) & (fits["learning"] == learning)]
    for _, fit in chosen.iterrows():
        if fit["subject"] not in tables:
            raise InputError("model fits", [f"subject {fit['subject']} has a fit but no trials"])
        model, theta = model_of(fit)
        table = tables[fit["subject"]]
        prepared = trials_of(table, model.conditions, fit["boundary_time"])
        yield fit, model, theta, table, prepared


def _used(table: pd.DataFrame) -> list[str]:
    """Return the conditions in which a subject responded: elsewhere a boundary is unknown."""
    responses = set(table.loc[table["responded"], "condition"])
    return [condition for condition in CUED if condition in responses]


def _ends(table: pd.DataFrame) -> tuple[int, int]:
    """Positions of the last trials of the first and of the last block."""
    block = table[["session", "block"]].to_numpy()
    first = (block == block[0]).all(axis=1)
    return int(np.flatnonzero(first)[-1]), len(table) - 1


def _code(model: Model, condition: str) -> int:
    return model.conditions.index(condition) if model.cued else 0
