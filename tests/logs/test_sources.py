"""Tables of any kind: what is found about a file, and what becomes of its cells."""

from __future__ import annotations

import datetime
import zipfile
from pathlib import Path

import openpyxl
import pandas as pd
import pytest

from fuzzybounds.core.errors import InputError
from fuzzybounds.logs import sources
from fuzzybounds.logs.files import log_files
from fuzzybounds.logs.sources import DELIMITERS, read_source

ROWS = [["name", "x"], ["Zoë", "1.5"], ["Ann", "-2"]]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
@pytest.mark.parametrize(("delimiter", "decimal", "line_end"), [",.\n", ";,\r", "\t,\n", "|.\r"])
def test_text_of_any_dialect(write, delimiter, encoding, decimal, line_end):
    lines = [delimiter.join(row).replace(".", decimal) for row in ROWS]
    source = read_source(write(line_end.join(lines).encode(encoding)))
    assert source.cells.to_numpy().tolist() == ROWS[1:]
    assert source.rows == [2, 3]
    notes = [f"separated by {DELIMITERS[delimiter]}"] * (delimiter != ",")
    notes += ["decimal commas"] * (decimal == ",")
    notes += [f"encoding {encoding}"] * (not encoding.startswith("utf-8"))
    assert source.note == ", ".join(notes)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("a;b\n1,5;17.11\n", "separated by semicolons, decimal commas"),  # a date is no number
        ('a;b\n"1,5";2\n', "separated by semicolons, decimal commas"),
        ("Canoe\na,b,c\n1,2,3\n", "header in row 2, rows above it left out"),
        ("Canoe,May,,\n1\na,b,c,d\n1,2,3,4\n", "header in row 3, rows above it left out"),
    ],
)
def test_what_was_found_is_said(write, text, note):
    source = read_source(write(text.encode("cp1252"), "a.txt"))
    assert source.note == note
    assert list(source.cells)[:2] == ["a", "b"]
    assert source.rows == [text.count("\n")]


NO_TEXT = "not a readable CSV file (no text in utf-8 or cp1252)"
SAVE = "save it as .xlsx or .csv, and move the old file elsewhere"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", "\ufeff", "empty"),
        ("a.csv", "a,a,b,a\n1,2,3,4\n", "row 1: column 'a' appears 3 times"),
        (
            "a.csv",
            "a,b\n1,2\n1\n1,2,3\n\n4\n",
            "3 of 4 rows do not have 2 fields (a, b): row 3 has 1, row 4 has 3, row 6 has 1",
        ),
        ("a.csv", "A study, of May\n1,2,3\n4,5,6\n", "is row 1 a title? delete the rows above"),
        ("a.csv", 'a,b\n"7"x,1\n', "not a readable CSV file (',' expected after '\"')"),
        ("a.csv", b"a,b\n1,\x81\n", NO_TEXT),
        ("a.Numbers", "", f".numbers files are not read\n  - {SAVE}"),
        ("a.xlsx", "subject,rt\n", "not a readable workbook (File is not a zip file)"),
        ("a.parquet", "text", "not a readable parquet table"),
    ],
)
def test_a_file_that_is_no_table_is_explained(write, name, content, message):
    path = write(content, name)
    with pytest.raises(InputError) as error:
        read_source(path)
    assert str(error.value).startswith(f"{path}: ")
    assert message in str(error.value)


