"""C09, C13 and C14: fast and slow subjects, and how their boundaries change."""

from __future__ import annotations

from typing import Any

import pandas as pd
from scipy import stats

from fuzzybounds.core.errors import TooFew
from fuzzybounds.core.words import FAST, FIRST, LAST, SLOW, STUDENT
from fuzzybounds.scorecard.judges.judge import (
    Judged,
    Numbers,
    Tables,
    by_intervals,
    judge,
    over_readings,
    prints,
    verdict,
)
from fuzzybounds.scorecard.verdicts import CHANGED, NOT, READING, UNDECIDED

ALPHA = 0.05
HALF, OTHER_HALF = "half_of_first", "other_half_of_first"


@judge("C09", subjects=8)
def group_sizes(tables: Tables, printed: Numbers, tolerance: Numbers) -> Judged:
    """Judge C09 by the sizes, and by blocks that did not choose the groups."""
    groups = tables["groups"]
    sizes = groups["group"].value_counts()
    fast, slow = int(sizes.get(FAST, 0)), int(sizes.get(SLOW, 0))
    quarter = len(groups) / 4
    others = len(groups) != printed["subjects"] and min(fast, slow) > 0
    few = len(groups) < tolerance["subjects"]
    tests = tables["group_tests"]
    last = tests[(tests["comparison"] == "slow_vs_fast_last") & (tests["test"] == STUDENT)]
    counts = counted(tables)
    return Judged(
        verdict(
            (fast, slow) == (printed["n_fast"], printed["n_slow"]),
            others and max(abs(fast - quarter), abs(slow - quarter)) <= 1,
            printed=READING if counts["sizes_stated"] else CHANGED,
        ),
        UNDECIDED if few else by_intervals(last[["low", "high"]].to_numpy()),
        few,
        fast=fast,
        slow=slow,
        subjects=len(groups),
        least=tolerance["subjects"],
        counts=counts,
        printed=printed,
    )


def counted(tables: Tables) -> pd.Series:
    """Return the numbers of the table ``specification_summary`` by their keys."""
    return tables["specification_summary"].set_index("key")["number"]


def student(tests: pd.DataFrame, comparison: str) -> pd.Series:
    """Return a comparison by Student's test."""
    row = tests[(tests["comparison"] == comparison) & (tests["test"] == STUDENT)].iloc[0]
    if row["p"] != row["p"]:
        raise TooFew(f"{comparison}: a test needs at least two different subjects per group")
    return row


def power(effect: float, n: int, m: int, alpha: float = ALPHA) -> float:
    """Return the power of Student's two-sided test of two groups for a standardised effect."""
    if min(n, m) < 2:
        return float("nan")
    degrees = n + m - 2
    critical = stats.f.isf(alpha, 1, degrees)
    # SciPy's noncentral F is not defined at zero.
    shift = max(effect**2 * n * m / (n + m), 1e-9)
    return float(stats.ncf.sf(critical, 1, degrees, shift))


def powers(rows: dict[str, pd.Series], tables: Tables, alpha: float) -> list[float]:
    """Return the power of tests on other subjects to find the differences of Experiment A."""
    effects = tables.get("experiment_a", {}).get("effects", {})
    sizes = tables["groups"]["group"].value_counts() if "groups" in tables else {}
    values = []
    for row in rows.values():
        between = row["comparison"].startswith("slow_vs_fast")
        names = (SLOW, FAST) if between else (row["comparison"].split("_")[0],) * 2
        if row["comparison"] in effects and tables["dataset"]["name"] != "experiment_a":
            n, m = (int(sizes.get(name, 0)) for name in names)
            values.append(power(effects[row["comparison"]], n, m, alpha))
    return values


def around_zero(rows: dict[str, pd.Series]) -> bool:
    """Whether an interval contains zero."""
    return any(row["low"] < 0 < row["high"] for row in rows.values())


@judge("C13")
def between_groups(tables: Tables, printed: Numbers, tolerance: Numbers) -> Judged:
    """Judge C13 by the tests of slow against fast."""
    tests = tables["group_tests"]
    rows = {window: student(tests, f"slow_vs_fast_{window}") for window in (FIRST, LAST)}
    below = [rows[window]["p"] < printed[f"p_{window}"] for window in (FIRST, LAST)]
    above = [row["mean_difference"] > 0 for row in rows.values()]
    counts = counted(tables)
    agree, readings = int(counts["between_stated"]), int(counts["stated"])
    result = over_readings(agree, readings) if all(above) else NOT
    if agree == 0:
        result = verdict(all(below) and all(above), all(above), printed=CHANGED)
    return Judged(
        result,
        by_intervals([(rows[LAST]["low"], rows[LAST]["high"])]),
        around_zero(rows),
        rows=rows,
        permuted=tests[tests["test"] == "permutation"].set_index("comparison")["p"],
        counts=counts,
        alpha=printed["p_last"],
        powers=powers(rows, tables, printed["p_last"]),
    )


@judge("C14")
def within_groups(tables: Tables, printed: Numbers, tolerance: Numbers) -> Judged:
    """Judge C14 by the tests of the last against the first window."""
    tests = tables["group_tests"]
    rows = {group: student(tests, f"{group}_last_vs_first") for group in (FAST, SLOW)}
    digits = prints({f"p_{group}": row["p"] for group, row in rows.items()}, printed)
    signs = rows[FAST]["mean_difference"] > 0 > rows[SLOW]["mean_difference"]
    counts = counted(tables)
    return Judged(
        verdict(
            digits and signs,
            bool(signs),
            printed=READING if counts["matching_stated"] else CHANGED,
        ),
        free_of_regression(tables),
        around_zero(rows),
        rows=rows,
        counts=counts,
        alpha=ALPHA,
        powers=powers(rows, tables, ALPHA),
        regression=regression(tables),
    )


def free_of_regression(tables: Tables) -> str:
    """Return whether the groups approach each other on blocks that did not choose them."""
    table = tables["regression_to_mean"]
    changes = table[(table["from"] == OTHER_HALF) & (table["to"] == LAST)].set_index("group")
    changes = changes.dropna(subset=["low", "high"])
    if not {FAST, SLOW} <= set(changes.index):
        return UNDECIDED
    fast, slow = changes.loc[FAST], changes.loc[SLOW]
    return by_intervals([(fast["low"], fast["high"]), (-slow["high"], -slow["low"])])


def regression(tables: Tables) -> dict[str, dict[str, Any]]:
    """Return how boundaries change if groups are chosen by other blocks (Fig. S9), by group.

    They change between two halves of the first blocks, one of which chooses the groups (``alone``),
    and from blocks that did not choose them to the last (``free``).
    """
    table = tables["regression_to_mean"].dropna(subset="change")
    table = table.set_index(["chosen_by", "from", "to", "group"])

    def changes(*contrast: str) -> dict[str, Any]:
        keys = {group: (*contrast, group) for group in (FAST, SLOW)}
        return {
            group: table.loc[key] if key in table.index else None for group, key in keys.items()
        }

    return {"alone": changes(HALF, HALF, OTHER_HALF), "free": changes(HALF, OTHER_HALF, LAST)}
