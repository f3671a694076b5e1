"""Comparison of the boundary models over subjects (C02 to C04, Figs. 1 and S2)."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.canoe.block_windows import compared
from fuzzybounds.canoe.task import OVERHEAD
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.model_selection import select
from fuzzybounds.core.statistics import wilson
from fuzzybounds.paper.boundaries.fit import model_of
from fuzzybounds.paper.boundaries.models import CUED, LEARNING_CLASSES, SHAPES
from fuzzybounds.paper.boundaries.simulate import boundary_after
from fuzzybounds.paper.boundaries.trials import trials_of

CRITERIA = ("aic", "bic")
THRESHOLDS = {"noise": (0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0), "px": (5, 10, 20, 30, 50, 75, 100)}
"""Changes above which a boundary counts as varying, in units of its noise and in px."""
CURVE_TIMES = np.linspace(0.0, 15.0, 151)
"""Where the boundaries of Fig. 1 are drawn: decision times up to the deadline, in s."""
USED_TIMES = (0.05, 0.95)
"""Quantiles of the response times between which a boundary was used."""


class BoundaryModels(NamedTuple):
    """What :func:`select_models` returns: one table per output of the stage."""

    selection: pd.DataFrame
    shapes: pd.DataFrame
    changes: pd.DataFrame
    variation: pd.DataFrame
    convergence: pd.DataFrame
    boundaries: pd.DataFrame


def select_models(fits: pd.DataFrame, trials: pd.DataFrame, *, criterion: str) -> BoundaryModels:
    """Compare the models of ``model_fits``, and compute the boundaries of class rl.

    Parameters
    ----------
    fits, trials : DataFrame
        Result tables.
    criterion : {"aic", "bic"}
        Its rows are marked as the default.
    """
    trials = compared(trials)
    fits = fits[fits["subject"].isin(trials["subject"])]
    if fits.empty:
        logging.info("no subject responded, so there are no models to compare")
    selection = pd.concat([model_selection(fits, name) for name in CRITERIA], ignore_index=True)
    selection["default"] = selection["criterion"] == criterion
    curves, changes = boundaries(fits, trials)
    return BoundaryModels(
        selection,
        shape_evidence(fits),
        changes,
        variation(changes),
        convergence(fits),
        curves,
    )


def model_selection(fits: pd.DataFrame, criterion: str = "bic") -> pd.DataFrame:
    """Compare the models across subjects; -criterion/2 stands for a subject's log evidence.

    This is the table ``model_selection`` without its column default: one comparison for each
    boundary time with stable class rl, and one on the authors' with their bounds.
    """
    tables = []
    for stable, boundary_time, rivals in comparisons(fits):
        scores = scores_of(rivals, criterion)
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
        sums = rivals.groupby(["shape", "learning"])[["unstable", "nll", "aic", "bic"]].sum()
        sums = sums.rename(columns={"unstable": "n_unstable"})
        tables.append(table.join(sums, on=["shape", "learning"]))
    empty = TABLES["model_selection"].empty().drop(columns="default")
    return pd.concat(tables or [empty], ignore_index=True)


def shape_evidence(fits: pd.DataFrame) -> pd.DataFrame:
    """Weigh the time-varying against the constant boundary within each learning class (C03)."""
    rows = []
    for stable, boundary_time, rivals in comparisons(fits):
        for (learning, of_class), criterion in product(rivals.groupby("learning"), CRITERIA):
            scores = scores_of(of_class, criterion)[[("constant", learning), ("weibull", learning)]]
            difference = -np.diff(scores.to_numpy(), axis=1)[:, 0]
            counts = (difference.sum(), int((difference > 0).sum()), len(difference))
            result = select(-scores.to_numpy() / 2)
            weibull = (result.frequency, result.exceedance, result.protected_exceedance)
            key = (boundary_time, stable, learning, criterion)
            rows.append((*key, *counts, *(values[1] for values in weibull)))
    return pd.DataFrame(rows, columns=TABLES["shape_evidence"].names)


def boundaries(
    fits: pd.DataFrame, trials: pd.DataFrame, learning: str = "rl"
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the Weibull boundaries of a class after the first and the last block (Fig. 1, C02).

    These are the tables ``boundaries``, and ``boundary_changes``: how much the boundary after the
    first block changes over the times that the subject used.  Under the total boundary time a
    boundary is read 4.05 s later, as after a correct response.  Without cues the rows of both
    conditions are the same.  A condition in which the subject never responded has none.
    """
    curves, changes = [TABLES["boundaries"].empty()], []
    tables = dict(tuple(trials.groupby("subject", sort=False)))
    chosen = fits[(fits["shape"] == "weibull") & (fits["learning"] == learning)]
    for _, fit in chosen.iterrows():
        table, (model, theta) = tables[fit["subject"]], model_of(fit)
        prepared = trials_of(table, model.conditions, fit["boundary_time"])
        block = table[["session", "block"]].to_numpy()
        first = int((block == block[0]).all(axis=1).nonzero()[0][-1]) + 1
        later = OVERHEAD if fit["boundary_time"] == "total" else 0.0
        key = {name: fit[name] for name in ("subject", "boundary_time", "stable")}
        for condition in CUED:
            here = (table["condition"] == condition).to_numpy() & prepared.responded
            if not here.any():
                continue
            c = model.conditions.index(condition) if model.cued else 0
            for after, n in (("first_block", first), ("last_block", len(table))):
                boundary, _ = boundary_after(model, theta, prepared, n, c)
                curve = {"time": CURVE_TIMES, "boundary": boundary(CURVE_TIMES + later)}
                curves.append(
                    pd.DataFrame({**key, "after": after, "condition": condition, **curve})
                )
            boundary, sigma = boundary_after(model, theta, prepared, first, c)
            earliest, latest = np.quantile(prepared.time[here], USED_TIMES)
            used = boundary(np.linspace(earliest, latest, len(CURVE_TIMES)))
            row = {"condition": condition, "earliest": earliest, "latest": latest, "sigma": sigma}
            size = {"change": np.ptp(used), "net_change": used[-1] - used[0]}
            changes.append({**key, **row, **size, "varies": bool(np.ptp(used) > sigma)})
    drawn = pd.concat(curves[1:] or curves, ignore_index=True)
    return drawn, pd.DataFrame(changes, columns=TABLES["boundary_changes"].names)


