"""Fits of the fuzzy model to normalised two-class points, as tables.

Every (subject, window, draw) is fitted with the same number of labels: :func:`extract` finds rules,
:func:`tune_extracted` tunes memberships, and :func:`fit_points` does both.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.paper.fuzzy.fitted import KEYS, VARIABLES, FitTables
from fuzzybounds.paper.fuzzy.membership import Convention, equidistant
from fuzzybounds.paper.fuzzy.membership import labels as label_names
from fuzzybounds.paper.fuzzy.network import Network
from fuzzybounds.paper.fuzzy.rules import EmptyPolicy, fill
from fuzzybounds.paper.fuzzy.tuning import PENALTY, Points, tune
from fuzzybounds.paper.fuzzy.wang_mendel import Resolution, learn_structure


class TunedTables(NamedTuple):
    """What :func:`tune_extracted` returns."""

    fits: pd.DataFrame
    memberships: pd.DataFrame


def fit_points(
    points: pd.DataFrame,
    labels: int,
    *,
    convention: Convention = "width",
    normalised: bool = True,
    resolution: Resolution = "largest",
    empty: EmptyPolicy = "omit",
    penalty: float = PENALTY,
) -> FitTables:
    """Fit the fuzzy model to every (subject, window, draw) of some normalised points.

    Parameters
    ----------
    points : DataFrame
        Columns subject, window, draw, time and position (within [0, 1]), and responded.
    labels : int
        Number of labels of each variable.
    convention, normalised, resolution, empty
        See :func:`extract`.
    penalty : float
        See :mod:`fuzzybounds.paper.fuzzy.tuning`.
    """
    rules = extract(
        points,
        labels,
        convention=convention,
        normalised=normalised,
        resolution=resolution,
        empty=empty,
    )
    tuned = tune_extracted(points, rules, labels, convention=convention, penalty=penalty)
    return FitTables(tuned.fits, rules, tuned.memberships)


def extract(
    points: pd.DataFrame,
    labels: int,
    *,
    convention: Convention = "width",
    normalised: bool = True,
    resolution: Resolution = "largest",
    empty: EmptyPolicy = "omit",
) -> pd.DataFrame:
    """Return the table ``rules`` for every (subject, window, draw) of some points.

    Parameters
    ----------
    points, labels
        As in :func:`fit_points`.
    convention : {"width", "deviation"}
        What sigma means (A01).
    normalised : bool
        Whether degrees sum to 1 in structure learning (A02).
    resolution : {"largest", "vote"}
        Which rule wins a conflict.
    empty : {"omit", "neighbours"}
        How premises without points are treated (A08).
    """
    keys, batch = gather(points)
    structure = learn_structure(
        batch.inputs,
        batch.responded,
        [equidistant(labels, convention=convention)] * 2,
        weights=batch.weights,
        resolution=resolution,
        normalised=normalised,
    )
    consequents = [fill(table, empty) for table in structure.consequents]
    names = label_names(labels)
    return _repeated(keys, labels**2).assign(
        labels=labels,
        time_label=np.tile(np.repeat(names, labels), len(keys)),
        position_label=np.tile(names, labels * len(keys)),
        consequent=np.ravel(consequents),
        certainty=structure.certainty.ravel(),
        support=structure.support.ravel(),
        conflicts=structure.conflicts.ravel(),
        vote_share=structure.vote_share.ravel(),
    )


def tune_extracted(
    points: pd.DataFrame,
    rules: pd.DataFrame,
    labels: int,
    *,
    convention: Convention = "width",
    penalty: float = PENALTY,
) -> TunedTables:
    """Return the tables ``fuzzy_fits`` and ``memberships`` for the rules of the same points."""
    keys, batch = gather(points)
    cells = labels**2
    if not rules[KEYS].iloc[::cells].reset_index(drop=True).equals(keys):
        raise ValueError("rules: expected those of the same points, in the same order")
    start = equidistant(labels, convention=convention)
    tuned = tune(
        Network.grid((labels, labels), convention),
        batch,
        rules["consequent"].to_numpy().reshape(-1, cells),
        np.tile(start.centers, 2),
        np.tile(start.widths, 2),
        penalty=penalty,
    )
    fits = keys.assign(
        labels=labels,
        n_points=points.groupby(KEYS, sort=False, observed=True).size().to_numpy(),
        n_stop=batch.responded.sum(axis=1),
        empty_cells=(rules["support"].to_numpy().reshape(-1, cells) == 0).sum(axis=1),
        loss_before=tuned.loss_before,
        loss_after=tuned.loss_after,
        iterations=tuned.iterations,
        converged=tuned.converged,
        reason=tuned.reason,
        flags=["; ".join(names) for names in tuned.flags],
    )
    memberships = _repeated(keys, 2 * labels).assign(
        labels=labels,
        convention=convention,
        variable=np.tile(np.repeat(VARIABLES, labels), len(keys)),
        label=np.tile(label_names(labels), 2 * len(keys)),
        center=tuned.centers.ravel(),
        width=tuned.widths.ravel(),
    )
    return TunedTables(fits, memberships)


def gather(points: pd.DataFrame) -> tuple[pd.DataFrame, Points]:
    """Stack the points of every (subject, window, draw), padded with weight 0.

    Returns subject, window and draw of each set, in the order in which they first appear, and the
    stacked points.
    """
    group = points.groupby(KEYS, sort=False, observed=True)
    place = (group.ngroup().to_numpy(), group.cumcount().to_numpy())
    shape = (place[0].max() + 1, place[1].max() + 1)

    def padded(values: Any) -> np.ndarray:
        table = np.zeros(shape)
        table[place] = values
        return table

    inputs = np.stack([padded(points[variable]) for variable in VARIABLES], axis=1)
    if not ((inputs >= 0) & (inputs <= 1)).all():
        raise ValueError("two-class points: expected time and position normalised to [0, 1]")
    batch = Points(inputs, padded(points["responded"]).astype(bool), padded(1.0))
    return points[KEYS].drop_duplicates(ignore_index=True), batch


def _repeated(keys: pd.DataFrame, times: int) -> pd.DataFrame:
    return keys.loc[keys.index.repeat(times)].reset_index(drop=True)
