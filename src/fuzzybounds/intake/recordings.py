"""Recorded canoe paths: reading path files and checking them against the trials."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pandas as pd

from fuzzybounds.canoe.task import EDGE, FRAME, FRAME_PIXELS
from fuzzybounds.intake.columns import PATH_COLUMNS as COLUMNS
from fuzzybounds.intake.study_design import PAPER, StudyDesign
from fuzzybounds.storage.errors import InputError, counted
from fuzzybounds.storage.tables import read_parquet


def empty() -> pd.DataFrame:
    """The table of a data set whose paths nobody recorded."""
    return pd.DataFrame({name: [] for name in COLUMNS}).astype(
        {"subject": "str", "trial": "int32", "time": float, "position": float}
    )


def read(files: Iterable[str | Path]) -> pd.DataFrame:
    """Read path files (CSV or parquet) into one table, with the file of every row."""
    frames = [_read_one(Path(file)) for file in sorted(map(Path, files))]
    return pd.concat(frames, ignore_index=True) if frames else empty().assign(file="")


def _read_one(file: Path) -> pd.DataFrame:
    if file.suffix == ".parquet":
        frame = read_parquet(file, foreign=True)
    else:
        try:
            with warnings.catch_warnings():
                # Rows that are longer than the header.
                warnings.simplefilter("error", pd.errors.ParserWarning)
                # Text, so that the subjects "01" and "NA" keep their names.
                frame = pd.read_csv(file, dtype=str, keep_default_na=False, index_col=False)
        except (OSError, ValueError, pd.errors.ParserWarning) as error:
            reason = str(error).splitlines()[0]
            raise InputError(f"{file}: not a readable CSV file ({reason})") from error
    missing = [name for name in COLUMNS if name not in frame]
    if missing:
        raise InputError(
            f"{file}: the header does not fit",
            [f"missing column {name!r} ({COLUMNS[name]})" for name in missing],
        )
    return typed(frame, file.name)


def typed(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    """Turn the cells of a path file into names and numbers, with the file of every row."""
    frame = frame[list(COLUMNS)].astype({"subject": str})
    frame["subject"] = frame["subject"].str.strip()
    problems = []
    for column in ("trial", "time", "position"):
        cells = frame[column]
        # A parquet column can hold anything; what is no number is read as text, as from a CSV file.
        number = (
            cells
            if cells.dtype.kind in "iuf"
            else pd.to_numeric(cells.astype(str), errors="coerce")
        )
        for index in np.flatnonzero(~np.isfinite(number.to_numpy(dtype=float))):
            problems.append(
                f"row {index + 2}, column {column}: {frame[column].iloc[index]!r}; "
                "expected a number"
            )
        frame[column] = number
    if problems:
        raise InputError(f"{name}: cells that are no numbers", problems)
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
        Naming every trial whose path does not.
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
    # As floats, so that a trial 1.5 is one that is not in the log, without further ado.
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
    problems = [
        _sentence(paths.iloc[index], expected)
        for broken, expected in rules
        for index in np.flatnonzero(broken)
    ]
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
    problems += [
        _sentence(ends.iloc[index], expected)
        for broken, expected in end_rules
        for index in np.flatnonzero(broken)
    ]
    if problems:
        raise InputError(f"recorded paths: {counted(problems)}", problems)
    return paths[list(COLUMNS)].astype({"trial": "int32"})


def _among(keys: pd.DataFrame, table: pd.DataFrame) -> np.ndarray:
    known = table[list(keys)].dropna().astype({"trial": float}).drop_duplicates()
    return keys.merge(known, how="left", indicator=True)["_merge"].eq("both").to_numpy()


def _sentence(row: pd.Series, expected: str) -> str:
    return (
        f"{row['file']}, subject {row['subject']}, trial {row['trial']:g}, time {row['time']:g} s, "
        f"position {row['position']:g} px; expected: {expected}"
    )
