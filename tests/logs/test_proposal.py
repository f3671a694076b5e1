"""What is guessed about the codes of another laboratory, and what is asked instead."""

from __future__ import annotations

import pandas as pd
import pytest

from fuzzybounds.logs.proposal import propose
from fuzzybounds.logs.sources import Source


@pytest.mark.parametrize(
    ("codes", "line"),
    [
        (["low", "high"], "  easy: [low]"),
        (["low", "low"], "  easy: [low]"),
        (["low", "odd"], None),
        (["low", "high", "odd"], None),
    ],
)
def test_conditions_are_guessed_if_all_are_known(codes, line):
    cells = pd.DataFrame({"difficulty": codes, "rt": "1"})
    text, unclear = propose([Source("a.csv", [2], cells)])
    asked = [problem for problem in unclear if problem.startswith("conditions")]
    assert (line in text.splitlines()) == (not asked) == (line is not None)


def test_the_unit_of_positions_is_asked_for_whatever_else_is_there():
    cells = pd.DataFrame({"rt": ["1.25"], "position": ["22.5"]})
    _, unclear = propose([Source("a.csv", [2], cells)])
    assert "units.position: no unit puts positions where the canoe can be" in unclear


@pytest.mark.parametrize(("odd", "content"), [(1, "1 to 20"), (3, "such as '1'")])
def test_a_column_of_numbers_may_have_some_odd_cells(odd, content):
    cells = pd.DataFrame({"subject": [*map(str, range(1, 21)), *["x"] * odd], "rt": "1"})
    text, _ = propose([Source("a.csv", [2], cells)])
    assert f"  subject: subject  # by its name; {content}" in text
