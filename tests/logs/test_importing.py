"""Mapping files: what they may say, and what becomes of each cell."""

from __future__ import annotations

import pandas as pd
import pytest
import yaml

from fuzzybounds.core.errors import InputError
from fuzzybounds.logs import importing
from fuzzybounds.logs.columns import NAMES, PATH_COLUMNS
from fuzzybounds.logs.sources import DELIMITERS, ENCODINGS, Source

COLUMNS = {
    "subject": "who",
    "block": "run",
    "rt": "ms",
    "condition": "kind",
    "correct": "hit",
    "position": "x",
}
GOOD = {"columns": COLUMNS, "units": {"rt": "ms"}}
ROW = {"who": "ann", "run": "1", "ms": "1250", "kind": "easy", "hit": "1", "x": "67.5"}
RESPONSES = {"given": "key", "expected": "side", "left": ["f"], "right": ["j"]}
WITHOUT_OUTCOME = {name: theirs for name, theirs in COLUMNS.items() if name != "correct"}
WITHOUT_SUBJECT = {name: theirs for name, theirs in COLUMNS.items() if name != "subject"}


def convert(document, *rows, name: str = "a.csv") -> pd.DataFrame:
    cells = [{**ROW, **row} for row in rows or ({},)]
    source = Source(name, list(range(2, len(cells) + 2)), pd.DataFrame(cells))
    return importing.convert([source], document)[0]


def problems(document, *rows, name: str = "a.csv") -> list[str]:
    with pytest.raises(InputError, match="with the mapping") as error:
        convert(document, *rows, name=name)
    return error.value.problems


def test_the_schema_knows_every_column_and_format():
    schema = importing.SCHEMA["properties"]
    assert list(schema["columns"]["properties"]) == NAMES
    assert list(schema["paths"]["properties"]["columns"]["properties"]) == list(PATH_COLUMNS)
    assert schema["delimiter"]["enum"] == list(DELIMITERS)
    assert schema["encoding"]["enum"] == list(ENCODINGS)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"colums": {}}, "colums: unknown key; did you mean 'columns'?"),
        ({"columns": {**COLUMNS, "reaction": "x"}}, "columns.reaction: unknown key"),
        ({"columns": {"subject": "who"}}, "'block' is a required property"),
        ({"conditions": {"easy": 1.5}}, "expected string or integer or a list of string or int"),
        ({"file_names": "data"}, "file_names: 'data' does not match"),
        ({"file_names": "{subject}*a*a*a*b"}, "file_names: 4 *; expected at most 3"),
        ({"encoding": "utf8"}, "expected one of utf-8, utf-16, cp1252"),
        ({"units": {"rt": "minutes"}}, "units.rt: 'minutes'; expected one of s, ms"),
        ({"units": {"position": "cm"}}, "expected one of px, normalised or the keys scale, centre"),
        ({"columns": WITHOUT_OUTCOME}, "expected either columns.correct"),
        ({"responses": RESPONSES}, "expected either columns.correct"),
        ({"columns": WITHOUT_OUTCOME, "outcomes": {"correct": 1}}, "outcomes: there is no"),
        ({"conditions": {"easy": ["a"], "hard": ["A"]}}, "'a' appears more than once"),
        ({"paths": {"files": "../secret/*.csv"}}, "expected a pattern below the source's folder"),
        ({"paths": {"files": "/etc/*.csv"}}, "expected a pattern below the source's folder"),
        ({"file_names": "{subject}*a*a*b"}, None),
        ({}, None),
    ],
)
def test_a_wrong_mapping_is_explained(tmp_path, change, said):
    path = tmp_path / "mapping.yaml"
    path.write_text(yaml.safe_dump({**GOOD, **change}))
    if said is None:
        assert importing.read_mapping(path) == {**GOOD, **change}
        return
    with pytest.raises(InputError, match=r"mapping\.yaml") as error:
        importing.read_mapping(path)
    assert said in str(error.value)


NAMED = {
    "conditions": {"easy": ["low", "L"], "hard": 2},
    "outcomes": {"correct": "hit", "incorrect": ["miss", "none"]},
}


