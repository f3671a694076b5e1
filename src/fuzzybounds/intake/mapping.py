"""Logs of other laboratories: their columns, units and names, mapped to ours by a small document.

The mapping file (``mapping.schema.yaml``) says which of their columns is which of ours, what the
units are, and what conditions and outcomes are called.  A cell that it does not cover is an error.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
import pandas as pd

from fuzzybounds.intake.columns import NAMES, PATH_COLUMNS
from fuzzybounds.intake.files import bids_name
from fuzzybounds.intake.problems import Cause, refuse
from fuzzybounds.intake.sources import Source
from fuzzybounds.intake.sources import read_source as read_any
from fuzzybounds.intake.units import NORMALISED, PX, TIME_UNITS, Unit
from fuzzybounds.storage.errors import InputError, counted, suggestion
from fuzzybounds.storage.schemas import check, read_yaml

DEFAULT_CONDITIONS = {"easy": ["easy", "1"], "hard": ["hard", "2"]}
DEFAULT_OUTCOMES = {"correct": ["1"], "incorrect": ["0"]}
MOST_STARS = 3
"""Number of * in a pattern of file names: each multiplies the time to try a name."""

UNITS = {"px": PX, "normalised": NORMALISED}
UNITS |= {name: Unit(name, seconds) for name, seconds in TIME_UNITS.items()}
SCHEMA = read_yaml(Path(__file__).with_name("mapping.schema.yaml"))


def _codes(own: Any) -> list[str]:
    """Return codes as a list of text: one code may be given alone, and numbers as numbers."""
    return [str(code).strip() for code in (own if isinstance(own, list) else [own])]


def read_mapping(path: str | Path) -> dict[str, Any]:
    """Read a mapping file and check it, or raise an :class:`InputError` that lists its problems."""
    mapping = read_yaml(path)
    check(mapping, SCHEMA, str(path))
    columns, problems = mapping["columns"], []
    if ("correct" in columns) == ("responses" in mapping):
        problems.append(
            "expected either columns.correct (a column with the outcome) or responses (columns "
            "with the response given and the one expected)"
        )
    if "outcomes" in mapping and "correct" not in columns:
        problems.append("outcomes: there is no columns.correct whose cells it could name")
    responses = mapping.get("responses", {})
    sides = {side: responses[side] for side in ("left", "right") if side in responses}
    for group in (mapping.get("conditions", {}), mapping.get("outcomes", {}), sides):
        codes = [code.lower() for own in group.values() for code in _codes(own)]
        for code in sorted({code for code in codes if codes.count(code) > 1}):
            problems.append(f"{', '.join(group)}: {code!r} appears more than once")
    if (stars := mapping.get("file_names", "").count("*")) > MOST_STARS:
        problems.append(f"file_names: {stars} *; expected at most {MOST_STARS}")
    pattern = PurePosixPath(mapping.get("paths", {}).get("files", ""))
    if pattern.is_absolute() or ".." in pattern.parts:
        problems.append(
            f"paths.files: {str(pattern)!r}; expected a pattern below the source's folder"
        )
    if problems:
        raise InputError(f"{path}: {counted(problems)}", problems)
    return mapping


def read_source(path: str | Path, mapping: Mapping[str, Any]) -> Source:
    """Read a file of another laboratory; what the mapping does not state is detected."""
    options = ("delimiter", "decimal", "encoding", "sheet")
    return read_any(path, **{name: mapping[name] for name in options if name in mapping})


def path_files(folder: Path, mapping: Mapping[str, Any]) -> list[Path]:
    """The files of recorded paths that a mapping names, all of them below a folder."""
    if "paths" not in mapping:
        return []
    pattern = mapping["paths"]["files"]
    try:
        files = sorted(file for file in folder.glob(pattern) if file.is_file())
    except (ValueError, NotImplementedError) as error:
        raise InputError(f"paths.files: {pattern!r} is not a pattern ({error})") from error
    outside = [file for file in files if not file.resolve().is_relative_to(folder.resolve())]
    if outside or not files:
        problems = [f"{file} leads outside {folder}" for file in outside]
        raise InputError(f"paths.files: {pattern!r}", problems or [f"no such file below {folder}"])
    return files


class _Cells:
    """The cells of a source file, converted one of our columns at a time; collects causes."""

    def __init__(self, source: Source, mapping: Mapping[str, Any], causes: list[Cause]):
        self.theirs, self.mapping, self.causes = source.cells, mapping, causes
        self.places = pd.DataFrame({"file": source.file, "row": source.rows, "value": ""})

    def column(self, theirs: str, key: str, how=str, expected: str = "") -> pd.Series:
        """Map every distinct cell of their column; those that map to None are one cause."""
        if theirs not in self.theirs:
            said = f"no column {theirs!r}; {suggestion(theirs, self.theirs)}"
            self.causes.append(Cause(key, None, said, self.places))
            return pd.Series("", index=self.theirs.index)
        cells = self.theirs[theirs]
        translated = cells.map({cell: how(cell) for cell in cells.unique()})
        unknown = translated.isna()
        if unknown.any():
            places = self.places.assign(value=cells)[unknown]
            self.causes.append(Cause(key, theirs, expected, places))
        return translated.fillna("")

    def number(self, theirs: str, key: str, unit: Any, empty: Iterable[str] = ()) -> pd.Series:
        """Their numbers in our unit, as text; cells of `empty` become empty."""
        own = (
            UNITS[unit] if isinstance(unit, str) else Unit("", unit["scale"], unit.get("centre", 0))
        )

        def converted(cell: str) -> str | None:
            if cell in empty:
                return ""
            try:
                value = float(cell)
            except ValueError:
                return None
            return f"{own.to_px(value):.10g}" if np.isfinite(value) and "_" not in cell else None

        return self.column(theirs, key, converted, "a number")

    def code(self, theirs: str, key: str, codes: Mapping[str, Any]) -> pd.Series:
        """Their codes as ours."""
        known = {code.lower(): ours for ours, own in codes.items() for code in _codes(own)}
        expected = f"one of {', '.join(map(repr, known))}"
        return self.column(theirs, key, lambda cell: known.get(cell.lower()), expected)

    def from_name(self, what: str, file: str) -> str | None:
        """Return subject or session from the file's name; None if it does not contain it."""
        pattern = self.mapping.get("file_names")
        found = _matched(pattern, file) if pattern else bids_name(file)
        own = found.groupdict().get(what) if found else None
        if own is None and what == "subject":
            key, said = "file_names", f"expected a file named like {pattern!r}"
            if not pattern:
                key = "columns.subject"
                said = (
                    "missing; expected the column with the participant, or `file_names`, such as "
                    '"{subject}_*", where the files are named by it'
                )
            self.causes.append(Cause(key, None, said, self.places))
        return (own.lstrip("0") or own) if own and what == "session" else own

    def outcomes(self) -> pd.Series:
        """1 or 0, from a column of outcomes, or by comparing the response with the one expected."""
        if "responses" not in self.mapping:
            codes = self.mapping.get("outcomes", DEFAULT_OUTCOMES)
            found = self.code(self.mapping["columns"]["correct"], "outcomes", codes)
            return found.replace({"correct": "1", "incorrect": "0"})
        how = self.mapping["responses"]
        sides = {side: how[side] for side in ("left", "right")}
        none = {"none": ["", *_codes(self.mapping.get("no_response", []))]}
        given = self.code(how["given"], "responses", {**none, **sides})
        return (given == self.code(how["expected"], "responses", sides)).map(
            {True: "1", False: "0"}
        )


