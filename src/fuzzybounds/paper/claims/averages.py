"""C10 to C12: the fitted outputs and rules of fast and slow subjects, averaged over a group."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fuzzybounds.paper.claims.claim import (
    EXPERIMENT_A,
    INCONCLUSIVE,
    Claim,
    Found,
    Numbers,
    Tables,
    verdict,
)
from fuzzybounds.paper.claims.groups import regression
from fuzzybounds.storage.errors import TooFew
from fuzzybounds.storage.registry.vocabulary import FAST, FIRST, LAST, SLOW

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
    means = slow.mean() > 0 > fast.mean()
    exact = means and (excepted >= 0).all() and (fast <= 0).all()
    rising, falling = int((slow > 0).sum()), int((fast < 0).sum())
    most = rising > len(slow) / 2 and falling > len(fast) / 2
    return Found(
        f"slow: {rising} of {len(slow)} cells rise, {int((slow < 0).sum())} fall, mean "
        f"{slow.mean():+.2f}; fast: {falling} of {len(fast)} fall, {int((fast > 0).sum())} rise, "
        f"mean {fast.mean():+.2f}",
        INCONCLUSIVE if means and not exact and not most else verdict(bool(exact), most and means),
        "Lower left: time and position VS, S or M. Groups are chosen by the first window, so part "
        f"of any such change is regression to the mean: {regression(tables)}",
        _few(int(corner["n_subjects"].max()) if len(corner) else 0, tolerance),
    )


def _few(subjects: int, tolerance: Numbers) -> str:
    if subjects >= tolerance["subjects"]:
        return ""
    return f"A group has {subjects} subjects, fewer than {tolerance['subjects']:g}."


CLAIMS = (
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
        rule="the mean of the nine cells of either group, and no cell the other way; in direction, "
        "the means and most cells; inconclusive where the means alone have the right sign",
        judge=corner_changes,
        tables=("consequents", "regression_to_mean"),
        tolerance={"subjects": 4},
    ),
)
