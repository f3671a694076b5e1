"""Tables as laboratories keep them: text files in any dialect, Excel workbooks and Parquet files.

Whatever the file, its cells become text with the row that each came from.  Delimiter, decimal sign,
encoding and the row of the header are detected; :meth:`Dialect.describe` reports the result, so
that a wrong guess can be noticed.
"""

from __future__ import annotations

import codecs
import contextlib
import csv
import io
import itertools
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from fuzzybounds.intake.files import PARQUET, UNREADABLE, WORKBOOK
from fuzzybounds.storage.errors import InputError, listed

DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars"}
ENCODINGS = ("utf-8", "utf-16", "cp1252")
MOST_COLUMNS, MOST_CELLS = 1000, 10_000_000
"""Columns of a table, and cells of a compressed one, beyond which it is no log."""
_SNIFFED = 200
"""Number of rows from which delimiter and header are detected."""
_COMMA_NUMBER = re.compile(r"([+-]?\d*),(\d+(?:[eE][+-]?\d+)?)")
_POINT_NUMBER = re.compile(r"[+-]?\d*\.\d+(?:[eE][+-]?\d+)?")


class Dialect(NamedTuple):
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
        said = {
            f"Excel sheet {self.sheet!r}": self.sheet,
            f"separated by {DELIMITERS[self.delimiter]}": self.delimiter != ",",
            "decimal commas": self.decimal != ".",
            f"encoding {self.encoding}": self.encoding != "utf-8",
            f"header in row {self.header}, rows above it left out": self.header > 1,
            f"not read: sheet {listed(map(repr, self.unread))} (save each sheet as a file of its "
            "own, or name one by `sheet` in a mapping)": self.unread,
        }
        return ", ".join(text for text, so in said.items() if so)


class Source(NamedTuple):
    """A table as text: its file's name, the row of each line, its cells and how it was read."""

    file: str
    rows: list[int]
    cells: pd.DataFrame
    dialect: Dialect = Dialect()


def dialect_notes(sources: Iterable[Source]) -> list[str]:
    """Say how files were read, where they are not plain CSV."""
    by_dialect: dict[str, list[str]] = {}
    for source in sources:
        by_dialect.setdefault(source.dialect.describe(), []).append(source.file)
    return [f"{listed(names)}: {said}" for said, names in by_dialect.items() if said]


Numbered = list[tuple[int, list[str]]]
"""Rows that are not empty, with their numbers."""


def read_source(
    path: str | Path,
    *,
    header: Sequence[str] | None = None,
    delimiter: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    sheet: str | None = None,
) -> Source:
    """Read a table of any kind as text, numbers with decimal points.

    What is not given is detected; of a workbook the first sheet with cells is read.  `header` names
    the columns of a file without one.

    Raises
    ------
    InputError
        If the file is not a table with one header and rows of the same length.
    """
    path = Path(path)
    ending = path.suffix.lower()
    if ending in UNREADABLE:
        raise InputError(
            f"{path}: {ending} files are not read",
            ["save it as .xlsx or .csv, and move the old file elsewhere"],
        )
    if ending == PARQUET:
        numbered, dialect = _parquet(path)
    elif ending == WORKBOOK:
        numbered, dialect = _workbook(path, sheet)
    else:
        numbered, dialect = _text(path, delimiter, encoding)
    if decimal:
        dialect = dialect._replace(decimal=decimal)
    return _table(path, numbered, dialect, header)


def _table(
    path: Path, numbered: Numbered, dialect: Dialect, header: Sequence[str] | None
) -> Source:
    expected = ["expected a header and one row per trial"]
    if not numbered:
        raise InputError(f"{path}: empty", expected)
    if header:
        first, names = 1, list(header)
    else:
        # A title above the header has at most half as many cells as the table.
        filled = [sum(map(bool, line)) for _, line in numbered[:_SNIFFED]]
        title = next(n for n, cells in enumerate(filled) if 2 * cells > max(filled))
        (first, names), *numbered = numbered[title:]
        names = names[: _width(names)]
    if len(names) > MOST_COLUMNS:
        raise _too_large(path, f"{len(names)} columns", MOST_COLUMNS)
    if not numbered:
        raise InputError(f"{path}: no trials", expected)
    # Rows that end in empty cells are what spreadsheets leave behind.
    lines = [line if any(line[len(names) :]) else line[: len(names)] for _, line in numbered]
    problems = [
        f"row {first}: column {name!r} appears {times} times"
        for name, times in Counter(names).items()
        if times > 1
    ]
    ragged = [
        f"row {row} has {len(line)}"
        for (row, _), line in zip(numbered, lines, strict=True)
        if len(line) != len(names)
    ]
    if ragged:
        problems.append(
            f"{len(ragged)} of {len(lines)} rows do not have {len(names)} fields "
            f"({listed(names, 12)}): {', '.join(ragged[:3])}{', ...' if len(ragged) > 3 else ''}"
        )
    if problems:
        raise InputError(f"{path}: not one row per trial", problems)
    cells = pd.DataFrame(lines, columns=names, dtype=str)
    if dialect.decimal == ",":
        cells = cells.replace(f"^{_COMMA_NUMBER.pattern}$", r"\1.\2", regex=True)
    return Source(
        path.name, [row for row, _ in numbered], cells, dialect._replace(header=first or 1)
    )


