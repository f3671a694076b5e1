"""C10 to C12, C15, C18 to C20, C25 and C26: outputs and rules, of groups and of subjects.

A rule means something only if a fit to known rules finds it again.  So conclusions about rules rest
on the table ``recovery_cells``: how often a fit to a simulated subject has the consequent
by which that subject was simulated.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from fuzzybounds.checks.multiverse.key_cells import CELLS
from fuzzybounds.core.errors import TooFew
from fuzzybounds.core.statistics import prints_as
from fuzzybounds.core.words import FAST, FIRST, LAST, SLOW
from fuzzybounds.paper.groups.fast_and_slow import need_both
from fuzzybounds.scorecard.judges.groups import free_of_regression, regression
from fuzzybounds.scorecard.judges.judge import (
    Judged,
    Numbers,
    Tables,
    by_intervals,
    judge,
    supported,
    verdict,
)
from fuzzybounds.scorecard.verdicts import (
    AS_PRINTED,
    READING,
    SUPPORTED,
    UNDECIDED,
    UNIDENTIFIED,
    UNTESTABLE,
)

KEY_CELLS = {name: (group, FIRST, time, place) for name, (group, time, place) in CELLS.items()}
"""Cells whose values the paper prints: group, window, label of time, label of position."""
CORNER = ("VS", "S", "M")
"""Labels of the lower left corner of Fig. 14."""
MAIN = [("S", "S"), ("S", "M"), ("M", "S"), ("M", "M")]
"""Premises for which the groups are said to differ most."""
EXCEPTED = ("M", "VS")
"""The premise that the paper excepts: time M, position VS."""
PREMISE = ["group", "window", "time_label", "position_label"]
RECOVERED = 0.9
"""A consequent is identified if this share of fits to known rules finds it, stop or continue."""


def recovery(tables: Tables, labels: int, premises: Iterable[tuple[str, str]]) -> pd.Series:
    """Return how often fits that have a rule find the true one, the rarer of stop and continue.

    Premises of which no fit has points are left out.
    """
    table = tables["recovery_cells"]
    cells = table[table["labels"] == labels]
    least = cells.groupby(["time_label", "position_label"])["recovered"].min()
    return least[least.index.isin(list(premises))].dropna()


@judge("C10", output=0.05, subjects=4)
def outputs(tables: Tables, printed: Numbers, tolerance: Numbers) -> Judged:
    """Judge C10 by the averaged outputs, and by a comparison of subjects."""
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
    intervals = {
        window: fast_minus_slow(output["mean_output"], output["group"])
        for window, output in tables["subject_output"].groupby("window")
    }
    return Judged(
        verdict(all(larger) and near, all(larger), printed=READING),
        by_intervals(intervals.values()),
        **_few(table["n_subjects"].min(), tolerance),
        larger=sum(larger),
        first=first,
        last=last,
        intervals=intervals,
    )


def fast_minus_slow(values: pd.Series, groups: pd.Series) -> tuple[float, float]:
    """Return Welch's interval of a difference between groups, from one value per subject."""
    fast, slow = (values[groups == name].dropna() for name in (FAST, SLOW))
    if min(len(fast), len(slow)) < 2:
        raise TooFew("a group has fewer than two subjects with fits")
    if fast.nunique() == slow.nunique() == 1:
        difference = float(fast.iloc[0] - slow.iloc[0])  # all alike, so there is no spread
        return difference, difference
    low, high = stats.ttest_ind(fast, slow, equal_var=False).confidence_interval()
    return float(low), float(high)


def _contrast(tables: Tables, premises: Iterable[tuple[str, str]], less_others: bool) -> str:
    """Conclude by the interval over subjects of fast minus slow for some premises.

    A subject's value is the mean consequent over draws in the first window, if `less_others` less
    that of all other premises.
    """
    rules, groups = tables["rules"], tables["groups"].set_index("subject")["group"]
    chosen = rules[(rules["labels"] == 5) & (rules["window"] == FIRST)]
    chosen = chosen.pivot_table("consequent", "subject", ["time_label", "position_label"])
    inside = chosen.columns.isin(list(premises))
    values = chosen.loc[:, inside].mean(axis=1)
    if less_others:
        values -= chosen.loc[:, ~inside].mean(axis=1)
    return by_intervals([fast_minus_slow(values, groups.reindex(values.index))])


