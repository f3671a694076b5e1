"""Mapping files: what they may say, and what becomes of each cell."""

from __future__ import annotations

import pandas as pd
import pytest
import yaml

from fuzzybounds.intake import mapping
from fuzzybounds.storage.errors import InputError

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


@pytest.fixture
def written(tmp_path):
    def write(document) -> str:
        path = tmp_path / "mapping.yaml"
        path.write_text(yaml.safe_dump(document))
        return str(path)

    return write


def convert(document, *rows) -> pd.DataFrame:
    cells = [{**ROW, **row} for row in rows or ({},)]
    source = mapping.Source("a.csv", list(range(2, len(cells) + 2)), pd.DataFrame(cells))
    return mapping.convert_log(source, document)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"colums": {}}, "colums: unknown key; did you mean 'columns'?"),
        ({"columns": {**COLUMNS, "reaction": "x"}}, "columns.reaction: unknown key"),
        ({"columns": {"subject": "who"}}, "'block' is a required property"),
        ({"units": {"rt": "minutes"}}, "units.rt: 'minutes'; expected one of s, ms"),
        ({"units": {"position": "cm"}}, "expected one of px, normalised"),
        ({"columns": WITHOUT_OUTCOME}, "expected either columns.correct"),
        ({"responses": RESPONSES}, "expected either columns.correct"),
        ({"conditions": {"easy": ["a"], "hard": ["A"]}}, "'a' stands there more than once"),
        ({"paths": {"files": "../secret/*.csv"}}, "expected a pattern below the source's folder"),
        ({"paths": {"files": "/etc/*.csv"}}, "expected a pattern below the source's folder"),
    ],
)
def test_a_wrong_mapping_is_explained(written, change, said):
    with pytest.raises(InputError, match=r"mapping\.yaml") as error:
        mapping.read_mapping(written({**GOOD, **change}))
    assert said in str(error.value)


def test_a_good_mapping_is_read_as_it_is(written):
    assert mapping.read_mapping(written(GOOD)) == GOOD


def test_units_become_ours():
    log = convert({**GOOD, "units": {"rt": "ms", "position": "normalised"}}, {"x": "-0.25"})
    assert log[["rt", "position"]].to_numpy().tolist() == [["1.25", "-105"]]


def test_decimal_commas():
    log = convert({**GOOD, "decimal": ","}, {"ms": "1250,5", "x": "-67,5"})
    assert log[["rt", "position"]].to_numpy().tolist() == [["1.2505", "-67.5"]]


def test_names_become_ours_whatever_their_case():
    document = {
        **GOOD,
        "conditions": {"easy": ["low", "L"], "hard": ["high"]},
        "outcomes": {"correct": ["hit"], "incorrect": ["miss", "none"]},
    }
    rows = [
        {"kind": "LOW", "hit": "Hit"},
        {"kind": "l", "hit": "none"},
        {"kind": "high", "hit": "miss"},
    ]
    log = convert(document, *rows)
    assert log["condition"].to_list() == ["easy", "easy", "hard"]
    assert log["correct"].to_list() == ["1", "0", "0"]


def test_outcomes_follow_from_responses():
    document = {"columns": WITHOUT_OUTCOME, "responses": RESPONSES, "no_response": ["-1"]}
    rows = [
        {"key": key, "side": side, "ms": "-1" if key == "-1" else "1"}
        for key, side in (("f", "f"), ("f", "j"), ("j", "j"), ("-1", "j"))
    ]
    log = convert(document, *rows)
    assert log["correct"].to_list() == ["1", "0", "1", "0"]
    assert log["rt"].to_list() == ["1", "1", "1", ""]


@pytest.mark.parametrize("cell", ["fast", "nan", "inf", "1_000", "", "1,5", "0x10"])
def test_a_cell_that_is_no_number_is_named(cell):
    with pytest.raises(InputError) as error:
        convert(GOOD, {}, {"x": cell})
    assert f"a.csv, row 3, column x: {cell!r}; expected a number" in str(error.value)


def test_an_unknown_code_is_named_with_the_known_ones():
    with pytest.raises(InputError) as error:
        convert(GOOD, {"kind": "medium"})
    assert "row 2, column kind: 'medium'; expected one of 'easy', '1'" in str(error.value)


def test_a_missing_column_suggests_another():
    with pytest.raises(InputError) as error:
        convert({**GOOD, "columns": {**COLUMNS, "block": "runs"}})
    assert "columns.block: no column 'runs' in a.csv; did you mean 'run'?" in str(error.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no trials"),
        ("who;run\n", "no trials"),
        ("who;run\n\n", "there are no rows"),
        ("who;run\na;1;2\n", "row 2: 3 fields; expected 2"),
        ("who;who\na;1\n", "'who' stands there 2 times"),
    ],
)
def test_a_source_that_is_no_table(tmp_path, text, said):
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(InputError) as error:
        mapping.read_source(tmp_path / "a.csv", {"delimiter": ";"})
    assert said in str(error.value)


def test_columns_of_theirs_may_be_called_file_and_row(tmp_path):
    (tmp_path / "a.csv").write_text("file,row,kind,ms,hit,x\nann,1,easy,1,1,0\n")
    document = {"columns": {**COLUMNS, "subject": "file", "block": "row"}}
    log = mapping.convert_log(mapping.read_source(tmp_path / "a.csv", document), document)
    assert log[["subject", "block"]].to_numpy().tolist() == [["ann", "1"]]
    assert log[["file", "row"]].to_numpy().tolist() == [["a.csv", 2]]


def test_files_of_paths_stay_below_the_folder(tmp_path):
    lab = tmp_path / "lab"
    (lab / "tracks").mkdir(parents=True)
    (tmp_path / "secret.csv").write_text("x")
    (lab / "tracks/a.csv").symlink_to(tmp_path / "secret.csv")
    with pytest.raises(InputError, match="leads outside"):
        mapping.path_files(lab, {"paths": {"files": "tracks/*.csv"}})
    with pytest.raises(InputError, match="no such file"):
        mapping.path_files(lab, {"paths": {"files": "track/*.csv"}})
