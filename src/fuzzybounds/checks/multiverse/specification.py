"""The specification curve: every combination of the choices that the paper leaves open.

Group sizes and p-values follow from which trials count, how a quantile is defined, which summary of
a subject and which test is used; the averaged tables also from the choices of :mod:`key_cells`.
All combinations run through the code that computes the default results, and the default is one of
them.

The paper states strict inequalities ("less than", "larger than"), and boundaries "at the time the
subject responded", which leaves missed deadlines out.  Both are varied nevertheless, because the
printed sizes and p-values contradict them (A11 to A14).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import pandas as pd

from fuzzybounds.canoe.block_windows import block_ranges, one_session
from fuzzybounds.checks.multiverse.grid import vary
from fuzzybounds.checks.multiverse.key_cells import (
    CONDITIONS,
    FIVE,
    MEAN_OF_DRAWS,
    SPACING,
    TABULATING,
    table_specifications,
)
from fuzzybounds.core.seeds import generator
from fuzzybounds.core.statistics import chance_of_match, matches
from fuzzybounds.core.words import (
    FAST,
    FIRST,
    LAST,
    MANN_WHITNEY,
    PAIRED,
    SLOW,
    STUDENT,
    WELCH,
    WILCOXON,
)
from fuzzybounds.paper.groups.comparisons import p_value
from fuzzybounds.paper.groups.fast_and_slow import assign, boundaries

GROUPING = {
    "condition": CONDITIONS,
    "missed": (True, False),
    "quantile": (
        "inverted_cdf",
        "averaged_inverted_cdf",
        "closest_observation",
        "interpolated_inverted_cdf",
        "hazen",
        "weibull",
        "linear",
        "median_unbiased",
        "normal_unbiased",
    ),
    "fast": ("<", "<="),
    "slow": (">", ">="),
}
"""Choices that determine the groups; the quantiles are the nine of Hyndman and Fan (1996)."""
TESTING = {"summary": ("median", "mean"), "test": (STUDENT, WELCH, MANN_WHITNEY, PAIRED, WILCOXON)}
"""Choices that determine the p-values."""
UNPAIRED = {PAIRED: STUDENT, WILCOXON: MANN_WHITNEY}
"""Slow against fast has no pairs, so paired tests are replaced by their counterparts there."""
STATED = {"fast": "<", "slow": ">", "missed": False}
"""What the paper states about choices that are varied nevertheless."""
FIXED = {"labels": FIVE, "resolution": "largest", "normalised": True}
"""Choices of the configuration that all specifications share."""
RESULTS = ("p_fast", "p_slow", "p_first", "p_last", "fast_change", "slow_change")
"""Results of a specification of groups and tests."""


class Specifications(NamedTuple):
    """What :func:`run_specifications` returns: one table per output of the stage."""

    curve: pd.DataFrame
    summary: pd.DataFrame


def run_specifications(
    trials: pd.DataFrame,
    samples: pd.DataFrame,
    *,
    blocks: int,
    printed: Mapping[str, float],
    chosen: Mapping[str, Any],
) -> Specifications:
    """Run every combination of the open choices, and mark those that give the printed numbers.

    Parameters
    ----------
    trials, samples : DataFrame
        Result tables.
    blocks : int
        Number of blocks of a window.
    printed : mapping
        The printed numbers, by the columns of the curve.
    chosen : mapping
        The choices of the configuration, by their names in its section groups, and normalisation,
        empty and those of :data:`FIXED` of its section fuzzy, where condition is called fitted.
        The specification that makes them is the default.
    """
    trials = one_session(trials)
    ranges = block_ranges(trials, blocks)
    curve = group_specifications(trials, ranges)
    curve["matches_groups"] = matches(curve, _of(printed, curve))
    members = curve[["condition", "members"]].drop_duplicates()
    tables = table_specifications(samples, ranges, members, printed)
    whole = curve.merge(tables, on=["condition", "members"], how="left")
    whole["matches_paper"] = matches(whole, _of(printed, whole))
    whole["default"] = is_default(whole, chosen)
    whole["members"] = ["|".join(map(",".join, pair)) for pair in whole["members"]]
    return Specifications(whole, summarise(curve, whole, printed))


def _of(printed: Mapping[str, float], table: pd.DataFrame) -> dict[str, float]:
    return {name: value for name, value in printed.items() if name in table}


def is_default(whole: pd.DataFrame, chosen: Mapping[str, Any]) -> pd.Series:
    """Return which specification is that of the pipeline; none if its choices are not among them.

    In addition to the choices of the configuration, the default uses Student's test, by which the
    claims are judged, widths of 3/7 of the distance between labels, and means over draws.
    """
    choices = {"test": STUDENT, "width": SPACING, "path": MEAN_OF_DRAWS, **chosen}
    possible = all(choices[name] == value for name, value in FIXED.items())
    possible &= choices["fitted"] == choices["condition"]
    default = pd.Series(possible, index=whole.index)
    for name in (*GROUPING, *TESTING, *TABULATING):
        default &= whole[name] == choices[name]
    return default


def group_specifications(trials: pd.DataFrame, ranges: pd.DataFrame) -> pd.DataFrame:
    """Return groups and p-values for every combination of :data:`GROUPING` and :data:`TESTING`.

    The table has the choices; n_fast, n_slow; members, a pair of tuples with the names of fast and
    of slow subjects; p_fast and p_slow (last against first), p_first and p_last (slow against
    fast), fast_change and slow_change (px).
    """

    @cache
    def boundary(condition: str, missed: bool, summary: str) -> pd.DataFrame:
        return boundaries(trials, ranges, condition=condition, missed=missed, summary=summary)

    @cache
    def members(condition: str, missed: bool, quantile: str, fast: str, slow: str) -> tuple:
        medians = boundary(condition, missed, "median")[FIRST].dropna()
        group = assign(medians, quantile=quantile, fast=fast, slow=slow)
        return tuple(tuple(group.index[group == name]) for name in (FAST, SLOW))

    @cache
    def compare(which: tuple, fast: tuple, slow: tuple, test: str) -> dict[str, float]:
        return compare_groups(boundary(*which), fast, slow, test)

    def evaluate(condition, missed, quantile, fast, slow, summary, test):
        if boundary(condition, missed, "median")[FIRST].notna().sum() == 0:
            return None  # no such trials
        pair = members(condition, missed, quantile, fast, slow)
        sizes = {"n_fast": len(pair[0]), "n_slow": len(pair[1]), "members": pair}
        return {**sizes, **compare((condition, missed, summary), *pair, test)}

    return vary({**GROUPING, **TESTING}, evaluate, ["n_fast", "n_slow", "members", *RESULTS])


def compare_groups(table: pd.DataFrame, fast: tuple, slow: tuple, test: str) -> dict[str, float]:
    """Return the columns :data:`RESULTS` of two groups, from members who have both windows."""
    quick, late = (table.loc[list(members)].dropna() for members in (fast, slow))
    unpaired = UNPAIRED.get(test, test)

    def p(a: pd.Series, b: pd.Series, test: str) -> float:
        return p_value(a, b, test, generator(0))  # none of these tests draws random numbers

    return {
        "p_fast": p(quick[LAST], quick[FIRST], test),
        "p_slow": p(late[LAST], late[FIRST], test),
        "p_first": p(late[FIRST], quick[FIRST], unpaired),
        "p_last": p(late[LAST], quick[LAST], unpaired),
        "fast_change": float((quick[LAST] - quick[FIRST]).mean()),
        "slow_change": float((late[LAST] - late[FIRST]).mean()),
    }


def summarise(
    curve: pd.DataFrame, whole: pd.DataFrame, printed: Mapping[str, float]
) -> pd.DataFrame:
    """Summarise the group specifications (`curve`) and all of them (`whole`) in a few numbers.

    Each has a key and the words that a reader sees.
    """
    matching = curve[curve["matches_groups"]]
    sizes = curve[(curve["n_fast"] == printed["n_fast"]) & (curve["n_slow"] == printed["n_slow"])]
    stated = as_stated(curve)
    between = (curve["p_first"] < printed["p_first"]) & (curve["p_last"] < printed["p_last"])
    signs = (curve["fast_change"] > 0) & (curve["slow_change"] < 0)
    draws = whole.loc[whole["matches_groups"], "draws_as_printed"].max()
    chance, chance_sizes = (chance_of_match(some, ("p_fast", "p_slow")) for some in (curve, sizes))
    rows: list[tuple[str, str, Any]] = [
        ("groups", "specifications of groups and tests", len(curve)),
        ("whole", "specifications including tables", len(whole)),
        ("pairs", "distinct pairs of groups", curve["members"].nunique()),
        ("sizes", "group specifications with the printed sizes", len(sizes)),
        (
            "sizes_stated",
            "of these, with the stated inequalities < and >",
            int(as_stated(sizes, ("fast", "slow")).sum()),
        ),
        ("matching", "group specifications that print as the paper", len(matching)),
        (
            "matching_stated",
            "of these, with every printed statement: <, > and no missed deadlines",
            int(stated[matching.index].sum()),
        ),
        ("matching_pairs", "distinct groups among those", matching["members"].nunique()),
        ("matching_tests", "distinct tests among those", matching["test"].nunique()),
        (
            "matching_whole",
            "whole specifications that print as the paper",
            int(whole["matches_paper"].sum()),
        ),
        (
            "draws",
            "largest share of draws that print all key cells, with groups as printed",
            draws,
        ),
        (
            "between",
            "group specifications with slow above fast in both windows as printed",
            int(between.sum()),
        ),
        ("stated", "group specifications with every printed statement", int(stated.sum())),
        (
            "between_stated",
            "of these, with slow above fast in both windows as printed",
            int((between & stated).sum()),
        ),
        (
            "signs",
            "group specifications in which the fast became slower and the slow faster",
            int(signs.sum()),
        ),
        ("chance_match", "share of two-digit p pairs that some specification prints", chance),
        (
            "chance_match_sizes",
            "the same, among specifications with the printed group sizes",
            chance_sizes,
        ),
    ]
    for name in (*GROUPING, *TESTING):
        made = ", ".join(map(str, matching[name].unique())) or "none"
        rows.append((name, f"{name} in those that print as the paper", made))
    table = pd.DataFrame(rows, columns=["key", "quantity", "value"])
    return table.assign(number=pd.to_numeric(table["value"], errors="coerce"))


def as_stated(curve: pd.DataFrame, names: Sequence[str] = tuple(STATED)) -> pd.Series:
    """Return which specifications leave the printed statements about some choices as they are."""
    return (curve[list(names)] == [STATED[name] for name in names]).all(axis=1)
