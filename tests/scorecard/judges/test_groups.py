"""C09, C13 and C14: every threshold has a case on either side."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_ind

from fuzzybounds.scorecard.judges.groups import power
from fuzzybounds.scorecard.verdicts import (
    AS_PRINTED,
    CHANGED,
    DEPENDS,
    DIRECTION,
    NOT,
    READING,
    SUPPORTED,
    UNDECIDED,
    UNSUPPORTED,
)


def groups_table(fast, slow, middle=13, **tests):
    groups = pd.DataFrame({"group": ["fast"] * fast + ["slow"] * slow + ["m"] * middle})
    return {**table_of_tests(**tests), "groups": groups}


@pytest.mark.parametrize(
    ("sizes", "verdict"), [((7, 6), CHANGED), ((7, 7), NOT), ((6, 6), NOT), ((6, 7), NOT)]
)
def test_group_sizes_are_exact(judge, sizes, verdict):
    assert judge("C09", groups_table(*sizes, 26 - sum(sizes))).verdict == verdict


def test_printed_sizes_are_a_reading_if_the_printed_inequalities_give_them(judge):
    result = judge("C09", groups_table(7, 6, sizes_stated=1))
    assert result.verdict == READING
    assert "260 give 7 and 6, 1 of them with the printed inequalities" in result.reason


def test_group_sizes_follow_from_the_number_of_subjects(judge):
    assert judge("C09", groups_table(5, 5, 10)).verdict == DIRECTION
    assert judge("C09", groups_table(5, 3, 12)).verdict == NOT
    assert judge("C09", groups_table(2, 2, 4)).few == ""
    assert judge("C09", groups_table(2, 1, 4)).few == "Subjects: 7, fewer than 8."


@pytest.mark.parametrize(
    ("above", "conclusion"), [(41.0, SUPPORTED), (39.0, UNDECIDED), (-41.0, UNSUPPORTED)]
)
def test_groups_are_real_if_they_differ_on_blocks_that_did_not_choose_them(
    judge, above, conclusion
):
    """The interval of the last window is 40 px either side."""
    assert judge("C09", groups_table(7, 6, above=above)).conclusion == conclusion
    assert judge("C13", table_of_tests(above=above)).conclusion == conclusion


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


def table_of_tests(p_fast=0.1852, p_slow=0.2954, fast=17.0, slow=-23.0, agree=270, **between):
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
    counts = {"groups": 2160, "matching": 8, "chance_match": 0.053, "signs": 1700, "sizes": 260}
    counts |= {"stated": 270, "between": 1500, "between_stated": agree}
    counts |= {name: between.get(name, 0) for name in ("sizes_stated", "matching_stated")}
    summary = pd.DataFrame({"key": counts.keys(), "number": counts.values()})
    return {
        "group_tests": pd.DataFrame(rows, columns=columns),
        "specification_summary": summary,
        "regression_to_mean": regression_table(),
    }


@pytest.mark.parametrize(
    ("values", "verdict"),
    [
        ({}, AS_PRINTED),
        ({"agree": 269}, DEPENDS),
        ({"agree": 1}, DEPENDS),
        ({"agree": 0}, CHANGED),
        ({"agree": 0, "p_last": 0.00499}, CHANGED),
        ({"agree": 0, "p_last": 0.00501}, DIRECTION),
        ({"agree": 0, "p_first": 0.00501}, DIRECTION),
        ({"above": -1.0}, NOT),
        ({"before": -1.0, "agree": 0}, NOT),
        ({"above": 1.0, "p_last": 0.1, "agree": 0}, DIRECTION),
    ],
)
def test_slow_is_above_fast_in_the_readings_that_change_nothing(judge, values, verdict):
    result = judge("C13", table_of_tests(**values))
    assert result.verdict == verdict
    agree = values.get("agree", 270)
    assert f"in {agree} of the 270 specifications that leave every printed" in result.reason


def test_an_interval_around_zero_cannot_decide(judge):
    assert judge("C13", table_of_tests()).few == ""
    assert "[-10, 70] px (last)" in judge("C13", table_of_tests(above=30.0)).few
    assert judge("C14", table_of_tests()).few == ""
    assert "[-2, 16] px (fast)" in judge("C14", table_of_tests(fast=7.0)).few


@pytest.mark.parametrize(
    ("values", "verdict"),
    [
        ({}, CHANGED),
        ({"p_fast": 0.1901}, DIRECTION),
        ({"p_slow": 0.2849}, DIRECTION),
        ({"fast": -1.0}, NOT),
        ({"slow": 4.0}, NOT),
    ],
)
def test_p_values_are_held_to_their_digits_and_signs(judge, values, verdict):
    assert judge("C14", table_of_tests(**values)).verdict == verdict
    as_stated = judge("C14", table_of_tests(**values, matching_stated=1)).verdict
    assert as_stated == (READING if verdict == CHANGED else verdict)


@pytest.mark.parametrize(
    ("fast", "slow", "conclusion"),
    [
        ((1, 9), (-9, -1), SUPPORTED),
        ((-1, 9), (-9, -1), UNDECIDED),
        ((1, 9), (-9, 1), UNDECIDED),
        ((-9, -1), (-9, 1), UNSUPPORTED),
        ((1, 9), (1, 9), UNSUPPORTED),
    ],
)
def test_a_change_counts_on_blocks_that_did_not_choose_the_groups(judge, fast, slow, conclusion):
    table = regression_table()
    free = (table["from"] == "other_half_of_first") & (table["to"] == "last")
    for name, interval in (("fast", fast), ("slow", slow)):
        table.loc[free & (table["group"] == name), ["low", "high"]] = interval
    result = judge("C14", {**table_of_tests(), "regression_to_mean": table})
    assert (result.verdict, result.conclusion) == (CHANGED, conclusion)


def test_power_is_cohens():
    """The classic: 64 subjects in each group find d = 0.5 with probability 0.8."""
    assert power(0.5, 64, 64) == pytest.approx(0.8015, abs=1e-4)
    assert power(0.0, 10, 7, 0.005) == pytest.approx(0.005, abs=1e-5)
    assert power(5.9, 6, 5, 0.005) == pytest.approx(1.0, abs=1e-4)
    assert np.isnan(power(1.0, 1, 5))
    rng = np.random.default_rng(1)
    a, b = rng.normal(1.2, 1, (6, 20_000)), rng.normal(0, 1, (7, 20_000))
    assert power(1.2, 6, 7) == pytest.approx(np.mean(ttest_ind(a, b).pvalue < 0.05), abs=0.01)


def test_power_is_that_of_finding_experiment_as_effects(judge):
    tables = {**table_of_tests(), **groups_table(5, 5, 10), "dataset": {"name": "my_lab"}}
    effects = {"slow_vs_fast_first": 5.857, "slow_vs_fast_last": 2.159}
    result = judge("C13", {**tables, "experiment_a": {"effects": effects}})
    assert result.interval == (
        "95 % intervals: first [78, 158] px, last [38, 118] px; power to find differences as large "
        "as Experiment A's at p < 0.005: 1.00 and 0.42"
    )
