"""Tables as laboratories keep them: text files in any dialect, workbooks and Parquet files.

Whatever the file, its cells become text with the row that each came from.  Delimiter, decimal sign,
encoding and the row of the header are detected, and what was found is said, so that a wrong guess
can be noticed.
"""

from __future__ import annotations

import codecs
import csv
import datetime
import io
import itertools
import posixpath
import re
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple
from xml.etree import ElementTree

import pandas as pd
from python_calamine import CalamineWorkbook

from fuzzybounds.core.errors import InputError, listed
from fuzzybounds.logs.files import PARQUET, UNREADABLE, WORKBOOKS

DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars"}
_SNIFFED = 200
"""Number of rows from which delimiter and header are detected."""
MOST_ROWS = 1_048_576
"""Rows that a sheet can have."""
MOST_CELLS, MOST_NUMBERS = 5_000_000, 200_000_000
"""Cells that are read as text, and as numbers, where a small file may hold any number of them."""
RESAVE = "open the workbook in Excel or LibreOffice, save it again, and check it there"
_COMMA_NUMBER = r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?"
_POINT_NUMBER = _COMMA_NUMBER.replace(",", r"\.")


Rows = list[tuple[int, list[str]]]
"""Rows that are not empty, with their numbers."""


class Source(NamedTuple):
    """A table as text; `note` is how it was read, empty if it is plain CSV."""

    file: str
    rows: list[int]
    cells: pd.DataFrame
    header: int = 1
    note: str = ""


def reading_notes(sources: Iterable[Source]) -> list[str]:
    """Say how files were read, where they are not plain CSV."""
    files: dict[str, list[str]] = {}
    for source in sources:
        files.setdefault(source.note, []).append(source.file)
    return [f"{listed(names)}: {note}" for note, names in files.items() if note]


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
    if ending in UNREADABLE:
        remedy = "save it as .xlsx or .csv, and move the old file elsewhere"
        raise InputError(f"{path}: {ending} files are not read", [remedy])
    notes: list[str] = []
    if ending == PARQUET:
        # Rows are counted without the names of the columns.
        frame = read_frame(path, MOST_CELLS)
        rows = _numbered([list(frame), *frame.itertuples(index=False, name=None)], 0)
    elif ending in WORKBOOKS:
        rows, notes = _workbook(path, sheet)
        # Typed numbers have become text with points: a comma can only be that of a text.
        decimal = decimal or ","
    else:
        lines, notes, separator = _text(path, delimiter, encoding)
        rows, decimal = _numbered(lines), decimal or ("." if separator == "," else None)
    source = _table(path, rows, header)
    if _with_points(source.cells, decimal):
        notes.insert(1, "decimal commas")
    if source.header > 1:
        notes.append(f"header in row {source.header}, rows above it left out")
    return source._replace(note=", ".join(notes))


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except PermissionError as error:
        # On Windows some programs lock what they show.
        remedy = "close the program that has it open, such as Excel, or get the right to read it"
        raise InputError(f"{path}: may not be read", [remedy]) from error
    except OSError as error:
        raise InputError(f"{path}: not a readable file ({error.strerror})") from error


def _numbered(lines: Iterable[Iterable[Any]], first: int = 1) -> Rows:
    """Return the rows that are not empty as text, with their numbers."""
    texts = ((row, list(map(_as_text, line))) for row, line in enumerate(lines, first))
    return [(row, line) for row, line in texts if any(line)]


def _table(path: Path, numbered: Rows, header: Sequence[str] | None) -> Source:
    """Find the header, and check that the table has rows of one length."""
    expected = ["expected a header and one row per trial"]
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
    rows, lines = map(list, zip(*numbered, strict=True))
    cells = [line if any(line[len(names) :]) else line[: len(names)] for line in lines]
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
        if len(ragged) == len(cells):
            problems.append(f"is row {first} a title? delete the rows above the header")
    if problems:
        raise InputError(f"{path}: not one row per trial", problems)
    return Source(path.name, rows, pd.DataFrame(cells, columns=names, dtype=str), first or 1)


