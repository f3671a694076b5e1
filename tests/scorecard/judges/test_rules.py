"""C10 to C12, C15, C18 to C20, C25 and C26: every threshold has a case on either side."""

from __future__ import annotations

from itertools import product

import pandas as pd
import pytest

from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.errors import TooFew
from fuzzybounds.paper.fuzzy.membership import labels
from fuzzybounds.scorecard import controls
from fuzzybounds.scorecard.verdicts import (
    DIRECTION,
    NOT,
    READING,
    SUPPORTED,
    UNDECIDED,
    UNIDENTIFIED,
    UNSUPPORTED,
    UNTESTABLE,
)

PREMISE = ["group", "window", "time_label", "position_label"]


def output_table(first=0.0, last=0.2, fast=0.6, fast_last=None, slow=0.4, n=6):
    """Two outputs of either group and window: the least one, and one that gives the mean."""
    given = {
        ("fast", "first"): (0.0, fast),
        ("fast", "last"): (0.0, fast if fast_last is None else fast_last),
        ("slow", "first"): (first, slow),
        ("slow", "last"): (last, slow),
    }
    rows = [(*key, part) for key, (a, mean) in given.items() for part in (a, 2 * mean - a)]
    table = pd.DataFrame(rows, columns=["group", "window", "output"]).assign(n_subjects=n)
    return {"group_output": table, **subjects()}


def subjects(fast=(0.7, 0.8, 0.75), slow=(0.4, 0.5, 0.45), blue=(0.3, 0.2)):
    """Outputs of single subjects, and the blue area of the slow in either window."""
    rows = [
        (f"{group}{number}", group, window, value, area + 0.01 * number * area)
        for group, values in (("fast", fast), ("slow", slow))
        for number, value in enumerate(values)
        for window, area in zip(("first", "last"), blue, strict=True)
    ]
    columns = ["subject", "group", "window", "mean_output", "blue_area"]
    return {"subject_output": pd.DataFrame(rows, columns=columns)}


def recovered(least=0.95, numbers=(5,)):
    """How often known rules are found: one cell by the share given, the others always."""
    table = controls.recovered(1.0).query("labels in @numbers")
    key_cell = table.eval("time_label == 'S' and position_label == 'M' and consequent == 0")
    return table.assign(recovered=table["recovered"].mask(key_cell, least))


@pytest.mark.parametrize(
    ("values", "verdict"),
    [
        ({}, READING),
        ({"first": 0.049}, READING),
        ({"first": 0.051}, DIRECTION),
        ({"last": 0.149}, DIRECTION),
        ({"last": 0.249}, READING),
        ({"last": 0.251}, DIRECTION),
        ({"fast": 0.401}, READING),
        ({"fast": 0.399}, NOT),
        ({"fast_last": 0.399}, NOT),
    ],
)
def test_outputs_have_their_thresholds(judge, values, verdict):
    assert judge("C10", output_table(**values)).verdict == verdict


def test_a_group_without_fits_or_with_one_subject_is_insufficient(judge):
    with pytest.raises(TooFew, match="fewer than two subjects"):
        judge("C10", {**output_table(), **subjects(fast=(0.7,))})
    table = output_table()["group_output"]
    with pytest.raises(TooFew, match="no fits in one of the windows"):
        judge("C10", {"group_output": table[table["window"] == "first"]})


def cells(draws, n=6):
    """Tables of the key cells, given as (fast S M, slow S M, slow M S) of each draw."""
    keys = [("fast", "first", "S", "M"), ("slow", "first", "S", "M"), ("slow", "first", "M", "S")]
    rows = [
        (*key, draw, value, n)
        for draw, values in enumerate(draws, start=1)
        for key, value in zip(keys, values, strict=True)
    ]
    by_draw = pd.DataFrame(rows, columns=[*PREMISE, "draw", "mean", "n_subjects"])
    means = by_draw.groupby(PREMISE, sort=False)["mean"].agg(["mean", "std", "first"]).reset_index()
    means = means.rename(columns={"std": "sd_over_draws", "first": "first_draw"})
    tables = {"consequents": means.assign(n_subjects=float(n)), "consequent_draws": by_draw}
    return {**tables, **of_subjects(), "recovery_cells": recovered()}


