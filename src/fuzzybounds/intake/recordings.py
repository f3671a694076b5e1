"""Recorded canoe paths: reading path files and checking them against the trials."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pandas as pd

from fuzzybounds.canoe.task import EDGE, FRAME, FRAME_PIXELS
from fuzzybounds.intake.causes import PLACES
from fuzzybounds.intake.columns import PATH_COLUMNS as COLUMNS
from fuzzybounds.intake.files import PARQUET
from fuzzybounds.intake.sources import MOST_CELLS, read_frame, read_source
from fuzzybounds.intake.study_design import PAPER, StudyDesign
from fuzzybounds.storage.errors import InputError, counted


def empty() -> pd.DataFrame:
    """Return the table of a data set without recorded paths."""
    return pd.DataFrame({name: [] for name in COLUMNS}).astype(
        {"subject": "str", "trial": "int32", "time": float, "position": float}
    )


def read(files: Iterable[str | Path]) -> pd.DataFrame:
    """Read path files of any kind into one table, with the file of every row."""
    frames = [_read_one(Path(file)) for file in sorted(map(Path, files))]
    return pd.concat(frames, ignore_index=True) if frames else empty().assign(file="")


def _read_one(file: Path) -> pd.DataFrame:
    if file.suffix.lower() == PARQUET:
        frame, rows, decimal = read_frame(file, list(COLUMNS), 5 * MOST_CELLS), None, "."
    else:
        _, rows, frame, dialect = read_source(file)
        decimal = dialect.decimal
    missing = [name for name in COLUMNS if name not in frame]
    if missing:
        raise InputError(
            f"{file}: the header does not fit",
            [f"missing column {name!r} ({COLUMNS[name]})" for name in missing],
        )
    if decimal != ".":
        numbers = ["trial", "time", "position"]
        frame[numbers] = frame[numbers].apply(lambda own: own.str.replace(decimal, "."))
    return typed(frame, file.name, rows)


def typed(frame: pd.DataFrame, name: str, rows: list[int] | None = None) -> pd.DataFrame:
    """Turn the cells of a path file into names and numbers, with the file of every row.

    Parameters
    ----------
    frame : DataFrame
    name : str
        The file's name.
    rows : list of int, optional
        Row of each line in the file; by default a header's row, and one row after the other.
    """
    frame = frame[list(COLUMNS)].astype({"subject": str})
    frame["subject"] = frame["subject"].str.strip()
    rows = rows or list(range(2, len(frame) + 2))
    problems = []
    for column in ("trial", "time", "position"):
        cells = frame[column]
        # A parquet column can hold anything; what is not a number is read as text.
        number = (
            cells
            if cells.dtype.kind in "iuf"
            else pd.to_numeric(cells.astype(str), errors="coerce")
        )
        wrong = np.flatnonzero(~np.isfinite(number.to_numpy(dtype=float)))
        if wrong.size:
            first = ", ".join(f"row {rows[n]} ({cells.iloc[n]!r})" for n in wrong[:PLACES])
            more = ", ..." if wrong.size > PLACES else ""
            problems.append(
                f"column {column}: {counted(wrong, 'row')}; expected a number; first: {first}{more}"
            )
        frame[column] = number
    if problems:
        raise InputError(f"{name}: cells that are not numbers", problems)
    return frame.assign(file=name)


def validate(
    paths: pd.DataFrame,
    trials: pd.DataFrame,
    exclusions: pd.DataFrame | None = None,
    design: StudyDesign = PAPER,
) -> pd.DataFrame:
    """Check recorded paths against the task and the trials they belong to.

    A path starts at the centre at time 0, moves no faster than the canoe, stays on the screen, and
    ends where and when the log says that the subject responded, or at the deadline.  Paths of
    trials that validation excluded are left out with them.

    Raises
    ------
    InputError
        With one line per broken rule, and where it is broken first.
    """
    if paths.empty:
        return empty()
    key = ["subject", "trial"]
    if exclusions is not None:
        paths = paths[~_among(paths[key], exclusions) | _among(paths[key], trials)]
    paths = paths.sort_values(["subject", "trial", "time"], kind="stable", ignore_index=True)
    same = (paths[key] == paths[key].shift()).all(axis=1).to_numpy()
    step = paths["time"].diff().to_numpy()
    distance = np.abs(paths["position"].diff().to_numpy())
    last = ~np.append(same[1:], False)
    # As floats, so that a trial 1.5 simply counts as one that is not in the log.
    ends, log = (table.astype({"trial": float}) for table in (paths[last], trials))
    ends = ends.merge(log, on=key, how="left", suffixes=("", "_logged"))
    logged = ends["block"].notna()
    watched = ends["rt"].fillna(design.deadline).where(logged)
    rules = (
        (~same & (paths["time"] != 0), "the first time is 0"),
        (~same & (paths["position"] != 0), "the canoe starts at 0 px"),
        (same & ~(step > 0), "every time is later than the one before"),
        (np.abs(paths["position"]) > EDGE, f"at most {EDGE:g} px from the centre"),
        (same & (distance > design.speed * step + FRAME_PIXELS), f"at most {design.speed:g} px/s"),
    )
    end_rules = (
        (~logged, "a trial of the log"),
        (
            np.abs(ends["time"] - watched) > 1.5 * FRAME,
            "the path ends at the response, or at the deadline",
        ),
        (
            np.abs(ends["position"] - ends["position_logged"]) > 1.5 * FRAME_PIXELS,
            "the path ends at the logged position",
        ),
    )
    causes = [(paths[np.asarray(broken)], expected) for broken, expected in rules]
    causes += [(ends[np.asarray(broken)], expected) for broken, expected in end_rules]
    problems = [_sentence(rows, expected) for rows, expected in causes if len(rows)]
    if problems:
        raise InputError(f"recorded paths: {counted(problems)}", problems)
    return paths[list(COLUMNS)].astype({"trial": "int32"})


def _among(keys: pd.DataFrame, table: pd.DataFrame) -> np.ndarray:
    known = table[list(keys)].dropna().astype({"trial": float}).drop_duplicates()
    return keys.merge(known, how="left", indicator=True)["_merge"].eq("both").to_numpy()


def _sentence(rows: pd.DataFrame, expected: str) -> str:
    trials = rows[["subject", "trial"]].drop_duplicates()
    first = "; ".join(
        f"{row.file}, subject {row.subject}, trial {row.trial:g}, time {row.time:g} s, position "
        f"{row.position:g} px"
        for row in rows.head(PLACES).itertuples()
    )
    more = "; ..." if len(rows) > PLACES else ""
    return (
        f"expected: {expected}; not so in {counted(rows, 'frame')} of {counted(trials, 'trial')}; "
        f"first: {first}{more}"
    )
