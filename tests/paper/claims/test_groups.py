"""C09, C13 to C15: every threshold has a case on either side."""

from __future__ import annotations

import pandas as pd
import pytest

from fuzzybounds.paper.claims.claim import DIRECTION, NOT, REPRODUCED
from fuzzybounds.paper.claims.groups import LUCK, LUCK_SAME_SIZES, MATCHING, SPECIFICATIONS
from fuzzybounds.storage.errors import TooFew


def groups_table(fast, slow, middle=13):
    return {"groups": pd.DataFrame({"group": ["fast"] * fast + ["slow"] * slow + ["m"] * middle})}


@pytest.mark.parametrize(
    ("sizes", "verdict"), [((7, 6), REPRODUCED), ((7, 7), NOT), ((6, 6), NOT), ((6, 7), NOT)]
)
def test_group_sizes_are_exact(judge, sizes, verdict):
    assert judge("C09", groups_table(*sizes, 26 - sum(sizes))).verdict == verdict


def test_group_sizes_follow_from_the_number_of_subjects(judge):
    assert judge("C09", groups_table(5, 5, 10)).verdict == "reproduced in direction only"
    assert judge("C09", groups_table(5, 3, 12)).verdict == "not reproduced"
    assert judge("C09", groups_table(0, 0, 2)).verdict == "not reproduced"


def regression_table():
    """Changes of groups that are chosen by several sets of blocks."""
    half, other = "half_of_first", "other_half_of_first"
    rows = [
        ("first", "first", "last", 16.7, -4.6, 31.0, -23.0, -39.5, 23.0),
        ("last", "first", "last", -9.1, -15.2, 4.7, 13.1, -26.5, 45.6),
        (half, half, other, 6.7, 0.6, 12.4, -9.2, -30.1, 0.0),
        (half, other, "last", 7.2, -7.8, 27.1, -18.8, -37.4, 18.3),
    ]
    tidy = [
        (*names, group, *values)
        for *names, a, b, c, d, e, f in rows
        for group, values in (("fast", (a, b, c)), ("slow", (d, e, f)))
    ]
    columns = ["chosen_by", "from", "to", "group", "change", "low", "high"]
    return pd.DataFrame(tidy, columns=columns)


def table_of_tests(p_fast=0.1852, p_slow=0.2954, fast=17.0, slow=-23.0, **between):
    first, last = between.get("p_first", 1e-6), between.get("p_last", 0.002)
    above, before = between.get("above", 78.0), between.get("before", 118.0)
    rows = [
        ("slow_vs_fast_first", "student_t", first, before, before - 40, before + 40),
        ("slow_vs_fast_last", "student_t", last, above, above - 40, above + 40),
        ("slow_vs_fast_first", "permutation", 1e-3, 118.0, 80, 150),
        ("slow_vs_fast_last", "permutation", 0.002, above, 40, 120),
        ("fast_last_vs_first", "student_t", p_fast, fast, fast - 9, fast + 9),
        ("slow_last_vs_first", "student_t", p_slow, slow, slow - 9, slow + 9),
    ]
    columns = ["comparison", "test", "p", "mean_difference", "low", "high"]
    searched = {SPECIFICATIONS: "2160", MATCHING: "8", LUCK: "0.053", LUCK_SAME_SIZES: "0.007"}
    summary = pd.DataFrame({"quantity": searched.keys(), "value": searched.values()})
    return {
        "group_tests": pd.DataFrame(rows, columns=columns),
        "specification_summary": summary,
        "regression_to_mean": regression_table(),
    }


@pytest.mark.parametrize(
    ("values", "verdict"),
    [
        ({}, REPRODUCED),
        ({"p_last": 0.00499}, REPRODUCED),
        ({"p_last": 0.00501}, DIRECTION),
        ({"p_first": 0.00501}, DIRECTION),
        ({"p_first": 0.00499}, REPRODUCED),
        ({"above": -1.0}, NOT),
        ({"before": -1.0}, NOT),
        ({"above": -1.0, "p_last": 0.1}, NOT),
        ({"above": 1.0, "p_last": 0.1}, DIRECTION),
    ],
)
def test_slow_is_above_fast(judge, values, verdict):
    assert judge("C13", table_of_tests(**values)).verdict == verdict


