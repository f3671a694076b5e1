"""Convert logs of other laboratories to ours by a mapping.

A cell that the mapping does not cover is an error; nothing is guessed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from fuzzybounds.intake import recordings, units
from fuzzybounds.intake.causes import PLACES, table_of_places
from fuzzybounds.intake.files import bids_name
from fuzzybounds.intake.logs import COLUMNS
from fuzzybounds.intake.mapping import codes_of, position_unit
from fuzzybounds.intake.sources import Source
from fuzzybounds.storage.errors import InputError, counted, listed, suggestion

DEFAULT_CONDITIONS = {"easy": ["easy", "1"], "hard": ["hard", "2"]}
DEFAULT_OUTCOMES = {"correct": ["1"], "incorrect": ["0"]}


@dataclass(frozen=True)
class Finding:
    """Something in a file that the mapping does not cover.

    Attributes
    ----------
    key : str
        The key of the mapping that it is about.
    cause : str
        What is wrong, the same for every file.
    file : str
    rows : int
        How many rows it concerns.
    places : tuple of str
        Rows with their values; none where the whole file is concerned.
    """

    key: str
    cause: str
    file: str
    rows: int
    places: tuple[str, ...] = ()


class ConversionError(InputError):
    """Files that a mapping does not fit: one line per cause, of all files."""

    def __init__(self, findings: Iterable[Finding], files: int = 1):
        self.findings = list(findings)
        causes: dict[str, list[Finding]] = {}
        counts: dict[tuple[str, str], int] = {}
        for own in self.findings:
            causes.setdefault(f"{own.key}: {own.cause}", []).append(own)
            place = (own.file, own.key)
            counts[place] = counts.get(place, 0) + own.rows
        names = list(dict.fromkeys(own.file for own in self.findings))
        rest = f" of {files} files" if files > 1 else ""
        super().__init__(
            f"{listed(names)}{rest}: {counted(causes)} with the mapping",
            [f"{cause}; {_where(own)}" for cause, own in causes.items()],
            table_of_places(counts, "key"),
        )

    def __reduce__(self):
        return type(self), (self.findings,)


def _where(findings: list[Finding]) -> str:
    places = [f"{own.file} {place}" for own in findings for place in own.places]
    if not places:
        return f"in {listed(own.file for own in findings)}"
    more = ", ..." if len(places) > PLACES else ""
    return f"{counted(places, 'row')}, first: {', '.join(places[:PLACES])}{more}"


class _Cells:
    """The cells of a source file, converted one of our columns at a time; collects findings."""

    def __init__(self, source: Source, mapping: Mapping[str, Any]):
        self.name, self.rows, self.theirs, self.dialect = source
        self.mapping = mapping
        self.findings: list[Finding] = []

    def add(self, key: str, cause: str, places: Iterable[str] = ()) -> None:
        """Note something that the mapping does not cover."""
        named = tuple(places)
        rows = len(named) or len(self.rows)
        self.findings.append(Finding(key, cause, self.name, rows, named))

    def column(self, theirs: str, key: str) -> pd.Series | None:
        """Their column of a name, or none and a finding that suggests another one."""
        if theirs in self.theirs:
            return self.theirs[theirs]
        self.add(key, f"no column {theirs!r}; {suggestion(theirs, self.theirs)}")
        return None

    def translate(
        self, theirs: str, key: str, how: Callable[[str], str | None], expected: str
    ) -> pd.Series:
        """Map every distinct cell of a column; those that map to None are one finding."""
        cells = self.column(theirs, key)
        if cells is None:
            return pd.Series("", index=self.theirs.index)
        translated = cells.map({cell: how(cell) for cell in cells.unique()})
        unknown = np.flatnonzero(translated.isna())
        if unknown.size:
            places = [f"row {self.rows[n]} ({cells.iloc[n]!r})" for n in unknown]
            self.add(key, f"column {theirs}; expected {expected}", places)
        return translated.fillna("")

    def number(
        self, theirs: str, key: str, convert: Callable[[float], float], empty: Iterable[str] = ()
    ) -> pd.Series:
        """Their numbers in our unit, as text; cells of `empty` become empty."""
        decimal, blank = self.dialect.decimal, set(empty)

        def converted(cell: str) -> str | None:
            if cell in blank:
                return ""
            try:
                value = float(cell.replace(decimal, ".") if decimal != "." else cell)
            except ValueError:
                return None
            if not np.isfinite(value) or "_" in cell:
                return None
            return f"{convert(value):.10g}"

        expected = "a number"
        if decimal == "." and theirs in self.theirs and _with_comma(self.theirs[theirs]):
            expected += ' (with a decimal comma: write `decimal: ","` in the mapping)'
        return self.translate(theirs, key, converted, expected)

    def code(self, theirs: str, key: str, codes: Mapping[str, Any]) -> pd.Series:
        """Their codes as ours."""
        known = {code.lower(): ours for ours, own in codes.items() for code in codes_of(own)}
        expected = f"one of {', '.join(map(repr, known))}"
        return self.translate(theirs, key, lambda cell: known.get(cell.lower()), expected)

    def from_name(self, what: str) -> str | None:
        """Return subject or session from the file's name; None if it does not contain it."""
        pattern = self.mapping.get("file_names")
        found = matched(pattern, self.name) if pattern else bids_name(self.name)
        own = found.groupdict().get(what) if found else None
        return (own.lstrip("0") or own) if own and what == "session" else own

    def checked(self, columns: Mapping[str, Any]) -> pd.DataFrame:
        """The mapped columns as a table, if every cell could be mapped."""
        if self.findings:
            raise ConversionError(self.findings)
        return pd.DataFrame(columns)


