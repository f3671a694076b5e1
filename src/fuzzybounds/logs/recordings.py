"""Recorded canoe paths: reading path files and checking them against the trials."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pandas as pd

from fuzzybounds.canoe.task import EDGE, FRAME, FRAME_PIXELS
from fuzzybounds.core.errors import InputError
from fuzzybounds.logs.columns import PATH_COLUMNS as COLUMNS
from fuzzybounds.logs.files import PARQUET
from fuzzybounds.logs.problems import Cause, refuse
from fuzzybounds.logs.sources import read_frame, read_source
from fuzzybounds.logs.study_design import PAPER, StudyDesign

TYPES = {"subject": "str", "trial": "int32", "time": float, "position": float}
KEY, PLACE = ["subject", "trial"], ["file", "row", "value"]


def empty() -> pd.DataFrame:
    """Return the table of a data set without recorded paths."""
    return pd.DataFrame({name: [] for name in COLUMNS}).astype(TYPES)


def read(files: Iterable[str | Path]) -> pd.DataFrame:
    """Read path files of any kind into one table, with the file of every row."""
    frames = [_read_one(file) for file in sorted(map(Path, files))]
    return pd.concat(frames, ignore_index=True) if frames else empty().assign(file="", row=0)


def _read_one(file: Path) -> pd.DataFrame:
    if file.suffix.lower() == PARQUET:
        frame = read_frame(file)
        rows = list(range(1, len(frame) + 1))
    else:
        _, rows, frame, *_ = read_source(file)
    if missing := [name for name in COLUMNS if name not in frame]:
        raise InputError(
            f"{file}: the header does not fit",
            [f"missing column {name!r} ({COLUMNS[name]})" for name in missing],
        )
    return typed(frame.assign(file=file.name, row=rows))


def typed(frame: pd.DataFrame) -> pd.DataFrame:
    """Turn the cells of a path file, with file and row, into names and numbers."""
    frame = frame.assign(subject=frame["subject"].astype(str).str.strip())
    causes = []
    for column in ("trial", "time", "position"):
        cells = frame[column]
        if cells.dtype.kind not in "iuf":
            # A parquet column can hold anything; what is not a number is read as text.
            frame[column] = pd.to_numeric(cells.astype(str), errors="coerce")
        wrong = ~np.isfinite(frame[column].to_numpy(dtype=float))
        if wrong.any():
            places = frame.loc[wrong, ["file", "row"]].assign(value=cells[wrong].map(str))
            causes.append(Cause("paths", column, "a number", places))
    refuse(causes, "in recorded paths")
    return frame[[*COLUMNS, "file", "row"]]


def validate(
    paths: pd.DataFrame,
    trials: pd.DataFrame,
    exclusions: pd.DataFrame | None = None,
    design: StudyDesign = PAPER,
) -> pd.DataFrame:
    """Check recorded paths against the task and the trials they belong to.

    A path starts at time 0 at the centre, or where the log says, moves no faster than the canoe,
    stays on the screen, and ends where and when the log says that the subject responded, or at the
    deadline.  Paths of trials that validation excluded are left out with them.  An
    :class:`InputError` has one line per broken rule, and where it is broken first.
    """
    if paths.empty:
        return empty()
    if exclusions is not None:
        paths = paths[~among(paths, exclusions) | among(paths, trials)]
    paths = paths.sort_values([*KEY, "time"], kind="stable", ignore_index=True)
    same = (paths[KEY] == paths[KEY].shift()).all(axis=1).to_numpy()
    step = paths["time"].diff().to_numpy()
    distance = np.abs(paths["position"].diff().to_numpy())
    # As floats, so that a trial 1.5 simply counts as one that is not in the log.
    log = trials.astype({"trial": float})
    ends = paths[~np.append(same[1:], False)].astype({"trial": float})
    ends = ends.merge(log, on=KEY, how="left", suffixes=("", "_logged"))
    logged = ends["block"].notna()
    late = ends["time"] - ends["rt"].fillna(design.deadline).where(logged)
    off = ends["position"] - ends["position_logged"]
    fastest = design.speed * step + FRAME_PIXELS
    begin, first = np.zeros(len(paths)), "0 px at first"
    if "start" in log:
        begin = paths[KEY].merge(log[[*KEY, "start"]], how="left")["start"].fillna(0.0).to_numpy()
        first = "the start that the log has"
    rules = (
        (paths, ~same & (paths["time"] != 0), "time", "0 at first"),
        (paths, ~same & (paths["position"] != begin), "position", first),
        (paths, same & ~(step > 0), "time", "every time to be later than the one before"),
        (paths, np.abs(paths["position"]) > EDGE, "position", f"at most {EDGE:g} px"),
        (paths, same & (distance > fastest), "position", f"at most {design.speed:g} px/s"),
        (ends, ~logged, "trial", "a trial of the log"),
        (ends, np.abs(late) > 1.5 * FRAME, "time", "the response, or the deadline, at the end"),
        (ends, np.abs(off) > 1.5 * FRAME_PIXELS, "position", "the logged position at the end"),
    )
    causes = []
    for table, broken, column, expected in rules:
        rows = table[np.asarray(broken)]
        named = [
            f"{value:g}, subject {subject}, trial {trial:g}"
            for value, subject, trial in zip(
                rows[column], rows["subject"], rows["trial"], strict=True
            )
        ]
        if named:
            causes.append(Cause("paths", column, expected, rows.assign(value=named)[PLACE]))
    refuse(causes, "in recorded paths")
    return paths[list(COLUMNS)].astype({"trial": "int32"})


def among(paths: pd.DataFrame, table: pd.DataFrame) -> np.ndarray:
    """Return which rows, with subject and trial, belong to a trial of another table."""
    known = table[KEY].dropna().astype({"trial": float}).drop_duplicates()
    return paths[KEY].merge(known, how="left", indicator=True)["_merge"].eq("both").to_numpy()
