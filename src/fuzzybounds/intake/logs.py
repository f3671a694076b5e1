"""Raw logs on disk, read as text.

Two layouts are read: tidy tables with a header (:data:`COLUMNS` documents them), and the headerless
files that the paper's first author published (:data:`PUBLISHED_COLUMNS`).  Cells stay text, with
the file and row they came from, until :mod:`fuzzybounds.intake.validation` judges them.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from fuzzybounds.intake.columns import COLUMNS, NAMES, PUBLISHED_COLUMNS
from fuzzybounds.intake.files import bids_name
from fuzzybounds.intake.problems import read_all
from fuzzybounds.intake.sources import Source, dialect_notes, read_source
from fuzzybounds.storage.errors import InputError, counted, listed
from fuzzybounds.storage.natural_order import natural_key

SYNONYMS = {
    "subject": "participant subj sub vp vpn versuchsperson proband id name sujet code",
    "session": "ses sess sitzung visit day",
    "block": "run blocknr blocknumber durchlauf bloc",
    "trial": "no nr trialnr trialno trialnumber trialindex trialid durchgang essai number",
    "rt": "reactiontime responsetime latency rtms rts time decisiontime reaktionszeit rz dt",
    "total": "totaltime trialtime duration trialduration gesamtzeit",
    "reward": "coins points payoff gain score payout",
    "condition": "difficulty trialtype cond schwierigkeit bedingung type kind level",
    "correct": "accuracy acc hit iscorrect outcome richtig korrekt correctness success",
    "position": "x pos xpos xposition canoe canoeposition canoex boatx boat location ort",
}
"""Other names of each column, in lower case and without signs."""
BIDS_COLUMNS = {"response_time": "rt", "trial_type": "condition"}
"""Columns that BIDS defines, and the corresponding ones of ours."""
BIDS_IGNORED = ("onset", "duration", "sample", "stim_file", "HED", "identifier", "channel")
"""Columns that BIDS defines and that say nothing about a trial's outcome."""


class Logs(NamedTuple):
    """The cells of all logs, and notes for the user on how they were read."""

    raw: pd.DataFrame
    notes: list[str]


def read_tidy(paths: Iterable[str | Path]) -> pd.DataFrame:
    """Read tidy logs as text, with the file and row of every line."""
    return read_logs(paths).raw


def read_logs(paths: Iterable[str | Path], *, as_numbered: bool = False) -> Logs:
    """Read tidy logs with a header: text files in any dialect, workbooks or Parquet files.

    Files that are named as in a BIDS data set need no columns subject and session.  Block and trial
    numbers that start again in every session's file are continued, unless `as_numbered`.

    Raises
    ------
    InputError
        With the problems of all files, each cause once.
    """
    files = sorted(map(Path, paths), key=lambda path: natural_key(path.name))
    if not files:
        raise InputError("no logs", ["expected at least one log"])
    sources = read_all(files, _read_log)
    frames = [_framed(source) for source in sources]
    _check_same_columns(frames)
    raw = pd.concat(frames, ignore_index=True)
    notes = dialect_notes(sources)
    return Logs(raw, notes if as_numbered else notes + count_on(raw))


def read_published(path: str | Path) -> pd.DataFrame:
    """Read one of the published headerless logs as text."""
    source = read_source(path, header=PUBLISHED_COLUMNS, delimiter=",", encoding="utf-8")
    return _framed(source)


def _read_log(path: Path) -> Source:
    source = read_source(path)
    if name := bids_name(path):
        source = source._replace(cells=_with_names(source.cells, name["subject"], name["session"]))
    if problems := header_problems(list(source.cells), source.dialect.header):
        raise InputError(f"{path}: the header does not fit", problems)
    return source


def header_problems(header: Sequence[str], row: int) -> list[str]:
    """Say what is wrong with the names of columns; a column under another name is one problem."""
    problems, meant = [], set()
    for name in header:
        if name in NAMES:
            continue
        close = nearest(name, [own for own in NAMES if own not in header])
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


def plain(name: str) -> str:
    """Return a name in lower case without signs and units in brackets."""
    return "".join(sign for sign in name.split("(")[0].split("[")[0].lower() if sign.isalnum())


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return which of our columns a column of another name is, by its name alone."""
    known, own = list(known), plain(name)
    for column in known:
        if own == column or own in SYNONYMS.get(column, "").split():
            return column
    return next(iter(difflib.get_close_matches(own, known, n=1, cutoff=0.7)), None)


def _with_names(cells: pd.DataFrame, subject: str, session: str | None) -> pd.DataFrame:
    """Add what the name of a BIDS file says, and rename the columns that BIDS defines."""
    cells = cells.replace("n/a", "").drop(columns=[own for own in BIDS_IGNORED if own in cells])
    cells = cells.rename(
        columns={theirs: ours for theirs, ours in BIDS_COLUMNS.items() if ours not in cells}
    )
    session = session or "1"
    named = {"subject": subject, "session": session.lstrip("0") or session}
    return cells.assign(**{name: own for name, own in named.items() if name not in cells})


def _framed(source: Source) -> pd.DataFrame:
    frame = source.cells.copy()
    frame.insert(0, "row", source.rows, allow_duplicates=True)
    frame.insert(0, "file", source.file, allow_duplicates=True)
    return frame


def _check_same_columns(frames: list[pd.DataFrame]) -> None:
    problems = []
    for name in dict.fromkeys(name for frame in frames for name in frame):
        lacking = [frame["file"].iloc[0] for frame in frames if name not in frame]
        if lacking:
            having = next(frame["file"].iloc[0] for frame in frames if name in frame)
            problems.append(f"{listed(lacking)}: no column {name!r}, which {having} has")
    if problems:
        raise InputError(
            "logs with different columns", [*problems, "expected the same in all logs"]
        )


def count_on(raw: pd.DataFrame) -> list[str]:
    """Continue the numbering of blocks and trials across the sessions of each subject, in place.

    Only subjects whose sessions are in files of their own are concerned, and only where the numbers
    of a session start again; cells that are not numbers are left to validation.  What was done is
    returned as notes.
    """
    if "session" not in raw:
        return []
    session = pd.to_numeric(raw["session"], errors="coerce")
    contents = raw.assign(session=session).groupby("file")[["subject", "session"]].nunique()
    alone = contents.index[(contents == 1).all(axis=1)]
    own = raw["file"].isin(alone) & session.notna()
    files = raw[own].groupby("subject")["file"].nunique()
    own &= raw["subject"].isin(files.index[files > 1])
    notes = []
    for name in (column for column in ("block", "trial") if column in raw):
        number = pd.to_numeric(raw[name], errors="coerce")
        moved = set()
        for subject, table in number[own & number.notna()].groupby(raw["subject"]):
            last = 0.0
            for _, numbers in table.groupby(session):
                if last and numbers.min() <= last:
                    numbers = numbers + last
                    raw.loc[numbers.index, name] = numbers.map("{:.10g}".format)
                    moved.add(subject)
                last = numbers.max()
        if moved:
            notes.append(
                f"{name} numbers of {counted(moved, 'subject')} restart in every session and were "
                "renumbered"
            )
    return notes