def _matched(pattern: str, name: str) -> re.Match[str] | None:
    """Match a file's name with a pattern such as ``{subject}_day{session}_*``."""
    parts = re.split(r"(\{subject\}|\{session\}|\*)", pattern)
    meaning = {"{subject}": "(?P<subject>.+?)", "{session}": r"(?P<session>\d+)", "*": ".*"}
    regular = "".join(meaning.get(part, re.escape(part)) for part in parts)
    try:
        return re.fullmatch(regular, unicodedata.normalize("NFC", Path(name).stem))
    except re.error:
        return None


def convert(
    sources: Iterable[Source], mapping: Mapping[str, Any], paths: bool = False
) -> list[pd.DataFrame]:
    """Map logs of another laboratory, or recorded paths, to ours, still as text.

    Raises
    ------
    InputError
        Naming every cell of every file that cannot be mapped.
    """
    causes: list[Cause] = []
    tables = [_convert_one(source, mapping, paths, causes) for source in sources]
    refuse(causes, "with the mapping")
    return tables


def _convert_one(
    source: Source, mapping: Mapping[str, Any], paths: bool, causes: list[Cause]
) -> pd.DataFrame:
    cells = _Cells(source, mapping, causes)
    section = mapping["paths"] if paths else mapping
    units, columns = section.get("units", {}), section.get("columns", {})
    if paths:
        columns = {**dict(zip(PATH_COLUMNS, PATH_COLUMNS, strict=True)), **columns}
    none = {"", *_codes(mapping.get("no_response", []))}
    table: dict[str, Any] = {"file": source.file, "row": source.rows}
    for ours in PATH_COLUMNS if paths else NAMES:
        theirs, key = columns.get(ours), f"{'paths.' if paths else ''}columns.{ours}"
        if ours == "correct":
            table[ours] = cells.outcomes()
        elif theirs is None:
            if ours in ("subject", "session") and (own := cells.from_name(ours, source.file)):
                table[ours] = own
        elif ours == "condition":
            codes = mapping.get("conditions", DEFAULT_CONDITIONS)
            table[ours] = cells.code(theirs, "conditions", codes)
        elif ours in ("rt", "total", "time"):
            blank = none if ours == "rt" else ()
            table[ours] = cells.number(theirs, key, units.get(ours, "s"), blank)
        elif ours in ("position", "reward"):
            table[ours] = cells.number(theirs, key, units.get(ours, "px"))
        else:
            table[ours] = cells.column(theirs, key)
    return pd.DataFrame(table)
