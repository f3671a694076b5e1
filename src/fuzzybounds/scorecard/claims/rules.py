"""C10 to C12, C15, C18 to C20, C25 and C26: outputs and rules, of groups and of subjects.

A rule means something only if a fit to known rules finds it again.  So conclusions about rules rest
on the table ``recovery_cells``: how often a fit to a simulated subject has the consequent
by which that subject was simulated.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
import pandas as pd
from scipy import stats

from fuzzybounds.checks.multiverse.key_cells import CELLS
from fuzzybounds.core.errors import TooFew
from fuzzybounds.core.statistics import prints_as
from fuzzybounds.core.words import FAST, FIRST, LAST, SLOW
from fuzzybounds.paper.groups.fast_and_slow import need_both
from fuzzybounds.scorecard.claims.claim import (
    AS_PRINTED,
    READING,
    SUPPORTED,
    UNDECIDED,
    UNIDENTIFIED,
    UNPUBLISHED,
    UNTESTABLE,
    Found,
    Numbers,
    Tables,
    by_intervals,
    claim,
    supported,
    verdict,
)
from fuzzybounds.scorecard.claims.groups import free_of_regression, regression

KEY_CELLS = {name: (group, FIRST, time, place) for name, (group, time, place) in CELLS.items()}
"""Cells whose values the paper prints: group, window, label of time, label of position."""
CORNER = ("VS", "S", "M")
"""Labels of the lower left corner of Fig. 14."""
MAIN = [("S", "S"), ("S", "M"), ("M", "S"), ("M", "M")]
"""Premises for which the groups are said to differ most."""
EXCEPTED = ("M", "VS")
"""The premise that the paper excepts: time M, position VS."""
PREMISE = ["group", "window", "time_label", "position_label"]
LEFT_OPEN = (
    "Left open, and chosen: the trials, the ranges, the width of five labels, premises without "
    "points, and the earlier point of each trial (A03, A08 to A11)."
)
RECOVERED = 0.9
"""A consequent is identified if this share of fits to known rules finds it, stop or continue."""


def recovery(tables: Tables, labels: int, premises: Iterable[tuple[str, str]]) -> pd.Series:
    """Return how often fits that have a rule find the true one, the rarer of stop and continue.

    Premises of which no fit has points are left out.
    """
    table = tables["recovery_cells"]
    own = table[table["labels"] == labels]
    least = own.groupby(["time_label", "position_label"])["recovered"].min()
    return least[least.index.isin(list(premises))].dropna()


def say_recovery(found: pd.Series) -> str:
    """Describe the recovery of some premises."""
    low, high = found.min(), found.max()
    share = f"{low:.0%}" if low == high else f"{low:.0%} to {high:.0%}"
    return f"Fits to known rules find the consequents of these premises in {share} of cases (C18)."


@claim(
    "C10",
    "the fitted output is larger for the fast group; the slow became faster with practice",
    where="Results, Fig. 13",
    paper="least output of the slow group about 0 in the first and about 0.2 in the last 20 blocks",
    rule="{output:g} of a value read off a figure; in direction, the order of the groups alone",
    control="an interval over subjects of fast minus slow contains zero",
    tables=("group_output", "subject_output"),
    printed={"least_first": 0.0, "least_last": 0.2},
    tolerance={"output": 0.05, "subjects": 4},
)
def outputs(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
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
    pairs = {
        window: _fast_minus_slow(own["mean_output"], own["group"])
        for window, own in tables["subject_output"].groupby("window")
    }
    said = ", ".join(f"{name} [{low:+.2f}, {high:+.2f}]" for name, (low, high) in pairs.items())
    return Found(
        f"fast above slow in {sum(larger)} of 2 windows; least output {first:.2f}, then {last:.2f}",
        verdict(all(larger) and near, all(larger), printed=READING),
        "Means over the unit square of the fitted output with five labels. C18 is about "
        "whether its rules can be read off.",
        _few(int(table["n_subjects"].min()), tolerance),
        conclusion=by_intervals(pairs.values()),
        interval=f"95 % intervals of fast minus slow over subjects: {said}",
        reason=f"{LEFT_OPEN} The least outputs were read off a colour scale.",
    )


def _fast_minus_slow(values: pd.Series, groups: pd.Series) -> tuple[float, float]:
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
    own = rules[(rules["labels"] == 5) & (rules["window"] == FIRST)]
    own = own.pivot_table("consequent", "subject", ["time_label", "position_label"])
    inside = own.columns.isin(list(premises))
    values = own.loc[:, inside].mean(axis=1)
    if less_others:
        values -= own.loc[:, ~inside].mean(axis=1)
    return by_intervals([_fast_minus_slow(values, groups.reindex(values.index))])


@claim(
    "C19",
    "the blue area of the slow group, where the output says continue, has grown with practice",
    where="Results, Fig. 13",
    paper="a larger area in the last 20 blocks",
    rule="a larger share of the unit square with an output below {output:g}",
    control="the interval over slow subjects of the change contains zero",
    tables=("group_output", "subject_output"),
    tolerance={"output": 0.5, "subjects": 4},
)
def blue_area(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C19 by the share of the unit square in which the slow group's output says continue."""
    table = tables["group_output"]
    need_both(table["group"])
    own = table[table["group"] == SLOW]
    area = (own["output"] < tolerance["output"]).groupby(own["window"]).mean()
    if not {FIRST, LAST} <= set(area.index):
        raise TooFew("the slow group has no fits in one of the windows")
    subjects = tables["subject_output"]
    slow = subjects[subjects["group"] == SLOW].pivot_table("blue_area", "subject", "window")
    changes = slow[LAST] - slow[FIRST]
    return Found(
        f"{area[FIRST]:.0%} of the square, then {area[LAST]:.0%}",
        verdict(bool(area[LAST] > area[FIRST]), printed=READING),
        f"Output of the slow group below {tolerance['output']:g}. A larger area of continue means "
        "slower subjects, the opposite of what the caption concludes from it.",
        _few(int(own["n_subjects"].min()), tolerance),
        conclusion=by_intervals([_paired(changes)]),
        interval="95 % interval of a subject's change [{:+.2f}, {:+.2f}]".format(*_paired(changes)),
        reason=LEFT_OPEN,
    )