@judge("C19", output=0.5, subjects=4)
def blue_area(tables: Tables, printed: Numbers, tolerance: Numbers) -> Judged:
    """Judge C19 by the share of the unit square in which the slow group's output says continue."""
    table = tables["group_output"]
    need_both(table["group"])
    points = table[table["group"] == SLOW]
    area = (points["output"] < tolerance["output"]).groupby(points["window"]).mean()
    if not {FIRST, LAST} <= set(area.index):
        raise TooFew("the slow group has no fits in one of the windows")
    subjects = tables["subject_output"]
    slow = subjects[subjects["group"] == SLOW].pivot_table("blue_area", "subject", "window")
    change = _paired(slow[LAST] - slow[FIRST])
    return Judged(
        verdict(bool(area[LAST] > area[FIRST]), printed=READING),
        by_intervals([change]),
        **_few(points["n_subjects"].min(), tolerance),
        first=area[FIRST],
        last=area[LAST],
        below=tolerance["output"],
        change=change,
    )


def _paired(changes: pd.Series) -> tuple[float, float]:
    known = changes.dropna()
    if len(known) < 2:
        raise TooFew("fewer than two subjects have fits in both windows")
    low, high = stats.ttest_1samp(known, 0).confidence_interval()
    return float(low), float(high)


@judge("C11", share_exact=0.5, share_ordered=0.95, subjects=4)
def consequents(tables: Tables, printed: Numbers, tolerance: Numbers) -> Judged:
    """Judge C11 by the averaged consequents of each draw."""
    need_both(tables["consequents"]["group"])
    by_cell = tables["consequent_draws"].set_index([*PREMISE, "draw"])["mean"].sort_index()
    known = by_cell.index.droplevel("draw")
    draws = pd.DataFrame(
        {name: by_cell.loc[key] for name, key in KEY_CELLS.items() if key in known}
    )
    whole = draws.reindex(columns=list(KEY_CELLS)).dropna()
    if len(whole) < 2:
        raise TooFew("a group has no rule for one of the printed premises")
    exact = whole.apply(lambda column: prints_as(column, printed[column.name])).all(axis=1).sum()
    ordered = (whole["fast_S_M"] > whole["slow_S_M"]).sum()
    sizes = tables["consequents"].set_index(PREMISE)["n_subjects"]
    recovered = recovery(tables, 5, {key[2:] for key in KEY_CELLS.values()})
    return Judged(
        verdict(
            exact / len(draws) >= tolerance["share_exact"],
            ordered / len(draws) >= tolerance["share_ordered"],
            printed=READING,
        ),
        UNIDENTIFIED
        if recovered.min() < RECOVERED
        else _contrast(tables, [("S", "M")], less_others=False),
        **_few(min(sizes[key] for key in KEY_CELLS.values()), tolerance),
        exact=exact,
        ordered=ordered,
        draws=len(draws),
        mean=whole.mean(),
        sd=whole.std(),
        low=whole.quantile(0.025),
        high=whole.quantile(0.975),
        recovery=recovered,
    )


@judge("C20", rules=2, subjects=4)
def main_difference(tables: Tables, printed: Numbers, tolerance: Numbers) -> Judged:
    """Judge C20 by where the consequents of the groups differ most."""
    table = tables["consequents"]
    need_both(table["group"])
    cells = table[(table["window"] == FIRST) & (table["n_subjects"] >= tolerance["rules"])]
    wide = cells.pivot_table("mean", ["time_label", "position_label"], "group")
    wide = wide.reindex(columns=[FAST, SLOW])  # a small group may have no such premise
    difference = (wide[FAST] - wide[SLOW]).dropna()
    inside = difference.index.isin(MAIN)
    if not inside.any() or inside.all():
        raise TooFew("too few premises with rules of both groups")
    main, rest = difference[inside].mean(), difference[~inside].mean()
    largest = difference.idxmax()
    recovered = recovery(tables, 5, difference.index[inside])
    return Judged(
        verdict(
            bool(main > rest and main > 0 and largest in MAIN),
            bool(main > rest and main > 0),
            printed=READING,
        ),
        UNIDENTIFIED if recovered.min() < RECOVERED else _contrast(tables, MAIN, less_others=True),
        **_few(cells["n_subjects"].max(), tolerance),
        main=main,
        rest=rest,
        largest=largest,
        rules=tolerance["rules"],
        recovery=recovered,
    )


