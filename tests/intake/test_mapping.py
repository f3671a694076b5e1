"""Mapping files: what they may say, and what becomes of each cell."""

from __future__ import annotations

import pandas as pd
import pytest
import yaml

from fuzzybounds.intake import conversion, mapping
from fuzzybounds.intake.sources import Dialect, Source
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
    dialect = Dialect(";", document.get("decimal", "."))
    source = Source("a.csv", list(range(2, len(cells) + 2)), pd.DataFrame(cells), dialect)
    return conversion.convert_log(source, document)


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
        ({"conditions": {"easy": ["a"], "hard": ["A"]}}, "'a' appears more than once"),
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


@pytest.mark.parametrize("cell", ["fast", "nan", "inf", "1_000", "", "0x10"])
def test_a_cell_that_is_not_a_number_is_named(cell):
    with pytest.raises(InputError) as error:
        convert(GOOD, {}, {"x": cell})
    assert str(error.value) == (
        "a.csv: 1 problem with the mapping\n"
        f"  - columns.position: column x; expected a number; 1 row, first: a.csv row 3 ({cell!r})"
    )


def test_a_wrong_decimal_sign_names_the_key():
    with pytest.raises(InputError) as error:
        convert(GOOD, *({"x": f"{n},5"} for n in range(5)))
    assert error.value.problems == [
        'columns.position: column x; expected a number (with a decimal comma: write `decimal: ","` '
        "in the mapping); 5 rows, first: a.csv row 2 ('0,5'), a.csv row 3 ('1,5'), a.csv row 4 "
        "('2,5'), ..."
    ]


def test_an_unknown_code_is_named_with_the_known_ones():
    with pytest.raises(InputError) as error:
        convert(GOOD, {"kind": "medium"})
    assert error.value.problems == [
        "conditions: column kind; expected one of 'easy', '1', 'hard', '2'; 1 row, first: a.csv "
        "row 2 ('medium')"
    ]


def test_a_missing_column_is_one_problem_that_suggests_another():
    rows = [{} for _ in range(50)]
    with pytest.raises(InputError) as error:
        convert({**GOOD, "columns": {**COLUMNS, "rt": "latency"}}, *rows)
    assert error.value.problems == [
        "columns.rt: no column 'latency'; known: who, run, ms, kind, hit, x; in a.csv"
    ]


def test_codes_may_be_given_alone_and_as_numbers():
    document = {**GOOD, "conditions": {"easy": "leicht", "hard": 2}, "no_response": -1}
    log = convert(document, {"kind": "leicht"}, {"kind": "2", "ms": "-1"})
    assert log["condition"].to_list() == ["easy", "hard"]
    assert log["rt"].to_list() == ["1.25", ""]


def test_positions_in_any_unit_about_any_centre():
    document = {**GOOD, "units": {"rt": "ms", "position": {"scale": 37.5, "centre": 15}}}
    assert convert(document, {"x": "16.8"})["position"].to_list() == ["67.5"]
    document["units"]["position"] = {"scale": -1}
    assert convert(document, {"x": "67.5"})["position"].to_list() == ["-67.5"]


class TestNamesOfFiles:
    def convert(self, name, **more):
        columns = {key: own for key, own in COLUMNS.items() if key != "subject"}
        source = Source(name, [2], pd.DataFrame([ROW]))
        log = conversion.convert_log(source, {**GOOD, "columns": columns, **more})
        return log.reindex(columns=["subject", "session"]).iloc[0].tolist()

    def test_a_pattern_gives_subject_and_session(self):
        assert self.convert("ann_day02.csv", file_names="{subject}_day{session}") == ["ann", "2"]

    def test_bids_names_are_known(self):
        assert self.convert("sub-01_ses-2_task-canoe_beh.tsv") == ["01", "2"]

    def test_other_names_are_explained(self):
        with pytest.raises(InputError) as error:
            self.convert("ann.csv")
        assert error.value.problems == [
            "columns.subject: missing; expected the column with the participant, or `file_names`, "
            'such as "{subject}_*", where the files are named by it; in ann.csv'
        ]
        with pytest.raises(InputError) as error:
            self.convert("ann.csv", file_names="{subject}_*")
        assert error.value.problems == [
            "file_names: expected a file named like '{subject}_*'; in ann.csv"
        ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        ("who;run\n", "no trials"),
        ("who;run\n\n", "no trials"),
        ("who;run\na;1;2\n", "1 of 1 rows do not have 2 fields (who, run): row 2 has 3"),
        ("who;who\na;1\n", "'who' appears 2 times"),
        (
            "who,run\na,1\n",
            "delimiter: ';', but the file is separated by commas; expected delimiter: ',', or "
            "leave the key out",
        ),
    ],
)
def test_a_source_that_is_not_a_table(tmp_path, text, said):
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(InputError) as error:
        mapping.read_source(tmp_path / "a.csv", {"delimiter": ";"})
    assert said in str(error.value)


def test_columns_of_theirs_may_be_called_file_and_row(tmp_path):
    (tmp_path / "a.csv").write_text("file,row,kind,ms,hit,x\nann,1,easy,1,1,0\n")
    document = {"columns": {**COLUMNS, "subject": "file", "block": "row"}}
    log = conversion.convert_log(mapping.read_source(tmp_path / "a.csv", document), document)
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
