"""Tables as laboratories keep them: text files in any dialect, Excel workbooks and Parquet files.

Whatever the file, its cells become text with the row that each came from.  Delimiter, decimal sign
and encoding of a text file are detected; :meth:`Dialect.describe` reports the result, so that a
wrong guess can be noticed.
"""

from __future__ import annotations

import codecs
import csv
import io
import itertools
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from fuzzybounds.intake.files import PARQUET, UNREADABLE, WORKBOOK
from fuzzybounds.storage.errors import InputError, listed

DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars"}
ENCODINGS = ("utf-8", "utf-16", "cp1252")
_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_SNIFFED = 200
"""Number of lines from which the delimiter of a text file is detected."""
MOST_COLUMNS, MOST_CELLS = 1000, 20_000_000
"""Columns of a table, and cells of a compressed one, beyond which it is no log."""
_COMMA_NUMBER = re.compile(r"[+-]?\d*,\d+")
_POINT_NUMBER = re.compile(r"[+-]?\d*\.\d+(?:[eE][+-]?\d+)?")


@dataclass(frozen=True)
class Dialect:
    """How a file was read."""

    delimiter: str = ","
    decimal: str = "."
    encoding: str = "utf-8"
    sheet: str = ""
    unread: tuple[str, ...] = ()
    """Other sheets with cells."""
    header: int = 1
    """Row of the header; rows above it are left out."""

    def describe(self) -> str:
        """Describe how it differs from plain CSV; empty if it does not."""
        said = [f"Excel sheet {self.sheet!r}"] if self.sheet else []
        if self.delimiter != ",":
            said.append(f"separated by {DELIMITERS[self.delimiter]}")
        if self.decimal != ".":
            said.append("decimal commas")
        if self.encoding not in ("utf-8", "utf-8-sig"):
            said.append(f"encoding {self.encoding}")
        if self.header > 1:
            said.append(f"header in row {self.header}, rows above it left out")
        if self.unread:
            said.append(
                f"not read: sheet {listed(map(repr, self.unread))} (save each sheet as a file of "
                "its own, or name one by `sheet` in a mapping)"
            )
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
        Sheet of a workbook; None: the first one with cells.

    Raises
    ------
    InputError
        If the file is not a table with one header and rows of the same length.
    """
    path = Path(path)
    ending = path.suffix.lower()
    if ending in UNREADABLE:
        raise InputError(f"{path}: {ending} files are not read", ["save it as .xlsx or .csv"])
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
    if header:
        first, names = 0, list(header)
    else:
        # A title above the header has at most half as many cells as the table.
        filled = [sum(map(bool, line)) for _, line in numbered[:_SNIFFED]]
        title = next(n for n, cells in enumerate(filled) if 2 * cells > max(filled))
        (first, names), *numbered = numbered[title:]
        names = names[: max(n for n, name in enumerate(names, 1) if name)]
    if len(names) > MOST_COLUMNS:
        raise _too_large(path, f"{len(names)} columns", MOST_COLUMNS)
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
    problems = [
        f"row {first}: column {name!r} appears {names.count(name)} times" for name in repeated
    ]
    if ragged:
        places = ", ".join(f"row {row} has {len(line)}" for row, line in ragged[:3])
        problems.append(
            f"{len(ragged)} of {len(lines)} rows do not have {len(names)} fields "
            f"({listed(names, 12)}): {places}{', ...' if len(ragged) > 3 else ''}"
        )
    if problems:
        raise InputError(f"{path}: not one row per trial", problems)
    cells = pd.DataFrame(lines, columns=names, dtype=str)
    if dialect.delimiter != ",":
        dialect = replace(dialect, decimal=_decimal(cell for line in lines for cell in line))
    dialect = replace(dialect, decimal=decimal or dialect.decimal, header=first or 1)
    return Source(path.name, [row for row, _ in numbered], cells, dialect)


def _too_large(path: Path, what: str, most: int) -> InputError:
    return InputError(f"{path}: {what}", [f"expected at most {most}; is it a log?"])


def _text(
    path: Path, delimiter: str | None, encoding: str | None
) -> tuple[list[tuple[int, list[str]]], Dialect]:
    text, encoding = _decoded(path, encoding)
    tabs = path.suffix.lower() == ".tsv"
    found = max("\t,;|" if tabs else DELIMITERS, key=lambda own: _columns(text, own))
    if delimiter and _columns(text, delimiter)[1] < 2 <= _columns(text, found)[1]:
        raise InputError(
            f"{path}: one column only",
            [
                f"delimiter: {delimiter!r}, but the file is separated by {DELIMITERS[found]}; "
                f"expected delimiter: {found!r}, or leave the key out"
            ],
        )
    delimiter = delimiter or found
    try:
        lines = list(_lines(text, delimiter, strict=True))
    except csv.Error as error:
        raise InputError(f"{path}: not a readable CSV file ({error})") from error
    stripped = [[cell.strip() for cell in line] for line in lines]
    numbered = [(row, line) for row, line in enumerate(stripped, 1) if any(line)]
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
            return unicodedata.normalize("NFC", text), name
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


def _lines(text: str, delimiter: str, strict: bool = False) -> Iterator[list[str]]:
    return csv.reader(io.StringIO(text, newline=""), strict=strict, delimiter=delimiter)


def _columns(text: str, delimiter: str) -> tuple[float, int]:
    """Return the share of rows that have the most frequent number of columns, and that number."""
    try:
        sample = itertools.islice(_lines(text, delimiter), _SNIFFED)
        lengths = Counter(len(line) for line in sample if line)
    except csv.Error:
        return 0.0, 0
    columns, rows = lengths.most_common(1)[0] if lengths else (0, 0)
    return (rows / lengths.total(), columns) if columns > 1 else (0.0, 0)


def _decimal(texts: Iterable[str]) -> str:
    """Return the decimal sign: a comma where numbers have commas and none has a point."""
    cells = set(texts)
    commas = any(_COMMA_NUMBER.fullmatch(cell) for cell in cells)
    return "," if commas and not any(_POINT_NUMBER.fullmatch(cell) for cell in cells) else "."


def _workbook(path: Path, sheet: str | None) -> tuple[list[tuple[int, list[str]]], Dialect]:
    import openpyxl

    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
        sheets = {own.title: own for own in book.worksheets}
        if sheet is not None and sheet not in sheets:
            raise InputError(
                f"{path}: no such sheet", [f"sheet: {sheet!r}; expected one of {listed(sheets, 5)}"]
            )
        filled = [name for name, own in sheets.items() if any(_sheet_rows(path, own))]
        name = sheet or next(iter([*filled, *sheets]))
        typed = list(_sheet_rows(path, sheets[name]))
        book.close()
    except InputError:
        raise
    except Exception as error:  # a damaged archive fails in a dozen ways
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"{path}: not a readable Excel workbook ({reason})") from error
    width = max((len(line) for _, line in typed), default=0)
    numbered = [(row, [*map(_as_text, line), *[""] * (width - len(line))]) for row, line in typed]
    # A number that is typed as one has no decimal sign.
    decimal = _decimal(cell for _, line in typed for cell in line if isinstance(cell, str))
    unread = tuple(own for own in filled if own != name)
    return numbered, Dialect(decimal=decimal, sheet=name, unread=unread)


def _sheet_rows(path: Path, sheet: Any) -> Iterator[tuple[int, list[Any]]]:
    """Yield the number and the cells of each row, without those that end a row and are empty."""
    sheet.reset_dimensions()  # they may be out of date
    total = 0
    for number, row in enumerate(sheet.iter_rows(values_only=True), 1):
        width = max((n for n, cell in enumerate(row, 1) if cell not in (None, "")), default=0)
        total += width
        if width > MOST_COLUMNS:
            what = f"row {number} of sheet {sheet.title!r} has a cell in column {width}"
            raise _too_large(path, what, MOST_COLUMNS)
        if total > MOST_CELLS:
            raise _too_large(path, f"more than {MOST_CELLS} cells", MOST_CELLS)
        if width:
            yield number, list(row[:width])


def read_frame(
    path: Path, columns: Sequence[str] | None = None, most: int = MOST_CELLS
) -> pd.DataFrame:
    """Read a Parquet file as it is: all columns, or those of some names that it has."""
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            names = [own for own in file.schema_arrow.names if columns is None or own in columns]
            cells = file.metadata.num_rows * max(len(names), 1)
            if cells <= most and len(names) <= MOST_COLUMNS:
                return file.read(names).to_pandas()
    except Exception as error:  # a damaged footer fails in a dozen ways
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(
            f"{path}: not a readable parquet table ({reason})", ["export it again, or as .csv"]
        ) from error
    if len(names) > MOST_COLUMNS:
        raise _too_large(path, f"{len(names)} columns", MOST_COLUMNS)
    raise _too_large(path, f"{cells} cells", most)


def _parquet(path: Path) -> Source:
    frame = read_frame(path)
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
    return unicodedata.normalize("NFC", str(cell)).strip()
