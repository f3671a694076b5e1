"""The specification curve: every combination of the choices that the paper leaves open.

Group sizes and p-values follow from which trials count, how a quantile is defined, which summary of
a subject and which test is used; the averaged tables also from the choices of
:mod:`fuzzybounds.analysis.key_cells`.  All combinations run through the code that computes the
default results, and the default is one of them.

The paper states strict inequalities ("less than", "larger than"), and boundaries "at the time the
subject responded", which leaves missed deadlines out.  Both are varied nevertheless, because the
printed sizes and p-values contradict them (A11 to A14).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pandas as pd

from fuzzybounds.analysis import comparisons, groups
from fuzzybounds.analysis.choices import combinations
from fuzzybounds.analysis.key_cells import (
    CONDITIONS,
    FIVE,
    MEAN_OF_DRAWS,
    SPACING,
    TABULATING,
    table_specifications,
)
from fuzzybounds.analysis.printed_digits import chance_of_match, matches
from fuzzybounds.canoe.block_windows import FIRST, LAST, block_ranges, one_session
from fuzzybounds.storage.seeds import generator

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

TESTING = {
    "summary": ("median", "mean"),
    "test": (
        comparisons.STUDENT,
        comparisons.WELCH,
        comparisons.MANN_WHITNEY,
        comparisons.PAIRED,
        comparisons.WILCOXON,
    ),
}
"""Choices that determine the p-values; slow against fast has no pairs, so the two paired tests are
replaced by their unpaired counterparts there."""

UNPAIRED = {comparisons.PAIRED: comparisons.STUDENT, comparisons.WILCOXON: comparisons.MANN_WHITNEY}

STATED = {"fast": "<", "slow": ">", "missed": False}
"""What the paper states about choices that are varied nevertheless."""

FIXED = {"labels": FIVE, "resolution": "largest", "normalised": True, "bridges": "uniform"}
"""Choices of the configuration that all specifications share."""

AT_ONCE = 26
"""Number of subjects whose points are held in memory at a time."""

FOUND = ("p_fast", "p_slow", "p_first", "p_last", "fast_change", "slow_change")
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
    of_groups = {name: value for name, value in printed.items() if name in curve}
    curve["matches_groups"] = matches(curve, of_groups)
    members = curve[["condition", "members"]].drop_duplicates()
    subjects = ranges["subject"].unique()
    some = [subjects[first : first + AT_ONCE] for first in range(0, len(subjects), AT_ONCE)]
    parts = (samples[samples["subject"].isin(own)] for own in some)
    tables = table_specifications(parts, ranges, members, printed)
    whole = curve.merge(tables, on=["condition", "members"], how="left")
    of_all = {name: value for name, value in printed.items() if name in whole}
    whole["matches_paper"] = matches(whole, of_all)
    whole["default"] = is_default(whole, chosen)
    whole["members"] = ["|".join(map(",".join, pair)) for pair in whole["members"]]
    return Specifications(whole, summarise(curve, whole, printed))


def is_default(whole: pd.DataFrame, chosen: Mapping[str, Any]) -> pd.Series:
    """Return which specification is that of the pipeline; none if its choices are not among them.

    In addition to the choices of the configuration, the default uses Student's test, by which the
    claims are judged, widths of 3/7 of the distance between labels, and means over draws.
    """
    own = {"test": comparisons.STUDENT, "width": SPACING, "path": MEAN_OF_DRAWS, **chosen}
    possible = all(own[name] == value for name, value in FIXED.items())
    possible &= own["fitted"] == own["condition"]
    default = pd.Series(possible, index=whole.index)
    for name in (*GROUPING, *TESTING, *TABULATING):
        default &= whole[name] == own[name]
    return default


def group_specifications(trials: pd.DataFrame, ranges: pd.DataFrame) -> pd.DataFrame:
    """Return groups and p-values for every combination of :data:`GROUPING` and :data:`TESTING`.

    Returns
    -------
    DataFrame
        The choices; n_fast, n_slow; members, a pair of tuples with the names of fast and of slow
        subjects; p_fast and p_slow (last against first), p_first and p_last (slow against fast),
        fast_change and slow_change (px).
    """
    rows = []
    for which in combinations({name: GROUPING[name] for name in ("condition", "missed")}):
        tables = {
            summary: groups.boundaries(trials, ranges, **which, summary=summary)
            for summary in TESTING["summary"]
        }
        pairs = {name: _Pairs(table) for name, table in tables.items()}
        medians = tables["median"][FIRST].dropna()
        if medians.empty:
            continue  # no such trials
        for how in combinations({name: GROUPING[name] for name in ("quantile", "fast", "slow")}):
            group = groups.assign(medians, **how)
            fast, slow = (tuple(group.index[group == name]) for name in (groups.FAST, groups.SLOW))
            for testing in combinations(TESTING):
                found = pairs[testing["summary"]].found(fast, slow, testing["test"])
                sizes = {"n_fast": len(fast), "n_slow": len(slow)}
                rows.append({**which, **how, **testing, **sizes, "members": (fast, slow), **found})
    curve = pd.DataFrame(rows, columns=[*GROUPING, *TESTING, "n_fast", "n_slow", "members", *FOUND])
    return curve.astype(dict.fromkeys(FOUND, float))


class _Pairs:
    """Tests of first and last windows; many specifications share a group, and test it once."""

    def __init__(self, table: pd.DataFrame) -> None:
        self.table = table
        self.groups: dict[tuple, pd.DataFrame] = {}
        self.known: dict[tuple, float] = {}

    def found(self, fast: tuple, slow: tuple, test: str) -> dict[str, float]:
        """Return the columns :data:`FOUND` of two groups."""
        between = UNPAIRED.get(test, test)
        return {
            "p_fast": self.p((fast, LAST), (fast, FIRST), test),
            "p_slow": self.p((slow, LAST), (slow, FIRST), test),
            "p_first": self.p((slow, FIRST), (fast, FIRST), between),
            "p_last": self.p((slow, LAST), (fast, LAST), between),
            "fast_change": self.change(fast),
            "slow_change": self.change(slow),
        }

    def of(self, members: tuple) -> pd.DataFrame:
        """Return the boundaries of a group's members who have both."""
        if members not in self.groups:
            self.groups[members] = self.table.loc[list(members)].dropna()
        return self.groups[members]

    def p(self, a: tuple[tuple, str], b: tuple[tuple, str], test: str) -> float:
        """Test two sets of boundaries, each named by group and window."""
        if (a, b, test) not in self.known:
            ours, theirs = (self.of(members)[window] for members, window in (a, b))
            # No test of the curve draws random numbers.
            self.known[a, b, test] = comparisons.p_value(ours, theirs, test, generator(0))
        return self.known[a, b, test]

    def change(self, members: tuple) -> float:
        """Return the mean change from the first to the last window."""
        own = self.of(members)
        return float((own[LAST] - own[FIRST]).mean())


