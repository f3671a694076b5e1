"""The paper's groups and p-values from the real logs (C09, C13, C14)."""

import numpy as np
import pytest

from fuzzybounds.canoe.block_windows import block_ranges
from fuzzybounds.core.seeds import generator
from fuzzybounds.paper.groups.comparisons import PAIRED_TESTS, UNPAIRED_TESTS, compare
from fuzzybounds.paper.groups.fast_and_slow import assign, boundaries


@pytest.fixture(scope="module")
def table(trials):
    ranges = block_ranges(trials)
    levels = boundaries(trials, ranges, condition="easy", missed=True, summary="median")
    group = assign(levels["first"], quantile="hazen", fast="<=", slow=">")
    return levels.assign(group=group)


def p_of(a, b):
    return compare(a, b, "student_t", generator(0)).p


def test_seven_fast_and_six_slow(table):
    assert table["group"].value_counts().to_dict() == {"middle": 13, "fast": 7, "slow": 6}
    # The paper writes "less than"; three subjects tie on the quantile, which leaves four.
    strict = assign(table["first"], quantile="hazen", fast="<", slow=">")
    assert (strict == "fast").sum() == 4
    assert (table["first"] == table.loc[table["group"] == "fast", "first"].max()).sum() == 3


def test_slow_above_fast_in_both_halves(table):
    fast, slow = (table[table["group"] == name] for name in ("fast", "slow"))
    for window in ("first", "last"):
        assert slow[window].mean() > fast[window].mean()
        assert p_of(slow[window], fast[window]) < 0.005


@pytest.mark.parametrize(("group", "printed", "sign"), [("fast", 0.18, 1), ("slow", 0.29, -1)])
def test_first_against_last_gives_the_printed_digits(table, group, printed, sign):
    """The slow became faster and the fast slower, neither significantly (C14)."""
    members = table[table["group"] == group]
    assert np.floor(100 * p_of(members["first"], members["last"])) / 100 == printed
    assert np.sign(members["last"].mean() - members["first"].mean()) == sign


def test_only_students_t_gives_both_printed_digits(table):
    """A13: of all tests, paired or not, one prints 0.18 and 0.29."""
    printed = []
    for test in (*UNPAIRED_TESTS, *PAIRED_TESTS):
        p = [
            compare(members["last"], members["first"], test, generator(0, test)).p
            for members in (table[table["group"] == group] for group in ("fast", "slow"))
        ]
        if (np.floor(100 * np.array(p)) == [18, 29]).all():
            printed.append(test)
    assert printed == ["student_t"]


@pytest.mark.parametrize("condition", ["easy", "hard", "all"])
def test_the_first_half_predicts_the_last(trials, condition):
    """Boundaries are a trait: subjects keep their order from half to half in every condition."""
    ranges = block_ranges(trials)
    levels = boundaries(trials, ranges, condition=condition, missed=False, summary="median")
    assert levels.corr("spearman").loc["first", "last"] > 0.5
