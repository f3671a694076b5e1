"""How much of a group's change with practice is regression to the mean (C12, C14).

Subjects are fast or slow by their boundaries in the first window.  Part of the difference there is
due to chance, which does not repeat: on any other blocks the fast are slower and the slow faster,
even without practice.  Groups chosen by other blocks than those on which the change is measured
do not have this bias.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.analysis import groups
from fuzzybounds.storage.registry import TABLES
from fuzzybounds.storage.registry.vocabulary import FAST, FIRST, LAST, SLOW
from fuzzybounds.storage.seeds import generator

Columns = dict[str, np.ndarray]

ODD, EVEN = "first_odd", "first_even"
"""The odd and the even blocks of the first window, counted from its first block."""
HALF, OTHER_HALF = "half_of_first", "other_half_of_first"
"""One half of the blocks and the other: the mean over both assignments."""


class Contrast(NamedTuple):
    """Which blocks choose the groups, between which the change is measured, and in which ways."""

    chosen_by: str
    start: str
    end: str
    ways: tuple[tuple[str, str, str], ...]


CONTRASTS = (
    Contrast(FIRST, FIRST, LAST, ((FIRST, FIRST, LAST),)),
    Contrast(LAST, FIRST, LAST, ((LAST, FIRST, LAST),)),
    Contrast(HALF, HALF, OTHER_HALF, ((ODD, ODD, EVEN), (EVEN, EVEN, ODD))),
    Contrast(HALF, OTHER_HALF, LAST, ((ODD, EVEN, LAST), (EVEN, ODD, LAST))),
)
"""The paper's contrast; the same with groups chosen at the end; one half of the first window
against the other, which shows regression alone; and the change from blocks that did not
choose the groups."""

RESAMPLES = 2000
"""Resamples of the subjects for each interval."""


def regression_to_mean(
    trials: pd.DataFrame,
    ranges: pd.DataFrame,
    which: Mapping[str, Any],
    how: Mapping[str, str],
    summary: str,
    seed: int,
    dataset: str,
) -> pd.DataFrame:
    """Choose the groups by several sets of blocks, and measure their change between others.

    Intervals are 95 % bootstrap intervals over subjects: in each resample the groups are chosen
    again.

    Parameters
    ----------
    trials : DataFrame
        Of subjects with one session.
    ranges : DataFrame
        From :func:`fuzzybounds.canoe.block_windows.block_ranges`.
    which, summary
        Options of :func:`fuzzybounds.analysis.groups.boundaries`: condition and missed; summary.
    how : mapping
        Options of :func:`fuzzybounds.analysis.groups.assign`.
    seed, dataset
        Name the random numbers of the resamples.

    Returns
    -------
    DataFrame
        The table ``regression_to_mean``.
    """
    by = _boundaries(trials, ranges, **which, summary="median").dropna()
    measured = _boundaries(trials, ranges, **which, summary=summary).loc[by.index]
    if by.empty:
        return TABLES["regression_to_mean"].empty()
    rng = generator(seed, dataset, "regression to the mean")
    resamples = rng.integers(0, len(by), (RESAMPLES, len(by)))
    columns, values = ({name: own[name].to_numpy() for name in own} for own in (by, measured))
    rows = []
    for contrast in CONTRASTS:
        drawn: dict[str, list[float]] = {FAST: [], SLOW: []}
        for own in resamples:
            for name, (change, _) in _changes(columns, values, contrast, how, own).items():
                drawn[name].append(change)
        for name, (change, n) in _changes(columns, values, contrast, how).items():
            rows.append((*contrast[:3], name, n, change, *_interval(np.array(drawn[name]))))
    return pd.DataFrame(rows, columns=TABLES["regression_to_mean"].names)


def _boundaries(trials: pd.DataFrame, ranges: pd.DataFrame, **which: Any) -> pd.DataFrame:
    """Summarise each subject's boundary in both windows, and in two halves of the first."""
    of_first = ranges[ranges["window"] == FIRST].set_index("subject")["from_block"]
    odd = (trials["block"] - trials["subject"].map(of_first)) % 2 == 0
    halves = {
        name: groups.boundaries(trials[own], ranges, **which)[FIRST]
        for name, own in ((ODD, odd), (EVEN, ~odd))
    }
    return groups.boundaries(trials, ranges, **which).assign(**halves)


def _changes(
    by: Columns,
    measured: Columns,
    contrast: Contrast,
    how: Mapping[str, str],
    subjects: np.ndarray | slice = slice(None),
) -> dict[str, tuple[float, float]]:
    """Return each group's mean change and mean number of subjects, over the ways of a contrast."""
    found: dict[str, list[tuple[float, int]]] = {FAST: [], SLOW: []}
    for chosen, start, end in contrast.ways:
        change = (measured[end] - measured[start])[subjects]
        chosen_groups = groups.members(by[chosen][subjects], **how)
        for name, own in zip((FAST, SLOW), chosen_groups, strict=True):
            found[name].append((change[own].mean() if own.any() else np.nan, own.sum()))
    return {name: tuple(np.mean(pairs, axis=0)) for name, pairs in found.items()}


def _interval(drawn: np.ndarray) -> tuple[float, float]:
    """Return the 95 % interval of resampled changes; some resamples may have no such group."""
    known = drawn[np.isfinite(drawn)]
    low, high = np.quantile(known, (0.025, 0.975)) if known.size else (np.nan, np.nan)
    return float(low), float(high)
