"""C09 to C15: fast and slow subjects, and the subjects with three sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fuzzybounds.paper.claims.claim import (
    EXPERIMENT_A,
    INCONCLUSIVE,
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

KEY_CELLS = {
    "fast_S_M": (FAST, FIRST, "S", "M"),
    "slow_S_M": (SLOW, FIRST, "S", "M"),
    "slow_M_S": (SLOW, FIRST, "M", "S"),
}
"""Cells whose values the paper prints: group, window, label of time, label of position."""
CORNER = ("VS", "S", "M")
"""Labels of the lower left corner of Fig. 14."""
EXCEPTED = ("M", "VS")
"""The premise that the paper excepts: time M, position VS."""


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
            others and max(abs(fast - quarter), abs(slow - quarter)) < 1,
        ),
        f"By MATLAB's quantiles, with <= for the fast and > for the slow group, of {len(groups)} "
        "subjects.",
    )


def outputs(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C10 by the averaged outputs."""
    from fuzzybounds.analysis.groups import need_both

    table = tables["group_output"]
    need_both(table["group"])
    summary = table.groupby(["group", "window"])["output"].agg(["mean", "min"])
    if len(summary) < 4:
        raise TooFew("a group has no fits in one of the windows")
    larger = [
        summary.loc[(FAST, window), "mean"] > summary.loc[(SLOW, window), "mean"]
        for window in (FIRST, LAST)
    ]
    first, last = (float(summary.loc[(SLOW, window), "min"]) for window in (FIRST, LAST))
    near = (
        abs(first - printed["least_first"]) <= tolerance["output"]
        and abs(last - printed["least_last"]) <= tolerance["output"]
    )
    return Found(
        f"fast above slow in {sum(larger)} of 2 windows; least output {first:.2f}, then {last:.2f}",
        verdict(all(larger) and near, all(larger)),
        "Means over the unit square of the fitted output with five labels.",
        _few(int(table["n_subjects"].min()), tolerance),
    )


def consequents(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C11 by the averaged consequents of each draw."""
    from fuzzybounds.analysis.groups import need_both
    from fuzzybounds.analysis.printed_digits import prints_as

    table = tables["consequents"]
    need_both(table["group"])
    premise = ["group", "window", "time_label", "position_label"]
    means = table.set_index(premise)
    ours = {name: means.loc[key] for name, key in KEY_CELLS.items() if key in means.index}
    draws = key_cells_by_draw(tables["consequent_draws"])
    whole = draws.reindex(columns=list(KEY_CELLS)).dropna()
    exact = whole.apply(lambda own: prints_as(own, printed[own.name])).all(axis=1)
    ordered = whole["fast_S_M"] > whole["slow_S_M"]
    n = max(len(draws), 1)
    return Found(
        "; ".join(
            f"{name.replace('_', ' ')} {own['mean']:.2f} ± {own['sd_over_draws']:.2f}"
            for name, own in ours.items()
        )
        + f"; all three as printed in {exact.sum()} of {len(draws)} draws",
        verdict(
            exact.sum() / n >= tolerance["share_exact"],
            ordered.sum() / n >= tolerance["share_ordered"],
        ),
        f"Mean and standard deviation over draws of the earlier points. Fast is above slow for "
        f"(time S, position M) in {ordered.sum()} of {len(draws)} draws; the first draw alone "
        "gives " + ", ".join(f"{own['first_draw']:.2f}" for own in ours.values()) + ".",
        _few(int(min((own["n_subjects"] for own in ours.values()), default=0)), tolerance),
    )


def key_cells_by_draw(draws: pd.DataFrame) -> pd.DataFrame:
    """Return the printed cells of each draw: one row per draw, one column per cell."""
    import pandas as pd

    by_cell = draws.set_index(["group", "window", "time_label", "position_label", "draw"])["mean"]
    columns = {
        name: by_cell.xs(key, level=[0, 1, 2, 3])
        if key in by_cell.index.droplevel("draw")
        else None
        for name, key in KEY_CELLS.items()
    }
    return pd.DataFrame({name: own for name, own in columns.items() if own is not None})


def corner_changes(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C12 by the averaged consequents of the lower left nine cells."""
    from fuzzybounds.analysis.groups import need_both

    table = tables["consequents"]
    corner = table[table["time_label"].isin(CORNER) & table["position_label"].isin(CORNER)]
    wide = corner.pivot_table("mean", ["group", "time_label", "position_label"], "window")
    change = wide.reindex(columns=[FIRST, LAST]).diff(axis="columns")[LAST].dropna()
    need_both(change.index.to_frame()["group"])
    slow, fast = change[SLOW], change[FAST]
    excepted = slow.drop(EXCEPTED, errors="ignore")
    exact = (excepted >= 0).all() and (fast <= 0).all()
    rising, falling = int((slow > 0).sum()), int((fast < 0).sum())
    most = rising > len(slow) / 2 and falling > len(fast) / 2
    means = slow.mean() > 0 > fast.mean()
    return Found(
        f"slow: {rising} of {len(slow)} cells rise, {int((slow < 0).sum())} fall, mean "
        f"{slow.mean():+.2f}; fast: {falling} of {len(fast)} fall, {int((fast > 0).sum())} rise, "
        f"mean {fast.mean():+.2f}",
        INCONCLUSIVE if means and not exact and not most else verdict(bool(exact), most and means),
        "Lower left: time and position VS, S or M. Groups are chosen by the first window, so part "
        f"of any such change is regression to the mean: {_regression(tables)}",
        _few(int(corner["n_subjects"].max()) if len(corner) else 0, tolerance),
    )


def _few(subjects: int, tolerance: Numbers) -> str:
    if subjects >= tolerance["subjects"]:
        return ""
    return f"A group has {subjects} subjects, fewer than {tolerance['subjects']:g}."


def _student(tests: pd.DataFrame, comparison: str) -> pd.Series:
    row = tests[(tests["comparison"] == comparison) & (tests["test"] == STUDENT)].iloc[0]
    if row["p"] != row["p"]:
        raise TooFew(f"{comparison}: a test needs two subjects in each group, who differ")
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
        f"mean: {_regression(tables)}",
        few,
    )


