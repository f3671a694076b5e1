"""C09, C13 to C15: fast and slow subjects, and the subjects with three sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fuzzybounds.paper.claims.claim import (
    EXPERIMENT_A,
    UNPUBLISHED,
    UNTESTABLE,
    Claim,
    Found,
    Numbers,
    Tables,
    verdict,
)
from fuzzybounds.storage.errors import TooFew
from fuzzybounds.storage.registry.vocabulary import FAST, FIRST, LAST, SLOW, STUDENT

if TYPE_CHECKING:
    import pandas as pd


def group_sizes(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C09."""
    groups = tables["groups"]
    counts = groups["group"].value_counts()
    fast, slow = int(counts.get(FAST, 0)), int(counts.get(SLOW, 0))
    quarter = len(groups) / 4
    others = len(groups) != printed["subjects"] and min(fast, slow) > 0
    return Found(
        f"{fast} fast, {slow} slow",
        verdict(
            (fast, slow) == (printed["n_fast"], printed["n_slow"]),
            others and max(abs(fast - quarter), abs(slow - quarter)) <= 1,
        ),
        f"By MATLAB's quantiles, with <= for the fast and > for the slow group, of {len(groups)} "
        "subjects.",
    )


def _student(tests: pd.DataFrame, comparison: str) -> pd.Series:
    row = tests[(tests["comparison"] == comparison) & (tests["test"] == STUDENT)].iloc[0]
    if row["p"] != row["p"]:
        raise TooFew(f"{comparison}: a test needs at least two different subjects per group")
    return row


def _intervals(rows: dict[str, pd.Series]) -> str:
    return " and ".join(
        f"[{row['low']:.0f}, {row['high']:.0f}] px ({name})" for name, row in rows.items()
    )


