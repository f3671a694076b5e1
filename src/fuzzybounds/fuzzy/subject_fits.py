"""The fits of a cohort's subjects: both windows, all draws, every number of labels."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from fuzzybounds.canoe.block_windows import block_ranges, split
from fuzzybounds.canoe.samples import normalise
from fuzzybounds.fuzzy.fits import EMPTY, FitTables, Recipe, extract, tune_extracted
from fuzzybounds.fuzzy.survival import redraw

ONE_SESSION, THREE_SESSION = "one_session", "three_session"
"""Subjects by their number of sessions, as the configuration names them."""


class TunedTables(NamedTuple):
    """What :func:`tune_memberships` returns: one table per output of the stage."""

    fits: pd.DataFrame
    memberships: pd.DataFrame


def extract_rules(trials: pd.DataFrame, samples: pd.DataFrame, **options: Any) -> pd.DataFrame:
    """Extract the rules of each subject's windows from two-class points (Wang and Mendel).

    Parameters
    ----------
    trials, samples : DataFrame
        Result tables.
    **options
        See :func:`points_to_fit`.

    Returns
    -------
    DataFrame
        The table ``rules``.
    """
    parts = [
        extract(points, recipe) for points, recipe in points_to_fit(trials, samples, **options)
    ]
    if not parts:
        logging.getLogger(__name__).info(
            "no response on a trial that is fitted (fuzzy.condition: %s): no rules",
            options["condition"],
        )
        return EMPTY.rules
    return pd.concat(parts, ignore_index=True)


def tune_memberships(
    trials: pd.DataFrame, samples: pd.DataFrame, rules: pd.DataFrame, **options: Any
) -> TunedTables:
    """Tune the memberships of each subject's rules by back-propagation.

    Parameters
    ----------
    trials, samples : DataFrame
        Result tables.
    rules : DataFrame
        What :func:`extract_rules` returns for the same tables and options.
    **options
        See :func:`points_to_fit`.
    """
    parts = []
    for points, recipe in points_to_fit(trials, samples, **options):
        own = rules[(rules["labels"] == recipe.labels) & rules["subject"].isin(points["subject"])]
        fits, memberships = tune_extracted(points, own, recipe)
        scales = points[["subject", "time_range", "position_range"]].drop_duplicates()
        used = {name: options[name] for name in ("condition", "blocks")}
        parts.append((fits.merge(scales, on="subject").assign(**used), memberships))
    if not parts:
        return TunedTables(EMPTY.fits, EMPTY.memberships)
    return TunedTables(*(pd.concat(own, ignore_index=True) for own in zip(*parts, strict=True)))


def fit_fuzzy(trials: pd.DataFrame, samples: pd.DataFrame, **options: Any) -> FitTables:
    """Extract rules and tune memberships: both steps in one call."""
    rules = extract_rules(trials, samples, **options)
    fits, memberships = tune_memberships(trials, samples, rules, **options)
    return FitTables(fits, rules, memberships)


def points_to_fit(
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
) -> Iterator[tuple[pd.DataFrame, Recipe]]:
    """Yield the points of subjects who are fitted alike, normalised, and how they are fitted.

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
    for kind, own in points.groupby(kinds, sort=False):
        for number in labels[str(kind)]:
            how = Recipe(labels=number, **recipe)
            weighted = bridges == "survival"
            yield (redraw(own, how.memberships(), seed, dataset) if weighted else own), how
