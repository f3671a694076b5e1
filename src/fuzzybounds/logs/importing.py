"""Logs of other laboratories: mapped to ours by a small document, all of their files or none.

The mapping file (``mapping.schema.yaml``) says which of their columns is which of ours, what the
units are, and what conditions and outcomes are called.  A cell that it does not cover is an error.
"""

from __future__ import annotations

import contextlib
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.core.documents import check, read_yaml
from fuzzybounds.core.errors import InputError, counted, listed, suggestion
from fuzzybounds.core.tables import replacing
from fuzzybounds.logs import reading, recordings, sources, validation
from fuzzybounds.logs.columns import NAMES, PATH_COLUMNS
from fuzzybounds.logs.files import bids_name, is_table, log_files, refuse_names
from fuzzybounds.logs.problems import Cause, read_all, refuse
from fuzzybounds.logs.sources import Source
from fuzzybounds.logs.units import NORMALISED, PX, TIME_UNITS, Unit

DEFAULT_CONDITIONS = {"easy": ["easy", "1"], "hard": ["hard", "2"]}
DEFAULT_OUTCOMES = {"correct": ["1"], "incorrect": ["0"]}
MOST_STARS = 3
"""Number of * in a pattern of file names: each multiplies the time to try a name."""
UNITS = {"px": PX, "normalised": NORMALISED}
UNITS |= {name: Unit(name, seconds) for name, seconds in TIME_UNITS.items()}
SCHEMA = read_yaml(Path(__file__).with_name("mapping.schema.yaml"))
NEW, SAME, CHANGED = "new", "unchanged", "replaces the previous version"


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
    return sources.read_source(path, **{own: mapping[own] for own in options if own in mapping})


def path_files(folder: Path, mapping: Mapping[str, Any]) -> list[Path]:
    """Return the files of recorded paths that a mapping names, all of them below a folder."""
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


def convert(
    read: Iterable[Source], mapping: Mapping[str, Any], paths: bool = False
) -> list[pd.DataFrame]:
    """Map logs of another laboratory, or recorded paths, to ours, still as text.

    An :class:`InputError` names every cell of every file that cannot be mapped.
    """
    causes: list[Cause] = []
    tables = [_Cells(source, mapping, causes).table(paths) for source in read]
    refuse(causes, "with the mapping")
    return tables


class _Cells:
    """The cells of a source file, converted one of our columns at a time; collects causes."""

    def __init__(self, source: Source, mapping: Mapping[str, Any], causes: list[Cause]):
        self.file, self.theirs = source.file, source.cells
        self.mapping, self.causes = mapping, causes
        self.places = pd.DataFrame({"file": source.file, "row": source.rows, "value": ""})
        self.silent = ["", *_codes(mapping.get("no_response", []))]

    def table(self, paths: bool) -> pd.DataFrame:
        """Return our columns, with the file and row of each line."""
        section = self.mapping["paths"] if paths else self.mapping
        units, columns = section.get("units", {}), section.get("columns", {})
        if paths:
            columns = {name: name for name in PATH_COLUMNS} | columns
        table: dict[str, Any] = {}
        for ours in PATH_COLUMNS if paths else NAMES:
            theirs, key = columns.get(ours), f"{'paths.' if paths else ''}columns.{ours}"
            if ours == "correct":
                table[ours] = self.outcomes()
            elif theirs is None:
                if ours in ("subject", "session") and (own := self.from_name(ours)):
                    table[ours] = own
            elif ours == "condition":
                codes = self.mapping.get("conditions", DEFAULT_CONDITIONS)
                table[ours] = self.code(theirs, "conditions", codes)
            elif ours in ("rt", "total", "time", "position", "reward"):
                unit = units.get(ours, "px" if ours in ("position", "reward") else "s")
                table[ours] = self.number(theirs, key, unit, self.silent if ours == "rt" else ())
            else:
                table[ours] = self.column(theirs, key)
        return self.places.drop(columns="value").assign(**table)

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

    def number(self, theirs: str, key: str, unit: Any, empty: Iterable[str]) -> pd.Series:
        """Their numbers in our unit, as text; cells of `empty` become empty."""
        own = UNITS[unit] if isinstance(unit, str) else Unit("", **unit)

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

    def from_name(self, what: str) -> str | None:
        """Return subject or session from the file's name; None if it does not contain it."""
        pattern = self.mapping.get("file_names")
        found = _matched(pattern, self.file) if pattern else bids_name(self.file)
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
        given = self.code(how["given"], "responses", {"none": self.silent, **sides})
        right = given == self.code(how["expected"], "responses", sides)
        return right.map({True: "1", False: "0"})


