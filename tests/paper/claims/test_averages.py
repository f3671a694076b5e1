"""C10 to C12: every threshold has a case on either side."""

from __future__ import annotations

import pandas as pd
import pytest

from fuzzybounds.paper.claims.claim import DIRECTION, INCONCLUSIVE, NOT, REPRODUCED
from fuzzybounds.storage.errors import TooFew
from fuzzybounds.storage.registry import TABLES

PREMISE = ["group", "window", "time_label", "position_label"]


def output_table(first=0.0, last=0.2, fast=0.6, fast_last=None, slow=0.4, n=6):
    means = {"first": fast, "last": fast if fast_last is None else fast_last}
    rows = [("fast", name, value, n) for name in means for value in (0.0, 2 * means[name])]
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
        ({"fast_last": 0.401}, REPRODUCED),
        ({"fast_last": 0.399}, NOT),
        ({"fast": 0.399, "fast_last": 0.6}, NOT),
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
    return {"consequents": means.assign(n_subjects=float(n)), "consequent_draws": by_draw}


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


def test_the_counts_of_draws_are_told(judge):
    found = judge("C11", cells([AS_PRINTED] * 3 + [ORDERED] * 16 + [REVERSED]))
    assert found.ours.endswith("; all three as printed in 3 of 20 draws")
    assert "in 19 of 20 draws; the first draw alone gives 1.00, 0.17, 0.33." in found.note


@pytest.mark.parametrize(("n", "few"), [(4, ""), (3, "A group has 3 subjects, fewer than 4.")])
def test_small_groups_cannot_decide_on_rules(judge, n, few):
    assert judge("C11", cells([AS_PRINTED] * 20, n)).few == few
    assert judge("C12", corner(UP, DOWN, n)).few == few


def test_a_cell_that_nobody_has_a_rule_for_does_not_print(judge):
    tables = cells([AS_PRINTED] * 20)
    tables = {name: own[own["group"] == "fast"] for name, own in tables.items()}
    with pytest.raises(TooFew, match="no slow subjects"):
        judge("C11", tables)


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
    empty = TABLES["regression_to_mean"].empty()
    return {"consequents": table.assign(n_subjects=n), "regression_to_mean": empty}


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
        (UP, [-0.1] * 5 + [0.01] * 4, DIRECTION),
        (UP, [-0.1] * 8 + [0.01], DIRECTION),
        ([0.1] + [0.0] * 8, [-0.1] + [0.0] * 8, REPRODUCED),
        ([0.0] * 9, [0.0] * 9, NOT),
        ([0.1] * 5 + [-0.2] * 4, DOWN, NOT),
        (DOWN, DOWN, NOT),
        (UP, UP, NOT),
    ],
)
def test_the_lower_left_corner_must_rise_and_fall(judge, slow, fast, verdict):
    assert judge("C12", corner(slow, fast)).verdict == verdict
