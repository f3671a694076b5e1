"""Comparison of the boundary models over subjects (C02 to C04, Figs. 1 and S2)."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.analysis.intervals import wilson
from fuzzybounds.analysis.model_selection import select
from fuzzybounds.canoe.task import STEP
from fuzzybounds.storage.errors import InputError
from fuzzybounds.storage.registry import TABLES
from fuzzybounds.weibull.models import CUED, LEARNING_CLASSES, SHAPE_PARAMETERS, SHAPES
from fuzzybounds.weibull.results import boundaries, condition_nll, first_block_changes, ten_models

CRITERIA = ("aic", "bic")
BOTH = "both"
"""The condition of a row that stands for all trials."""
LEAST_RESPONSES = 10
"""Least number of responses in a condition for a subject to count as evidence on the shape."""
THRESHOLDS = {"noise": (0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0), "px": (5, 10, 20, 30, 50, 75, 100)}
"""Changes above which a boundary counts as varying, in units of its noise and in px."""


class BoundaryModels(NamedTuple):
    """What :func:`select_models` returns: one table per output of the stage."""

    selection: pd.DataFrame
    shapes: pd.DataFrame
    conditions: pd.DataFrame
    changes: pd.DataFrame
    variation: pd.DataFrame
    convergence: pd.DataFrame
    boundaries: pd.DataFrame


def select_models(
    fits: pd.DataFrame, later: pd.DataFrame, trials: pd.DataFrame, *, criterion: str
) -> BoundaryModels:
    """Compare the boundary models, and draw the boundaries of the best class.

    Parameters
    ----------
    fits, later, trials : DataFrame
        Result tables ``model_fits``, ``later_fits`` and ``trials``.
    criterion : {"aic", "bic"}
        The criterion whose rows are marked as the default.
    """
    if fits.empty:
        logging.info("no subject responded, so there are no models to compare")
    selection = pd.concat([model_selection(fits, name) for name in CRITERIA], ignore_index=True)
    selection["default"] = selection["criterion"] == criterion
    changes = first_block_changes(fits, trials)
    return BoundaryModels(
        selection,
        shape_evidence(fits),
        shape_by_condition(fits, later, trials),
        changes,
        variation(changes),
        convergence(fits),
        boundaries(fits, trials),
    )


def model_selection(fits: pd.DataFrame, criterion: str = "bic") -> pd.DataFrame:
    """Compare the models across subjects, for each boundary time.

    Where there are stable fits of class rl the comparison is made with them, too.

    Parameters
    ----------
    fits : pandas.DataFrame
        The table ``model_fits``: one row for each subject, model and boundary time.
    criterion : {"aic", "bic"}
        -criterion/2 stands for a subject's log evidence.

    Returns
    -------
    pandas.DataFrame
        The table ``model_selection``, without the column default.
    """
    tables = []
    for stable, boundary_time, own in _comparisons(fits):
        scores = scores_of(own, criterion)
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
    empty = TABLES["model_selection"].empty().drop(columns="default")
    return pd.concat(tables or [empty], ignore_index=True)


def shape_evidence(fits: pd.DataFrame) -> pd.DataFrame:
    """Weigh the time-varying against the constant boundary within each learning class (C03).

    Returns
    -------
    pandas.DataFrame
        The table ``shape_evidence``: one row per boundary time, learning class, criterion and set
        of rl fits (stable or not).
    """
    rows = []
    for stable, boundary_time, ten in _comparisons(fits):
        for (learning, own), criterion in product(ten.groupby("learning"), CRITERIA):
            scores = scores_of(own, criterion)[[("constant", learning), ("weibull", learning)]]
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
    return pd.DataFrame(rows, columns=TABLES["shape_evidence"].names)


def shape_by_condition(
    fits: pd.DataFrame, later: pd.DataFrame, trials: pd.DataFrame
) -> pd.DataFrame:
    """Weigh the shapes within each condition, and without responses within the first step (C03).

    Until the canoe's first step ends, |position| is 90 px/s times the time whatever the subject
    does.  A boundary that rises from zero describes such responses well, so they count as evidence
    for a boundary that varies with time although they are uninformative.  The criterion of a fit
    is divided among the conditions; the penalty of parameters that the conditions share is split
    in proportion to their numbers of responses.

    Returns
    -------
    pandas.DataFrame
        The table ``shape_by_condition``.
    """
    parts = []
    for responses, table, earliest in (("all", fits, 0.0), ("later", later, STEP)):
        if len(table):
            stable = ten_models(table, stable=True)
            parts.append(condition_nll(stable, trials, earliest).assign(responses=responses))
    if not parts:
        return TABLES["shape_by_condition"].empty()
    nll = pd.concat(parts, ignore_index=True)
    key = ["responses", "boundary_time", "learning", "subject", "condition"]
    wide = nll.pivot_table(index=[*key, "n"], columns="shape", values="nll").reset_index()
    more = len(SHAPE_PARAMETERS["weibull"]) - len(SHAPE_PARAMETERS["constant"])
    sets = len(CUED) if fits["cued"].all() else 1
    whole = wide.groupby(key[:-1])["n"].transform("sum")
    gain = 2 * (wide["constant"] - wide["weibull"])
    share = 1.0 if sets == len(CUED) else wide["n"] / whole
    wide["aic"] = gain - 2 * more * share
    wide["bic"] = gain - more * np.log(whole) * share
    enough = wide[wide["n"] >= LEAST_RESPONSES]
    both = wide.groupby(key[:-1], as_index=False)[["aic", "bic"]].sum().assign(condition=BOTH)
    rows = []
    for group, own in pd.concat([both, enough]).groupby([*key[:3], "condition"], sort=True):
        for criterion in CRITERIA:
            difference = own[criterion].to_numpy()
            result = select(np.column_stack([np.zeros(len(own)), difference / 2]))
            rows.append(
                {
                    **dict(zip([*key[:3], "condition"], group, strict=True)),
                    "criterion": criterion,
                    "difference": difference.sum(),
                    "n_weibull": int((difference > 0).sum()),
                    "n_subjects": len(own),
                    "protected_exceedance": result.protected_exceedance[1],
                }
            )
    return pd.DataFrame(rows, columns=TABLES["shape_by_condition"].names)


def variation(changes: pd.DataFrame) -> pd.DataFrame:
    """Count the boundaries that change by more than each of several thresholds (C02).

    Parameters
    ----------
    changes : pandas.DataFrame
        The table ``boundary_changes``.

    Returns
    -------
    pandas.DataFrame
        The table ``boundary_variation``.
    """
    rows = []
    by = ["boundary_time", "stable", "condition"]
    for group, own in changes.groupby(by, sort=True):
        for unit, thresholds in THRESHOLDS.items():
            size = own["change"] / own["sigma"] if unit == "noise" else own["change"]
            for threshold in thresholds:
                n, n_subjects = int((size > threshold).sum()), len(own)
                low, high = wilson(n, n_subjects)
                key = dict(zip(by, group, strict=True))
                row = {"unit": unit, "threshold": float(threshold), "n_varying": n}
                share = {"share": n / n_subjects, "low": low, "high": high}
                rows.append({**key, **row, "n_subjects": n_subjects, **share})
    return pd.DataFrame(rows, columns=TABLES["boundary_variation"].names)


def convergence(fits: pd.DataFrame) -> pd.DataFrame:
    """Count, for each model, the subjects for whom independent restarts agreed.

    Returns
    -------
    pandas.DataFrame
        The table ``fit_convergence``.
    """
    by = ["boundary_time", "learning", "stable", "shape"]
    if fits.empty:
        return TABLES["fit_convergence"].empty()
    grouped = fits.groupby(by, sort=True)
    table = grouped.agg(
        n_subjects=("agreed", "size"),
        n_agreed=("agreed", "sum"),
        restarts=("restarts", "mean"),
        n_unstable=("unstable", "sum"),
    ).reset_index()
    table["share"] = table["n_agreed"] / table["n_subjects"]
    return table[TABLES["fit_convergence"].names]


def _comparisons(fits: pd.DataFrame) -> Iterator[tuple[bool, str, pd.DataFrame]]:
    """The fits to be compared with each other: by kind of rl fit, and by boundary time."""
    for stable in (False, True) if fits["stable"].any() else (False,):
        for boundary_time, own in ten_models(fits, stable).groupby("boundary_time", sort=True):
            yield stable, boundary_time, own


def scores_of(fits: pd.DataFrame, criterion: str) -> pd.DataFrame:
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
