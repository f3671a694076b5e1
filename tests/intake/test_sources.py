"""Tables of any kind: what is found about a file, and what becomes of its cells."""

from __future__ import annotations

import datetime

import openpyxl
import pandas as pd
import pytest

from fuzzybounds.intake.files import bids_name, log_files
from fuzzybounds.intake.sources import read_source
from fuzzybounds.storage.errors import InputError

ROWS = [["name", "x"], ["Zoë", "1.5"], ["Ann", "-2"]]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
@pytest.mark.parametrize(
    ("delimiter", "decimal"),
    [(",", "."), (";", "."), (";", ","), ("\t", "."), ("\t", ","), ("|", "."), ("|", ",")],
)
def test_text_of_any_dialect(tmp_path, delimiter, encoding, decimal):
    lines = [delimiter.join(row).replace(".", decimal) for row in ROWS]
    (tmp_path / "a.csv").write_bytes("\r\n".join(lines).encode(encoding))
    source = read_source(tmp_path / "a.csv")
    assert source.cells["name"].tolist() == ["Zoë", "Ann"]
    assert source.rows == [2, 3]
    assert (source.dialect.delimiter, source.dialect.decimal) == (delimiter, decimal)
    assert source.dialect.encoding == encoding


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,b\n1,2\n", ""),
        ("a;b\n1,5;2\n", "separated by semicolons, decimal commas"),
        ("a\tb\n1.5\t2\n", "separated by tabs"),
        ("a|b\né|2\n", "separated by vertical bars, encoding cp1252"),
    ],
)
def test_what_was_found_is_said(tmp_path, text, said):
    (tmp_path / "a.txt").write_bytes(text.encode("cp1252"))
    assert read_source(tmp_path / "a.txt").dialect.describe() == said


def test_two_decimal_signs_are_left_to_the_checks(tmp_path):
    (tmp_path / "a.csv").write_text("a;b\n1,5;2.5\n")
    assert read_source(tmp_path / "a.csv").dialect.decimal == "."


class TestWorkbooks:
    @pytest.fixture
    def path(self, tmp_path):
        book = openpyxl.Workbook()
        notes = book.active
        notes.title = "Trials"
        day = datetime.datetime(2026, 5, 1)
        for row in (
            [None, None],
            ["subject", "rt", "ok", None],
            ["Zoë", 1.25, True, None],
            [None] * 4,
            [7, 2, False, None],
            ["Ann", day, 1.0, None],
        ):
            notes.append(row)
        book.create_sheet("Notes").append(["nothing", "here"])
        book.save(tmp_path / "log.XLSX")
        return tmp_path / "log.XLSX"

    def test_cells_are_as_a_person_would_write_them(self, path):
        source = read_source(path)
        assert source.cells.to_numpy().tolist() == [
            ["Zoë", "1.25", "1"],
            ["7", "2", "0"],
            ["Ann", "2026-05-01 00:00:00", "1"],
        ]
        # Rows as the spreadsheet numbers them.
        assert source.rows == [3, 5, 6]
        assert source.dialect.describe() == "Excel sheet 'Trials'"

    def test_a_sheet_can_be_named(self, path):
        with pytest.raises(InputError, match="no trials"):
            read_source(path, sheet="Notes")
        with pytest.raises(InputError) as error:
            read_source(path, sheet="Trial")
        assert error.value.problems == ["sheet: 'Trial'; expected one of Trials, Notes"]

    def test_what_is_not_a_workbook(self, tmp_path):
        (tmp_path / "a.xlsx").write_bytes(b"subject,rt\n")
        with pytest.raises(InputError, match=r"a\.xlsx: not a readable Excel workbook"):
            read_source(tmp_path / "a.xlsx")


def test_parquet(tmp_path):
    frame = pd.DataFrame(
        {"who": ["a", None], "n": [1, 2], "x": [0.1, float("nan")], "ok": [True, False]}
    )
    frame.to_parquet(tmp_path / "a.parquet")
    cells = read_source(tmp_path / "a.parquet").cells
    assert cells.to_numpy().tolist() == [["a", "1", "0.1", "1"], ["", "2", "", "0"]]


class TestFiles:
    def test_every_kind_is_seen_whatever_its_case(self, tmp_path):
        names = ["S10.CSV", "S2.xlsx", "a.Parquet", "b.tsv", "c.txt"]
        for name in [*names, "README.txt", "~$S2.xlsx", ".hidden.csv", "mapping.yaml"]:
            (tmp_path / name).touch()
        found = [path.name for path in log_files(tmp_path)]
        assert found == ["S2.xlsx", "S10.CSV", "a.Parquet", "b.tsv", "c.txt"]

    def test_an_empty_folder_says_what_it_holds(self, tmp_path):
        (tmp_path / "old.xls").touch()
        with pytest.raises(InputError) as error:
            log_files(tmp_path)
        assert str(error.value) == (
            f"{tmp_path}: no logs\n"
            "  - expected files that end in .csv, .tsv, .txt, .xlsx or .parquet; the folder holds "
            "old.xls\n"
            "  - save old.xls as .xlsx or .csv"
        )

    def test_in_a_bids_data_set_only_its_files_are_logs(self, tmp_path):
        own = tmp_path / "sub-01/ses-1/beh/sub-01_ses-1_task-canoe_beh.tsv"
        own.parent.mkdir(parents=True)
        own.touch()
        own.with_suffix(".json").touch()
        (tmp_path / "participants.tsv").touch()
        assert log_files(tmp_path) == [own]

    @pytest.mark.parametrize(
        ("name", "found"),
        [
            ("sub-01_ses-1_task-canoe_beh.tsv", ("01", "1")),
            ("sub-A7_task-canoe_run-2_beh.tsv", ("A7", None)),
            ("sub-01_ses-pre_events.csv", ("01", "pre")),
            ("sub-01.tsv", None),
            ("participants.tsv", None),
        ],
    )
    def test_names(self, name, found):
        match = bids_name(name)
        assert (match and match.group("subject", "session")) == found