def summarise(
    curve: pd.DataFrame, whole: pd.DataFrame, printed: Mapping[str, float]
) -> pd.DataFrame:
    """Summarise the curve in a few numbers.

    Parameters
    ----------
    curve : DataFrame
        The group specifications, with the column matches_groups.
    whole : DataFrame
        All specifications, with the columns matches_groups and matches_paper.
    printed : mapping
        The printed numbers; n_fast and n_slow are used.
    """
    matching = curve[curve["matches_groups"]]
    same_sizes = curve[
        (curve["n_fast"] == printed["n_fast"]) & (curve["n_slow"] == printed["n_slow"])
    ]
    stated = (same_sizes["fast"] == STATED["fast"]) & (same_sizes["slow"] == STATED["slow"])
    pair = ("p_fast", "p_slow")
    of_matching = whole.loc[whole["matches_groups"], "draws_as_printed"]
    most = of_matching.max() if of_matching.notna().any() else float("nan")
    sizes = f"{printed['n_fast']:.0f} fast and {printed['n_slow']:.0f} slow"
    rows = [
        ("specifications of groups and tests", len(curve)),
        ("specifications including tables", len(whole)),
        ("distinct pairs of groups", curve["members"].nunique()),
        (f"group specifications with {sizes}", len(same_sizes)),
        (
            f"of these, with the stated inequalities {STATED['fast']} and {STATED['slow']}",
            int(stated.sum()),
        ),
        ("group specifications that print as the paper", len(matching)),
        (
            "of these, without missed deadlines, as stated",
            int((matching["missed"] == STATED["missed"]).sum()),
        ),
        ("distinct groups among those", matching["members"].nunique()),
        ("distinct tests among those", matching["test"].nunique()),
        ("whole specifications that print as the paper", int(whole["matches_paper"].sum())),
        ("largest share of draws that print all key cells, with groups as printed", most),
        ("share of two-digit p pairs that some specification prints", chance_of_match(curve, pair)),
        (
            "the same, among specifications with the printed group sizes",
            chance_of_match(same_sizes, pair),
        ),
    ]
    for name in (*GROUPING, *TESTING):
        chosen = ", ".join(map(str, matching[name].unique()))
        rows.append((f"{name} in those that print as the paper", chosen or "none"))
    return pd.DataFrame(rows, columns=["quantity", "value"])