def test_an_interval_around_zero_cannot_decide(judge):
    assert judge("C13", table_of_tests()).few == ""
    assert "[-10, 70] px (last)" in judge("C13", table_of_tests(above=30.0)).few
    assert judge("C14", table_of_tests()).few == ""
    assert "[-2, 16] px (fast)" in judge("C14", table_of_tests(fast=7.0)).few


@pytest.mark.parametrize(
    ("values", "verdict"),
    [
        ({}, REPRODUCED),
        ({"p_fast": 0.1751}, REPRODUCED),
        ({"p_fast": 0.1749}, DIRECTION),
        ({"p_fast": 0.1899}, REPRODUCED),
        ({"p_fast": 0.1901}, DIRECTION),
        ({"p_slow": 0.2849}, DIRECTION),
        ({"p_slow": 0.2851}, REPRODUCED),
        ({"p_slow": 0.2999}, REPRODUCED),
        ({"p_slow": 0.3001}, DIRECTION),
        ({"fast": -1.0}, NOT),
        ({"slow": 4.0}, NOT),
    ],
)
def test_p_values_are_held_to_their_digits_and_signs(judge, values, verdict):
    assert judge("C14", table_of_tests(**values)).verdict == verdict


def test_the_note_says_how_many_were_tried(judge):
    note = judge("C14", table_of_tests()).note
    assert "2160 specifications, of which 8 give the printed digits" in note
    assert (
        "with probability 5.3%, or 0.7% among specifications with the printed group sizes" in note
    )


def rising_and_falling():
    """One cell of the lower left corner, which rises for the slow and falls for the fast."""
    rows = [
        (group, window, "S", "S", mean, 6.0)
        for group, means in (("slow", (0.2, 0.4)), ("fast", (0.8, 0.6)))
        for window, mean in zip(("first", "last"), means, strict=True)
    ]
    columns = ["group", "window", "time_label", "position_label", "mean", "n_subjects"]
    return pd.DataFrame(rows, columns=columns)


@pytest.mark.parametrize("name", ["C12", "C14"])
def test_both_notes_say_what_regression_to_the_mean_does(judge, name):
    note = judge(name, {**table_of_tests(), "consequents": rising_and_falling()}).note
    assert "change by +7 px [+1, +12] (fast) and -9 px [-30, +0] (slow)" in note
    assert "chosen by the last window, first to last is -9 px [-15, +5] (fast)" in note
    assert "to the last, +7 px [-8, +27] (fast) and -19 px [-37, +18] (slow)" in note


def test_groups_that_cannot_be_chosen_otherwise_are_not_known(judge):
    tables = {**table_of_tests(), "regression_to_mean": regression_table().iloc[:0]}
    assert "not known (fast) and not known (slow)" in judge("C14", tables).note
    nobody = regression_table().assign(change=float("nan"))
    note = judge("C14", {**tables, "regression_to_mean": nobody}).note
    assert "not known (fast) and not known (slow)" in note
    assert "nan" not in note


def test_a_comparison_without_p_is_insufficient(judge):
    with pytest.raises(
        TooFew, match="slow_last_vs_first: a test needs at least two different subjects"
    ):
        judge("C14", table_of_tests(p_slow=float("nan")))


def test_rules_of_recorded_subjects_are_counted(judge):
    rows = [("T1", "first", 3, time, place, 0.0 if time == place == "S" else 1.0)
            for time in "SML" for place in "SML"]  # fmt: skip
    columns = ["subject", "window", "labels", "time_label", "position_label", "consequent"]
    rules = pd.DataFrame(rows, columns=columns)
    recorded = {"rules": rules, "dataset": {"recorded_paths": ["T1"]}}
    assert judge("C15", recorded).ours == "T1 first: 1 continue"
    assert judge("C15", {**recorded, "dataset": {"recorded_paths": []}}).ours == "no recorded paths"
