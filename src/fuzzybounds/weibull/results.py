"""Tidy tables of the fits: what the workflow writes and the figures draw."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

import numpy as np
import pandas as pd

from fuzzybounds.analysis.model_selection import select
from fuzzybounds.canoe.task import OVERHEAD
from fuzzybounds.storage.errors import InputError
from fuzzybounds.weibull.fit import Fit
from fuzzybounds.weibull.likelihood import course_of
from fuzzybounds.weibull.models import CUED, LEARNING_CLASSES, SHAPES, UNCUED, Model
from fuzzybounds.weibull.simulate import boundary_at, levels_after
from fuzzybounds.weibull.trials import Trials, trials_of

MOMENTS = ("first_block", "last_block")
CURVE_TIMES = np.linspace(0.0, 15.0, 151)
"""Where the boundaries of Fig. 1 are drawn: decision times up to the deadline, in s."""
USED_TIMES = (0.05, 0.95)
"""Quantiles of the response times between which a boundary was used."""


FIT_COLUMNS = (
    *("subject", "shape", "learning", "boundary_time", "cued", "stable", "n", "k", "nll", "aic"),
    *("bic", "restarts", "restarts_agree", "restart_spread", "on_bound", "sigma_floor"),
    *("level_limit", "gain", "unstable"),
)
"""Columns that every table of fits has, besides those of the parameters."""


def model_fits(fits: Iterable[tuple[str, str, Fit]]) -> pd.DataFrame:
    """Return the table of fits, one row a fit.

    Parameters
    ----------
    fits : iterable of (subject, boundary_time, Fit)

    Returns
    -------
    pandas.DataFrame
        subject, shape, learning, boundary_time, cued, stable, n, k, nll, aic, bic; restarts,
        restarts_agree and restart_spread (worst minus best NLL of the restarts on their own);
        on_bound (names of parameters on a bound), sigma_floor, level_limit, gain, unstable; and a
        column for every parameter that any of the models has.
    """
    rows = [_fit_row(*entry) for entry in fits]
    return pd.DataFrame(rows) if rows else pd.DataFrame(columns=list(FIT_COLUMNS))


def _fit_row(subject: str, boundary_time: str, fit: Fit) -> dict:
    return {
        "subject": subject,
        "shape": fit.model.shape,
        "learning": fit.model.learning,
        "boundary_time": boundary_time,
        "cued": fit.model.conditions == CUED,
        "stable": fit.model.stable,
        "n": fit.n,
        "k": fit.k,
        "nll": fit.nll,
        "aic": fit.aic,
        "bic": fit.bic,
        "restarts": len(fit.restart_nll),
        "restarts_agree": fit.restarts_agree,
        "restart_spread": float(np.ptp(fit.restart_nll)),
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
    times: np.ndarray = CURVE_TIMES,
) -> pd.DataFrame:
    """Return the boundaries after the first and the last block (Fig. 1).

    Parameters
    ----------
    fits : pandas.DataFrame
        Of :func:`model_fits`.
    trials : pandas.DataFrame
        The trials of the same subjects.
    shape, learning : str
        The model to draw.
    times : numpy.ndarray
        Decision times in s.  Under the total boundary time the boundary is read 4.05 s later, as
        after a correct response.

    Returns
    -------
    pandas.DataFrame
        subject, boundary_time, stable, after (first_block, last_block), condition, time, boundary.
        Without cues the rows of both conditions are the same.  A condition in which the subject
        never responded has none.
    """
    curves = []
    for fit, model, theta, table, prepared in _fitted(fits, trials, shape, learning):
        later = OVERHEAD if fit["boundary_time"] == "total" else 0.0
        levels = levels_after(model, theta, prepared)
        for after, k in zip(MOMENTS, _ends(table), strict=True):
            for condition in _used(table):
                c = _code(model, condition)
                curve = {
                    "subject": fit["subject"],
                    "boundary_time": fit["boundary_time"],
                    "stable": fit["stable"],
                    "after": after,
                    "condition": condition,
                    "time": times,
                    "boundary": boundary_at(model, theta, c, levels[k, c], times + later),
                }
                curves.append(pd.DataFrame(curve))
    columns = ["subject", "boundary_time", "stable", "after", "condition", "time", "boundary"]
    return pd.concat(curves or [pd.DataFrame(columns=columns)], ignore_index=True)


def first_block_changes(
    fits: pd.DataFrame, trials: pd.DataFrame, learning: str = "rl"
) -> pd.DataFrame:
    """Say by how much the boundary after the first block changes over the times used (C02).

    Returns
    -------
    pandas.DataFrame
        subject, boundary_time, stable, condition; earliest and latest, the 5 % and 95 % quantiles
        of the subject's response times on the boundary's time axis; change, largest minus smallest
        b(t) between them in px; net_change, b(latest) - b(earliest); sigma, the noise after the
        first block; varies, whether change > sigma.
    """
    rows = []
    for fit, model, theta, table, prepared in _fitted(fits, trials, "weibull", learning):
        k = _ends(table)[0]
        levels, course = levels_after(model, theta, prepared), course_of(model, theta, prepared)
        for condition in _used(table):
            c = _code(model, condition)
            here = (table["condition"] == condition).to_numpy()
            earliest, latest = np.quantile(prepared.time[here & prepared.responded], USED_TIMES)
            curve = boundary_at(
                model, theta, c, levels[k, c], np.linspace(earliest, latest, len(CURVE_TIMES))
            )
            # The next trial of the condition has the noise that the first block left behind.
            coming = np.flatnonzero((prepared.condition == c) & (np.arange(len(here)) > k))
            sigma = course.sigma[coming[0] if coming.size else -1]
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
    columns = ["subject", "boundary_time", "stable", "condition", "earliest", "latest"]
    return pd.DataFrame(rows, columns=[*columns, "change", "net_change", "sigma", "varies"])


def levels(
    fits: pd.DataFrame, trials: pd.DataFrame, shape: str = "weibull", learning: str = "rl"
) -> pd.DataFrame:
    """Return the level (ψ) of every condition's boundary after every trial.

    Returns
    -------
    pandas.DataFrame
        subject, boundary_time, stable, trial, condition, level.
    """
    courses = []
    for fit, model, theta, table, prepared in _fitted(fits, trials, shape, learning):
        after = levels_after(model, theta, prepared)
        for condition in CUED:
            course = {
                "subject": fit["subject"],
                "boundary_time": fit["boundary_time"],
                "stable": fit["stable"],
                "trial": table["trial"].to_numpy(),
                "condition": condition,
                "level": after[:, _code(model, condition)],
            }
            courses.append(pd.DataFrame(course))
    return pd.concat(courses, ignore_index=True)


def ten_models(fits: pd.DataFrame, stable: bool) -> pd.DataFrame:
    """Return the fits of the ten models, those of class rl stable ones or not."""
    return fits[fits["stable"] == (stable & (fits["learning"] == "rl"))]


SELECTION_COLUMNS = (
    *("boundary_time", "stable", "shape", "learning", "criterion", "frequency", "exceedance"),
    *("protected_exceedance", "omnibus_risk", "n_best", "n_unstable", "nll", "aic", "bic"),
)


def model_selection(fits: pd.DataFrame, criterion: str = "bic") -> pd.DataFrame:
    """Compare the models across subjects, for each boundary time.

    Where there are stable fits of class rl the comparison is made with them, too.

    Parameters
    ----------
    fits : pandas.DataFrame
        Of :func:`model_fits`: one row for each subject, model and boundary time.
    criterion : {"aic", "bic"}
        -criterion/2 stands for a subject's log evidence.

    Returns
    -------
    pandas.DataFrame
        boundary_time, stable (whether class rl was kept to stable parameters), shape, learning,
        criterion, frequency, exceedance, protected_exceedance, omnibus_risk (of the whole
        comparison), n_best (subjects for whom the model has the lowest criterion), n_unstable, and
        nll, aic, bic summed over subjects.
    """
    tables = []
    for stable, boundary_time, own in _comparisons(fits):
        scores = _scores(own, criterion)
        result = select(-scores.to_numpy() / 2)
        table = scores.columns.to_frame(index=False)
        table.insert(0, "boundary_time", boundary_time)
        table.insert(1, "stable", stable)
        table["criterion"] = criterion
        table["frequency"] = result.frequency
        table["exceedance"] = result.exceedance
        table["protected_exceedance"] = result.protected_exceedance
        table["omnibus_risk"] = result.omnibus_risk
        best = scores.to_numpy().argmin(axis=1)
        table["n_best"] = np.bincount(best, minlength=len(table))
        sums = own.groupby(["shape", "learning"])[["unstable", "nll", "aic", "bic"]].sum()
        sums = sums.rename(columns={"unstable": "n_unstable"})
        tables.append(table.join(sums, on=["shape", "learning"]))
    return pd.concat(tables or [pd.DataFrame(columns=list(SELECTION_COLUMNS))], ignore_index=True)


def shape_evidence(fits: pd.DataFrame) -> pd.DataFrame:
    """Weigh the time-varying against the constant boundary within each learning class (C03).

    Returns
    -------
    pandas.DataFrame
        One row for each boundary time, learning class, criterion, and (stable) set of rl fits:
        difference (constant minus Weibull, summed over subjects), n_weibull (subjects for whom it
        is positive), n_subjects, and the Weibull form's frequency, exceedance, protected_exceedance
        against the constant one.
    """
    rows = []
    for stable, boundary_time, ten in _comparisons(fits):
        for (learning, own), criterion in product(ten.groupby("learning"), ("aic", "bic")):
            scores = _scores(own, criterion)[[("constant", learning), ("weibull", learning)]]
            difference = -np.diff(scores.to_numpy(), axis=1)[:, 0]
            result = select(-scores.to_numpy() / 2)
            rows.append(
                {
                    "boundary_time": boundary_time,
                    "stable": stable,
                    "learning": learning,
                    "criterion": criterion,
                    "difference": difference.sum(),
                    "n_weibull": int((difference > 0).sum()),
                    "n_subjects": len(difference),
                    "frequency": result.frequency[1],
                    "exceedance": result.exceedance[1],
                    "protected_exceedance": result.protected_exceedance[1],
                }
            )
    columns = ["boundary_time", "stable", "learning", "criterion", "difference", "n_weibull"]
    more = ["n_subjects", "frequency", "exceedance", "protected_exceedance"]
    return pd.DataFrame(rows, columns=columns + more)


def _comparisons(fits: pd.DataFrame) -> Iterator[tuple[bool, str, pd.DataFrame]]:
    """The fits to be compared with each other: by kind of rl fit, and by boundary time."""
    for stable in (False, True) if fits["stable"].any() else (False,):
        for boundary_time, own in ten_models(fits, stable).groupby("boundary_time", sort=True):
            yield stable, boundary_time, own


def _scores(fits: pd.DataFrame, criterion: str) -> pd.DataFrame:
    """A criterion as a (subject x model) table; every subject must have every model, once."""
    twice = fits.duplicated(["subject", "shape", "learning"])
    if twice.any():
        one = fits.loc[twice.idxmax(), ["subject", "shape", "learning"]].tolist()
        raise InputError("model fits", [f"{one} occurs more than once, expected one fit of each"])
    indexed = fits.set_index(["subject", "shape", "learning"])[criterion]
    scores = indexed.unstack(["shape", "learning"])  # noqa: PD010 (a pivot table would average)
    order = [(s, x) for x in LEARNING_CLASSES for s in SHAPES if (s, x) in scores.columns]
    scores = scores[order]
    missing = [
        f"no fit of {shape}-{learning} for subject {subject}"
        for (shape, learning), column in scores.items()
        for subject in column.index[column.isna()]
    ]
    if missing:
        raise InputError("model fits", missing)
    return scores


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
    """The conditions in which a subject responded: elsewhere nothing says where a boundary is."""
    responses = set(table.loc[table["responded"], "condition"])
    return [condition for condition in CUED if condition in responses]


def _ends(table: pd.DataFrame) -> tuple[int, int]:
    """Positions of the last trials of the first and of the last block."""
    block = table[["session", "block"]].to_numpy()
    first = (block == block[0]).all(axis=1)
    return int(np.flatnonzero(first)[-1]), len(table) - 1


def _code(model: Model, condition: str) -> int:
    return model.conditions.index(condition) if model.conditions == CUED else 0