def of_subjects(fast=(1, 1, 1, 1), slow=(0, 0, 0, 0), elsewhere=0.5):
    """Rules of single subjects: what they say for (time S, position M), and elsewhere."""
    everyone = [("fast", part) for part in fast] + [("slow", part) for part in slow]
    rows = [
        (f"s{number}", *premise, text)
        for number, (_, value) in enumerate(everyone)
        for premise, text in ((("S", "M"), value), (("L", "L"), elsewhere))
    ]
    columns = ["subject", "time_label", "position_label", "consequent"]
    first = pd.DataFrame(rows, columns=columns).assign(window="first", labels=5)
    # What they say in the last window does not count.
    last = first.assign(window="last", consequent=1 - first["consequent"])
    groups = {f"s{number}": group for number, (group, _) in enumerate(everyone)}
    return {
        "rules": pd.concat([first, last]),
        "groups": pd.DataFrame(groups.items(), columns=["subject", "group"]),
    }


PRINTED_CELLS, ORDERED, REVERSED = (1.0, 1 / 6, 1 / 3), (0.8, 0.3, 0.4), (0.3, 0.8, 0.4)


@pytest.mark.parametrize(
    ("draws", "verdict"),
    [
        ([PRINTED_CELLS] * 10 + [ORDERED] * 10, READING),
        ([PRINTED_CELLS] * 9 + [ORDERED] * 11, DIRECTION),
        ([ORDERED] * 19 + [REVERSED], DIRECTION),
        ([ORDERED] * 18 + [REVERSED] * 2, NOT),
        ([(0.98, 1 / 6, 1 / 3)] * 20, DIRECTION),
    ],
)
def test_key_cells_are_counted_by_draw(judge, draws, verdict):
    assert judge("C11", cells(draws)).verdict == verdict


@pytest.mark.parametrize(("n", "few"), [(4, ""), (3, "Subjects of a group: 3, fewer than 4.")])
def test_small_groups_cannot_decide(judge, n, few):
    assert judge("C10", output_table(n=n)).few == few
    assert judge("C11", cells([PRINTED_CELLS] * 20, n)).few == few
    assert judge("C12", corner(UP, DOWN, n)).few == few


def corner(slow, fast, n=6.0):
    """Tables in which the nine cells of either group change by the values given."""
    rows = [
        (group, window, *premise, 0.5 + (change if window == "last" else 0.0))
        for group, changes in (("slow", slow), ("fast", fast))
        for premise, change in zip(product(["VS", "S", "M"], repeat=2), changes, strict=True)
        for window in ("first", "last")
    ]
    table = pd.DataFrame(rows, columns=[*PREMISE, "mean"]).assign(n_subjects=n)
    return {
        "consequents": table,
        "consequent_draws": table.assign(draw=1),
        "regression_to_mean": TABLES["regression_to_mean"].empty(),
        "recovery_cells": recovered(),
    }


UP, DOWN = [0.1] * 9, [-0.1] * 9
EXCEPTION = [*([0.1] * 6), -0.1, 0.1, 0.1]
"""Only (time M, position VS) falls."""


@pytest.mark.parametrize(
    ("slow", "fast", "verdict"),
    [
        (UP, DOWN, READING),
        (EXCEPTION, DOWN, READING),
        ([0.1] * 5 + [-0.01] * 4, DOWN, DIRECTION),
        ([0.1] * 4 + [-0.01] * 5, DOWN, UNDECIDED),
        # Half of the eight cells that have rules in both windows are not most of them.
        ([0.2] * 4 + [-0.1] * 4 + [float("nan")], DOWN, UNDECIDED),
        (UP, [-0.1] * 4 + [0.01] * 5, UNDECIDED),
        (UP, [-0.1] * 5 + [0.01] * 4, DIRECTION),
        ([0.1] + [0.0] * 8, [-0.1] + [0.0] * 8, READING),
        ([0.1] * 5 + [-0.2] * 4, DOWN, NOT),
        (DOWN, DOWN, NOT),
        (UP, UP, NOT),
    ],
)
def test_the_lower_left_corner_must_rise_and_fall(judge, slow, fast, verdict):
    result = judge("C12", corner(slow, fast))
    assert result.verdict == verdict
    counts = (sum(change > 0 for change in fast), sum(change < 0 for change in fast))
    assert "fast: {1} of 9 fall, {0} rise".format(*counts) in result.ours


def test_the_same_rules_in_both_windows_say_nothing_about_practice(judge):
    with pytest.raises(TooFew, match="are the same"):
        judge("C12", corner([0.0] * 9, [0.0] * 9))


@pytest.mark.parametrize(
    ("least", "conclusion"), [(0.9, SUPPORTED), (0.89, UNIDENTIFIED), (0.2, UNIDENTIFIED)]
)
def test_a_rule_that_fits_do_not_find_again_supports_nothing(judge, least, conclusion):
    """The conclusion needs recovery, whatever the digits are."""
    tables = {**cells([PRINTED_CELLS] * 20), "recovery_cells": recovered(least)}
    result = judge("C11", tables)
    assert (result.verdict, result.conclusion) == (READING, conclusion)
    tables = {**main(), "recovery_cells": recovered(least)}
    assert judge("C20", tables).conclusion == conclusion