class TestWorkbooks:
    @pytest.fixture
    def book(self, tmp_path):
        def book(*sheets, stray=None):
            made = openpyxl.Workbook()
            made.remove(made.active)
            for title, rows in sheets:
                sheet = made.create_sheet(title)
                for row in rows:
                    sheet.append(row)
            if stray:
                made.worksheets[0][stray] = "x"
            made.save(tmp_path / "log.XLSX")
            return tmp_path / "log.XLSX"

        return book

    def test_cells_are_as_a_person_would_write_them(self, book):
        day = datetime.datetime(2026, 5, 1)
        # A letter of two signs is one letter.
        rows = [[None], ["who", "rt", "ok", None], ["Zoe\u0308", 1.25, True], [None] * 4]
        rows.append([7, 2, False])
        path = book(("Trials", [*rows, ["Ann", day, 1.0]]), ("Notes", [["nothing", "here"]]))
        source = read_source(path)
        assert source.cells.to_numpy().tolist() == [
            ["Zoë", "1.25", "1"],
            ["7", "2", "0"],
            ["Ann", "2026-05-01 00:00:00", "1"],
        ]
        # Rows as the spreadsheet numbers them.
        assert source.rows == [3, 5, 6]
        assert source.note == (
            "Excel sheet 'Trials' (not read: sheet 'Notes'; `sheet` in a mapping names another), "
            "header in row 2, rows above it left out"
        )
        with pytest.raises(InputError, match="no trials"):
            read_source(path, sheet="Notes")
        with pytest.raises(InputError) as error:
            read_source(path, sheet="Trial")
        assert error.value.problems == ["sheet: 'Trial'; expected one of Trials, Notes"]

    def test_rows_beyond_a_stale_dimension_are_read(self, book):
        path = book(("A", [["a", "b"], *([n, n] for n in range(50))]))
        with zipfile.ZipFile(path) as old:
            parts = {name: old.read(name) for name in old.namelist()}
        sheet = parts["xl/worksheets/sheet1.xml"]
        assert sheet.count(b'ref="A1:B51"') == 1
        parts["xl/worksheets/sheet1.xml"] = sheet.replace(b'ref="A1:B51"', b'ref="A1:B11"')
        with zipfile.ZipFile(path, "w") as new:
            for name, content in parts.items():
                new.writestr(name, content)
        assert len(read_source(path).cells) == 50

    @pytest.mark.parametrize(
        ("old", "new", "message"),
        [
            # Each row of the sheet would hide those before it, or be hidden.
            (b'<row r="4"', b'<row r="2"', "row 2 comes after row 3; open the workbook in Excel"),
            (b'<row r="4"', b'<row r="3"', "row 3 comes after row 3; open the workbook in Excel"),
            (b'<row r="4"', b'<row r="1048577"', "row 1048577; expected at most 1048576"),
            (b"<v>5</v>", b"<f>1+4</f>", "cell A3 has a formula without its value; open the"),
            (b"<v>5</v>", b"<f>1+4</f><v></v>", "cell A3 has a formula without its value; open"),
            (b"<v>5</v>", b"<f>1+4</f><v>5</v>", ""),
            (b'<c r="A3" t="n"><v>5</v>', b'<c r="A3" t="str"><f>""</f><v></v>', ""),
            (b"<v>5</v>", b"", ""),
        ],
    )
    def test_what_would_be_lost_is_refused(self, book, old, new, message):
        path = book(("A", [["a", "b"], [1, 2], [5, 6], [3, 4]]))
        with zipfile.ZipFile(path) as whole:
            parts = {name: whole.read(name) for name in whole.namelist()}
        sheet = parts["xl/worksheets/sheet1.xml"]
        assert sheet.count(old) == 1
        # Rows without places, as some programs write them.
        parts["xl/worksheets/sheet1.xml"] = sheet.replace(old, new)
        with zipfile.ZipFile(path, "w") as edited:
            for name, content in parts.items():
                edited.writestr(name, content)
        if not message:
            assert len(read_source(path).rows) == 3
            return
        with pytest.raises(InputError) as error:
            read_source(path)
        assert error.value.problems[0].startswith(message)

    def test_a_small_file_cannot_fill_the_memory(self, book, tmp_path, monkeypatch):
        monkeypatch.setattr(sources, "MOST_CELLS", 100)
        many = pd.DataFrame({"a": [1] * 40, "b": 1, "c": 1})
        many.to_parquet(tmp_path / "a.parquet")
        with pytest.raises(InputError, match="40 rows of 3 columns"):
            read_source(tmp_path / "a.parquet")
        with pytest.raises(InputError, match="cell B34; expected at most 100 cells"):
            read_source(book(("A", many.to_numpy().tolist())))
        with pytest.raises(InputError, match="row 12 reaches to column 26"):
            read_source(book(("A", many.head(20).to_numpy().tolist()), stray="Z12"))

    def test_a_stray_cell_is_named(self, book):
        path = book(("A", [["a", "b"], [1, 2]]), stray="XFD1048576")
        with pytest.raises(InputError, match="row 1048576 reaches to column 16384"):
            read_source(path)


