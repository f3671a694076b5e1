"""Mapping files: what they may say, and what becomes of each cell."""

from __future__ import annotations

import pandas as pd
import pytest
import yaml

from fuzzybounds.core.errors import InputError
from fuzzybounds.logs import importing
from fuzzybounds.logs.sources import Source
from fuzzybounds.logs.validation import validate

THEIRS = ["who", "run", "ms", "kind", "hit", "x"]
OURS = ["subject", "block", "rt", "condition", "correct", "position"]
COLUMNS = dict(zip(OURS, THEIRS, strict=True))
GOOD = {"columns": COLUMNS, "units": {"rt": "ms"}}
ROW = dict(zip(THEIRS, ["ann", "1", "1250", "easy", "1", "67.5"], strict=True))
RESPONSES = {"given": "key", "expected": "side", "left": ["f"], "right": ["j"]}
WITHOUT_OUTCOME = {name: theirs for name, theirs in COLUMNS.items() if name != "correct"}
WITHOUT_SUBJECT = {name: theirs for name, theirs in COLUMNS.items() if name != "subject"}
COMPARED = {"columns": WITHOUT_OUTCOME, "responses": RESPONSES, "no_response": ["-1"]}


def convert(document, *rows, name: str = "a.csv") -> pd.DataFrame:
    cells = [{**ROW, **row} for row in rows or ({},)]
    source = Source(name, list(range(2, len(cells) + 2)), pd.DataFrame(cells))
    return importing.convert(source, document)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"colums": {}}, "colums: unknown key; did you mean 'columns'?"),
        ({"units": {"position": "cm"}}, "expected one of px, normalised or the keys scale, centre"),
        ({"columns": WITHOUT_OUTCOME}, "expected either columns.correct"),
        ({"columns": WITHOUT_OUTCOME, "outcomes": {"correct": 1}}, "outcomes: there is no"),
        ({"file_names": "{subject}" + "*_" * 9}, "file_names: 9 times *; expected it at most 3"),
        ({"conditions": {"easy": ["a"], "hard": ["A"]}}, "'a' appears more than once"),
        ({}, None),
    ],
)
def test_a_wrong_mapping_is_explained(tmp_path, change, message):
    path = tmp_path / "mapping.yaml"
    path.write_text(yaml.safe_dump({**GOOD, **change}))
    if message is None:
        assert importing.read_mapping(path) == {**GOOD, **change}
        return
    with pytest.raises(InputError, match=r"mapping\.yaml") as error:
        importing.read_mapping(path)
    assert message in str(error.value)


NAMED = {
    "conditions": {"easy": ["low", "L"], "hard": 2},
    "outcomes": {"correct": "hit", "incorrect": ["miss", "none"]},
}
CM = {"units": {"position": {"scale": 37.5, "centre": 15}}}


@pytest.mark.parametrize(
    ("change", "cells", "ours"),
    [
        ({"units": {"position": "normalised"}}, {"x": "-0.25"}, {"position": "-105"}),
        (CM, {"x": "16.8"}, {"position": "67.5"}),
        ({"no_response": -1}, {"ms": "-1"}, {"rt": ""}),
        (NAMED, {"kind": "LOW", "hit": "Hit"}, {"condition": "easy", "correct": "1"}),
        (NAMED, {"kind": "l", "hit": "none"}, {"condition": "easy", "correct": "0"}),
        (COMPARED, {"key": "F", "side": "j"}, {"correct": "0"}),
        (COMPARED, {"key": "-1", "side": "j"}, {"correct": "0"}),
    ],
)
def test_cells_become_ours(change, cells, ours):
    log = convert({**GOOD, **change}, cells)
    assert log[list(ours)].iloc[0].to_dict() == ours


NUMBER = "not_a_number: 1 row, column position; expected a finite number; first: a.csv row 3"
# The words that our logs have are no words of a mapping that has others.
UNKNOWN = "unknown_condition: 1 row, column condition; expected easy or hard (1 or 2); first: a.csv"
OUTCOME = "unknown_outcome: 1 row, column correct; expected 0 or 1; first: a.csv row 3"


