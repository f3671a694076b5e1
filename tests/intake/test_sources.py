"""Tables of any kind: what is found about a file, and what becomes of its cells."""

from __future__ import annotations

import datetime
import re
import zipfile

import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
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
        assert source.dialect.describe() == (
            "Excel sheet 'Trials', header in row 2, rows above it left out, not read: sheet "
            "'Notes' (save each sheet as a file of its own, or name one by `sheet` in a mapping)"
        )

    def test_a_sheet_can_be_named(self, path):
        with pytest.raises(InputError, match="no trials"):
            read_source(path, sheet="Notes")
        with pytest.raises(InputError) as error:
            read_source(path, sheet="Trial")
        assert error.value.problems == ["sheet: 'Trial'; expected one of Trials, Notes"]

    def book(self, tmp_path, *rows, cells=()):
        book = openpyxl.Workbook()
        for row in rows:
            book.active.append(row)
        for name, value in cells:
            book.active[name] = value
        book.save(tmp_path / "a.xlsx")
        return tmp_path / "a.xlsx"

    def test_rows_beyond_a_stale_dimension_are_read(self, tmp_path):
        path = self.book(tmp_path, ["a", "b"], *([n, n] for n in range(50)))
        with zipfile.ZipFile(path) as old:
            parts = {name: old.read(name) for name in old.namelist()}
        sheet = "xl/worksheets/sheet1.xml"
        parts[sheet], changed = re.subn(rb'ref="A1:B51"', b'ref="A1:B11"', parts[sheet])
        assert changed == 1
        with zipfile.ZipFile(path, "w") as new:
            for name, content in parts.items():
                new.writestr(name, content)
        assert len(read_source(path).cells) == 50

    def test_numbers_as_text_with_decimal_commas(self, tmp_path):
        source = read_source(self.book(tmp_path, ["a", "b"], ["1,5", 2.5]))
        assert (source.dialect.decimal, source.cells["b"].tolist()) == (",", ["2.5"])
        assert source.dialect.describe() == "Excel sheet 'Sheet', decimal commas"

    def test_a_stray_cell_is_named(self, tmp_path):
        path = self.book(tmp_path, ["a", "b"], [1, 2], cells=[("XFD1048576", "x")])
        with pytest.raises(InputError) as error:
            read_source(path)
        assert str(error.value) == (
            f"{path}: row 1048576 of sheet 'Sheet' has a cell in column 16384\n"
            "  - expected at most 1000; is it a log?"
        )

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


@pytest.mark.parametrize(
    "text",
    [
        "Canoe study\na;b;c\n1;2;3\n",
        "Canoe study;;\n;;\na;b;c\n1;2;3\n",
        "Canoe;;;\nMay\na;b;c;d\n1;2;3;4\n",
    ],
)
def test_a_title_above_the_header_is_left_out(tmp_path, text):
    (tmp_path / "a.csv").write_text(text)
    source = read_source(tmp_path / "a.csv")
    assert list(source.cells)[:3] == ["a", "b", "c"]
    row = text.splitlines().index(next(line for line in text.splitlines() if line[0] == "a")) + 1
    assert source.rows == [row + 1]
    assert source.dialect.describe() == (
        f"separated by semicolons, header in row {row}, rows above it left out"
    )


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.csv", "a," + "b" * 131_073 + "\n1,2\n", "not a readable CSV file (field larger than"),
        ("a.csv", ",".join(map(str, range(100_000))) + "\n", "100000 columns"),
        ("a.xls", "", ".xls files are not read\n  - save it as .xlsx or .csv"),
        ("a.ods", "", ".ods files are not read\n  - save it as .xlsx or .csv"),
    ],
)
def test_what_is_not_read_is_said(tmp_path, name, text, said):
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError) as error:
        read_source(tmp_path / name)
    assert str(error.value).startswith(f"{tmp_path / name}: {said}")


def test_a_small_file_of_many_rows_is_not_read(tmp_path):
    column = pa.repeat(pa.scalar(0, pa.int8()), 20_000_001)
    pq.write_table(pa.table({"a": column}), tmp_path / "a.parquet")
    with pytest.raises(InputError, match=r"a\.parquet: 20000001 cells\n  - expected at most 2000"):
        read_source(tmp_path / "a.parquet")


def test_letters_of_two_signs_are_one_letter(tmp_path):
    (tmp_path / "a.csv").write_text("who,x\nJu\u0308rgen,1\n", encoding="utf-8")
    assert read_source(tmp_path / "a.csv").cells["who"].tolist() == ["Jürgen"]


class TestFiles:
    def test_every_kind_is_seen_whatever_its_case(self, tmp_path):
        names = ["S10.CSV", "S2.xlsx", "a.Parquet", "b.tsv", "c.txt"]
        for name in [*names, "README.txt", "~$S2.xlsx", ".hidden.csv", "mapping.yaml"]:
            (tmp_path / name).touch()
        found = [path.name for path in log_files(tmp_path)]
        assert found == ["S2.xlsx", "S10.CSV", "a.Parquet", "b.tsv", "c.txt"]

    def test_an_empty_folder_says_what_it_holds(self, tmp_path):
        (tmp_path / "old.sav").touch()
        (tmp_path / "S01").mkdir()
        with pytest.raises(InputError) as error:
            log_files(tmp_path)
        assert str(error.value) == (
            f"{tmp_path}: no logs\n"
            "  - expected files that end in .csv, .tsv, .txt, .xlsx or .parquet; the folder holds "
            "S01/, old.sav"
        )

    @pytest.mark.parametrize("name", ["{x}.csv", "a<b>.csv", "paths/{7}.csv", "<d>/x.csv"])
    def test_names_that_the_workflow_cannot_use(self, tmp_path, name):
        (tmp_path / "a.csv").touch()
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
        with pytest.raises(InputError, match=r"expected names without \{, \}, < and >"):
            log_files(tmp_path)

    def test_old_spreadsheets_are_not_passed_over(self, tmp_path):
        (tmp_path / "a.csv").touch()
        (tmp_path / "b.XLS").touch()
        assert [path.name for path in log_files(tmp_path)] == ["a.csv", "b.XLS"]

    def test_logs_of_other_names_are_read_beside_those_of_bids(self, tmp_path):
        for name in ("sub-01_task-canoe_beh.tsv", "S02.csv", "participants.tsv"):
            (tmp_path / name).touch()
        assert [path.name for path in log_files(tmp_path)] == [
            "S02.csv",
            "sub-01_task-canoe_beh.tsv",
        ]

    def test_in_a_bids_data_set_lists_are_no_logs(self, tmp_path):
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
