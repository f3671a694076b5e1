"""How much of a group's change with practice is regression to the mean (C12, C14).

Subjects are fast or slow by their boundaries in the first window.  Part of the difference there is
due to chance, which does not repeat: on any other blocks the fast are slower and the slow faster,
even without practice.  Groups chosen by other blocks than those on which the change is measured
do not have this bias.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from fuzzybounds.canoe.block_windows import block_ranges, one_session
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.seeds import generator
from fuzzybounds.core.words import FAST, FIRST, LAST, SLOW
from fuzzybounds.paper.groups import fast_and_slow as groups

Columns = dict[str, np.ndarray]

ODD, EVEN = "first_odd", "first_even"
"""The odd and the even blocks of the first window, counted from its first block."""
HALF, OTHER_HALF = "half_of_first", "other_half_of_first"
"""One half of the blocks and the other: the mean over both assignments."""


Blocks = tuple[str, str, str]
"""Those that choose the groups, and those between which the change is measured."""
CONTRASTS: dict[Blocks, tuple[Blocks, ...]] = {
    (FIRST, FIRST, LAST): ((FIRST, FIRST, LAST),),
    (LAST, FIRST, LAST): ((LAST, FIRST, LAST),),
    (HALF, HALF, OTHER_HALF): ((ODD, ODD, EVEN), (EVEN, EVEN, ODD)),
    (HALF, OTHER_HALF, LAST): ((ODD, EVEN, LAST), (EVEN, ODD, LAST)),
}
"""The paper's contrast; the same with groups chosen at the end; one half of the first window
against the other, which shows regression alone; and the change from blocks that did not
choose the groups: each with the ways over which it is averaged."""


def regression_to_mean(
    trials: pd.DataFrame,
    *,
    blocks: int,
    condition: str,
    missed: bool,
    summary: str,
    quantile: str,
    fast: str,
    slow: str,
    seed: int,
    dataset: str,
    resamples: int = 2000,
) -> pd.DataFrame:
    """Choose the groups by several sets of blocks, and measure their change between others.

    Intervals are 95 % bootstrap intervals over subjects: in each resample the groups are chosen
    again.

    Parameters
    ----------
    trials : DataFrame
        Result table.
    blocks, condition, missed, summary, quantile, fast, slow
        See :func:`fuzzybounds.paper.groups.fast_and_slow.assign_groups`.
    seed, dataset
        Name the random numbers of the resamples.
    resamples : int
        Resamples of the subjects for each interval.

    Returns
    -------
    DataFrame
        The table ``regression_to_mean``.
    """
    trials = one_session(trials)
    ranges = block_ranges(trials, blocks)
    by, measured = (
        _boundaries(trials, ranges, condition=condition, missed=missed, summary=statistic)
        for statistic in ("median", summary)
    )
    by = by.dropna()
    how = {"quantile": quantile, "fast": fast, "slow": slow}
    if by.empty:
        return TABLES["regression_to_mean"].empty()
    rng = generator(seed, dataset, "regression to the mean")
    chosen = rng.integers(0, len(by), (resamples, len(by)))
    columns, values = (
        {name: table[name].to_numpy() for name in table} for table in (by, measured.loc[by.index])
    )
    rows = []
    for contrast, ways in CONTRASTS.items():
        drawn = np.array([_changes(columns, values, ways, how, subjects)[0] for subjects in chosen])
        changes, sizes = _changes(columns, values, ways, how, np.arange(len(by)))
        # A resample may have no such group; pandas leaves it out.
        low, high = pd.DataFrame(drawn).quantile([0.025, 0.975]).to_numpy()
        for numbers in zip((FAST, SLOW), sizes, changes, low, high, strict=True):
            rows.append((*contrast, *numbers))
    return pd.DataFrame(rows, columns=TABLES["regression_to_mean"].names)


def _boundaries(trials: pd.DataFrame, ranges: pd.DataFrame, **which: Any) -> pd.DataFrame:
    """Summarise each subject's boundary in both windows, and in two halves of the first."""
    of_first = ranges[ranges["window"] == FIRST].set_index("subject")["from_block"]
    odd = (trials["block"] - trials["subject"].map(of_first)) % 2 == 0
    halves = {
        name: groups.boundaries(trials[half], ranges, **which)[FIRST]
        for name, half in ((ODD, odd), (EVEN, ~odd))
    }
    return groups.boundaries(trials, ranges, **which).assign(**halves)


def _changes(
    by: Columns, measured: Columns, ways: Iterable[Blocks], how: Mapping[str, str], subjects
) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean changes and sizes of the fast and the slow group, over a contrast's ways."""
    by_way = []
    for chosen, start, end in ways:
        change = (measured[end] - measured[start])[subjects]
        members = groups.members(by[chosen][subjects], **how)
        means = [change[group].mean() if group.any() else np.nan for group in members]
        by_way.append((means, [group.sum() for group in members]))
    changes, sizes = np.mean(by_way, axis=0)
    return changes, sizes
