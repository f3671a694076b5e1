"""Tables as laboratories keep them: text files in any dialect, Excel workbooks and Parquet files.

Whatever the file, its cells become text with the row that each came from.  Delimiter, decimal sign
and encoding of a text file are detected; :meth:`Dialect.describe` reports the result, so that a
wrong guess can be noticed.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from fuzzybounds.intake.files import PARQUET, WORKBOOK
from fuzzybounds.storage.errors import InputError, listed
from fuzzybounds.storage.tables import read_parquet

DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars"}
ENCODINGS = ("utf-8", "utf-16", "cp1252")
_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_SNIFFED = 200
"""Number of lines from which the delimiter of a text file is detected."""
_COMMA_NUMBER = re.compile(r"[+-]?\d*,\d+")
_POINT_NUMBER = re.compile(r"[+-]?\d*\.\d+(?:[eE][+-]?\d+)?")


@dataclass(frozen=True)
class Dialect:
    """How a file was read."""

    delimiter: str = ","
    decimal: str = "."
    encoding: str = "utf-8"
    sheet: str = ""

    def describe(self) -> str:
        """Describe how it differs from plain CSV; empty if it does not."""
        if self.sheet:
            return f"Excel sheet {self.sheet!r}"
        said = []
        if self.delimiter != ",":
            said.append(f"separated by {DELIMITERS[self.delimiter]}")
        if self.decimal != ".":
            said.append("decimal commas")
        if self.encoding not in ("utf-8", "utf-8-sig"):
            said.append(f"encoding {self.encoding}")
        return ", ".join(said)


class Source(NamedTuple):
    """A table as text: its file's name, the row of each line, its cells and how it was read."""

    file: str
    rows: list[int]
    cells: pd.DataFrame
    dialect: Dialect = Dialect()


def read_source(
    path: str | Path,
    *,
    header: Sequence[str] | None = None,
    delimiter: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    sheet: str | None = None,
) -> Source:
    """Read a table of any kind as text.

    Parameters
    ----------
    path : path
    header : sequence of str, optional
        Names of the columns of a file that has no header.
    delimiter, decimal, encoding : str, optional
        Format of a text file; detected by default.
    sheet : str, optional
        Sheet of a workbook; None: the first one.

    Raises
    ------
    InputError
        If the file is not a table with one header and rows of the same length.
    """
    path = Path(path)
    ending = path.suffix.lower()
    if ending == WORKBOOK:
        numbered, dialect = _workbook(path, sheet)
    elif ending == PARQUET:
        return _parquet(path)
    else:
        numbered, dialect = _text(path, delimiter, encoding)
    return _table(path, numbered, dialect, header, decimal)


def _table(
    path: Path,
    numbered: list[tuple[int, list[str]]],
    dialect: Dialect,
    header: Sequence[str] | None,
    decimal: str | None,
) -> Source:
    if not numbered:
        raise InputError(f"{path}: empty", ["expected a header and one row per trial"])
    names = list(header) if header else numbered.pop(0)[1]
    if not numbered:
        raise InputError(f"{path}: no trials", ["expected a header and one row per trial"])
    # Rows that end in empty cells are what spreadsheets leave behind.
    lines = [line[: len(names)] if not any(line[len(names) :]) else line for _, line in numbered]
    ragged = [
        (row, line)
        for (row, _), line in zip(numbered, lines, strict=True)
        if len(line) != len(names)
    ]
    repeated = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    problems = [f"row 1: column {name!r} appears {names.count(name)} times" for name in repeated]
    if ragged:
        places = ", ".join(f"row {row} has {len(line)}" for row, line in ragged[:3])
        problems.append(
            f"{len(ragged)} of {len(lines)} rows do not have {len(names)} fields "
            f"({listed(names, 12)}): {places}{', ...' if len(ragged) > 3 else ''}"
        )
    if problems:
        raise InputError(f"{path}: not one row per trial", problems)
    cells = pd.DataFrame(lines, columns=names, dtype=str)
    found = decimal or (_decimal(lines) if dialect.delimiter != "," else ".")
    dialect = Dialect(dialect.delimiter, found, dialect.encoding, dialect.sheet)
    return Source(path.name, [row for row, _ in numbered], cells, dialect)


def _text(
    path: Path, delimiter: str | None, encoding: str | None
) -> tuple[list[tuple[int, list[str]]], Dialect]:
    text, encoding = _decoded(path, encoding)
    found = _delimiter(text, path.suffix.lower() == ".tsv")
    columns = {own: len(_first_line(text, own)) for own in (delimiter or found, found)}
    if columns[delimiter or found] < 2 <= columns[found]:
        raise InputError(
            f"{path}: one column only",
            [
                f"delimiter: {delimiter!r}, but the file is separated by {DELIMITERS[found]}; "
                f"expected delimiter: {found!r}, or leave the key out"
            ],
        )
    delimiter = delimiter or found
    try:
        lines = list(csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=delimiter))
    except csv.Error as error:
        raise InputError(f"{path}: not a readable CSV file ({error})") from error
    stripped = [[cell.strip() for cell in line] for line in lines]
    numbered = [(row, line) for row, line in enumerate(stripped, 1) if line]
    return numbered, Dialect(delimiter, ".", encoding)


