"""The fits of a cohort's subjects: both windows, all draws, every number of labels."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from fuzzybounds.canoe.block_windows import block_ranges, split
from fuzzybounds.canoe.samples import normalise
from fuzzybounds.fuzzy.fits import EMPTY, FitTables, Recipe, fit_tables
from fuzzybounds.fuzzy.survival import redraw

ONE_SESSION, THREE_SESSION = "one_session", "three_session"
"""Subjects by their number of sessions, as the configuration names them."""


def fit_fuzzy(
    trials: pd.DataFrame,
    samples: pd.DataFrame,
    *,
    labels: Mapping[str, Sequence[int]],
    blocks: int,
    condition: str,
    normalisation: str,
    bridges: str,
    seed: int,
    dataset: str,
    **recipe: Any,
) -> FitTables:
    """Fit the fuzzy model to each subject's windows.

    Parameters
    ----------
    trials, samples : DataFrame
        Result tables.
    labels : mapping
        Numbers of labels for subjects of one and of three sessions.
    blocks : int
        Number of blocks of a window.
    condition : {"easy", "hard", "all"}
        Which trials (A11).
    normalisation : {"subject", "design"}
        What maps time and position to [0, 1] (A09).
    bridges : {"uniform", "survival"}
        How unrecorded paths are drawn (A10).
    seed, dataset
        Name the random numbers of survival-weighted bridges.
    **recipe
        See :class:`~fuzzybounds.fuzzy.fits.Recipe`.
    """
    ranges = block_ranges(trials, blocks)
    if condition != "all":
        samples = samples[samples["condition"] == condition]
    points = normalise(split(samples, ranges), normalisation)
    several = set(ranges.loc[ranges["sessions"] > 1, "subject"])
    kinds = points["subject"].isin(several).map({False: ONE_SESSION, True: THREE_SESSION})
    parts = []
    for kind, own in points.groupby(kinds, sort=False):
        scales = own[["subject", "time_range", "position_range"]].drop_duplicates()
        for number in labels[str(kind)]:
            how = Recipe(labels=number, **recipe)
            weighted = bridges == "survival"
            used = redraw(own, how.memberships(), seed, dataset) if weighted else own
            tables = fit_tables(used, how)
            fits = tables.fits.merge(scales, on="subject")
            parts.append(tables._replace(fits=fits.assign(condition=condition, blocks=blocks)))
    if not parts:
        logging.getLogger(__name__).info(
            "no response on a trial that is fitted (fuzzy.condition: %s): no fits", condition
        )
        return EMPTY
    return FitTables(*(pd.concat(tables, ignore_index=True) for tables in zip(*parts, strict=True)))
