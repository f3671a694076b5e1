"""The paper's groups and p-values from the real logs (C09, C13, C14)."""

import numpy as np
import pytest

from fuzzybounds.canoe.block_windows import block_ranges
from fuzzybounds.core.seeds import generator
from fuzzybounds.logs.reading import read_published
from fuzzybounds.logs.validation import validate
from fuzzybounds.paper.groups.comparisons import compare
from fuzzybounds.paper.groups.fast_and_slow import assign, boundaries


@pytest.fixture(scope="module")
def table(shared_data):
    trials = validate(read_published(shared_data / "Canoe_A.csv")).trials
    ranges = block_ranges(trials)
    found = boundaries(trials, ranges, condition="easy", missed=True, summary="median")
    group = assign(found["first"], quantile="hazen", fast="<=", slow=">")
    return found.assign(group=group)


def p_of(a, b):
    return compare(a, b, "student_t", generator(0)).p


def test_seven_fast_and_six_slow(table):
    assert table["group"].value_counts().to_dict() == {"middle": 13, "fast": 7, "slow": 6}


def test_slow_above_fast_in_both_halves(table):
    fast, slow = (table[table["group"] == name] for name in ("fast", "slow"))
    for window in ("first", "last"):
        assert slow[window].mean() > fast[window].mean()
        assert p_of(slow[window], fast[window]) < 0.005


@pytest.mark.parametrize(("group", "printed"), [("fast", 0.18), ("slow", 0.29)])
def test_first_against_last_gives_the_printed_digits(table, group, printed):
    own = table[table["group"] == group]
    assert np.floor(100 * p_of(own["first"], own["last"])) / 100 == printed
