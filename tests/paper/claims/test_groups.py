"""C09 to C15: every threshold has a case on either side."""

from __future__ import annotations

import pandas as pd
import pytest

from fuzzybounds.paper.claims.claim import DIRECTION, INCONCLUSIVE, NOT, REPRODUCED
from fuzzybounds.paper.claims.groups import LUCK, MATCHING, SPECIFICATIONS
from fuzzybounds.storage.errors import TooFew

PREMISE = ["group", "window", "time_label", "position_label"]


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


def output_table(first=0.0, last=0.2, fast=0.6, slow=0.4, n=6):
    rows = [("fast", window, value, n) for window in ("first", "last") for value in (0.0, 2 * fast)]
    rows += [("slow", "first", first, n), ("slow", "first", 2 * slow - first, n)]
    rows += [("slow", "last", last, n), ("slow", "last", 2 * slow - last, n)]
    columns = ["group", "window", "output", "n_subjects"]
    return {"group_output": pd.DataFrame(rows, columns=columns)}


@pytest.mark.parametrize(
    ("values", "verdict"),
    [
        ({}, REPRODUCED),
        ({"first": 0.049}, REPRODUCED),
        ({"first": 0.051}, DIRECTION),
        ({"last": 0.151}, REPRODUCED),
        ({"last": 0.149}, DIRECTION),
        ({"last": 0.249}, REPRODUCED),
        ({"last": 0.251}, DIRECTION),
        ({"fast": 0.401}, REPRODUCED),
        ({"fast": 0.399}, NOT),
    ],
)
def test_outputs_have_their_thresholds(judge, values, verdict):
    assert judge("C10", output_table(**values)).verdict == verdict


@pytest.mark.parametrize(("n", "few"), [(4, ""), (3, "A group has 3 subjects, fewer than 4.")])
def test_small_groups_cannot_decide_on_outputs(judge, n, few):
    assert judge("C10", output_table(n=n)).few == few


def test_a_group_without_fits_is_insufficient(judge):
    table = output_table()["group_output"]
    with pytest.raises(TooFew, match="no fits in one of the windows"):
        judge("C10", {"group_output": table[table["window"] == "first"]})


def cells(draws):
    """Tables of the key cells, given as (fast S M, slow S M, slow M S) of each draw."""
    keys = [("fast", "first", "S", "M"), ("slow", "first", "S", "M"), ("slow", "first", "M", "S")]
    rows = [
        (*key, draw, value, 6)
        for draw, values in enumerate(draws, start=1)
        for key, value in zip(keys, values, strict=True)
    ]
    by_draw = pd.DataFrame(rows, columns=[*PREMISE, "draw", "mean", "n_subjects"])
    means = by_draw.groupby(PREMISE, sort=False)["mean"].agg(["mean", "std", "first"]).reset_index()
    means = means.rename(columns={"std": "sd_over_draws", "first": "first_draw"})
    return {"consequents": means.assign(n_subjects=6.0), "consequent_draws": by_draw}


AS_PRINTED, ORDERED, REVERSED = (1.0, 1 / 6, 1 / 3), (0.8, 0.3, 0.4), (0.3, 0.8, 0.4)


@pytest.mark.parametrize(
    ("draws", "verdict"),
    [
        ([AS_PRINTED] + [ORDERED] * 19, REPRODUCED),
        ([AS_PRINTED] + [ORDERED] * 20, DIRECTION),
        ([ORDERED] * 19 + [REVERSED], DIRECTION),
        ([ORDERED] * 18 + [REVERSED] * 2, NOT),
        ([(1.0, 1 / 6, 0.5)] * 20, DIRECTION),
        ([(0.98, 1 / 6, 1 / 3)] * 20, DIRECTION),
    ],
)
def test_key_cells_are_counted_by_draw(judge, draws, verdict):
    assert judge("C11", cells(draws)).verdict == verdict


def test_a_larger_spread_is_no_reward(judge):
    """With two standard deviations as the tolerance, noise alone reproduced the paper."""
    noisy = [(1.0, 0.0, 0.9), (0.2, 0.9, 0.0)] * 10
    assert judge("C11", cells(noisy)).verdict == NOT