@pytest.mark.parametrize(
    ("fast", "slow", "conclusion"),
    [
        ((1, 1, 1, 1), (0, 0, 0, 0), SUPPORTED),
        ((1, 1, 1, 0), (0, 0, 0, 1), UNDECIDED),
        ((0, 0, 0, 1, 0, 0), (1, 1, 1, 1, 0, 1), UNSUPPORTED),
    ],
)
def test_groups_that_are_found_again_must_differ_over_subjects(judge, fast, slow, conclusion):
    """Draws of the earlier points say nothing about other subjects."""
    tables = {**cells([PRINTED_CELLS] * 20), **of_subjects(fast, slow)}
    assert judge("C11", tables).conclusion == conclusion
    assert judge("C20", {**main(), **of_subjects(fast, slow)}).conclusion == conclusion


@pytest.mark.parametrize("least", [0.91, 0.89])
def test_nine_tenths_of_the_rules_must_be_found(judge, least):
    tables = {"fuzzy_fits": pd.DataFrame({"subject": ["a"]}), "recovery_cells": recovered(least)}
    # One cell of 25 may be missed.
    assert judge("C18", tables).conclusion == SUPPORTED
    both = {**tables, "recovery_cells": recovered(least, (3, 5))}
    assert judge("C18", both).conclusion == (SUPPORTED if least > 0.9 else UNIDENTIFIED)


@pytest.mark.parametrize(
    ("fast", "slow", "conclusion"),
    [
        ((0.7, 0.8, 0.75), (0.4, 0.5, 0.45), SUPPORTED),
        ((0.4, 0.9, 0.75), (0.4, 0.9, 0.45), UNDECIDED),
        ((0.7, 0.71), (0.4, 0.41), SUPPORTED),
        ((0.4, 0.5, 0.45), (0.7, 0.8, 0.75), UNSUPPORTED),
    ],
)
def test_outputs_of_groups_differ_if_those_of_subjects_do(judge, fast, slow, conclusion):
    tables = {**output_table(), **subjects(fast, slow)}
    assert judge("C10", tables).conclusion == conclusion


@pytest.mark.parametrize(
    ("blue", "conclusion"), [((0.2, 0.3), SUPPORTED), ((0.3, 0.2), UNSUPPORTED)]
)
def test_the_blue_area_is_that_of_the_slow(judge, blue, conclusion):
    """The group's own area is 0 of two points in the first, 1 of two in the last window."""
    result = judge("C19", {**output_table(first=0.5, last=0.2, slow=0.6), **subjects(blue=blue)})
    assert result.ours == "0% of the square, then 50%"
    assert (result.verdict, result.conclusion) == (READING, conclusion)
    result = judge("C19", output_table(first=0.2, last=0.5, slow=0.6))
    assert result.verdict == NOT


def main(inside=0.5, outside=0.1, largest=("S", "M")):
    """Consequents whose groups differ by these amounts where time and position are S or M."""
    rows = []
    for premise in product(labels(5), repeat=2):
        difference = inside if {*premise} <= {"S", "M"} else outside
        difference += 0.3 * (premise == largest)
        rows += [("fast", "first", *premise, 0.1 + difference), ("slow", "first", *premise, 0.1)]
    table = pd.DataFrame(rows, columns=[*PREMISE, "mean"]).assign(n_subjects=6.0)
    return {"consequents": table, **of_subjects(), "recovery_cells": recovered()}


@pytest.mark.parametrize(
    ("values", "verdict"),
    [
        ({}, READING),
        ({"largest": ("VS", "M"), "outside": 0.3}, DIRECTION),
        ({"inside": 0.1, "outside": 0.2}, NOT),
        ({"inside": -0.2, "outside": -0.3}, NOT),
    ],
)
def test_the_main_difference_is_where_time_and_position_are_s_or_m(judge, values, verdict):
    assert judge("C20", main(**values)).verdict == verdict


def recorded(counts, share=0.2):
    """Rules of recorded subjects with so many that say continue, by (subject, window)."""
    rows = [
        (subject, window, 3, *premise, float(number >= n))
        for (subject, window), n in counts.items()
        for number, premise in enumerate(product("SML", repeat=2))
    ]
    columns = ["subject", "window", "labels", "time_label", "position_label", "consequent"]
    described = {"recorded_paths": sorted({subject for subject, _ in counts})}
    rules = pd.DataFrame(rows, columns=columns)
    return {"rules": rules, "dataset": described, "recovery_cells": recovered(share, (3,))}