def _width(cells: Sequence[Any]) -> int:
    """Number of cells up to the last that is not empty."""
    return max((n for n, cell in enumerate(cells, 1) if cell not in (None, "")), default=0)


def _too_large(path: Path, what: str, most: int) -> InputError:
    remedy = "delete what does not belong to the log, or split the file"
    return InputError(f"{path}: {what}", [f"expected at most {most}; {remedy}"])


def _text(path: Path, delimiter: str | None, encoding: str | None) -> tuple[Numbered, Dialect]:
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
        lines = [[cell.strip() for cell in line] for line in _lines(text, delimiter, strict=True)]
    except csv.Error as error:
        raise InputError(
            f"{path}: not a readable CSV file ({error})", ["save the table again, best as .xlsx"]
        ) from error
    decimal = _decimal(itertools.chain.from_iterable(lines)) if delimiter != "," else "."
    numbered = [(row, line) for row, line in enumerate(lines, 1) if any(line)]
    return numbered, Dialect(delimiter, decimal, encoding)


def _decoded(path: Path, encoding: str | None) -> tuple[str, str]:
    """Return the text of a file and its encoding: as given, by its mark, UTF-8 or cp1252."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: not a readable CSV file ({error})") from error
    marked = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    tried = [encoding] if encoding else ["utf-16"] if marked else ["utf-8", "cp1252"]
    for name in tried:
        with contextlib.suppress(UnicodeDecodeError):
            text = content.decode("utf-8-sig" if name == "utf-8" else name)
            # Bytes that are not UTF-8 and hold control characters are no text of cp1252 either.
            if not re.search(r"[\x00-\x08\x0e-\x1f]" if name == "cp1252" else "\x00", text):
                return unicodedata.normalize("NFC", text), name
    raise InputError(
        f"{path}: not a readable CSV file (no text in {' or '.join(tried)})",
        ["save it as .xlsx, or as CSV with the encoding UTF-8; leave `encoding` out of a mapping"],
    )


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


def _decimal(cells: Iterable[str]) -> str:
    """Return the decimal sign: a comma where numbers have commas and none has a point."""
    distinct = set(cells)
    commas = any(map(_COMMA_NUMBER.fullmatch, distinct))
    return "," if commas and not any(map(_POINT_NUMBER.fullmatch, distinct)) else "."


def _workbook(path: Path, sheet: str | None) -> tuple[Numbered, Dialect]:
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
        raise InputError(f"{path}: not a readable Excel workbook ({_reason(error)})") from error
    width = max((len(line) for _, line in typed), default=0)
    numbered = [(row, [*map(_as_text, line), *[""] * (width - len(line))]) for row, line in typed]
    # A number that is typed as one has no decimal sign.
    decimal = _decimal(cell for _, line in typed for cell in line if isinstance(cell, str))
    unread = tuple(own for own in filled if own != name)
    return numbered, Dialect(decimal=decimal, sheet=name, unread=unread)


def _sheet_rows(path: Path, sheet: Any) -> Iterator[tuple[int, list[Any]]]:
    """Yield the number and the cells of each row that is not empty."""
    sheet.reset_dimensions()  # they may be out of date
    total = 0
    for number, row in enumerate(sheet.iter_rows(values_only=True), 1):
        width = _width(row)
        total += width
        if width > MOST_COLUMNS:
            what = f"row {number} of sheet {sheet.title!r} has a cell in column {width}"
            raise _too_large(path, what, MOST_COLUMNS)
        if total > MOST_CELLS:
            raise _too_large(path, f"more than {MOST_CELLS} cells", MOST_CELLS)
        if width:
            yield number, list(row[:width])


def read_frame(path: Path, columns: Sequence[str] | None = None, most: int = MOST_CELLS):
    """Read a Parquet file as it is: all columns, or those of some names that it has."""
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            names = [own for own in file.schema_arrow.names if columns is None or own in columns]
            cells = file.metadata.num_rows * len(names)
            frame = file.read(names).to_pandas() if cells <= most else None
    except Exception as error:  # a damaged footer fails in a dozen ways
        raise InputError(
            f"{path}: not a readable parquet table ({_reason(error)})", ["export it again"]
        ) from error
    if frame is None:
        raise _too_large(path, f"{cells} cells", most)
    return frame


def _reason(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__


def _parquet(path: Path) -> tuple[Numbered, Dialect]:
    frame = read_frame(path)
    lines = [list(map(_as_text, line)) for line in frame.itertuples(index=False, name=None)]
    return list(enumerate([list(map(str, frame)), *lines])), Dialect()


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