def corner(slow, fast, n=6.0):
    """Tables in which the nine cells of either group change by the values given."""
    names = ["VS", "S", "M"]
    premises = [(time, position) for time in names for position in names]
    rows = [
        (group, window, *premise, 0.5 + (change if window == "last" else 0.0))
        for group, changes in (("slow", slow), ("fast", fast))
        for premise, change in zip(premises, changes, strict=True)
        for window in ("first", "last")
    ]
    table = pd.DataFrame(rows, columns=[*PREMISE, "mean"])
    return {"consequents": table.assign(n_subjects=n)}


UP, DOWN = [0.1] * 9, [-0.1] * 9
EXCEPTION = [*([0.1] * 6), -0.1, 0.1, 0.1]
"""Only (time M, position VS) falls."""


@pytest.mark.parametrize(
    ("slow", "fast", "verdict"),
    [
        (UP, DOWN, REPRODUCED),
        (EXCEPTION, DOWN, REPRODUCED),
        ([-0.1, *UP[1:]], DOWN, DIRECTION),
        ([0.1] * 5 + [-0.01] * 4, DOWN, DIRECTION),
        ([0.1] * 4 + [-0.01] * 5, DOWN, INCONCLUSIVE),
        ([0.2] * 3 + [-0.1] * 2 + [0.0] * 4, DOWN, INCONCLUSIVE),
        (UP, [-0.1] * 4 + [0.01] * 5, INCONCLUSIVE),
        (DOWN, DOWN, NOT),
        (UP, UP, NOT),
    ],
)
def test_the_lower_left_corner_must_rise_and_fall(judge, slow, fast, verdict):
    assert judge("C12", corner(slow, fast)).verdict == verdict


def table_of_tests(p_fast=0.1852, p_slow=0.2954, fast=17.0, slow=-23.0, **between):
    first, last = between.get("p_first", 1e-6), between.get("p_last", 0.002)
    above = between.get("above", 78.0)
    rows = [
        ("slow_vs_fast_first", "student_t", first, 118.0, 80, 150),
        ("slow_vs_fast_last", "student_t", last, above, above - 40, above + 40),
        ("slow_vs_fast_first", "permutation", 1e-3, 118.0, 80, 150),
        ("slow_vs_fast_last", "permutation", 0.002, above, 40, 120),
        ("fast_last_vs_first", "student_t", p_fast, fast, fast - 9, fast + 9),
        ("slow_last_vs_first", "student_t", p_slow, slow, slow - 9, slow + 9),
    ]
    columns = ["comparison", "test", "p", "mean_difference", "low", "high"]
    searched = {SPECIFICATIONS: "2160", MATCHING: "8", LUCK: "0.053"}
    summary = pd.DataFrame({"quantity": searched.keys(), "value": searched.values()})
    return {"group_tests": pd.DataFrame(rows, columns=columns), "specification_summary": summary}


@pytest.mark.parametrize(
    ("values", "verdict"),
    [
        ({}, REPRODUCED),
        ({"p_last": 0.00499}, REPRODUCED),
        ({"p_last": 0.00501}, DIRECTION),
        ({"p_first": 0.00501}, DIRECTION),
        ({"above": -1.0}, NOT),
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
    assert "with probability 5.3%" in note


def test_rules_of_recorded_subjects_are_counted(judge):
    rows = [("T1", "first", 3, time, place, 0.0 if time == place == "S" else 1.0)
            for time in "SML" for place in "SML"]  # fmt: skip
    columns = ["subject", "window", "labels", "time_label", "position_label", "consequent"]
    rules = pd.DataFrame(rows, columns=columns)
    recorded = {"rules": rules, "dataset": {"recorded_paths": ["T1"]}}
    assert judge("C15", recorded).ours == "T1 first: 1 continue"
    assert judge("C15", {**recorded, "dataset": {"recorded_paths": []}}).ours == "no recorded paths"
