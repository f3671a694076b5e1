"""The paper's comparison of fast and slow subjects, from trials and fits to its tables."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.analysis import comparisons, groups
from fuzzybounds.analysis.regression_to_mean import regression_to_mean
from fuzzybounds.canoe.block_windows import block_ranges, one_session
from fuzzybounds.fuzzy.fits import FitTables, controllers
from fuzzybounds.storage.registry import TABLES
from fuzzybounds.storage.registry.vocabulary import FAST, FIRST, LAST, MIDDLE, SLOW
from fuzzybounds.storage.seeds import generator

GRID = np.linspace(0.0, 1.0, 61)
"""Normalised times and positions at which outputs are averaged."""


class GroupTables(NamedTuple):
    """What :func:`assign_groups` returns: one table per output of the stage."""

    groups: pd.DataFrame
    tests: pd.DataFrame
    regression: pd.DataFrame


class AveragedTables(NamedTuple):
    """What :func:`average_rules` returns: one table per output of the stage."""

    consequents: pd.DataFrame
    draws: pd.DataFrame
    outputs: pd.DataFrame


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
        See :func:`fuzzybounds.analysis.groups.boundaries` and
        :func:`fuzzybounds.analysis.groups.assign`.
    seed, dataset
        Name the random numbers of permutation tests and resamples.
    """
    trials = one_session(trials)
    ranges = block_ranges(trials, blocks)
    which: dict[str, Any] = {"condition": condition, "missed": missed}
    how: dict[str, Any] = {"quantile": quantile, "fast": fast, "slow": slow}
    medians = groups.boundaries(trials, ranges, **which, summary="median")[FIRST]
    group = groups.assign(medians, **how)
    table = groups.boundaries(trials, ranges, **which, summary=summary)
    table = table.assign(median_boundary=medians, group=group).rename_axis("subject")
    # Figures say what tables were computed with, so the tables have it.
    table = table.assign(condition=condition, blocks=blocks)
    return GroupTables(
        groups=table.reset_index()[TABLES["groups"].names],
        tests=run_tests(table, seed, dataset),
        regression=regression_to_mean(trials, ranges, which, how, summary, seed, dataset),
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
    outputs = groups.average_output(controllers(chosen), group.to_dict(), labels, GRID)
    averaged = {
        "labels": labels,
        "condition": next(iter(fits["condition"]), ""),
        "blocks": next(iter(fits["blocks"]), 0),
    }
    return AveragedTables(
        consequents=groups.average_consequents(by_draw).assign(**averaged),
        draws=by_draw,
        outputs=outputs.assign(**averaged),
    )


def run_tests(table: pd.DataFrame, seed: int, dataset: str) -> pd.DataFrame:
    """Test slow against fast in each window, and last against first in each group.

    Parameters
    ----------
    table : DataFrame
        Columns group, first and last; one row per subject.
    """
    slow, fast = (table[table["group"] == group] for group in (SLOW, FAST))
    between = [(f"slow_vs_fast_{window}", slow[window], fast[window]) for window in (FIRST, LAST)]
    within = [
        (f"{name}_last_vs_first", own[LAST], own[FIRST])
        for name, own in ((FAST, fast), (SLOW, slow))
    ]
    planned = [(samples, test) for samples in between for test in comparisons.UNPAIRED_TESTS]
    every = (*comparisons.UNPAIRED_TESTS, *comparisons.PAIRED_TESTS)
    planned += [(samples, test) for samples in within for test in every]
    rows = [
        {
            "comparison": name,
            "n": len(a),
            "mean_difference": float(a.mean() - b.mean()),
            **vars(comparisons.compare(a, b, test, generator(seed, dataset, name, test))),
        }
        for (name, a, b), test in planned
    ]
    return pd.DataFrame(rows)