@pytest.mark.parametrize(
    ("change", "cells", "message"),
    [
        *(({}, {"x": cell}, f"{NUMBER} ({cell!r})") for cell in ("fast", "nan", "inf", "")),
        *((CM, {"x": cell}, f"{NUMBER} ({cell!r})") for cell in ("1_000", "0x10", "1,5")),
        ({}, {"kind": "medium"}, f"{UNKNOWN} row 3 ('medium (not in the mapping)')"),
        (NAMED, {"kind": "1"}, f"{UNKNOWN} row 3 ('1 (not in the mapping)')"),
        (COMPARED, {"key": "f", "side": "up"}, f"{OUTCOME} ('up (not in the mapping)')"),
    ],
)
def test_a_cell_that_the_mapping_does_not_cover_is_named(change, cells, message):
    good = {"kind": "low", "hit": "hit"} if change is NAMED else {}
    log = convert({**GOOD, **change}, {"key": "f", "side": "f", **good}, {**good, **cells})
    with pytest.raises(InputError) as error:
        validate(log)
    assert any(problem.startswith(message) for problem in error.value.problems)


def test_a_file_in_our_columns_is_not_mapped():
    """A mapping is for the files with the columns that it names."""
    ours = pd.DataFrame([["ann", "1", "1.25", "easy", "1", "67.5"]], columns=OURS)
    log = importing.convert(Source("b.csv", [2], ours), GOOD)
    assert log.to_numpy().tolist() == [["b.csv", 2, *ours.iloc[0]]]
    # A mapping of our own names, such as one that says the units, is used.
    same = {"columns": dict(zip(OURS, OURS, strict=True)), "units": {"rt": "ms"}}
    assert importing.convert(Source("b.csv", [2], ours), same)["rt"].tolist() == ["0.00125"]
    with pytest.raises(InputError, match="not as the mapping says"):
        importing.convert(Source("b.csv", [2], ours.drop(columns="rt")), GOOD)


def test_what_a_mapping_states_of_a_file_is_used(tmp_path):
    with pd.ExcelWriter(tmp_path / "a.xlsx") as book:
        pd.DataFrame({"note": ["x"]}).to_excel(book, sheet_name="Notes", index=False)
        pd.DataFrame([ROW]).to_excel(book, sheet_name="Data", index=False)
    source = importing.read_source(tmp_path / "a.xlsx", {**GOOD, "sheet": "Data"})
    assert list(source.cells) == THEIRS


@pytest.mark.parametrize(
    ("name", "more", "expected"),
    [
        ("x_Ju\u0308rgen_day02.csv", {"file_names": "*_{subject}_day{session}"}, ["Jürgen", "2"]),
        ("ann_day00.csv", {"file_names": "{subject}_day{session}"}, ["ann", "00"]),
        ("sub-01_ses-02_task-canoe_beh.tsv", {}, ["01", "2"]),
    ],
)
def test_names_of_files_give_subject_and_session(name, more, expected):
    log = convert({**GOOD, "columns": WITHOUT_SUBJECT, **more}, name=name)
    assert [log.get(name, [None])[0] for name in ("subject", "session")] == expected


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("tracks/*.csv", "leads outside"),
        ("../*.csv", "leads outside"),
        ("/etc/*", "is not a pattern"),
        ("track/*.csv", "no such file"),
    ],
)
def test_files_of_paths_stay_below_the_folder(tmp_path, pattern, message):
    (tmp_path / "lab/tracks").mkdir(parents=True)
    (tmp_path / "secret.csv").write_text("x")
    (tmp_path / "lab/tracks/a.csv").symlink_to(tmp_path / "secret.csv")
    with pytest.raises(InputError, match=message):
        importing.path_files(tmp_path / "lab", {"paths": {"files": pattern}})
