"""What counts as the same numbers."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest

from fuzzybounds.core.comparison import compare_runs, differences
from fuzzybounds.core.dictionary import TABLES, Column, Table

NAN = float("nan")
TABLE = Table(
    "some.csv",
    "row",
    (
        Column("name", "text", "", ""),
        Column("n", "integer", "", ""),
        Column("x", "number", "", ""),
    ),
    tolerance=0.01,
)


def frame(**changes) -> pd.DataFrame:
    values = {"name": ["a", None, "c"], "n": [1, 2, 3], "x": [1.0, 1e-7, NAN]}
    return pd.DataFrame(values | changes)


@pytest.mark.parametrize(
    ("changes", "column"),
    [
        ({}, None),
        ({"x": [1.0099, 1e-7, NAN]}, None),
        ({"x": [1.0102, 1e-7, NAN]}, "x"),
        # Far below the largest number of its column.
        ({"x": [1.0, 1e-6, NAN]}, None),
        ({"x": [1.0, 2e-6, NAN]}, "x"),
        ({"x": [1.0, NAN, NAN]}, "x"),
        ({"x": [1.0, 1e-7, 1.0]}, "x"),
        ({"name": ["a", None, "d"]}, "name"),
        ({"name": ["a", "b", "c"]}, "name"),
        ({"n": [1, 2, 4]}, "n"),
    ],
)
def test_numbers_agree_to_the_tolerance_and_all_else_is_equal(changes, column):
    lines = differences(frame(), frame(**changes), TABLE)
    assert [line.split(" rows")[0] for line in lines] == ([f"{column}: 1"] if column else [])


def test_numbers_that_no_machine_promises_must_only_be_there():
    free = replace(TABLE, tolerance=float("inf"))
    assert differences(frame(), frame(x=[7.0, -1.0, NAN]), free) == []
    assert len(differences(frame(), frame(x=[7.0, NAN, NAN]), free)) == 1
    assert len(differences(frame(), frame(n=[1, 2, 4]), free)) == 1


def test_rows_and_columns_must_match():
    assert differences(frame(), frame()[:1], TABLE) == ["3 and 1 rows"]
    assert len(differences(frame(), frame().rename(columns={"x": "y"}), TABLE)) == 1


def test_runs_are_compared_file_by_file(tmp_path):
    for run in ("one", "other"):
        (tmp_path / run).mkdir()
        TABLES["groups"].empty().to_csv(tmp_path / run / "groups.csv", index=False)
    TABLES["claims"].empty().to_csv(tmp_path / "one/claims.csv", index=False)
    found = compare_runs(tmp_path / "one", tmp_path / "other")
    assert found["groups.csv"] == []
    assert len(found["claims.csv"]) == 1
    assert set(found) == {"groups.csv", "claims.csv"}
