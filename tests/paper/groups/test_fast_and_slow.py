import numpy as np
import pandas as pd
import pytest

from fuzzybounds.canoe.block_windows import block_ranges
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.membership import equidistant
from fuzzybounds.paper.fuzzy.rules import RuleBase
from fuzzybounds.paper.groups.fast_and_slow import (
    assign,
    assign_groups,
    average_consequents,
    average_output,
    boundaries,
    consequents_by_draw,
    describe_output,
    output_by_subject,
)


def test_subjects_who_are_all_alike_are_in_no_group():
    group = assign(pd.Series([5.0] * 8), quantile="hazen", fast="<=", slow=">=")
    assert (group == "middle").all()


def test_a_subject_without_a_median_is_in_the_middle_and_does_not_count():
    medians = pd.Series([*range(1, 9), np.nan], dtype=float)
    group = assign(medians, quantile="hazen", fast="<=", slow=">")
    assert group.tolist() == ["fast"] * 2 + ["middle"] * 4 + ["slow"] * 2 + ["middle"]


def a_log():
    rows = [
        # subject, block, condition, position, responded
        ("a", 1, "easy", -10.0, True),
        ("a", 1, "easy", 30.0, True),
        ("a", 1, "easy", 200.0, False),
        ("a", 1, "hard", 99.0, True),
        ("a", 2, "easy", -70.0, True),
    ]
    columns = ["subject", "block", "condition", "position", "responded"]
    return pd.DataFrame(rows, columns=columns).assign(session=1)


@pytest.mark.parametrize(
    ("options", "first", "last"),
    [
        ({"condition": "easy", "missed": False, "summary": "mean"}, 20.0, 70.0),
        ({"condition": "easy", "missed": True, "summary": "median"}, 30.0, 70.0),
        ({"condition": "easy", "missed": True, "summary": "mean"}, 80.0, 70.0),
        ({"condition": "all", "missed": False, "summary": "median"}, 30.0, 70.0),
        ({"condition": "hard", "missed": False, "summary": "mean"}, 99.0, np.nan),
    ],
)
def test_boundaries_are_distances_of_the_chosen_trials(options, first, last):
    trials = a_log()
    table = boundaries(trials, block_ranges(trials, blocks=1), **options)
    np.testing.assert_equal(table.loc["a"].to_numpy(), [first, last])


def test_groups_follow_medians_of_the_first_window_and_tests_compare_the_summary():
    rows = []
    for median in range(10, 101, 10):
        # Means, and the last window, have the opposite order of the medians.
        rows += [(f"s{median}", 1, part) for part in (median, -median, 2000 - 10 * median)]
        rows.append((f"s{median}", 2, 190 - median))
    trials = pd.DataFrame(rows, columns=["subject", "block", "position"])
    trials = trials.assign(session=1, condition="easy", responded=True)
    options = {"blocks": 1, "condition": "easy", "missed": False, "summary": "mean"}
    # Hazen's quantiles of 10, 20, ..., 100 are 30 and 80.
    options |= {"quantile": "hazen", "fast": "<=", "slow": ">", "seed": 1, "dataset": "test"}
    result = assign_groups(trials, **options)
    group = result.groups.set_index("subject")["group"]
    assert list(group.index[group == "fast"]) == ["s10", "s20", "s30"]
    assert list(group.index[group == "slow"]) == ["s90", "s100"]
    assert result.groups["median_boundary"].tolist() == list(range(10, 101, 10))
    # The mean of a subject is (2000 - 8 median) / 3 in the first window.
    tests = result.tests[result.tests["test"] == "student_t"].set_index("comparison")
    expected = {
        "slow_vs_fast_first": (2, -200),
        "slow_vs_fast_last": (2, -75),
        "fast_last_vs_first": (3, 170 - 1840 / 3),
        "slow_last_vs_first": (2, 95 - 1240 / 3),
    }
    for name, (n, difference) in expected.items():
        row = tests.loc[name]
        assert (row["n"], row["mean_difference"]) == (n, pytest.approx(difference))
        assert row["low"] < difference < row["high"]


def rules_table(consequents):
    """Rows from (subject, draw, consequent) of one premise."""
    frame = pd.DataFrame(consequents, columns=["subject", "draw", "consequent"])
    return frame.assign(labels=5, window="first", time_label="M", position_label="S")


def test_consequents_are_averaged_over_those_who_have_the_rule():
    """The paper's own example: [1, 0, 1, 0, 0, 0] is 0.33."""
    subjects = list("abcdef")
    drawn = [(s, 1, c) for s, c in zip(subjects, [1, 0, 1, 0, 0, 0], strict=True)]
    drawn += [(s, 2, c) for s, c in zip(subjects, [1, 1, 1, np.nan, np.nan, 0], strict=True)]
    drawn += [("z", 1, 1.0), ("z", 2, 1.0)]
    groups = {**dict.fromkeys(subjects, "slow"), "z": "middle"}
    rules = pd.concat([rules_table(drawn), rules_table([("a", 1, 0.0)]).assign(labels=3)])
    (row,) = average_consequents(consequents_by_draw(rules, groups, labels=5)).itertuples()
    assert row.first_draw == pytest.approx(1 / 3)
    assert row.mean == pytest.approx((1 / 3 + 3 / 4) / 2)
    assert row.sd_over_draws == pytest.approx(np.std([1 / 3, 3 / 4], ddof=1))
    assert row.n_subjects == 5


def test_output_is_averaged_over_draws_then_subjects():
    labels = equidistant(3, convention="width")

    def constant(value):
        return Controller(labels, labels, RuleBase.from_consequents(np.full((3, 3), value)))

    fitted = {
        ("a", "first", 3, 1): constant(0.0),
        ("a", "first", 3, 2): constant(1.0),
        ("b", "first", 3, 1): constant(1.0),
        ("c", "first", 3, 1): constant(0.0),
        ("a", "first", 5, 1): constant(0.0),
        **{(s, "last", 3, 1): constant(0.2) for s in "abc"},
    }
    groups = {"a": "fast", "b": "fast", "c": "middle"}
    grid = np.linspace(0, 1, 4)
    outputs = output_by_subject(fitted, 3, grid)
    table = average_output(outputs, groups, grid)
    means = table.groupby("window")["output"].agg(["min", "max"])
    np.testing.assert_allclose(means.loc["first"], 0.75)
    np.testing.assert_allclose(means.loc["last"], 0.2)
    assert set(table["group"]) == {"fast"}
    assert len(table) == 2 * 16
    subjects = describe_output(outputs, groups).set_index(["subject", "window"])
    assert set(subjects["group"]) == {"fast"}
    np.testing.assert_allclose(subjects.loc[("a", "first"), "mean_output"], 0.5)
    assert subjects["blue_area"].to_dict() == {
        **{("a", "first"): 0, ("b", "first"): 0, ("a", "last"): 1, ("b", "last"): 1}
    }


def test_outputs_of_subjects_are_summarised():
    outputs = {("a", "last"): np.array([[0.1, 0.5], [0.9, 0.45]]), ("b", "last"): np.ones((2, 2))}
    (row,) = describe_output(outputs, {"a": "slow", "b": "middle"}).itertuples(index=False)
    # An output of 0.5 does not say continue.
    assert row == ("a", "slow", "last", pytest.approx(0.4875), 0.1, 0.5)