SPECIFICATIONS = "specifications of groups and tests"
MATCHING = "group specifications that print as the paper"
LUCK = "share of two-digit p pairs that some specification prints"
LUCK_SAME_SIZES = "the same, among specifications with the printed group sizes"
"""Rows of specification_summary.csv."""


def _regression(tables: Tables) -> str:
    """Say how the boundaries of groups change that are chosen by other blocks (Fig. S9)."""
    table = tables["regression_to_mean"].set_index(["chosen_by", "from", "to", "group"])

    def change(group: str, *contrast: str) -> str:
        if (*contrast, group) not in table.index:
            return f"not known ({group})"
        row = table.loc[(*contrast, group)]
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
        "C10",
        "the output is larger for the fast group; the slow group's least output is about 0 in the "
        "first and about 0.2 in the last 20 blocks",
        where="Results, Fig. 13",
        about=EXPERIMENT_A,
        rule="{output:g} of a value read off a figure; in direction, the order of the groups alone",
        judge=outputs,
        tables=("group_output",),
        printed={"least_first": 0.0, "least_last": 0.2},
        tolerance={"output": 0.05, "subjects": 4},
    ),
    Claim(
        "C11",
        "averaged consequents of (time S, position M) fast 1, slow 0.16, and of (time M, position "
        "S) slow 0.33",
        where="Results, Fig. 14",
        about=EXPERIMENT_A,
        rule="all three as printed in at least {share_exact:.0%} of the draws (the paper has one "
        "draw); in direction, fast above slow in at least {share_ordered:.0%} of the draws",
        judge=consequents,
        tables=("consequents", "consequent_draws"),
        printed={"fast_S_M": 1.0, "slow_S_M": 0.16, "slow_M_S": 0.33},
        tolerance={"share_exact": 0.05, "share_ordered": 0.95, "subjects": 4},
    ),
    Claim(
        "C12",
        "the lower left cells rise for the slow group (but for time M, position VS) and fall for "
        "the fast group",
        where="Results, Fig. 14",
        about=EXPERIMENT_A,
        rule="all nine cells; in direction, most cells of either group and their mean; "
        "inconclusive where the means alone have the right sign",
        judge=corner_changes,
        tables=("consequents", "regression_to_mean"),
        tolerance={"subjects": 4},
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
