"""What counts as the same numbers."""

from __future__ import annotations

import pandas as pd
import pytest

from fuzzybounds.storage.comparison import compare_runs, differences
from fuzzybounds.storage.registry import TABLES
from fuzzybounds.storage.registry.definition import Column, Table

TABLE = Table(
    "some.csv",
    "row",
    (
        Column("name", "text", "", ""),
        Column("n", "integer", "", ""),
        Column("x", "number", "", ""),
        Column("rough", "number", "", "", digits=2),
    ),
)


def frame(**changes) -> pd.DataFrame:
    values = {"name": ["a", "b"], "n": [1, 2], "x": [1.0, 1e-12], "rough": [1.0, float("nan")]}
    return pd.DataFrame(values | changes)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"x": [1.0000009, 1e-12]},
        {"rough": [1.009, float("nan")]},
        # Nothing beside the largest number of its column.
        {"x": [1.0, 5e-12]},
    ],
)
def test_tables_that_are_the_same(changes):
    assert differences(frame(), frame(**changes), TABLE) == []


@pytest.mark.parametrize(
    ("changes", "column"),
    [
        ({"name": ["a", "c"]}, "name"),
        ({"n": [1, 3]}, "n"),
        ({"x": [1.0000011, 1e-12]}, "x"),
        ({"x": [1.0, 2e-10]}, "x"),
        ({"x": [1.0, float("nan")]}, "x"),
        ({"rough": [1.011, float("nan")]}, "rough"),
        ({"rough": [1.0, 1.0]}, "rough"),
    ],
)
def test_tables_that_are_not(changes, column):
    (line,) = differences(frame(), frame(**changes), TABLE)
    assert line.startswith(f"{column}: 1 rows")


def test_rows_and_columns_must_match():
    assert differences(frame(), frame()[:1], TABLE) == ["2 and 1 rows"]
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
