"""Designs as decision processes."""

import pytest

from fuzzybounds.learning.design import Design, design


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
