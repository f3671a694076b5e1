"""Logs of other laboratories: their columns, units and names, mapped to ours by a small document.

The mapping file (:data:`SCHEMA` documents it) says which of their columns is which of ours, what
the units are, and what conditions and outcomes are called.  A cell that the mapping does not cover
is an error that names its file, row and column; nothing is guessed.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.canoe.task import CONDITIONS, EDGE
from fuzzybounds.intake import recordings
from fuzzybounds.intake.logs import COLUMNS
from fuzzybounds.storage.errors import InputError, counted, suggestion
from fuzzybounds.storage.schemas import check, read_yaml

TIME_UNITS = {"s": 1.0, "ms": 1e-3}
POSITION_UNITS = {"px": 1.0, "normalised": EDGE}
"""What one of a unit is in s, and in px: a normalised position is 1 at the edge of the screen."""

_NAME = {"type": "string", "minLength": 1}
_CODES = {"type": "array", "items": {"type": "string"}}
_TIME = {"enum": list(TIME_UNITS)}
_POSITION = {"enum": list(POSITION_UNITS)}


def _object(properties: Mapping[str, Any], required: Iterable[str] = ()) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(required),
        "properties": dict(properties),
    }


_OURS = {column.name: _NAME for column in COLUMNS}
SCHEMA = _object(
    {
        "delimiter": {"enum": [",", ";", "\t", "|"]},
        "decimal": {"enum": [".", ","]},
        "columns": _object(
            _OURS, [c.name for c in COLUMNS if c.required and c.name not in ("rt", "correct")]
        ),
        "units": _object({"rt": _TIME, "total": _TIME, "position": _POSITION}),
        "no_response": _CODES,
        "conditions": _object(dict.fromkeys(CONDITIONS, _CODES)),
        "outcomes": _object({"correct": _CODES, "incorrect": _CODES}),
        "responses": _object(
            {"given": _NAME, "expected": _NAME, "left": _CODES, "right": _CODES},
            ["given", "expected", "left", "right"],
        ),
        "paths": _object(
            {
                "files": _NAME,
                "columns": _object(dict.fromkeys(recordings.COLUMNS, _NAME)),
                "units": _object({"time": _TIME, "position": _POSITION}),
            },
            ["files"],
        ),
    },
    ["columns"],
)
"""JSON schema of a mapping file; docs/new-subjects.md explains every key."""


def read_mapping(path: str | Path) -> dict[str, Any]:
    """Read a mapping file and check it, or raise an :class:`InputError` that lists its problems."""
    mapping = read_yaml(path)
    check(mapping, SCHEMA, str(path))
    columns, problems = mapping["columns"], []
    if "rt" not in columns:
        problems.append("columns.rt: missing; expected the column with the decision time")
    if ("correct" in columns) == ("responses" in mapping):
        problems.append(
            "expected either columns.correct (a column with the outcome) or responses (columns "
            "with the response given and the one expected)"
        )
    if "outcomes" in mapping and "correct" not in columns:
        problems.append("outcomes: there is no columns.correct whose cells it could name")
    groups = [mapping.get(name, {}) for name in ("conditions", "outcomes")]
    responses = mapping.get("responses", {})
    groups.append({side: responses[side] for side in ("left", "right") if side in responses})
    for group in groups:
        codes = [code.strip().lower() for own in group.values() for code in own]
        for code in sorted({code for code in codes if codes.count(code) > 1}):
            problems.append(f"{', '.join(group)}: {code!r} stands there more than once")
    pattern = mapping.get("paths", {}).get("files", "")
    if PurePosixPath(pattern).is_absolute() or ".." in PurePosixPath(pattern).parts:
        problems.append(f"paths.files: {pattern!r}; expected a pattern below the source's folder")
    if problems:
        raise InputError(f"{path}: {counted(problems)}", problems)
    return mapping


class Source(NamedTuple):
    """A file of another laboratory: its name, and its cells as text with the row of each line."""

    file: str
    rows: list[int]
    cells: pd.DataFrame


def read_source(path: str | Path, mapping: Mapping[str, Any]) -> Source:
    """Read a CSV file of another laboratory."""
    path = Path(path)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            lines = list(csv.reader(file, strict=True, delimiter=mapping.get("delimiter", ",")))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path}: not a readable CSV file ({error})") from error
    if len(lines) < 2:
        raise InputError(f"{path}: no trials", ["expected a header and one row a trial"])
    header = [name.strip() for name in lines[0]]
    numbered = [(row, line) for row, line in enumerate(lines[1:], 2) if line]
    problems = [
        f"row 1: column {name!r} stands there {header.count(name)} times"
        for name in dict.fromkeys(header)
        if header.count(name) > 1
    ] + [
        f"row {row}: {len(line)} fields; expected {len(header)}"
        for row, line in numbered
        if len(line) != len(header)
    ]
    if problems or not numbered:
        raise InputError(f"{path}: not one row a trial", problems or ["there are no rows"])
    cells = [[cell.strip() for cell in line] for _, line in numbered]
    rows = [row for row, _ in numbered]
    return Source(path.name, rows, pd.DataFrame(cells, columns=header, dtype=str))


class _Cells:
    """The cells of a source file, converted one of our columns at a time; collects problems."""

    def __init__(self, source: Source, mapping: Mapping[str, Any]):
        self.name, self.rows, self.theirs = source
        self.mapping = mapping
        self.problems: list[str] = []

    def column(self, theirs: str, key: str) -> pd.Series:
        """Their column of a name, or a problem that suggests another one."""
        if theirs in self.theirs:
            return self.theirs[theirs]
        hint = suggestion(theirs, self.theirs)
        self.problems.append(f"{key}: no column {theirs!r} in {self.name}; {hint}")
        return pd.Series("", index=self.theirs.index)

    def translate(
        self, cells: pd.Series, theirs: str, how: Callable[[str], str | None], expected: str
    ) -> pd.Series:
        """Map every distinct cell; those that map to None are problems."""
        translated = {cell: how(cell) for cell in cells.unique()}
        for index in np.flatnonzero(cells.map(translated).isna()):
            self.problems.append(
                f"{self.name}, row {self.rows[index]}, column {theirs}: {cells.iloc[index]!r}; "
                f"expected {expected}"
            )
        return cells.map(translated).fillna("")

    def number(self, theirs: str, key: str, scale: float, empty: Iterable[str] = ()) -> pd.Series:
        """Their numbers in our unit, as text; cells of `empty` become empty."""
        decimal, blank = self.mapping.get("decimal", "."), set(empty)

        def convert(cell: str) -> str | None:
            if cell in blank:
                return ""
            try:
                value = float(cell.replace(decimal, ".") if decimal != "." else cell)
            except ValueError:
                return None
            if not np.isfinite(value) or "_" in cell:
                return None
            return f"{value * scale:.10g}"

        return self.translate(self.column(theirs, key), theirs, convert, "a number")

    def code(self, theirs: str, key: str, codes: Mapping[str, Iterable[str]]) -> pd.Series:
        """Their codes as ours."""
        known = {code.strip().lower(): ours for ours, own in codes.items() for code in own}
        return self.translate(
            self.column(theirs, key),
            theirs,
            lambda cell: known.get(cell.lower()),
            f"one of {', '.join(map(repr, known))} ({key})",
        )

    def checked(self, columns: Mapping[str, Any]) -> pd.DataFrame:
        """The mapped columns as a table, if every cell could be mapped."""
        if self.problems:
            count = counted(self.problems)
            raise InputError(f"{self.name}: {count} with the mapping", self.problems)
        return pd.DataFrame(columns)


DEFAULT_CONDITIONS = {"easy": ["easy", "1"], "hard": ["hard", "2"]}
DEFAULT_OUTCOMES = {"correct": ["1"], "incorrect": ["0"]}


def convert_log(source: Source, mapping: Mapping[str, Any]) -> pd.DataFrame:
    """Map one file of another laboratory to a tidy log, still as text.

    Parameters
    ----------
    source : Source
    mapping : mapping
        From :func:`read_mapping`.

    Returns
    -------
    DataFrame
        As :func:`fuzzybounds.intake.logs.read_tidy` returns it, with the source's file and rows.

    Raises
    ------
    InputError
        Naming every cell that cannot be mapped.
    """
    cells = _Cells(source, mapping)
    columns, units = mapping["columns"], mapping.get("units", {})
    log = {"file": source.file, "row": source.rows}
    for ours in (column.name for column in COLUMNS):
        theirs, key = columns.get(ours), f"columns.{ours}"
        if ours == "correct":
            log[ours] = _outcomes(cells)
        elif theirs is None:
            continue
        elif ours == "condition":
            log[ours] = cells.code(theirs, "conditions", _conditions(mapping))
        elif ours in ("rt", "total"):
            blank = {"", *mapping.get("no_response", [])} if ours == "rt" else ()
            log[ours] = cells.number(theirs, key, TIME_UNITS[units.get(ours, "s")], blank)
        elif ours == "position":
            log[ours] = cells.number(theirs, key, POSITION_UNITS[units.get(ours, "px")])
        elif ours == "reward":
            log[ours] = cells.number(theirs, key, 1.0)
        else:
            log[ours] = cells.column(theirs, key)
    return cells.checked(log)


def _conditions(mapping: Mapping[str, Any]) -> Mapping[str, Iterable[str]]:
    return mapping.get("conditions", DEFAULT_CONDITIONS)


def _outcomes(cells: _Cells) -> pd.Series:
    """1 or 0, from a column of outcomes, or by comparing the response with the one expected."""
    numbers = {"correct": "1", "incorrect": "0"}
    if "responses" not in cells.mapping:
        codes = cells.mapping.get("outcomes", DEFAULT_OUTCOMES)
        return cells.code(cells.mapping["columns"]["correct"], "outcomes", codes).map(
            lambda outcome: numbers.get(outcome, "")
        )
    how = cells.mapping["responses"]
    sides = {side: how[side] for side in ("left", "right")}
    none = {"none": ["", *cells.mapping.get("no_response", [])]}
    given = cells.code(how["given"], "responses", {**none, **sides})
    expected = cells.code(how["expected"], "responses", sides)
    return (given == expected).map({True: "1", False: "0"})


def path_files(folder: Path, mapping: Mapping[str, Any]) -> list[Path]:
    """The files of recorded paths that a mapping names, all of them below a folder."""
    if "paths" not in mapping:
        return []
    pattern = mapping["paths"]["files"]
    try:
        files = sorted(file for file in folder.glob(pattern) if file.is_file())
    except (ValueError, NotImplementedError) as error:
        raise InputError(f"paths.files: {pattern!r} is no pattern ({error})") from error
    outside = [file for file in files if not file.resolve().is_relative_to(folder.resolve())]
    if outside or not files:
        raise InputError(
            f"paths.files: {pattern!r}",
            [f"{file} leads outside {folder}" for file in outside]
            or [f"no such file below {folder}"],
        )
    return files


def convert_paths(source: Source, mapping: Mapping[str, Any]) -> pd.DataFrame:
    """Map a file of recorded paths to :data:`fuzzybounds.intake.recordings.COLUMNS`."""
    cells = _Cells(source, mapping)
    columns = mapping["paths"].get("columns", {})
    units = mapping["paths"].get("units", {})
    scales = {
        "time": TIME_UNITS[units.get("time", "s")],
        "position": POSITION_UNITS[units.get("position", "px")],
    }
    paths = {}
    for ours in recordings.COLUMNS:
        theirs, key = columns.get(ours, ours), f"paths.columns.{ours}"
        if ours in scales:
            paths[ours] = cells.number(theirs, key, scales[ours])
        else:
            paths[ours] = cells.column(theirs, key)
    return cells.checked(paths)
