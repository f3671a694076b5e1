"""The data dictionary: one definition for each, and a look at what is written."""

from __future__ import annotations

import pandas as pd
import pytest

from fuzzybounds.core.dictionary import TABLES, Column, Table, file_of
from fuzzybounds.core.errors import InputError
from fuzzybounds.core.tables import read_table, write_csv, write_parquet, write_table

TABLE = Table(
    "some.csv",
    "thing",
    (
        Column("name", "text", "", "its name"),
        Column("size", "number", "px", "its size"),
        Column("count", "integer", "", "how many"),
        Column("known", "true/false", "", "whether it is known"),
    ),
)
GOOD = pd.DataFrame({"name": ["a"], "size": [1.5], "count": [2], "known": [True]})


@pytest.mark.parametrize(
    ("frame", "problem"),
    [
        (GOOD, None),
        (GOOD.drop(columns="size"), "no column 'size'"),
        (GOOD.assign(other=1), "unknown column 'other'"),
        (GOOD[["size", "name", "count", "known"]], "columns in the order size, name, count, known"),
        (GOOD.assign(name=3), "column 'name' holds int64, expected text"),
        (GOOD.assign(size=3), None),
        (GOOD.assign(count=2.5), "column 'count' holds float64, expected integer"),
    ],
)
def test_a_table_is_held_to_its_definition(frame, problem):
    assert TABLE.problems(frame) == ([problem] if problem else [])


def test_empty_tables_are_as_defined_and_come_back(tmp_path):
    for name, table in TABLES.items():
        if not table.file.endswith(".json"):
            assert table.names, name
            write_table(table.empty(), tmp_path / table.file)
            again = read_table(tmp_path / table.file)
            assert (list(again), len(again)) == (table.names, 0), name


def test_what_is_not_as_defined_is_not_written(tmp_path):
    with pytest.raises(ValueError, match=r"errata\.csv: not as the dictionary defines it: no"):
        write_table(TABLES["errata"].empty().drop(columns="id"), tmp_path / "errata.csv")
    assert not (tmp_path / "errata.csv").exists()


@pytest.mark.parametrize("name", ["groups", "rules"])
def test_what_another_version_wrote_is_refused_by_name(tmp_path, name):
    path = tmp_path / file_of(name)
    old = TABLES[name].empty().rename(columns={"window": "half", "group": "set"})
    (write_csv if path.suffix == ".csv" else write_parquet)(old, path)
    with pytest.raises(InputError, match=r"(?s)not as this version.*delete it and rerun"):
        read_table(path)