def _decoded(path: Path, encoding: str | None) -> tuple[str, str]:
    """Return the text of a file, and its encoding: as given, by its mark, UTF-8 or cp1252."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: not a readable CSV file ({error})") from error
    marked = next((name for mark, name in _MARKS.items() if content.startswith(mark)), None)
    tried = [encoding] if encoding else [marked] if marked else ["utf-8", "cp1252"]
    for name in tried:
        try:
            text = content.decode("utf-8-sig" if name == "utf-8" else name)
        except UnicodeDecodeError as error:
            reason = f"byte {content[error.start]:#04x} on line {_line_of(content, error.start)}"
            continue
        if "\x00" not in text and not (name == "cp1252" and _is_binary(content)):
            return text, name
        reason = "it is not text"
    if encoding:
        raise InputError(
            f"{path}: not a readable CSV file",
            [
                f"encoding: {encoding!r}, but {reason} is not {encoding}; expected one of "
                f"{', '.join(ENCODINGS)}, or leave the key out"
            ],
        )
    raise InputError(
        f"{path}: not a readable CSV file ({reason} is not text in {' or '.join(tried)})",
        ["save it as CSV with the encoding UTF-8, or as .xlsx"],
    )


def _is_binary(content: bytes) -> bool:
    """Whether bytes that are not UTF-8 hold control characters, as no text of cp1252 does."""
    return any(byte < 32 and byte not in b"\t\n\r\f" for byte in content)


def _line_of(content: bytes, position: int) -> int:
    return content[:position].count(b"\n") + 1


def _first_line(text: str, delimiter: str) -> list[str]:
    return next(iter(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)), [])


def _delimiter(text: str, tabs: bool) -> str:
    """Return the delimiter that gives the most columns of which every row has the same number."""

    def score(delimiter: str) -> tuple[float, int]:
        sample = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        lengths = []
        try:
            lengths = [len(line) for line, _ in zip(sample, range(_SNIFFED), strict=False) if line]
        except csv.Error:
            return 0.0, 0
        columns = lengths[0] if lengths else 0
        if columns < 2:
            return 0.0, 0
        return sum(length == columns for length in lengths) / len(lengths), columns

    preferred = ["\t", *(own for own in DELIMITERS if own != "\t")] if tabs else list(DELIMITERS)
    return max(preferred, key=score)


def _decimal(lines: Iterable[Sequence[str]]) -> str:
    """Return the decimal sign: a comma where numbers have commas and none has a point."""
    cells = {cell for line in lines for cell in line}
    commas = any(_COMMA_NUMBER.fullmatch(cell) for cell in cells)
    return "," if commas and not any(_POINT_NUMBER.fullmatch(cell) for cell in cells) else "."


def _workbook(path: Path, sheet: str | None) -> tuple[list[tuple[int, list[str]]], Dialect]:
    import openpyxl

    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
        sheets = book.sheetnames
        if sheet is not None and sheet not in sheets:
            raise InputError(
                f"{path}: no such sheet", [f"sheet: {sheet!r}; expected one of {listed(sheets, 5)}"]
            )
        name = sheet if sheet is not None else sheets[0]
        rows = [[_as_text(cell) for cell in row] for row in book[name].iter_rows(values_only=True)]
        book.close()
    except InputError:
        raise
    except Exception as error:  # a damaged archive fails in a dozen ways
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"{path}: not a readable Excel workbook ({reason})") from error
    numbered = [(row, line) for row, line in enumerate(rows, 1) if any(line)]
    if numbered:
        width = max(n for n, name in enumerate(numbered[0][1], 1) if name)
        numbered = [(row, line if any(line[width:]) else line[:width]) for row, line in numbered]
    return numbered, Dialect(sheet=name)


def _parquet(path: Path) -> Source:
    frame = read_parquet(path, foreign=True)
    cells = pd.DataFrame({str(name): [_as_text(cell) for cell in frame[name]] for name in frame})
    if cells.empty:
        raise InputError(f"{path}: no trials", ["expected one row per trial"])
    return Source(path.name, list(range(1, len(cells) + 1)), cells.astype(str))


def _as_text(cell: Any) -> str:
    """Return a typed cell as a person would write it; empty where there is none."""
    if cell is None or cell is pd.NA or (isinstance(cell, float) and cell != cell):
        return ""
    if isinstance(cell, bool) or type(cell).__name__ in ("bool", "bool_"):
        return "1" if cell else "0"
    if isinstance(cell, float):
        return f"{cell:.0f}" if cell.is_integer() and abs(cell) < 1e15 else repr(float(cell))
    if isinstance(cell, bytes):
        return cell.decode("utf-8", "replace").strip()
    return str(cell).strip()
