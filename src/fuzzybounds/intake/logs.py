"""Raw logs on disk: their columns, and reading them as text.

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

from fuzzybounds.intake.causes import FileProblems
from fuzzybounds.intake.columns import COLUMNS, NAMES, PUBLISHED_COLUMNS
from fuzzybounds.intake.files import bids_name
from fuzzybounds.intake.sessions import count_on
from fuzzybounds.intake.sources import Source, read_source
from fuzzybounds.storage.errors import InputError, listed
from fuzzybounds.storage.natural_order import natural_key

CONDITION_NAMES = {"easy": "easy", "hard": "hard", "1": "easy", "2": "hard"}
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
BIDS_MISSING = "n/a"


class Logs(NamedTuple):
    """The cells of all logs, and notes for the user on how they were read."""

    raw: pd.DataFrame
    notes: list[str]


def read_tidy(paths: Iterable[str | Path]) -> pd.DataFrame:
    """Read tidy logs as text, with the file and row of every line."""
    return read_logs(paths).raw


def read_logs(paths: Iterable[str | Path], *, as_numbered: bool = False) -> Logs:
    """Read tidy logs with a header: text files in any dialect, workbooks or Parquet files.

    Files that are named as in a BIDS data set need no columns subject and session.

    Parameters
    ----------
    paths : iterable of path
    as_numbered : bool
        Leave block and trial numbers that start again in every session's file as they are.

    Raises
    ------
    InputError
        With the problems of all files, each cause once.
    """
    files = sorted(map(Path, paths), key=lambda path: natural_key(path.name))
    if not files:
        raise InputError("no logs", ["expected at least one log"])
    problems = FileProblems(len(files))
    frames: list[pd.DataFrame] = []
    dialects: dict[str, list[str]] = {}
    for path in files:
        with problems.collecting(path):
            source = _named(read_source(path), path)
            for problem in header_problems(list(source.cells), source.dialect.header):
                problems.add(path, HEADER, problem)
            frames.append(_numbers(source))
            dialects.setdefault(source.dialect.describe(), []).append(path.name)
    problems.refuse()
    _check_same_columns(frames)
    raw = pd.concat(frames, ignore_index=True)
    said = [f"{listed(names)}: {text}" for text, names in dialects.items() if text]
    return Logs(raw, said if as_numbered else said + count_on(raw))


def read_published(path: str | Path) -> pd.DataFrame:
    """Read one of the published headerless logs as text."""
    source = read_source(path, header=PUBLISHED_COLUMNS, delimiter=",", encoding="utf-8")
    return _framed(source)


HEADER = "the header does not fit"


def header_problems(header: Sequence[str], row: int = 1) -> list[str]:
    """Say what is wrong with the names of columns; a column under another name is one problem."""
    problems, meant = [], set()
    for name in dict.fromkeys(header):
        if name in NAMES:
            continue
        close = nearest(name, [own for own in NAMES if own not in header])
        if close:
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
    close = difflib.get_close_matches(own, known, n=1, cutoff=0.7)
    return close[0] if close else None


def _named(source: Source, path: Path) -> Source:
    """Add what the name of a BIDS file says, and rename the columns that BIDS defines."""
    name = bids_name(path)
    if name is None:
        return source
    cells = source.cells.replace(BIDS_MISSING, "")
    cells = cells.drop(columns=[own for own in BIDS_IGNORED if own in cells])
    cells = cells.rename(
        columns={theirs: ours for theirs, ours in BIDS_COLUMNS.items() if ours not in cells}
    )
    if "subject" not in cells:
        cells.insert(0, "subject", name["subject"])
    if "session" not in cells:
        label = name["session"] or "1"
        cells.insert(1, "session", label.lstrip("0") or label)
    return source._replace(cells=cells)


def _numbers(source: Source) -> pd.DataFrame:
    """Give decimal commas points; text is left alone."""
    if source.dialect.decimal == ",":
        numeric = [c.name for c in COLUMNS if not c.text and c.name in source.cells]
        cells = source.cells.copy()
        cells[numeric] = cells[numeric].apply(lambda own: own.str.replace(",", "."))
        source = source._replace(cells=cells)
    return _framed(source)


def _framed(source: Source) -> pd.DataFrame:
    frame = source.cells.copy()
    frame.insert(0, "row", source.rows, allow_duplicates=True)
    frame.insert(0, "file", source.file, allow_duplicates=True)
    return frame


def _check_same_columns(frames: list[pd.DataFrame]) -> None:
    every = dict.fromkeys(name for frame in frames for name in frame)
    problems = []
    for name in every:
        lacking = [frame["file"].iloc[0] for frame in frames if name not in frame]
        if lacking:
            having = next(frame["file"].iloc[0] for frame in frames if name in frame)
            problems.append(f"{listed(lacking)}: no column {name!r}, which {having} has")
    if problems:
        raise InputError(
            "logs with different columns", [*problems, "expected the same in all logs"]
        )
