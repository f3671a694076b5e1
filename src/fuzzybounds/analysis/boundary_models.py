"""Comparison of the boundary models over subjects (C02 to C04, Figs. 1 and S2)."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.analysis.model_selection import select
from fuzzybounds.storage.errors import InputError
from fuzzybounds.storage.registry import TABLES
from fuzzybounds.weibull.models import LEARNING_CLASSES, SHAPES
from fuzzybounds.weibull.results import boundaries, first_block_changes, ten_models

CRITERIA = ("aic", "bic")


class BoundaryModels(NamedTuple):
    """What :func:`select_models` returns: one table per output of the stage."""

    selection: pd.DataFrame
    shapes: pd.DataFrame
    changes: pd.DataFrame
    boundaries: pd.DataFrame


def select_models(fits: pd.DataFrame, trials: pd.DataFrame, *, criterion: str) -> BoundaryModels:
    """Compare the boundary models, and draw the boundaries of the best class.

    Parameters
    ----------
    fits, trials : DataFrame
        Result tables ``model_fits`` and ``trials``.
    criterion : {"aic", "bic"}
        The criterion whose rows are marked as the default.
    """
    if fits.empty:
        logging.info("no subject responded, so there are no models to compare")
    selection = pd.concat([model_selection(fits, name) for name in CRITERIA], ignore_index=True)
    selection["default"] = selection["criterion"] == criterion
    return BoundaryModels(
        selection,
        shape_evidence(fits),
        first_block_changes(fits, trials),
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
    return pd.DataFrame(rows, columns=TABLES["shape_evidence"].names)


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