@judge("C12", subjects=4)
def corner_changes(tables: Tables, printed: Numbers, tolerance: Numbers) -> Judged:
    """Judge C12 by the averaged consequents of the lower left nine cells."""

    def lower_left(name: str) -> pd.DataFrame:
        inside = tables[name][["time_label", "position_label"]].isin(CORNER).all(axis=1)
        return tables[name][inside]

    corner = lower_left("consequents")
    change = _changes(corner, ["group", "time_label", "position_label"])
    need_both(change.index.to_frame()["group"])
    if (change == 0).all():
        raise TooFew("the rules of the first and the last window are the same")
    slow, fast = change[SLOW], change[FAST]
    excepted = slow.drop(EXCEPTED, errors="ignore")
    means = slow.mean() > 0 > fast.mean()
    exact = means and (excepted >= 0).all() and (fast <= 0).all()
    rise = {SLOW: (slow > 0).sum(), FAST: (fast > 0).sum()}
    fall = {SLOW: (slow < 0).sum(), FAST: (fast < 0).sum()}
    most = rise[SLOW] > len(slow) / 2 and fall[FAST] > len(fast) / 2
    recovered = recovery(tables, 5, {(time, place) for time in CORNER for place in CORNER})
    keys = ["group", "draw", "time_label", "position_label"]
    by_draw = _changes(lower_left("consequent_draws"), keys).groupby(["group", "draw"]).mean()
    return Judged(
        UNDECIDED
        if means and not exact and not most
        else verdict(bool(exact), most and means, printed=READING),
        UNIDENTIFIED if recovered.min() < RECOVERED else free_of_regression(tables),
        **_few(corner["n_subjects"].max() if len(corner) else 0, tolerance),
        rise=rise,
        fall=fall,
        cells={SLOW: len(slow), FAST: len(fast)},
        mean={SLOW: slow.mean(), FAST: fast.mean()},
        intervals={
            group: (drawn.quantile(0.025), drawn.quantile(0.975))
            for group, drawn in by_draw.groupby("group")
        },
        recovery=recovered,
        regression=regression(tables),
    )


def _changes(table: pd.DataFrame, keys: list[str]) -> pd.Series:
    wide = table.pivot_table("mean", keys, "window").reindex(columns=[FIRST, LAST])
    return (wide[LAST] - wide[FIRST]).dropna()


def _few(subjects: float, tolerance: Numbers) -> dict[str, Any]:
    """Return whether a group has too few subjects, how many it has, and how many it needs."""
    least = tolerance["subjects"]
    return {"few": int(subjects) < least, "subjects": int(subjects), "least": least}


@judge("C15")
def three_sessions(tables: Tables, printed: Numbers, tolerance: Numbers) -> Judged:
    """Judge C15 by the rules of subjects with recorded paths."""
    rules = tables["rules"]
    recorded = tables["dataset"]["recorded_paths"]
    kept = rules[rules["subject"].isin(recorded) & (rules["labels"] == 3)]
    identified = recovery(tables, 3, {(time, place) for time in "SML" for place in "SML"})
    known = identified.min() >= RECOVERED
    if kept.empty:
        conclusion = UNDECIDED if known else UNIDENTIFIED
        return Judged(UNTESTABLE, conclusion, count=None, recovery=identified)
    cells = kept.groupby(["subject", "window", "time_label", "position_label"])["consequent"].mean()
    if cells.index.get_level_values("window").nunique() < 2:
        raise TooFew("subjects with recorded paths have rules in one window only")
    count = (cells < 0.5).groupby(["subject", "window"]).sum()
    numbers = {tuple(sorted(counts)) for _, counts in count.groupby("window")}
    exact = numbers == {(printed["continue_1"], printed["continue_2"])}
    apart = all(len(pair) > 1 and pair[0] < pair[-1] for pair in numbers)
    continues = (cells < 0.5).unstack("window", fill_value=False)  # noqa: PD010 (a pivot of one column)
    same = bool((continues[FIRST] == continues[LAST]).all())
    return Judged(
        verdict(exact, apart, printed=READING),
        supported(apart and same) if known else UNIDENTIFIED,
        len(recorded) < 2,
        count=count,
        recovery=identified,
    )


