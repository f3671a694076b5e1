"""Tables as laboratories keep them: text files in any dialect, Excel workbooks and Parquet files.

Whatever the file, its cells become text with the row that each came from.  Delimiter, decimal sign,
encoding and the row of the header are detected, and what was found is said, so that a wrong guess
can be noticed.
"""

from __future__ import annotations

import codecs
import csv
import io
import itertools
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from fuzzybounds.core.errors import InputError, listed
from fuzzybounds.logs.files import PARQUET, UNREADABLE, WORKBOOK

DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars"}
ENCODINGS = ("utf-8", "utf-16", "cp1252")
_SNIFFED = 200
"""Number of rows from which delimiter and header are detected."""
_COMMA_NUMBER = re.compile(r"([+-]?\d*),(\d+(?:[eE][+-]?\d+)?)")
_POINT_NUMBER = re.compile(r"[+-]?\d*\.\d+(?:[eE][+-]?\d+)?")


class Source(NamedTuple):
    """A table as text; `said` is how it was read, empty if it is plain CSV."""

    file: str
    rows: list[int]
    cells: pd.DataFrame
    header: int = 1
    said: str = ""


class Lines(NamedTuple):
    """Rows that are not empty, with their numbers, and how they were read."""

    numbered: list[tuple[int, list[str]]]
    said: list[str]


def reading_notes(sources: Iterable[Source]) -> list[str]:
    """Say how files were read, where they are not plain CSV."""
    files: dict[str, list[str]] = {}
    for source in sources:
        files.setdefault(source.said, []).append(source.file)
    return [f"{listed(names)}: {said}" for said, names in files.items() if said]


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
    the columns of a file without one.  A file that is not a table with one header and rows of the
    same length is an :class:`InputError`.
    """
    path = Path(path)
    ending = path.suffix.lower()
    _refuse_locked(path)
    if ending in UNREADABLE:
        raise InputError(
            f"{path}: {ending} files are not read",
            ["save it as .xlsx or .csv, and move the old file elsewhere"],
        )
    if ending == PARQUET:
        frame = read_frame(path)
        lines = Lines(_numbered([list(frame), *frame.itertuples(index=False, name=None)], 0), [])
    elif ending == WORKBOOK:
        lines = _workbook(path, sheet, decimal)
    else:
        lines = _text(path, delimiter, encoding, decimal)
    return _table(path, lines, header)


def _refuse_locked(path: Path) -> None:
    """Raise an error if a file may not be read: on Windows some programs lock what they show."""
    try:
        path.open("rb").close()
    except PermissionError as error:
        remedy = "close the program that has it open, such as Excel, or get the right to read it"
        raise InputError(f"{path}: may not be read", [remedy]) from error
    except OSError:
        pass  # Reading it says more.


def _table(path: Path, lines: Lines, header: Sequence[str] | None) -> Source:
    numbered, expected = lines.numbered, ["expected a header and one row per trial"]
    if not numbered:
        raise InputError(f"{path}: empty", expected)
    if header:
        first, names = 1, list(header)
    else:
        # A title above the header has at most half as many cells as the table.
        filled = [sum(map(bool, line)) for _, line in numbered[:_SNIFFED]]
        skipped = next(n for n, cells in enumerate(filled) if 2 * cells > max(filled))
        (first, names), *numbered = numbered[skipped:]
        while not names[-1]:
            names.pop()
    if not numbered:
        raise InputError(f"{path}: no trials", expected)
    # Rows that end in empty cells are what spreadsheets leave behind.
    cells = [line if any(line[len(names) :]) else line[: len(names)] for _, line in numbered]
    rows = [row for row, _ in numbered]
    problems = [
        f"row {first}: column {name!r} appears {times} times"
        for name, times in Counter(names).items()
        if times > 1
    ]
    lengths = zip(rows, map(len, cells), strict=True)
    if ragged := [f"row {row} has {n}" for row, n in lengths if n != len(names)]:
        problems.append(
            f"{len(ragged)} of {len(cells)} rows do not have {len(names)} fields "
            f"({listed(names, 12)}): {', '.join(ragged[:3])}{', ...' if len(ragged) > 3 else ''}"
        )
    if problems:
        raise InputError(f"{path}: not one row per trial", problems)
    title = [f"header in row {first}, rows above it left out"] if first > 1 else []
    table = pd.DataFrame(cells, columns=names, dtype=str)
    return Source(path.name, rows, table, first or 1, ", ".join(lines.said + title))


def _text(path: Path, delimiter: str | None, encoding: str | None, decimal: str | None) -> Lines:
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
        lines = list(csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=delimiter))
    except csv.Error as error:
        raise InputError(
            f"{path}: not a readable CSV file ({error})", ["save the table again, best as .xlsx"]
        ) from error
    points, commas = _with_points(lines, decimal or ("." if delimiter == "," else None))
    said = [f"separated by {DELIMITERS[delimiter]}"] if delimiter != "," else []
    coded = [f"encoding {encoding}"] if encoding != "utf-8" else []
    return Lines(_numbered(points), said + commas + coded)


def _decoded(path: Path, encoding: str | None) -> tuple[str, str]:
    """Return the text of a file and its encoding: as given, by its mark, UTF-8 or cp1252."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: not a readable CSV file ({error})") from error
    marked = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    tried = [encoding] if encoding else ["utf-16"] if marked else ["utf-8", "cp1252"]
    for name in tried:
        try:
            text = content.decode("utf-8-sig" if name == "utf-8" else name)
        except UnicodeDecodeError:
            continue
        # Bytes that are not UTF-8 and hold control characters are no text of cp1252 either.
        if not re.search(r"[\x00-\x08\x0e-\x1f]" if name == "cp1252" else "\x00", text):
            return unicodedata.normalize("NFC", text), name
    raise InputError(
        f"{path}: not a readable CSV file (no text in {' or '.join(tried)})",
        ["save it as .xlsx, or as CSV with the encoding UTF-8; leave `encoding` out of a mapping"],
    )


