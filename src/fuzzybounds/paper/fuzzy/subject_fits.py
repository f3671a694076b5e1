"""The stages of the fuzzy model: from trials and two-class points to tables of fits.

Points are those of the first and last blocks and of the trials that are fitted, normalised; every
subject is fitted with the numbers of labels of subjects with as many sessions.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence

import pandas as pd

from fuzzybounds.canoe.block_windows import block_ranges, split
from fuzzybounds.canoe.samples import normalise
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.paper.fuzzy.fits import TunedTables, extract, tune_extracted
from fuzzybounds.paper.fuzzy.membership import Convention
from fuzzybounds.paper.fuzzy.rules import EmptyPolicy
from fuzzybounds.paper.fuzzy.tuning import PENALTY
from fuzzybounds.paper.fuzzy.wang_mendel import Resolution

ONE_SESSION, THREE_SESSION = "one_session", "three_session"
"""Subjects by their number of sessions, as the configuration names them."""


def extract_rules(
    trials: pd.DataFrame,
    samples: pd.DataFrame,
    *,
    labels: Mapping[str, Sequence[int]],
    blocks: int,
    condition: str,
    normalisation: str,
    convention: Convention = "width",
    normalised: bool = True,
    resolution: Resolution = "largest",
    empty: EmptyPolicy = "omit",
) -> pd.DataFrame:
    """Extract the rules of each subject's windows from two-class points (Wang and Mendel).

    Parameters
    ----------
    trials, samples : DataFrame
        Result tables.
    labels, blocks, condition, normalisation
        See :func:`points_to_fit`.
    convention, normalised, resolution, empty
        See :func:`fuzzybounds.paper.fuzzy.fits.extract`.

    Returns
    -------
    DataFrame
        The table ``rules``.
    """
    chosen = points_to_fit(trials, samples, labels, blocks, condition, normalisation)
    parts = [
        extract(
            points,
            number,
            convention=convention,
            normalised=normalised,
            resolution=resolution,
            empty=empty,
        )
        for points, number in chosen
    ]
    if not parts:
        logging.getLogger(__name__).info(
            "no response on a trial that is fitted (fuzzy.condition: %s): no rules", condition
        )
    return pd.concat(parts or [TABLES["rules"].empty()], ignore_index=True)


def tune_memberships(
    trials: pd.DataFrame,
    samples: pd.DataFrame,
    rules: pd.DataFrame,
    *,
    labels: Mapping[str, Sequence[int]],
    blocks: int,
    condition: str,
    normalisation: str,
    convention: Convention = "width",
    penalty: float = PENALTY,
) -> TunedTables:
    """Tune the memberships of each subject's rules by back-propagation.

    Parameters
    ----------
    trials, samples : DataFrame
        Result tables.
    rules : DataFrame
        What :func:`extract_rules` returns for the same tables and options.
    labels, blocks, condition, normalisation
        See :func:`points_to_fit`.
    convention, penalty
        See :func:`fuzzybounds.paper.fuzzy.fits.fit_points`.
    """
    parts = [TunedTables(TABLES["fuzzy_fits"].empty(), TABLES["memberships"].empty())]
    chosen = list(points_to_fit(trials, samples, labels, blocks, condition, normalisation))
    for points, number in chosen:
        of_points = rules[(rules["labels"] == number) & rules["subject"].isin(points["subject"])]
        fits, memberships = tune_extracted(
            points, of_points, number, convention=convention, penalty=penalty
        )
        scales = points[["subject", "draw", "time_range", "position_range"]].drop_duplicates()
        fits = fits.merge(scales, on=["subject", "draw"])
        parts.append(TunedTables(fits.assign(condition=condition, blocks=blocks), memberships))
    # An empty table beside others would change the types of their columns.
    made = parts[1:] or parts
    return TunedTables(*(pd.concat(each, ignore_index=True) for each in zip(*made, strict=True)))


def points_to_fit(
    trials: pd.DataFrame,
    samples: pd.DataFrame,
    labels: Mapping[str, Sequence[int]],
    blocks: int,
    condition: str,
    normalisation: str,
) -> Iterator[tuple[pd.DataFrame, int]]:
    """Yield the points of subjects who are fitted alike, normalised, and a number of labels.

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
    """
    ranges = block_ranges(trials, blocks)
    if condition != "all":
        samples = samples[samples["condition"] == condition]
    points = normalise(split(samples, ranges), normalisation)
    several = set(ranges.loc[ranges["sessions"] > 1, "subject"])
    kinds = points["subject"].isin(several).map({False: ONE_SESSION, True: THREE_SESSION})
    for kind, of_kind in points.groupby(kinds, sort=False):
        for number in labels[str(kind)]:
            yield of_kind, number