def _text(
    path: Path, delimiter: str | None, encoding: str | None
) -> tuple[list[list[str]], list[str], str]:
    """Return the cells of a text file, how it was read, and its delimiter."""
    text, encoding = _decoded(path, encoding)
    tabs = path.suffix.lower() == ".tsv"
    delimiter = delimiter or max(
        "\t,;|" if tabs else DELIMITERS, key=lambda mark: _columns(text, mark)
    )
    try:
        lines = list(csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=delimiter))
    except csv.Error as error:
        raise InputError(
            f"{path}: not a readable CSV file ({error})", ["save the table again, best as .xlsx"]
        ) from error
    notes = [f"separated by {DELIMITERS[delimiter]}"] if delimiter != "," else []
    notes += [f"encoding {encoding}"] if encoding != "utf-8" else []
    return lines, notes, delimiter


def _decoded(path: Path, encoding: str | None) -> tuple[str, str]:
    """Return the text of a file and its encoding: as given, by its mark, UTF-8 or cp1252."""
    content = _content(path)
    marked = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    tried = [encoding] if encoding else ["utf-16"] if marked else ["utf-8", "cp1252"]
    for name in tried:
        try:
            text = content.decode("utf-8-sig" if name == "utf-8" else name)
        except UnicodeDecodeError:
            continue
        # Bytes that are not UTF-8 and hold control characters are no text of cp1252 either.
        if not re.search(r"[\x00-\x08\x0e-\x1f]" if name == "cp1252" else "\x00", text):
            return text, name
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


def _with_points(table: pd.DataFrame, decimal: str | None) -> bool:
    """Write the numbers of a table with decimal points, and say whether there were commas.

    Unless the decimal sign is given, a column has decimal commas where it has some and no decimal
    point.
    """
    changed = False
    for name in table if decimal != "." else ():
        commas = table[name].str.fullmatch(_COMMA_NUMBER)
        if commas.any() and (decimal or not table[name].str.fullmatch(_POINT_NUMBER).any()):
            table[name] = table[name].mask(commas, table[name].str.replace(",", "."))
            changed = True
    return changed


def _workbook(path: Path, sheet: str | None) -> tuple[Rows, list[str]]:
    """Return the rows of a sheet, and how the workbook was read."""
    content = io.BytesIO(_content(path))
    try:
        scan = _scan_xlsx if path.suffix.lower() == ".xlsx" else _scan_other
        scans = scan(content)
        filled = [name for name, (last, _) in scans.items() if last]
        name = sheet or next(iter([*filled, *scans]))
        last, problem = scans.get(name, (0, ""))
        lines: list[list[Any]] = []
        if last and not problem:
            lines = _open(content).get_sheet_by_name(name).to_python(skip_empty_area=False)
        rows = _numbered(lines)
    except Exception as error:  # a damaged archive fails in a dozen ways
        raise InputError(f"{path}: not a readable workbook ({_reason(error)})") from error
    if name not in scans:
        raise InputError(
            f"{path}: no such sheet", [f"sheet: {sheet!r}; expected one of {listed(scans, 5)}"]
        )
    if problem:
        raise InputError(f"{path}: sheet {name!r} cannot be read as it is", [problem])
    note = f"{'Excel ' if path.suffix.lower() != '.ods' else ''}sheet {name!r}"
    if unread := [repr(title) for title in filled if title != name]:
        note += f" (not read: sheet {listed(unread)}; `sheet` in a mapping names another)"
    return rows, [note]


def _scan_xlsx(content: IO[bytes]) -> Scans:
    scans = {}
    with zipfile.ZipFile(content) as archive:
        for title, part in _parts(archive, "xl/workbook.xml"):
            with archive.open(part) as xml:
                scans[title] = _scan(xml)
    return scans