@judge("C18", empty=0.5)
def rules_of_subjects(tables: Tables, printed: Numbers, tolerance: Numbers) -> Judged:
    """Judge C18 by how many rules a fit to known rules finds."""
    counts = {}
    for labels, cells in tables["recovery_cells"].groupby("labels"):
        empty = cells.groupby(["time_label", "position_label"])["empty"].mean()
        share = recovery(tables, int(labels), empty.index)
        unseen = int((empty >= tolerance["empty"]).sum())
        counts[int(labels)] = (int((share >= RECOVERED).sum()), unseen)
    fits = tables["fuzzy_fits"]
    if fits.empty:
        raise TooFew("there are no fits")
    least = min(good / labels**2 for labels, (good, _) in counts.items())
    return Judged(
        AS_PRINTED,
        SUPPORTED if least >= RECOVERED else UNIDENTIFIED,
        counts=counts,
        subjects=fits["subject"].nunique(),
    )


@judge("C25", share=0.5)
def tuning(tables: Tables, printed: Numbers, tolerance: Numbers) -> Judged:
    """Judge C25 by the losses of the fits with the most labels."""
    fits = tables["fuzzy_fits"]
    if fits.empty:
        raise TooFew("there are no fits")
    losses = fits[fits["labels"] == fits["labels"].max()].groupby("subject")
    before, after = (losses[name].mean() for name in ("loss_before", "loss_after"))
    ignorant = math.log(2)
    poor, good = int((before > ignorant).sum()), int((after < ignorant).sum())
    low, high = _paired(after - ignorant)
    return Judged(
        verdict(
            min(poor, good) > tolerance["share"] * len(before),
            bool((after < before).all()),
            printed=READING,
        ),
        by_intervals([(-high, -low)]),
        before=before.mean(),
        after=after.mean(),
        poor=poor,
        good=good,
        subjects=len(before),
        labels=fits["labels"].max(),
        low=low,
        high=high,
    )


@judge("C26", deviations=2.0)
def label_widths(tables: Tables, printed: Numbers, tolerance: Numbers) -> Judged:
    """Judge C26 by the fitted widths of the labels of time."""
    errors = tables["recovery_memberships"]
    errors = errors[(errors["labels"] == 3) & (errors["variable"] == "time")]
    sd = errors.set_index("label")["width_sd"].reindex(["S", "M"])
    recorded = tables["dataset"]["recorded_paths"]
    widths = tables["memberships"]
    widths = widths[widths["subject"].isin(recorded[:1])]
    widths = widths[(widths["labels"] == 3) & (widths["variable"] == "time")]
    if widths.empty:
        return Judged(UNTESTABLE, UNIDENTIFIED, sd=sd, change=None)
    logs = np.log(widths["width"]).groupby([widths["label"], widths["window"]]).mean()
    if not {FIRST, LAST} <= set(logs.index.unique("window")):
        raise TooFew("the subject with recorded paths has fits in one window only")
    change = logs.xs(LAST, level="window") - logs.xs(FIRST, level="window")
    far = (change[["S", "M"]].abs() > tolerance["deviations"] * sd * math.sqrt(2)).all()
    holds = bool(change["S"] < 0 < change["M"])
    return Judged(
        verdict(holds, printed=READING),
        supported(holds) if far else UNIDENTIFIED,
        few=True,
        sd=sd,
        change=change,
        subject=recorded[0],
    )