def test_an_opendocument_sheet_is_read(tmp_path):
    """Made here by hand, as nothing that is installed writes this format."""
    names = ("office", "table", "text")
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in names
    )
    rows = ""
    for row in (("a", "b"), (1.5, 2.0)):
        rows += "<table:table-row>"
        for value in row:
            kind = "string" if isinstance(value, str) else f'float" office:value="{value}'
            text = f"<text:p>{value}</text:p>"
            rows += f'<table:table-cell office:value-type="{kind}">{text}</table:table-cell>'
        rows += "</table:table-row>"
    sheet = f'<table:table table:name="Log">{rows}</table:table>'
    body = f"<office:body><office:spreadsheet>{sheet}</office:spreadsheet></office:body>"
    document = f"<office:document-content {spaces}>{body}</office:document-content>"
    with zipfile.ZipFile(tmp_path / "a.ods", "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", document)
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
    source = read_source(tmp_path / "a.ods")
    assert source.cells.to_numpy().tolist() == [["1.5", "2"]]
    assert "sheet 'Log'" in source.note


def test_an_old_workbook_is_read():
    source = read_source(Path(__file__).parent / "old_format.xls")
    assert source.cells.to_numpy().tolist() == [["1.5", "2"], ["3", "2026-05-01 00:00:00"]]
    assert "not read: sheet 'Notes'" in source.note


def test_cells_of_parquet_are_as_a_person_would_write_them(tmp_path):
    columns = {"who": ["a", None], "n": [1, 2], "x": [0.1, float("nan")], "ok": [True, False]}
    pd.DataFrame({**columns, "y": [1e16, 3.0]}).to_parquet(tmp_path / "a.parquet")
    cells = read_source(tmp_path / "a.parquet").cells
    assert cells.to_numpy().tolist() == [["a", "1", "0.1", "1", "1e+16"], ["", "2", "", "0", "3"]]


class TestFiles:
    @pytest.mark.parametrize(
        ("there", "logs"),
        [
            (  # Every kind, whatever its case, in natural order.
                "S10.CSV S2.xlsx a.Parquet b.tsv c.txt README.txt ~$S2.xlsx .h.csv mapping.yaml",
                "S2.xlsx S10.CSV a.Parquet b.tsv c.txt",
            ),
            (
                "sub-01/ses-1/beh/sub-01_ses-1_task-canoe_beh.tsv sub-01/x.json participants.tsv",
                "sub-01_ses-1_task-canoe_beh.tsv",
            ),
            ("sub-01_beh.tsv S02.csv participants.tsv", "S02.csv sub-01_beh.tsv"),
        ],
    )
    def test_the_logs_of_a_folder(self, tmp_path, there, logs):
        for name in there.split():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).touch()
        assert [path.name for path in log_files(tmp_path)] == logs.split()

    def test_a_folder_without_logs_is_told_what_it_holds(self, tmp_path):
        for holds in ("no files", "notes.md"):
            with pytest.raises(InputError, match=f"the folder holds {holds}"):
                log_files(tmp_path)
            (tmp_path / "notes.md").touch()

    @pytest.mark.parametrize("name", ["{x}.csv", "a<b>.csv", "paths/{7}.csv", "<d>/sub-1_beh.tsv"])
    def test_names_that_the_workflow_cannot_use(self, tmp_path, name):
        (tmp_path / "a.csv").touch()
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
        with pytest.raises(InputError, match=r"expected names without \{, \}, < and >"):
            log_files(tmp_path)
        (tmp_path / name).unlink()
        (tmp_path / "{notes}.doc").touch()
        assert log_files(tmp_path) == [tmp_path / "a.csv"]
