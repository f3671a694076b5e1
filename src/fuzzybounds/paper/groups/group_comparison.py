"""The paper's comparison of fast and slow subjects, from trials and fits to its tables."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.canoe.block_windows import block_ranges, one_session
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.seeds import generator
from fuzzybounds.core.words import FAST, FIRST, LAST, MIDDLE, SLOW
from fuzzybounds.paper.fuzzy.fits import FitTables, controllers
from fuzzybounds.paper.groups import fast_and_slow as groups
from fuzzybounds.paper.groups.comparisons import PAIRED_TESTS, UNPAIRED_TESTS, compare

GRID = np.linspace(0.0, 1.0, 61)
"""Normalised times and positions at which outputs are averaged."""


class GroupTables(NamedTuple):
    """What :func:`assign_groups` returns: one table per output of the stage."""

    groups: pd.DataFrame
    tests: pd.DataFrame


class AveragedTables(NamedTuple):
    """What :func:`average_rules` returns: one table per output of the stage."""

    consequents: pd.DataFrame
    draws: pd.DataFrame
    outputs: pd.DataFrame
    subjects: pd.DataFrame


def assign_groups(
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
) -> GroupTables:
    """Assign one-session subjects to groups by their boundaries, and test these.

    Parameters
    ----------
    trials : DataFrame
        Result table.
    blocks : int
        Number of blocks of a window.
    condition, missed, summary, quantile, fast, slow
        See :func:`fuzzybounds.paper.groups.fast_and_slow.boundaries` and
        :func:`fuzzybounds.paper.groups.fast_and_slow.assign`.
    seed, dataset
        Name the random numbers of permutation tests and resamples.
    """
    trials = one_session(trials)
    ranges = block_ranges(trials, blocks)
    medians, table = (
        groups.boundaries(trials, ranges, condition=condition, missed=missed, summary=own)
        for own in ("median", summary)
    )
    group = groups.assign(medians[FIRST], quantile=quantile, fast=fast, slow=slow)
    # Figures say what tables were computed with, so the tables have it.
    used = {"condition": condition, "blocks": blocks}
    table = table.assign(median_boundary=medians[FIRST], group=group, **used).rename_axis("subject")
    return GroupTables(
        groups=table.reset_index()[TABLES["groups"].names],
        tests=run_tests(table, seed, dataset),
    )


def average_rules(
    groups_of: pd.DataFrame,
    fits: pd.DataFrame,
    rules: pd.DataFrame,
    memberships: pd.DataFrame,
    *,
    labels: int,
) -> AveragedTables:
    """Average the consequents and the outputs of the fast and the slow subjects.

    Parameters
    ----------
    groups_of : DataFrame
        The table ``groups``.
    fits, rules, memberships : DataFrame
        Result tables.
    labels : int
        Number of labels of the fits to average.
    """
    group = groups_of.set_index("subject")["group"]
    members = group.index[group != MIDDLE]
    chosen = FitTables(fits, rules, memberships).select(members, labels)
    by_draw = groups.consequents_by_draw(rules, group.to_dict(), labels)
    by_subject = groups.output_by_subject(controllers(chosen), labels, GRID)
    outputs = groups.average_output(by_subject, group.to_dict(), GRID)
    averaged = {
        "labels": labels,
        "condition": next(iter(fits["condition"]), ""),
        "blocks": next(iter(fits["blocks"]), 0),
    }
    return AveragedTables(
        consequents=groups.average_consequents(by_draw).assign(**averaged),
        draws=by_draw,
        outputs=outputs.assign(**averaged),
        subjects=groups.describe_output(by_subject, group.to_dict()),
    )


def run_tests(table: pd.DataFrame, seed: int, dataset: str) -> pd.DataFrame:
    """Test slow against fast in each window, and last against first in each group.

    Parameters
    ----------
    table : DataFrame
        Columns group, first and last; one row per subject.
    """
    slow, fast = (table[table["group"] == group] for group in (SLOW, FAST))
    planned = [
        *((f"slow_vs_fast_{window}", slow[window], fast[window]) for window in (FIRST, LAST)),
        (f"{FAST}_last_vs_first", fast[LAST], fast[FIRST]),
        (f"{SLOW}_last_vs_first", slow[LAST], slow[FIRST]),
    ]
    rows = []
    for name, a, b in planned:
        paired = () if name.startswith("slow_vs_fast") else PAIRED_TESTS
        for test in (*UNPAIRED_TESTS, *paired):
            found = compare(a, b, test, generator(seed, dataset, name, test))
            difference = float(a.mean() - b.mean())
            samples = {"comparison": name, "n": len(a), "mean_difference": difference}
            rows.append({**samples, **found._asdict()})
    return pd.DataFrame(rows)
