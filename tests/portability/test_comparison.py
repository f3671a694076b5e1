"""What counts as the same numbers."""

from __future__ import annotations

import runpy
from pathlib import Path

import pandas as pd
import pytest

from fuzzybounds.core.dictionary import Table

NAN = float("nan")
COMPARED = runpy.run_path(str(Path(__file__).with_name("compare_targets.py")))
difference = COMPARED["difference"]


def frame(**changes) -> pd.DataFrame:
    values = {"name": ["a", None, "c"], "n": [1, 2, 3], "x": [1.0, 1e-7, NAN]}
    return pd.DataFrame(values | changes)


@pytest.mark.parametrize(
    ("changes", "tolerance", "same"),
    [
        ({}, 0.01, True),
        ({"x": [1.0099, 1e-7, NAN]}, 0.01, True),
        ({"x": [1.0102, 1e-7, NAN]}, 0.01, False),
        # Far below the largest number of its column.
        ({"x": [1.0, 1e-6, NAN]}, 0.01, True),
        ({"x": [1.0, 2e-6, NAN]}, 0.01, False),
        ({"x": [1.0, NAN, NAN]}, 0.01, False),
        ({"x": [1.0, 1e-7, 1.0]}, 0.01, False),
        ({"name": ["a", "b", "c"]}, 0.01, False),
        ({"n": [1, 2, 4]}, 0.01, False),
        # Numbers that no machine promises must only be there.
        ({"x": [7.0, -1.0, NAN]}, float("inf"), True),
        ({"x": [7.0, NAN, NAN]}, float("inf"), False),
        ({"n": [1, 2, 4]}, float("inf"), False),
    ],
)
def test_numbers_agree_to_the_tolerance_and_all_else_is_equal(changes, tolerance, same):
    table = Table("some.csv", "row", tolerance=tolerance)
    assert (difference(frame(), frame(**changes), table) == "") is same
    assert difference(frame(), frame()[:1], table)
    assert difference(frame(), frame().rename(columns={"x": "y"}), table)


@pytest.mark.parametrize(
    ("name", "tables"),
    [
        ("C27", {"trials"}),
        ("A25", {"design_check", "fuzzy_fits"}),
        ("A17", {"learning_sweep", "learning_sweep_summary", "learning_curves"}),
        ("A18", set()),
        ("x", set()),
    ],
)
def test_texts_vary_as_the_tables_that_they_are_made_from(name, tables):
    assert {table.name for table in COMPARED["sources"](name)} >= tables
    assert bool(COMPARED["sources"](name)) == bool(tables)
