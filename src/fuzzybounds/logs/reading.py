"""Raw logs on disk, read as text.

Two layouts are read: tidy tables with a header (:data:`fuzzybounds.logs.columns.COLUMNS`), and the
headerless files that the paper's first author published.  Cells stay text, with the file and row
they came from, until :mod:`fuzzybounds.logs.validation` judges them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from fuzzybounds.core.errors import InputError, counted, listed
from fuzzybounds.core.subjects import natural_key
from fuzzybounds.logs.columns import COLUMNS, NAMES, PUBLISHED_COLUMNS, nearest
from fuzzybounds.logs.files import bids_name
from fuzzybounds.logs.problems import read_all
from fuzzybounds.logs.sources import Source, read_source, reading_notes

BIDS_COLUMNS = {"response_time": "rt", "trial_type": "condition"}
"""Columns that BIDS defines, and the corresponding ones of ours."""
BIDS_IGNORED = ("onset", "duration", "sample", "stim_file", "HED", "identifier", "channel")
"""Columns that BIDS defines and that say nothing about a trial's outcome."""


class Logs(NamedTuple):
    """The cells of all logs, and notes for the user on how they were read."""

    raw: pd.DataFrame
    notes: list[str]


def read_logs(paths: Iterable[str | Path], *, as_numbered: bool = False) -> Logs:
    """Read tidy logs with a header: text files in any dialect, workbooks or Parquet files.

    Files that are named as in a BIDS data set need no columns subject and session.  Block and trial
    numbers that start again in every session's file are continued, unless `as_numbered`.  The
    problems of all files are one :class:`InputError`.
    """
    files = sorted(map(Path, paths), key=lambda path: natural_key(path.name))
    if not files:
        raise InputError("no logs", ["expected at least one log"])
    sources = read_all(files, _read_log)
    problems = []
    for name in dict.fromkeys(name for source in sources for name in source.cells):
        having = [source.file for source in sources if name in source.cells]
        if lacking := [source.file for source in sources if name not in source.cells]:
            problems.append(f"{listed(lacking)}: no column {name!r}, which {having[0]} has")
    if problems:
        raise InputError(
            "logs with different columns", [*problems, "expected the same in all logs"]
        )
    raw = pd.concat(map(_framed, sources), ignore_index=True)
    notes = reading_notes(sources)
    return Logs(raw, notes if as_numbered else notes + count_on(raw))


def read_published(path: str | Path) -> pd.DataFrame:
    """Read one of the published headerless logs as text."""
    return _framed(read_source(path, header=PUBLISHED_COLUMNS, delimiter=",", encoding="utf-8"))


def _framed(source: Source) -> pd.DataFrame:
    places = pd.DataFrame({"file": source.file, "row": source.rows})
    return pd.concat([places, source.cells], axis=1)


def _read_log(path: Path) -> Source:
    source = read_source(path)
    if name := bids_name(path):
        cells = source.cells.replace("n/a", "")
        cells = cells.drop(columns=[column for column in BIDS_IGNORED if column in cells])
        cells = cells.rename(
            columns={theirs: ours for theirs, ours in BIDS_COLUMNS.items() if ours not in cells}
        )
        session = name["session"] or "1"
        named = {"subject": name["subject"], "session": session.lstrip("0") or session}
        source = source._replace(cells=cells.assign(**{**named, **cells}))
    if problems := header_problems(list(source.cells), source.header):
        raise InputError(f"{path}: the header does not fit", problems)
    return source


def header_problems(header: Sequence[str], row: int) -> list[str]:
    """Say what is wrong with the names of columns; a column under another name is one problem."""
    problems, meant = [], set()
    for name in header:
        if name in NAMES:
            continue
        close = nearest(name, [ours for ours in NAMES if ours not in header])
        meant.add(close)
        hint = f"did you mean {close!r}?" if close else f"known: {', '.join(NAMES)}"
        problems.append(f"row {row}: unknown column {name!r}; {hint}")
    problems += [
        f"row {row}: missing column {column.name!r} ({column.meaning})"
        for column in COLUMNS
        if column.required and column.name not in header and column.name not in meant
    ]
    if len(problems) > 2:
        problems.append(
            "columns of other names are mapped by `fuzzybounds import`, which proposes a mapping"
        )
    return problems


def count_on(raw: pd.DataFrame) -> list[str]:
    """Continue the numbers of blocks and trials of each subject, in place.

    Trials are continued across blocks where they start again in each, and both across sessions in
    files of their own where they start again there.  What was done is returned as notes.
    """
    notes = _count_trials(raw)
    if "session" not in raw:
        return notes
    session = pd.to_numeric(raw["session"], errors="coerce")
    contents = raw.assign(session=session).groupby("file")[["subject", "session"]].nunique()
    single = raw["file"].isin(contents.index[(contents == 1).all(axis=1)]) & session.notna()
    for name in (column for column in ("block", "trial") if column in raw):
        number = pd.to_numeric(raw[name], errors="coerce")
        moved = set()
        for subject, table in number[single & number.notna()].groupby(raw["subject"]):
            last = 0.0
            for _, numbers in table.groupby(session):
                if last and numbers.min() <= last:
                    numbers = numbers + last
                    raw.loc[numbers.index, name] = numbers.map("{:.10g}".format)
                    moved.add(subject)
                last = numbers.max()
        if moved:
            count = counted(moved, "subject")
            notes.append(f"{name} numbers of {count} restart in every session and were renumbered")
    return notes


def _count_trials(raw: pd.DataFrame) -> list[str]:
    """Continue the numbers of trials that start again in every block of a file, in place."""
    if "trial" not in raw:
        return []
    number, moved = pd.to_numeric(raw["trial"], errors="coerce"), set()
    places = ["file", *(name for name in ("session", "block") if name in raw)]
    for (_, subject), table in raw.groupby(["file", "subject"], sort=False):
        begins = (table[places] != table[places].shift()).any(axis=1)
        numbers = number[table.index]
        rises = (numbers.diff() > 0) | begins
        again = begins.sum() > 1 and (numbers[begins] == numbers.iloc[0]).all()
        if again and rises.all() and not table.loc[begins, places].duplicated().any():
            raw.loc[table.index, "trial"] = [str(n) for n in range(1, len(table) + 1)]
            moved.add(subject)
    if not moved:
        return []
    return [
        f"trial numbers of {counted(moved, 'subject')} restart in every block and were renumbered"
    ]