def between_groups(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C13 by the tests of slow against fast."""
    tests = tables["group_tests"]
    rows = {window: _student(tests, f"slow_vs_fast_{window}") for window in (FIRST, LAST)}
    below = [rows[window]["p"] < printed[f"p_{window}"] for window in (FIRST, LAST)]
    above = [row["mean_difference"] > 0 for row in rows.values()]
    permuted = tests.query("test == 'permutation'").set_index("comparison")["p"]
    few = ""
    if any(row["low"] < 0 < row["high"] for row in rows.values()):
        few = f"The 95 % intervals of the difference are {_intervals(rows)}."
    return Found(
        "; ".join(
            f"{window}: {row['mean_difference']:.0f} px, p = {row['p']:.2g}"
            for window, row in rows.items()
        ),
        verdict(all(below) and all(above), all(above)),
        "Student's t-test; permutations give "
        f"{permuted['slow_vs_fast_first']:.4f} and {permuted['slow_vs_fast_last']:.4f}. The groups "
        "were chosen by the first window, where they must differ.",
        few,
    )


def within_groups(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C14 by the tests of the last against the first window."""
    import pandas as pd

    from fuzzybounds.analysis.printed_digits import prints_as

    tests = tables["group_tests"]
    rows = {group: _student(tests, f"{group}_last_vs_first") for group in (FAST, SLOW)}
    digits = [
        bool(prints_as(pd.Series([rows[group]["p"]]), printed[f"p_{group}"]).iloc[0])
        for group in rows
    ]
    signs = rows[FAST]["mean_difference"] > 0 > rows[SLOW]["mean_difference"]
    few = ""
    if any(row["low"] < 0 < row["high"] for row in rows.values()):
        few = f"The 95 % intervals of the changes are {_intervals(rows)}."
    searched = tables["specification_summary"].set_index("quantity")["value"]
    return Found(
        "; ".join(
            f"{group}: {row['mean_difference']:+.0f} px, p = {row['p']:.3f}"
            for group, row in rows.items()
        ),
        verdict(all(digits) and signs, bool(signs)),
        "Student's two-sample t-test on subjects' medians, missed deadlines included. These "
        f"choices were found by trying {searched[SPECIFICATIONS]} specifications, of which "
        f"{searched[MATCHING]} give the printed digits; a pair of two-digit p-values drawn at "
        f"random would be found with probability {float(searched[LUCK]):.1%}, or "
        f"{float(searched[LUCK_SAME_SIZES]):.1%} among specifications with the printed group "
        "sizes. The windows come from the same subjects, so a paired test would have been in "
        "place. Groups are chosen by the first window, so part of the change is regression to the "
        f"mean: {regression(tables)}",
        few,
    )


SPECIFICATIONS = "specifications of groups and tests"
MATCHING = "group specifications that print as the paper"
LUCK = "share of two-digit p pairs that some specification prints"
LUCK_SAME_SIZES = "the same, among specifications with the printed group sizes"
"""Rows of specification_summary.csv."""


def regression(tables: Tables) -> str:
    """Describe how boundaries change if groups are chosen by other blocks (Fig. S9)."""
    table = tables["regression_to_mean"].set_index(["chosen_by", "from", "to", "group"])

    def change(group: str, *contrast: str) -> str:
        row = table.loc[(*contrast, group)] if (*contrast, group) in table.index else None
        if row is None or row["change"] != row["change"]:
            return f"not known ({group})"
        return f"{row['change']:+.0f} px [{row['low']:+.0f}, {row['high']:+.0f}] ({group})"

    both = {
        name: " and ".join(change(group, *contrast) for group in (FAST, SLOW))
        for name, contrast in (
            ("regression", ("half_of_first", "half_of_first", "other_half_of_first")),
            ("reversed", (LAST, FIRST, LAST)),
            ("free", ("half_of_first", "other_half_of_first", LAST)),
        )
    }
    return (
        f"from the half of the first blocks that chooses the groups to the other half, boundaries "
        f"change by {both['regression']}. With groups chosen by the last window, first to last is "
        f"{both['reversed']}; from blocks that did not choose them to the last, {both['free']} "
        f"(95 % bootstrap intervals)."
    )


def three_sessions(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C15 by the rules of subjects with recorded paths."""
    rules = tables["rules"]
    own = rules[rules["subject"].isin(tables["dataset"]["recorded_paths"]) & (rules["labels"] == 3)]
    if own.empty:
        return Found(
            "no recorded paths",
            UNTESTABLE,
            "The paths of the paper's two subjects are unpublished.",
        )
    cells = own.groupby(["subject", "window", "time_label", "position_label"])["consequent"].mean()
    count = (cells < 0.5).groupby(["subject", "window"]).sum()
    numbers = {tuple(sorted(own)) for _, own in count.groupby("window")}
    exact = numbers == {(printed["continue_1"], printed["continue_2"])}
    apart = all(own[0] < own[-1] for own in numbers)
    return Found(
        "; ".join(f"{subject} {window}: {n} continue" for (subject, window), n in count.items()),
        verdict(exact, apart),
        "Rules that most draws give; the paths of the paper's two subjects are unpublished.",
    )


CLAIMS = (
    Claim(
        "C09",
        "7 subjects in the fast group and 6 in the slow one",
        where="Results",
        about=EXPERIMENT_A,
        rule="exact; in direction, about a quarter of another number of subjects each",
        judge=group_sizes,
        tables=("groups",),
        printed={"n_fast": 7, "n_slow": 6, "subjects": 26},
    ),
    Claim(
        "C13",
        "slow above fast in both windows, p < 0.005",
        where="Results, Fig. 15",
        about=EXPERIMENT_A,
        rule="below the printed value",
        judge=between_groups,
        tables=("group_tests",),
        printed={"p_first": 0.005, "p_last": 0.005},
    ),
    Claim(
        "C14",
        "first against last 20 blocks p = 0.18 (fast) and 0.29 (slow); the slow became faster, the "
        "fast slower",
        where="Results, Fig. 15",
        about=EXPERIMENT_A,
        rule="the printed digits, rounded or cut; in direction, the signs of the changes",
        judge=within_groups,
        tables=("group_tests", "specification_summary", "regression_to_mean"),
        printed={"p_fast": 0.18, "p_slow": 0.29},
    ),
    Claim(
        "C15",
        "of the three-session subjects one says continue for (S, S) only, its rules unchanged by "
        "practice; the other has four such rules",
        where="Results, Figs. 10 to 12",
        about=UNPUBLISHED,
        rule="exact; in direction, subjects differ in how many rules say continue",
        judge=three_sessions,
        tables=("rules", "dataset"),
        printed={"continue_1": 1, "continue_2": 4},
    ),
)