def _matched(pattern: str, name: str) -> re.Match[str] | None:
    """Match a file's name with a pattern such as ``{subject}_day{session}_*``."""
    parts = re.split(r"(\{subject\}|\{session\}|\*)", pattern)
    meaning = {"{subject}": "(?P<subject>.+?)", "{session}": r"(?P<session>\d+)", "*": ".*"}
    regular = "".join(meaning.get(part, re.escape(part)) for part in parts)
    try:
        return re.fullmatch(regular, unicodedata.normalize("NFC", Path(name).stem))
    except re.error:
        return None


class Target(NamedTuple):
    """One file to be imported: source, target, its content and what it does to the target."""

    source: Path
    path: Path
    text: str
    rows: str
    state: str


class Plan(NamedTuple):
    """What an import would write, and what the folder would then hold."""

    targets: list[Target]
    checked: validation.Validated
    recorded: pd.DataFrame
    notes: list[str]


def plan_import(
    source: Path, mapping: Mapping[str, Any], to: Path, actions: Mapping[str, str] | None = None
) -> Plan:
    """Convert a file or a folder by a mapping, and check the result with what `to` already holds.

    The problems of all files are one :class:`InputError`.
    """
    of_paths = path_files(source if source.is_dir() else source.parent, mapping)
    files = log_files(source) if source.is_dir() else [source]
    files = [file for file in files if file not in of_paths]
    read = read_all([*files, *of_paths], lambda file: read_source(file, mapping))
    logs = convert(read[: len(files)], mapping)
    paths = convert(read[len(files) :], mapping, paths=True)
    targets = _targets(files, to, logs, "trial")
    ours = {target.path for target in targets}
    targets += _targets(of_paths, to / "paths", paths, "frame")
    there = sorted(to.iterdir()) if to.is_dir() else []
    present = [file for file in there if is_table(file) and file not in ours]
    whole = [reading.read_logs(present, as_numbered=True).raw] if present else []
    raw = pd.concat([*whole, *logs], ignore_index=True).fillna("")
    notes = [*sources.reading_notes(read[: len(files)]), *reading.count_on(raw)]
    checked = validation.validate(raw, actions)
    seen = [recordings.typed(own) for own in paths] or [recordings.read([])]
    recorded = recordings.validate(
        pd.concat(seen, ignore_index=True), checked.trials, checked.exclusions
    )
    return Plan(targets, checked, recorded, notes)


def _targets(
    files: Sequence[Path], to: Path, tables: Sequence[pd.DataFrame], what: str
) -> list[Target]:
    refuse_names(file.name for file in files)
    found: dict[Path, Target] = {}
    for file, table in zip(files, tables, strict=True):
        path = to / f"{file.stem}.csv"
        if path in found:
            raise InputError(
                "two files would get the same name",
                [f"{path.name}: {found[path].source.name}, {file.name}"],
            )
        text = table.drop(columns=["file", "row"]).to_csv(index=False, lineterminator="\n")
        state = NEW
        if path.exists():
            state = SAME if path.read_bytes() == text.encode() else CHANGED
        found[path] = Target(file, path, text, counted(table, what), state)
    return list(found.values())


def write_plan(plan: Plan, replace: bool = False) -> list[str]:
    """Write all files that are new or changed, or none; say what happened to every file."""
    changed = [
        f"{own.path} already exists, and {own.source} would change its content"
        for own in plan.targets
        if own.state == CHANGED
    ]
    if changed and not replace:
        raise InputError(
            "nothing was written", [*changed, "add --replace to replace it, or move it"]
        )
    lines = list(plan.notes)
    with contextlib.ExitStack() as stack:
        for own in plan.targets:
            if own.state != SAME:
                temporary = stack.enter_context(replacing(own.path))
                temporary.write_text(own.text, encoding="utf-8")
                lines.append(f"{own.source} -> {own.path}: {own.rows}, {own.state}")
    if same := [own.path.name for own in plan.targets if own.state == SAME]:
        lines.append(f"{listed(same)}: unchanged since the last import, skipped")
    return lines