def _with_comma(cells: pd.Series) -> bool:
    return any(re.fullmatch(r"[+-]?\d+,\d+", cell) for cell in cells)


def matched(pattern: str, name: str) -> re.Match[str] | None:
    """Match a file's name with a pattern such as ``{subject}_day{session}_*``."""
    parts = re.split(r"(\{subject\}|\{session\}|\*)", pattern)
    meaning = {"{subject}": "(?P<subject>.+?)", "{session}": r"(?P<session>\d+)", "*": ".*"}
    regular = "".join(meaning.get(part, re.escape(part)) for part in parts)
    try:
        return re.fullmatch(regular, unicodedata.normalize("NFC", Path(name).stem))
    except re.error:
        return None


def convert_log(source: Source, mapping: Mapping[str, Any]) -> pd.DataFrame:
    """Map one file of another laboratory to a tidy log, still as text.

    Parameters
    ----------
    source : Source
    mapping : mapping
        From :func:`fuzzybounds.intake.mapping.read_mapping`.

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
    columns, given = mapping["columns"], mapping.get("units", {})
    log: dict[str, Any] = {"file": source.file, "row": source.rows}
    for ours in (column.name for column in COLUMNS):
        theirs, key = columns.get(ours), f"columns.{ours}"
        if ours == "correct":
            log[ours] = _outcomes(cells)
        elif theirs is None and ours in ("subject", "session"):
            if (own := cells.from_name(ours)) is not None:
                log[ours] = own
            elif ours == "subject":
                pattern = mapping.get("file_names")
                cells.add(
                    "file_names" if pattern else key,
                    f"expected a file named like {pattern!r}"
                    if pattern
                    else "missing; expected the column with the participant, or `file_names`, such "
                    'as "{subject}_*", where the files are named by it',
                )
        elif theirs is None:
            continue
        elif ours == "condition":
            log[ours] = cells.code(theirs, "conditions", _conditions(mapping))
        elif ours in ("rt", "total"):
            blank = {"", *codes_of(mapping.get("no_response", []))} if ours == "rt" else ()
            log[ours] = cells.number(theirs, key, _seconds(given.get(ours, "s")), blank)
        elif ours == "position":
            log[ours] = cells.number(theirs, key, position_unit(given.get(ours, "px")).to_px)
        elif ours == "reward":
            log[ours] = cells.number(theirs, key, float)
        else:
            own = cells.column(theirs, key)
            log[ours] = "" if own is None else own
    return cells.checked(log)


def _seconds(unit: str) -> Callable[[float], float]:
    return lambda value: value * units.TIME_UNITS[unit]


def _conditions(mapping: Mapping[str, Any]) -> Mapping[str, Any]:
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
    none = {"none": ["", *codes_of(cells.mapping.get("no_response", []))]}
    given = cells.code(how["given"], "responses", {**none, **sides})
    expected = cells.code(how["expected"], "responses", sides)
    return (given == expected).map({True: "1", False: "0"})


def convert_paths(source: Source, mapping: Mapping[str, Any]) -> pd.DataFrame:
    """Map a file of recorded paths to :data:`fuzzybounds.intake.recordings.COLUMNS`."""
    cells = _Cells(source, mapping)
    columns = mapping["paths"].get("columns", {})
    given = mapping["paths"].get("units", {})
    scales: dict[str, Callable[[float], float]] = {
        "time": _seconds(given.get("time", "s")),
        "position": position_unit(given.get("position", "px")).to_px,
    }
    paths: dict[str, Any] = {}
    for ours in recordings.COLUMNS:
        theirs, key = columns.get(ours, ours), f"paths.columns.{ours}"
        if ours in scales:
            paths[ours] = cells.number(theirs, key, scales[ours])
        else:
            own = cells.column(theirs, key)
            paths[ours] = "" if own is None else own
    return cells.checked(paths)