@pytest.mark.parametrize(
    ("change", "cells", "ours"),
    [
        ({"units": {"rt": "ms"}}, {"ms": "1250.5"}, {"rt": "1.2505"}),
        ({"units": {"position": "normalised"}}, {"x": "-0.25"}, {"position": "-105"}),
        (
            {"units": {"position": {"scale": 37.5, "centre": 15}}},
            {"x": "16.8"},
            {"position": "67.5"},
        ),
        ({"units": {"position": {"scale": -1}}}, {"x": "67.5"}, {"position": "-67.5"}),
        ({"no_response": -1}, {"ms": "-1"}, {"rt": ""}),
        (NAMED, {"kind": "LOW", "hit": "Hit"}, {"condition": "easy", "correct": "1"}),
        (NAMED, {"kind": "l", "hit": "none"}, {"condition": "easy", "correct": "0"}),
        (NAMED, {"kind": "2", "hit": "miss"}, {"condition": "hard", "correct": "0"}),
        *(
            (
                {"columns": WITHOUT_OUTCOME, "responses": RESPONSES, "no_response": ["-1"]},
                {"key": key, "side": side},
                {"correct": correct},
            )
            for key, side, correct in (("f", "f", "1"), ("F", "j", "0"), ("-1", "j", "0"))
        ),
    ],
)
def test_cells_become_ours(change, cells, ours):
    log = convert({**GOOD, **change}, cells)
    assert log[list(ours)].iloc[0].to_dict() == ours


@pytest.mark.parametrize("cell", ["fast", "nan", "inf", "1_000", "", "0x10"])
def test_a_cell_that_is_not_a_number_is_named(cell):
    with pytest.raises(InputError) as error:
        convert(GOOD, {}, {"x": cell})
    assert str(error.value) == (
        "a.csv: 1 problem with the mapping\n"
        f"  - columns.position: 1 row, column x; expected a number; first: a.csv row 3 ({cell!r})"
    )


@pytest.mark.parametrize(
    ("change", "rows", "said"),
    [
        (
            {},
            [{"x": f"{n},5"} for n in range(5)],
            "columns.position: 5 rows, column x; expected a number; first: a.csv row 2 ('0,5'), "
            "a.csv row 3 ('1,5'), a.csv row 4 ('2,5'), ...; remedy: write every number with a "
            "decimal point",
        ),
        (
            {},
            [{"kind": "medium"}],
            "conditions: 1 row, column kind; expected one of 'easy', '1', 'hard', '2'; first: "
            "a.csv row 2 ('medium')",
        ),
        (
            {"columns": {**COLUMNS, "rt": "latency"}},
            [{}] * 50,
            "columns.rt: no column 'latency'; known: who, run, ms, kind, hit, x; in a.csv",
        ),
    ],
)
def test_what_the_mapping_does_not_cover_is_one_problem(change, rows, said):
    assert problems({**GOOD, **change}, *rows) == [said]


class TestNamesOfFiles:
    @pytest.mark.parametrize(
        ("name", "more", "found"),
        [
            ("ann_day02.csv", {"file_names": "{subject}_day{session}"}, ["ann", "2"]),
            ("x_ann_2.csv", {"file_names": "*_{subject}_*"}, ["ann", None]),
            ("Ju\u0308rgen.csv", {"file_names": "{subject}"}, ["Jürgen", None]),
            ("sub-01_ses-2_task-canoe_beh.tsv", {}, ["01", "2"]),
        ],
    )
    def test_they_give_subject_and_session(self, name, more, found):
        log = convert({**GOOD, "columns": WITHOUT_SUBJECT, **more}, name=name)
        assert [log.get(own, [None])[0] for own in ("subject", "session")] == found

    @pytest.mark.parametrize(
        ("more", "said"),
        [
            (
                {},
                "columns.subject: missing; expected the column with the participant, or "
                '`file_names`, such as "{subject}_*", where the files are named by it; in ann.csv',
            ),
            (
                {"file_names": "{subject}_*"},
                "file_names: expected a file named like '{subject}_*'; in ann.csv",
            ),
        ],
    )
    def test_other_names_are_explained(self, more, said):
        assert problems({**GOOD, "columns": WITHOUT_SUBJECT, **more}, name="ann.csv") == [said]


def test_columns_of_theirs_may_be_called_file_and_row(tmp_path):
    (tmp_path / "a.csv").write_text("file,row,kind,ms,hit,x\nann,1,easy,1,1,0\n")
    document = {"columns": {**COLUMNS, "subject": "file", "block": "row"}}
    (log,) = importing.convert([importing.read_source(tmp_path / "a.csv", document)], document)
    assert log[["subject", "block"]].to_numpy().tolist() == [["ann", "1"]]
    assert log[["file", "row"]].to_numpy().tolist() == [["a.csv", 2]]


def test_files_of_paths_stay_below_the_folder(tmp_path):
    lab = tmp_path / "lab"
    (lab / "tracks").mkdir(parents=True)
    (tmp_path / "secret.csv").write_text("x")
    (lab / "tracks/a.csv").symlink_to(tmp_path / "secret.csv")
    with pytest.raises(InputError, match="leads outside"):
        importing.path_files(lab, {"paths": {"files": "tracks/*.csv"}})
    with pytest.raises(InputError, match="no such file"):
        importing.path_files(lab, {"paths": {"files": "track/*.csv"}})
