"""Designs as decision processes."""

import pytest

from fuzzybounds.learning.design import PAPER_CUED, PAPER_UNCUED, POLICY_SHAPE, Design, design


def test_designs_of_the_paper():
    assert [c.p0 for c in PAPER_UNCUED.conditions] == [0.65, 0.51]
    assert [c.payoff for c in PAPER_UNCUED.conditions] == [20, 1]
    assert (PAPER_CUED.cued, PAPER_UNCUED.cued) == (True, False)
    assert POLICY_SHAPE == (900, 281)


def test_p0_can_be_given():
    changed = design("logs_b_uncued", easy=0.75, hard=0.52)
    assert [c.p0 for c in changed.conditions] == [0.75, 0.52]
    assert [c.penalty for c in changed.conditions] == [3.0, 0.0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"conditions": ()}, "at least one"),
        ({"deadline_steps": 31}, "deadline_steps = 31"),
    ],
)
def test_impossible_designs_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        Design("wrong", **arguments)


def test_impossible_p0_is_refused():
    with pytest.raises(ValueError, match=r"easy: P0 = 1.0"):
        design("wrong", easy=1.0)
