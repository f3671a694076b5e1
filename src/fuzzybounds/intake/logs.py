"""Raw logs as they lie on disk: their columns, and reading them as text.

Two layouts are read: tidy CSV files with a header (:data:`COLUMNS` documents them), and the
headerless files that the paper's first author published (:data:`PUBLISHED_COLUMNS`).  Cells stay
text, with the file and row they came from, until :mod:`fuzzybounds.intake.validation` judges them.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from fuzzybounds.intake.columns import COLUMNS, PUBLISHED_COLUMNS
from fuzzybounds.storage.errors import InputError, suggestion

CONDITION_NAMES = {"easy": "easy", "hard": "hard", "1": "easy", "2": "hard"}


def read_tidy(paths: Iterable[str | Path]) -> pd.DataFrame:
    """Read tidy CSV logs with a header as text, with the file and row of every line."""
    return _concatenate([_read_text(Path(path), header=None) for path in sorted(map(Path, paths))])


def read_published(path: str | Path) -> pd.DataFrame:
    """Read one of the published headerless logs as text."""
    return _concatenate([_read_text(Path(path), header=PUBLISHED_COLUMNS)])


def _concatenate(frames: list[pd.DataFrame]) -> pd.DataFrame:
    if not frames:
        raise InputError("no logs", ["expected at least one CSV file"])
    # What is missing in one file alone would look like empty cells.
    first_with = {name: own["file"].iloc[0] for own in frames[::-1] for name in own}
    problems = [
        f"{own['file'].iloc[0]}, row 1: no column {name!r}, which {first_with[name]} has"
        for own in frames
        for name in sorted(first_with.keys() - set(own))
    ]
    if problems:
        raise InputError("logs with different columns", [*problems, "expected the same in all"])
    return pd.concat(frames, ignore_index=True)


def _read_text(path: Path, header: tuple[str, ...] | None) -> pd.DataFrame:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            lines = list(csv.reader(file, strict=True))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path}: not a readable CSV file ({error})") from error
    first_row = 1
    if header is None:
        if not lines:
            raise InputError(f"{path}: empty", ["expected a header and one row a trial"])
        header = tuple(name.strip() for name in lines.pop(0))
        first_row = 2
        _check_header(path, header)
    numbered = [(row, line) for row, line in enumerate(lines, first_row) if line]
    if not numbered:
        raise InputError(f"{path}: no trials", ["expected one row a trial"])
    ragged = [
        f"row {row}: {len(line)} fields; expected {len(header)} ({', '.join(header)})"
        for row, line in numbered
        if len(line) != len(header)
    ]
    if ragged:
        raise InputError(f"{path}: rows of the wrong length", ragged)
    frame = pd.DataFrame([line for _, line in numbered], columns=list(header), dtype=str)
    frame = frame.apply(lambda column: column.str.strip())
    frame.insert(0, "row", [row for row, _ in numbered])
    frame.insert(0, "file", path.name)
    return frame


def _check_header(path: Path, header: tuple[str, ...]) -> None:
    known = [column.name for column in COLUMNS]
    problems = []
    for name in dict.fromkeys(header):
        if name not in known:
            problems.append(f"row 1: unknown column {name!r}; {suggestion(name, known)}")
        if header.count(name) > 1:
            problems.append(f"row 1: column {name!r} occurs {header.count(name)} times")
    for column in COLUMNS:
        if column.required and column.name not in header:
            problems.append(f"row 1: missing column {column.name!r} ({column.meaning})")
    if problems:
        raise InputError(f"{path}: the header does not fit", problems)
