import numpy as np
import pytest

from fuzzybounds.paper.fuzzy.rules import RuleBase, fill


@pytest.fixture
def rules():
    return RuleBase.from_table({"L": "S S S", "M": "C S S", "S": "C C -"})


def test_the_highlighted_rule_of_figure_5_is_said_as_in_the_paper(rules):
    assert "IF time is long AND position is medium THEN stop" in rules.sentences()
    assert len(rules.sentences()) == 8
    assert not any("long AND position is small" in sentence for sentence in rules.sentences())


def test_the_table_prints_with_the_largest_position_on_top(rules):
    lines = [line.split() for line in rules.table().splitlines()]
    assert lines == [
        ["POS\\T", "S", "M", "L"],
        ["L", "S", "S", "S"],
        ["M", "C", "S", "S"],
        ["S", "C", "C", "-"],
    ]


def test_neighbours_are_the_nearest_rules_by_brute_force():
    rng = np.random.default_rng(3)
    table = rng.integers(0, 2, (5, 4)).astype(float)
    table[rng.random(table.shape) < 0.6] = np.nan
    filled = fill(table, "neighbours")
    places = [divmod(k, 4) for k in range(20)]
    for i, j in places:
        if np.isnan(table[i, j]):
            distance = {
                (a, b): abs(a - i) + abs(b - j) for a, b in places if not np.isnan(table[a, b])
            }
            nearest = [table[cell] for cell, d in distance.items() if d == min(distance.values())]
            assert filled[i, j] == pytest.approx(np.mean(nearest))


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ({"L": "SSS", "M": "CSS", "X": "CCC"}, "position labels"),
        ({"L": "SSS", "S": "CC"}, "one length"),
        ({"L": "SSX", "S": "CCC"}, "letters S, C, -"),
        ({"L": "--", "S": "--"}, "every cell is empty"),
    ],
)
def test_bad_tables_are_named(rows, message):
    with pytest.raises(ValueError, match=message):
        RuleBase.from_table(rows)


def test_bad_consequents_are_named():
    with pytest.raises(ValueError, match=r"shape \(2, 3\)"):
        RuleBase(("S", "L"), ("S", "L"), np.zeros((2, 3)))
    with pytest.raises(ValueError, match="'nearest'"):
        fill(np.array([[np.nan, 0.0]]), "nearest")