def _parts(archive: zipfile.ZipFile, book: str) -> Iterator[tuple[str, str]]:
    """Yield the titles of the worksheets, and the parts of the archive that hold them."""
    links = ElementTree.fromstring(archive.read("xl/_rels/workbook.xml.rels"))
    targets = {link.get("Id"): posixpath.join("xl", link.get("Target", "")) for link in links}
    for element in ElementTree.fromstring(archive.read(book)).iter():
        identifier = next((value for key, value in element.items() if key.endswith("}id")), "")
        part = targets.get(identifier, "").removeprefix("/")
        if element.tag.endswith("}sheet") and "worksheets/" in part:
            yield element.get("name", ""), part


def _scan(part: IO[bytes]) -> tuple[int, str]:
    """Return the last row with content of a sheet, and what of it would be lost, with a remedy."""
    row = last = cells = column = 0
    widest, reach = (0, 0), 0
    for _, element in ElementTree.iterparse(part):
        tag, place = element.tag.rpartition("}")[2], element.get("r", "")
        if tag == "c":
            cells, column = cells + 1, _column(place) or column + 1
            inner = {child.tag.rpartition("}")[2]: child for child in element}
            # A formula may give an empty text.
            value = element.get("t") == "str" or "is" in inner or ("v" in inner and inner["v"].text)
            reach = max(reach, column) if value else reach
            if "f" in inner and not value:
                return row + 1, f"cell {place} has a formula without its value; {RESAVE}"
            if cells > MOST_CELLS:
                return row + 1, f"cell {place}; expected at most {MOST_CELLS:,} cells"
        elif tag == "row":
            before, row = row, int(place or row + 1)
            if row <= before:
                return row, f"row {row} comes after row {before}; {RESAVE}"
            if row > MOST_ROWS:
                return row, f"row {row}; expected at most {MOST_ROWS}, as in Excel"
            last, widest = (row, max(widest, (reach, row))) if reach else (last, widest)
            reach = column = 0
        if tag in ("c", "row"):
            element.clear()
    reach, row = widest
    if last * reach <= MOST_CELLS:
        return last, ""
    # Cells up to the widest row would fill the memory.
    return last, f"row {row} reaches to column {reach}; delete what stands beside the table"


def _column(place: str) -> int:
    """Return the number of the column of a cell such as AB12, or 0."""
    number = 0
    for letter in place.rstrip("0123456789"):
        number = 26 * number + ord(letter) - ord("A") + 1
    return number


def _scan_other(content: IO[bytes]) -> Scans:
    """Return how many rows each sheet has; only in Excel's present format is more looked at."""
    book = _open(content)
    return {name: (book.get_sheet_by_name(name).height, "") for name in book.sheet_names}


def _open(content: IO[bytes]) -> CalamineWorkbook:
    content.seek(0)
    return CalamineWorkbook.from_filelike(content)


Scans = dict[str, tuple[int, str]]
"""Of every sheet the last row with content, and what of it would be lost."""


def read_frame(path: Path, most: int = MOST_NUMBERS) -> pd.DataFrame:
    """Read a Parquet file with up to `most` cells as it is."""
    from pyarrow import parquet

    content = io.BytesIO(_content(path))
    try:
        size = parquet.read_metadata(content)
        if size.num_rows * size.num_columns <= most:
            return pd.read_parquet(content)
    except Exception as error:  # a damaged footer fails in a dozen ways
        raise InputError(
            f"{path}: not a readable parquet table ({_reason(error)})", ["export it again"]
        ) from error
    raise InputError(
        f"{path}: {size.num_rows:,} rows of {size.num_columns:,} columns",
        [f"expected at most {most:,} cells in all; divide the file by subjects"],
    )


def _reason(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__


def _as_text(cell: Any) -> str:
    """Return a typed cell as a person would write it; empty where there is none."""
    if isinstance(cell, str):
        return unicodedata.normalize("NFC", cell).strip()
    if pd.api.types.is_scalar(cell) and pd.isna(cell):
        return ""
    if pd.api.types.is_bool(cell):
        return str(int(cell))
    if type(cell) is datetime.date:
        return f"{cell} 00:00:00"
    if isinstance(cell, float):
        return f"{cell:.0f}" if cell.is_integer() and abs(cell) < 1e15 else repr(float(cell))
    return str(cell).strip()