@pytest.mark.parametrize(
    ("numbers", "verdict"),
    [((1, 4, 1, 4), READING), ((2, 3, 2, 2), NOT), ((2, 3, 2, 4), DIRECTION)],
)
def test_rules_of_recorded_subjects_are_counted(judge, numbers, verdict):
    keys = [("T1", "first"), ("T2", "first"), ("T1", "last"), ("T2", "last")]
    result = judge("C15", recorded(dict(zip(keys, numbers, strict=True))))
    assert (result.verdict, result.conclusion) == (verdict, UNIDENTIFIED)
    assert result.ours.startswith(f"T1 first: {numbers[0]} continue")


@pytest.mark.parametrize(
    ("numbers", "conclusion"),
    [
        ((1, 4, 1, 4), SUPPORTED),
        ((2, 3, 2, 3), SUPPORTED),
        ((4, 4, 4, 4), UNSUPPORTED),
        ((1, 4, 2, 4), UNSUPPORTED),
    ],
)
def test_rules_that_can_be_identified_differ_and_stay_or_not(judge, numbers, conclusion):
    keys = [("T1", "first"), ("T2", "first"), ("T1", "last"), ("T2", "last")]
    tables = recorded(dict(zip(keys, numbers, strict=True)), share=0.9)
    assert judge("C15", tables).conclusion == conclusion


def test_without_recorded_paths_or_with_one_window_nothing_is_known(judge):
    tables = recorded({("T1", "first"): 1})
    nobody = {**tables, "dataset": {"recorded_paths": []}}
    assert judge("C15", nobody).verdict == UNTESTABLE
    with pytest.raises(TooFew, match="one window only"):
        judge("C15", tables)


def losses(before, after):
    names = [str(i) for i in range(len(before))]
    table = {"subject": names, "labels": 5, "loss_before": before, "loss_after": after}
    ignored = {"subject": names, "labels": 3, "loss_before": 0.1, "loss_after": 0.1}
    return {"fuzzy_fits": pd.concat([pd.DataFrame(table), pd.DataFrame(ignored)])}


@pytest.mark.parametrize(
    ("before", "after", "verdict", "conclusion"),
    [
        # ln 2 is 0.6931.
        ([0.7, 0.7, 0.6], [0.5, 0.4, 0.45], READING, SUPPORTED),
        ([0.7, 0.6, 0.6], [0.5, 0.4, 0.45], DIRECTION, SUPPORTED),
        ([0.8, 0.8, 0.8], [0.69, 0.7, 0.69], READING, UNDECIDED),
        ([0.9, 0.9, 0.9], [0.8, 0.79, 0.81], DIRECTION, UNSUPPORTED),
        ([0.6, 0.6, 0.6], [0.61, 0.5, 0.5], NOT, UNDECIDED),
    ],
)
def test_tuning_mends_fits_that_are_worse_than_ignorance(judge, before, after, verdict, conclusion):
    result = judge("C25", losses(before, after))
    assert (result.verdict, result.conclusion) == (verdict, conclusion)


@pytest.mark.parametrize(
    ("short", "medium", "verdict", "conclusion"),
    [
        (0.5, 2.0, READING, SUPPORTED),
        (2.0, 2.0, NOT, UNSUPPORTED),
        (0.5, 0.5, NOT, UNSUPPORTED),
        # Two standard deviations of a difference are 0.28 in the logarithm.
        (0.77, 2.0, READING, UNIDENTIFIED),
        (0.5, 1.3, READING, UNIDENTIFIED),
    ],
)
def test_widths_have_to_change_more_than_fits_do(judge, short, medium, verdict, conclusion):
    key = ["subject", "window", "labels", "variable", "label", "width"]
    rows = [
        ("T1", window, 3, "time", label, width)
        for label, factor in (("S", short), ("M", medium))
        for window, width in (("first", 0.2), ("last", 0.2 * factor))
    ]
    errors = {"labels": 3, "variable": "time", "label": ["S", "M"], "width_sd": 0.1}
    tables = {
        "memberships": pd.DataFrame(rows, columns=key),
        "dataset": {"recorded_paths": ["T1", "T2"]},
        "recovery_memberships": pd.DataFrame(errors),
    }
    result = judge("C26", tables)
    assert (result.verdict, result.conclusion) == (verdict, conclusion)
    nobody = {**tables, "dataset": {"recorded_paths": []}}
    assert judge("C26", nobody).verdict == UNTESTABLE
