"""C09, C13 and C14: fast and slow subjects, and how their boundaries change."""

from __future__ import annotations

import pandas as pd
from scipy import stats

from fuzzybounds.core.errors import TooFew
from fuzzybounds.core.words import FAST, FIRST, LAST, SLOW, STUDENT
from fuzzybounds.scorecard.claims.claim import (
    CHANGED,
    EXPERIMENT_A,
    NOT,
    READING,
    UNDECIDED,
    Found,
    Numbers,
    Tables,
    by_intervals,
    claim,
    over_readings,
    prints,
    verdict,
)

ALPHA = 0.05
HALF, OTHER_HALF = "half_of_first", "other_half_of_first"


@claim(
    "C09",
    "there are fast and slow subjects",
    where="Results",
    paper="7 fast and 6 slow subjects of 26",
    rule="exact; in direction, about a quarter of another number of subjects each; undecided "
    "with fewer than {subjects:g} subjects",
    control="on the last blocks, which did not choose the groups, they no longer differ",
    tables=("groups", "group_tests", "specification_summary"),
    printed={"n_fast": 7, "n_slow": 6, "subjects": 26},
    tolerance={"subjects": 8},
)
def group_sizes(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C09 by the sizes, and by blocks that did not choose the groups."""
    groups = tables["groups"]
    counts = groups["group"].value_counts()
    fast, slow = int(counts.get(FAST, 0)), int(counts.get(SLOW, 0))
    quarter = len(groups) / 4
    others = len(groups) != printed["subjects"] and min(fast, slow) > 0
    few = ""
    if len(groups) < tolerance["subjects"]:
        few = f"There are {len(groups)} subjects, fewer than {tolerance['subjects']:g}."
    tests = tables["group_tests"]
    last = tests[(tests["comparison"] == "slow_vs_fast_last") & (tests["test"] == STUDENT)]
    counts = counted(tables)
    as_stated, sizes = (int(counts[name]) for name in ("sizes_stated", "sizes"))
    return Found(
        f"{fast} fast, {slow} slow",
        verdict(
            (fast, slow) == (printed["n_fast"], printed["n_slow"]),
            others and max(abs(fast - quarter), abs(slow - quarter)) <= 1,
            printed=READING if as_stated else CHANGED,
        ),
        f"Quantiles of {len(groups)} subjects by the configured definition (A11 to A14).",
        few,
        conclusion=UNDECIDED if few else by_intervals(last[["low", "high"]].to_numpy()),
        reason=f"Of {counts['groups']:.0f} specifications {sizes} give {printed['n_fast']:.0f} "
        f'and {printed["n_slow"]:.0f}, {as_stated} of them with the printed inequalities, "less '
        'than" and "larger than".',
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


def intervals(rows: dict[str, pd.Series], tables: Tables, alpha: float) -> str:
    """Describe intervals of differences, and the power to find those of Experiment A."""
    said = [f"{name} [{row['low']:.0f}, {row['high']:.0f}] px" for name, row in rows.items()]
    effects = tables.get("experiment_a", {}).get("effects", {})
    sizes = tables["groups"]["group"].value_counts() if "groups" in tables else {}
    chances = []
    for row in rows.values():
        between = row["comparison"].startswith("slow_vs_fast")
        names = (SLOW, FAST) if between else (row["comparison"].split("_")[0],) * 2
        if row["comparison"] in effects and tables["dataset"]["name"] != EXPERIMENT_A:
            n, m = (int(sizes.get(name, 0)) for name in names)
            chances.append(f"{power(effects[row['comparison']], n, m, alpha):.2f}")
    found = f"95 % intervals: {', '.join(said)}"
    if chances:
        found += (
            f"; power to find differences as large as Experiment A's at p < {alpha:g}: "
            f"{' and '.join(chances)}"
        )
    return found


def around_zero(rows: dict[str, pd.Series], what: str) -> str:
    """Return a sentence if an interval contains zero; else nothing."""
    if not any(row["low"] < 0 < row["high"] for row in rows.values()):
        return ""
    said = [f"[{row['low']:.0f}, {row['high']:.0f}] px ({name})" for name, row in rows.items()]
    return f"The 95 % intervals of the {what} are {' and '.join(said)}."


@claim(
    "C13",
    "the boundary of the slow is above that of the fast in both windows",
    where="Results, Fig. 15",
    paper="p < 0.005 in both windows",
    rule="below the printed value in every reading with every printed statement as it stands; in "
    "direction, the signs by default",
    control="the interval of the difference on the last blocks, which did not choose the "
    "groups, contains zero",
    tables=("group_tests", "groups", "specification_summary"),
    printed={"p_first": 0.005, "p_last": 0.005},
)
def between_groups(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C13 by the tests of slow against fast."""
    tests = tables["group_tests"]
    rows = {window: student(tests, f"slow_vs_fast_{window}") for window in (FIRST, LAST)}
    below = [rows[window]["p"] < printed[f"p_{window}"] for window in (FIRST, LAST)]
    above = [row["mean_difference"] > 0 for row in rows.values()]
    permuted = tests[tests["test"] == "permutation"].set_index("comparison")["p"]
    counts = counted(tables)
    agree, readings, of_all, every = (
        int(counts[name]) for name in ("between_stated", "stated", "between", "groups")
    )
    found = over_readings(agree, readings) if all(above) else NOT
    if agree == 0:
        found = verdict(all(below) and all(above), all(above), printed=CHANGED)
    return Found(
        "; ".join(
            f"{window}: {row['mean_difference']:.0f} px, p = {row['p']:.2g}"
            for window, row in rows.items()
        ),
        found,
        "Student's t-test; permutations give "
        f"{permuted['slow_vs_fast_first']:.4f} and {permuted['slow_vs_fast_last']:.4f}. The groups "
        "were chosen by the first window, where they must differ.",
        around_zero(rows, "differences"),
        conclusion=by_intervals([(rows[LAST]["low"], rows[LAST]["high"])]),
        interval=intervals(rows, tables, printed["p_last"]),
        reason=f"Both p are below the printed value in {agree} of the {readings} specifications "
        f"that leave every printed statement as it is, and in {of_all} of all {every}.",
    )


@claim(
    "C14",
    "with practice the slow became faster and the fast slower, not significantly",
    where="Results, Fig. 15",
    paper="p = 0.18 (fast) and 0.29 (slow)",
    rule="the printed digits, rounded or cut; in direction, the signs of the changes",
    control="from blocks that did not choose the groups to the last, an interval of the change "
    "contains zero",
    tables=("group_tests", "groups", "specification_summary", "regression_to_mean"),
    printed={"p_fast": 0.18, "p_slow": 0.29},
)
def within_groups(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C14 by the tests of the last against the first window."""
    tests = tables["group_tests"]
    rows = {group: student(tests, f"{group}_last_vs_first") for group in (FAST, SLOW)}
    digits = prints({f"p_{group}": row["p"] for group, row in rows.items()}, printed)
    signs = rows[FAST]["mean_difference"] > 0 > rows[SLOW]["mean_difference"]
    counts = counted(tables)
    return Found(
        "; ".join(
            f"{group}: {row['mean_difference']:+.0f} px, p = {row['p']:.3f}"
            for group, row in rows.items()
        ),
        verdict(
            digits and signs,
            bool(signs),
            printed=READING if counts["matching_stated"] else CHANGED,
        ),
        "Student's two-sample t-test of the configured summaries. Neither p is significant, and "
        "the windows are of the same subjects, so a paired test would have been in place. "
        f"{regression(tables)}",
        around_zero(rows, "changes"),
        conclusion=free_of_regression(tables),
        interval=intervals(rows, tables, ALPHA),
        reason=f"Of {counts['groups']:.0f} specifications that were tried, "
        f"{counts['matching']:.0f} give the printed digits, {counts['matching_stated']:.0f} of "
        "them with every printed statement as it is (inequalities, boundaries at responses only); "
        f"{counts['signs']:.0f} give the signs. Two-digit p drawn at random would be found with "
        f"probability {counts['chance_match']:.1%}.",
    )


def free_of_regression(tables: Tables) -> str:
    """Return whether the groups approach each other on blocks that did not choose them."""
    table = tables["regression_to_mean"]
    own = table[(table["from"] == OTHER_HALF) & (table["to"] == LAST)].set_index("group")
    own = own.dropna(subset=["low", "high"])
    if not {FAST, SLOW} <= set(own.index):
        return UNDECIDED
    fast, slow = own.loc[FAST], own.loc[SLOW]
    return by_intervals([(fast["low"], fast["high"]), (-slow["high"], -slow["low"])])


def regression(tables: Tables) -> str:
    """Describe how boundaries change if groups are chosen by other blocks (Fig. S9)."""
    table = tables["regression_to_mean"].set_index(["chosen_by", "from", "to", "group"])

    def change(group: str, *contrast: str) -> str:
        row = table.loc[(*contrast, group)] if (*contrast, group) in table.index else None
        if row is None or row["change"] != row["change"]:
            return f"not known ({group})"
        return f"{row['change']:+.0f} px [{row['low']:+.0f}, {row['high']:+.0f}] ({group})"

    alone, free = (
        " and ".join(change(group, *contrast) for group in (FAST, SLOW))
        for contrast in ((HALF, HALF, OTHER_HALF), (HALF, OTHER_HALF, LAST))
    )
    return (
        "Groups are chosen by the first window, so part of any change is regression to the mean: "
        f"between two halves of the first blocks, one of which chooses the groups, boundaries "
        f"change by {alone}. From blocks that did not choose them to the last they change by "
        f"{free} (95 % bootstrap intervals)."
    )