def _columns(text: str, delimiter: str) -> tuple[float, int]:
    """Return the share of rows that have the most frequent number of columns, and that number."""
    try:
        lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        lengths = Counter(len(line) for line in itertools.islice(lines, _SNIFFED) if line)
    except csv.Error:
        return 0.0, 0
    columns, rows = lengths.most_common(1)[0] if lengths else (0, 0)
    return (rows / lengths.total(), columns) if columns > 1 else (0.0, 0)


def _with_points(lines: list[Any], decimal: str | None) -> tuple[list[Any], list[str]]:
    """Return cells with decimal points, and whether there were commas, in words.

    Unless the decimal sign is given, a column has decimal commas where its texts have some and no
    decimal point.  A number that is typed as one has no decimal sign.
    """
    texts: dict[int, set[str]] = {}
    for line in lines if decimal != "." else ():
        for column, cell in enumerate(line):
            if isinstance(cell, str):
                texts.setdefault(column, set()).add(cell.strip())
    commas = {
        column
        for column, own in texts.items()
        if any(map(_COMMA_NUMBER.fullmatch, own))
        and (decimal or not any(map(_POINT_NUMBER.fullmatch, own)))
    }

    def pointed(column: int, cell: Any) -> Any:
        if column not in commas or not isinstance(cell, str):
            return cell
        return re.sub(f"^{_COMMA_NUMBER.pattern}$", r"\1.\2", cell.strip())

    lines = [[pointed(*cell) for cell in enumerate(line)] for line in lines] if commas else lines
    return lines, ["decimal commas"] if commas else []


def _workbook(path: Path, sheet: str | None, decimal: str | None) -> Lines:
    import openpyxl

    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
        sheets = {}
        for own in book.worksheets:
            own.reset_dimensions()  # they may be out of date
            sheets[own.title] = list(own.iter_rows(values_only=True))
        book.close()
    except Exception as error:  # a damaged archive fails in a dozen ways
        raise InputError(f"{path}: not a readable Excel workbook ({_reason(error)})") from error
    if sheet is not None and sheet not in sheets:
        raise InputError(
            f"{path}: no such sheet", [f"sheet: {sheet!r}; expected one of {listed(sheets, 5)}"]
        )
    filled = [name for name, lines in sheets.items() if _numbered(lines)]
    name = sheet or next(iter([*filled, *sheets]))
    lines, commas = _with_points(sheets[name], decimal)
    width = max(map(len, lines), default=0)
    numbered = [(row, line + [""] * (width - len(line))) for row, line in _numbered(lines)]
    said = f"Excel sheet {name!r}"
    if unread := [repr(own) for own in filled if own != name]:
        said += (
            f" (not read: sheet {listed(unread)}; save each sheet as a file of its own, or name "
            "one by `sheet` in a mapping)"
        )
    return Lines(numbered, [said, *commas])


def _numbered(lines: Iterable[Iterable[Any]], first: int = 1) -> list[tuple[int, list[str]]]:
    """Return the rows that are not empty as text, with their numbers."""
    texts = ((row, list(map(_as_text, line))) for row, line in enumerate(lines, first))
    return [(row, line) for row, line in texts if any(line)]


def read_frame(path: Path) -> pd.DataFrame:
    """Read a Parquet file as it is."""
    try:
        return pd.read_parquet(path)
    except Exception as error:  # a damaged footer fails in a dozen ways
        raise InputError(
            f"{path}: not a readable parquet table ({_reason(error)})", ["export it again"]
        ) from error


def _reason(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__


def _as_text(cell: Any) -> str:
    """Return a typed cell as a person would write it; empty where there is none."""
    if isinstance(cell, str):
        return unicodedata.normalize("NFC", cell).strip()
    if (
        cell is None
        or cell is pd.NA
        or cell is pd.NaT
        or (isinstance(cell, float) and cell != cell)
    ):
        return ""
    if type(cell).__name__ in ("bool", "bool_"):
        return "1" if cell else "0"
    if isinstance(cell, float):
        return f"{cell:.0f}" if cell.is_integer() and abs(cell) < 1e15 else repr(float(cell))
    return str(cell).strip()