def variation(changes: pd.DataFrame) -> pd.DataFrame:
    """Count the ``boundary_changes`` above each of several thresholds: ``boundary_variation``."""
    rows = []
    by = ["boundary_time", "stable", "condition"]
    for group, of_group in changes.groupby(by, sort=True):
        for unit, thresholds in THRESHOLDS.items():
            size = of_group["change"] / of_group["sigma"] if unit == "noise" else of_group["change"]
            for threshold in thresholds:
                n, n_subjects = int((size > threshold).sum()), len(of_group)
                low, high = wilson(n, n_subjects)
                key = dict(zip(by, group, strict=True))
                row = {"unit": unit, "threshold": float(threshold), "n_varying": n}
                share = {"share": n / n_subjects, "low": low, "high": high}
                rows.append({**key, **row, "n_subjects": n_subjects, **share})
    return pd.DataFrame(rows, columns=TABLES["boundary_variation"].names)


def convergence(fits: pd.DataFrame) -> pd.DataFrame:
    """Count the subjects for whom restarts agreed, by model: the table ``fit_convergence``."""
    if fits.empty:
        return TABLES["fit_convergence"].empty()
    grouped = fits.groupby(["boundary_time", "learning", "stable", "shape"], sort=True)
    table = grouped.agg(
        n_subjects=("agreed", "size"),
        n_agreed=("agreed", "sum"),
        restarts=("restarts", "mean"),
        n_unstable=("unstable", "sum"),
    ).reset_index()
    table["share"] = table["n_agreed"] / table["n_subjects"]
    return table[TABLES["fit_convergence"].names]


def comparisons(fits: pd.DataFrame) -> Iterator[tuple[bool, str, pd.DataFrame]]:
    """The models to be compared with each other: by kind of rl fit, and by boundary time."""
    for stable in (False, True):
        rivals = fits[(fits["learning"] != "rl") | (fits["stable"] == stable)]
        for boundary_time, part in rivals.groupby("boundary_time", sort=True):
            if (part["learning"] == "rl").any() or not (stable or fits["stable"].any()):
                yield stable, boundary_time, part


def scores_of(fits: pd.DataFrame, criterion: str) -> pd.DataFrame:
    """A criterion as a (subject x model) table; every subject has every model once."""
    indexed = fits.set_index(["subject", "shape", "learning"])[criterion]
    scores = indexed.unstack(["shape", "learning"])  # noqa: PD010 (a pivot table would average)
    return scores[[(s, x) for x in LEARNING_CLASSES for s in SHAPES if (s, x) in scores.columns]]