def _paired(changes: pd.Series) -> tuple[float, float]:
    known = changes.dropna()
    if len(known) < 2:
        raise TooFew("fewer than two subjects have fits in both windows")
    low, high = stats.ttest_1samp(known, 0).confidence_interval()
    return float(low), float(high)


@claim(
    "C11",
    "for (time S, position M) all fast subjects stop and most slow ones continue",
    where="Results, Fig. 14",
    paper="(time S, position M): fast 1, slow 0.16; (time M, position S): slow 0.33",
    rule="all three as printed in at least {share_exact:.0%} of the draws; in direction, fast "
    "above slow in at least {share_ordered:.0%} of the draws",
    control="fits to known rules do not find these consequents; the interval over subjects of "
    "fast minus slow contains zero",
    tables=("consequents", "consequent_draws", "rules", "groups", "recovery_cells"),
    printed={"fast_S_M": 1.0, "slow_S_M": 0.16, "slow_M_S": 0.33},
    tolerance={"share_exact": 0.5, "share_ordered": 0.95, "subjects": 4},
)
def consequents(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
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
    exact = whole.apply(lambda own: prints_as(own, printed[own.name])).all(axis=1)
    ordered = whole["fast_S_M"] > whole["slow_S_M"]
    sizes = tables["consequents"].set_index(PREMISE)["n_subjects"]
    found = recovery(tables, 5, {key[2:] for key in KEY_CELLS.values()})
    means, spread = whole.mean(), whole.std()
    low, high = whole.quantile(0.025), whole.quantile(0.975)
    return Found(
        "; ".join(
            f"{name.replace('_', ' ')} {means[name]:.2f} ± {spread[name]:.2f}" for name in KEY_CELLS
        )
        + f"; all three as printed in {exact.sum()} of {len(draws)} draws",
        verdict(
            exact.sum() / len(draws) >= tolerance["share_exact"],
            ordered.sum() / len(draws) >= tolerance["share_ordered"],
            printed=READING,
        ),
        f"Mean and standard deviation over draws of the earlier points. Fast is above slow for "
        f"(time S, position M) in {ordered.sum()} of {len(draws)} draws. {say_recovery(found)}",
        _few(int(min(sizes[key] for key in KEY_CELLS.values())), tolerance),
        conclusion=UNIDENTIFIED
        if found.min() < RECOVERED
        else _contrast(tables, [("S", "M")], less_others=False),
        interval="95 % of the draws of earlier points: "
        + "; ".join(
            f"{name.replace('_', ' ')} [{low[name]:.2f}, {high[name]:.2f}]" for name in KEY_CELLS
        ),
        reason=LEFT_OPEN,
    )


@claim(
    "C20",
    "the groups differ mainly where time and position are S or M",
    where="Results, Fig. 14",
    paper="consequents much higher for the fast group there",
    rule="the mean difference is positive and larger there than elsewhere, and so is the "
    "largest; in direction, the means alone",
    control="fits to known rules do not find these consequents; the interval over subjects of "
    "the difference there less that elsewhere contains zero",
    tables=("consequents", "rules", "groups", "recovery_cells"),
    tolerance={"rules": 2, "subjects": 4},
)
def main_difference(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C20 by where the consequents of the groups differ most."""
    table = tables["consequents"]
    need_both(table["group"])
    own = table[(table["window"] == FIRST) & (table["n_subjects"] >= tolerance["rules"])]
    wide = own.pivot_table("mean", ["time_label", "position_label"], "group")
    wide = wide.reindex(columns=[FAST, SLOW])  # a small group may have no such premise
    difference = (wide[FAST] - wide[SLOW]).dropna()
    inside = difference.index.isin(MAIN)
    if not inside.any() or inside.all():
        raise TooFew("too few premises with rules of both groups")
    main, rest = difference[inside].mean(), difference[~inside].mean()
    time, place = difference.idxmax()
    found = recovery(tables, 5, difference.index[inside])
    return Found(
        f"fast minus slow {main:+.2f} where time and position are S or M, {rest:+.2f} elsewhere; "
        f"largest for time {time}, position {place}",
        verdict(
            bool(main > rest and main > 0 and (time, place) in MAIN),
            bool(main > rest and main > 0),
            printed=READING,
        ),
        f"Premises for which at least {tolerance['rules']:g} subjects of either group have a rule "
        f"on average. {say_recovery(found)}",
        _few(int(own["n_subjects"].max()), tolerance),
        conclusion=UNIDENTIFIED
        if found.min() < RECOVERED
        else _contrast(tables, MAIN, less_others=True),
        reason=LEFT_OPEN,
    )


@claim(
    "C12",
    "the lower left cells rise for the slow group and fall for the fast group",
    where="Results, Fig. 14",
    paper="all cells but (time M, position VS) of the slow group",
    rule="the mean of the nine cells of either group, and no cell the other way; in direction, "
    "the means and most cells; undecided where the means alone have the right sign",
    control="fits to known rules do not find these consequents; regression to the mean",
    tables=("consequents", "consequent_draws", "regression_to_mean", "recovery_cells"),
    tolerance={"subjects": 4},
)
def corner_changes(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
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
    rising, falling = int((slow > 0).sum()), int((fast < 0).sum())
    most = rising > len(slow) / 2 and falling > len(fast) / 2
    found = recovery(tables, 5, {(time, place) for time in CORNER for place in CORNER})
    keys = ["group", "draw", "time_label", "position_label"]
    by_draw = _changes(lower_left("consequent_draws"), keys)
    said = [
        f"{group} [{own.quantile(0.025):.2f}, {own.quantile(0.975):.2f}]"
        for group, own in by_draw.groupby(["group", "draw"]).mean().groupby("group")
    ]
    return Found(
        f"slow: {rising} of {len(slow)} cells rise, {int((slow < 0).sum())} fall, mean "
        f"{slow.mean():+.2f}; fast: {falling} of {len(fast)} fall, {int((fast > 0).sum())} rise, "
        f"mean {fast.mean():+.2f}",
        UNDECIDED
        if means and not exact and not most
        else verdict(bool(exact), most and means, printed=READING),
        f"Lower left: time and position VS, S or M. {say_recovery(found)} {regression(tables)}",
        _few(int(corner["n_subjects"].max()) if len(corner) else 0, tolerance),
        conclusion=UNIDENTIFIED if found.min() < RECOVERED else free_of_regression(tables),
        interval=f"Mean change, 95 % of the draws of earlier points: {'; '.join(said)}",
        reason=LEFT_OPEN,
    )


def _changes(table: pd.DataFrame, keys: list[str]) -> pd.Series:
    wide = table.pivot_table("mean", keys, "window").reindex(columns=[FIRST, LAST])
    return (wide[LAST] - wide[FIRST]).dropna()


def _few(subjects: int, tolerance: Numbers) -> str:
    if subjects >= tolerance["subjects"]:
        return ""
    return f"A group has {subjects} subjects, fewer than {tolerance['subjects']:g}."


@claim(
    "C15",
    "the two subjects of three sessions used different rules, which practice did not change",
    where="Results, Figs. 10 to 12",
    about=UNPUBLISHED,
    paper="continue for (S, S) only; continue in four rules",
    rule="exact; in direction, subjects differ in how many rules say continue",
    control="fits to known rules do not find these consequents; the subjects have as many rules "
    "that say continue, or a rule changes from one window to the other",
    tables=("rules", "dataset", "recovery_cells"),
    printed={"continue_1": 1, "continue_2": 4},
)
def three_sessions(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C15 by the rules of subjects with recorded paths."""
    rules = tables["rules"]
    recorded = tables["dataset"]["recorded_paths"]
    own = rules[rules["subject"].isin(recorded) & (rules["labels"] == 3)]
    identified = recovery(tables, 3, {(time, place) for time in "SML" for place in "SML"})
    known = identified.min() >= RECOVERED
    note = f"The paths of the paper's two subjects are unpublished. {say_recovery(identified)}"
    if own.empty:
        conclusion = UNDECIDED if known else UNIDENTIFIED
        return Found("no recorded paths", UNTESTABLE, note, conclusion=conclusion)
    cells = own.groupby(["subject", "window", "time_label", "position_label"])["consequent"].mean()
    if cells.index.get_level_values("window").nunique() < 2:
        raise TooFew("subjects with recorded paths have rules in one window only")
    count = (cells < 0.5).groupby(["subject", "window"]).sum()
    numbers = {tuple(sorted(own)) for _, own in count.groupby("window")}
    exact = numbers == {(printed["continue_1"], printed["continue_2"])}
    apart = all(len(own) > 1 and own[0] < own[-1] for own in numbers)
    said = (cells < 0.5).unstack("window", fill_value=False)  # noqa: PD010 (a pivot of one column)
    same = bool((said[FIRST] == said[LAST]).all())
    return Found(
        "; ".join(f"{subject} {window}: {n} continue" for (subject, window), n in count.items()),
        verdict(exact, apart, printed=READING),
        f"Rules that most draws give. {note}",
        "" if len(recorded) > 1 else "There is one subject with recorded paths.",
        conclusion=supported(apart and same) if known else UNIDENTIFIED,
        reason=LEFT_OPEN,
    )


@claim(
    "C18",
    "by fitting the fuzzy model we can investigate which heuristic rules each subject used",
    where="Introduction; Results, Figs. 10 to 14",
    paper="a rule table per subject",
    rule="every subject has fitted rules",
    control="fits to known rules do not find nine tenths of them",
    tables=("fuzzy_fits", "recovery_cells"),
    tolerance={"empty": 0.5},
)
def rules_of_subjects(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C18 by how many rules a fit to known rules finds."""
    table = tables["recovery_cells"]
    said, shares = [], []
    for labels, own in table.groupby("labels"):
        found = recovery(tables, int(labels), own.set_index(["time_label", "position_label"]).index)
        good = int((found >= RECOVERED).sum())
        empty = own.groupby(["time_label", "position_label"])["empty"].mean()
        unseen = int((empty >= tolerance["empty"]).sum())
        said.append(f"{labels} labels: {good} of {labels**2} consequents, {unseen} without points")
        shares.append(good / labels**2)
    fits = tables["fuzzy_fits"]
    if fits.empty:
        raise TooFew("there are no fits")
    return Found(
        "; ".join(said),
        AS_PRINTED,
        f"A rule table can be fitted to each of {fits['subject'].nunique()} subjects. A consequent "
        f"counts if at least {RECOVERED:.0%} of the fits to simulated subjects with known rules "
        "find it where it is stop and where it is continue; the table per cell is "
        "recovery_cells.csv.",
        conclusion=SUPPORTED if min(shares) >= RECOVERED else UNIDENTIFIED,
    )


@claim(
    "C25",
    "after structure learning the model does not fit well, and tuning the memberships mends it",
    where="Parameter estimation using gradient descent",
    paper="does not fit well before tuning",
    rule="for most subjects the mean loss before tuning is above ln 2, that of a model that knows "
    "nothing, and the loss after tuning is below it",
    control="the interval over subjects of the loss after tuning reaches ln 2",
    tables=("fuzzy_fits",),
    tolerance={"share": 0.5},
)
def tuning(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C25 by the losses of the fits with the most labels."""
    fits = tables["fuzzy_fits"]
    if fits.empty:
        raise TooFew("there are no fits")
    losses = fits[fits["labels"] == fits["labels"].max()].groupby("subject")
    before, after = (losses[name].mean() for name in ("loss_before", "loss_after"))
    ignorant = math.log(2)
    poor, good = int((before > ignorant).sum()), int((after < ignorant).sum())
    low, high = _paired(after - ignorant)
    return Found(
        f"loss {before.mean():.2f} before and {after.mean():.2f} after; above ln 2 before for "
        f"{poor} and below it after for {good} of {len(before)} subjects",
        verdict(
            min(poor, good) > tolerance["share"] * len(before),
            bool((after < before).all()),
            printed=READING,
        ),
        f"Mean cross-entropy per point over draws and windows, with {fits['labels'].max()} labels, "
        "on the points that were fitted.",
        conclusion=by_intervals([(-high, -low)]),
        interval=f"95 % interval of the loss after tuning less ln 2: [{low:.2f}, {high:.2f}]",
        reason=f"The paper prints no loss. {LEFT_OPEN}",
    )


@claim(
    "C26",
    "practice narrowed subject 1's label S of time and widened M",
    where="Results, Fig. 12",
    about=UNPUBLISHED,
    paper="S decreased, M increased",
    rule="both signs, for the first subject with recorded paths",
    control="the changes are smaller than two standard deviations of widths that are fitted to "
    "subjects whose labels are known",
    tables=("memberships", "dataset", "recovery_memberships"),
    tolerance={"deviations": 2.0},
)
def label_widths(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge C26 by the fitted widths of the labels of time."""
    errors = tables["recovery_memberships"]
    errors = errors[(errors["labels"] == 3) & (errors["variable"] == "time")]
    sd = errors.set_index("label")["width_sd"].reindex(["S", "M"])
    note = (
        "The paths of the paper's two subjects are unpublished. The logarithm of a width that is "
        f"fitted to a subject whose labels are known has a standard deviation of {sd['S']:.2f} (S) "
        f"and {sd['M']:.2f} (M)."
    )
    recorded = tables["dataset"]["recorded_paths"]
    widths = tables["memberships"]
    widths = widths[widths["subject"].isin(recorded[:1])]
    widths = widths[(widths["labels"] == 3) & (widths["variable"] == "time")]
    if widths.empty:
        return Found("no recorded paths", UNTESTABLE, note, conclusion=UNIDENTIFIED)
    logs = np.log(widths["width"]).groupby([widths["label"], widths["window"]]).mean()
    if not {FIRST, LAST} <= set(logs.index.unique("window")):
        raise TooFew("the subject with recorded paths has fits in one window only")
    change = logs.xs(LAST, level="window") - logs.xs(FIRST, level="window")
    far = (change[["S", "M"]].abs() > tolerance["deviations"] * sd * math.sqrt(2)).all()
    holds = bool(change["S"] < 0 < change["M"])
    return Found(
        f"{recorded[0]}: S by a factor of {math.exp(change['S']):.2f}, M by "
        f"{math.exp(change['M']):.2f}",
        verdict(holds, printed=READING),
        note,
        "There is one such subject.",
        conclusion=supported(holds) if far else UNIDENTIFIED,
        reason=LEFT_OPEN,
    )
