"""Logs of other laboratories: mapped to ours by a small document, all of their files or none.

The mapping file (``mapping.schema.yaml``) says which of their columns is which of ours, what the
units are, and what conditions and outcomes are called.  A cell that it does not cover is refused
when the result is checked.
"""

from __future__ import annotations

import contextlib
import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.core.documents import check, read_yaml
from fuzzybounds.core.errors import InputError, counted, listed
from fuzzybounds.core.suggestions import suggestion
from fuzzybounds.core.tables import replacing
from fuzzybounds.logs import reading, recordings, sources, validation
from fuzzybounds.logs.columns import NAMES, PATH_COLUMNS
from fuzzybounds.logs.files import bids_name, is_table, log_files, refuse_names
from fuzzybounds.logs.problems import read_all
from fuzzybounds.logs.sources import Source
from fuzzybounds.logs.units import NORMALISED, PX, TIME_UNITS, Unit

DEFAULT_CONDITIONS = {"easy": ["easy", "1"], "hard": ["hard", "2"]}
DEFAULT_OUTCOMES = {"correct": ["1"], "incorrect": ["0"]}
UNITS = {"px": PX, "normalised": NORMALISED}
UNITS |= {name: Unit(name, seconds) for name, seconds in TIME_UNITS.items()}
OUR_UNITS = {"rt": "s", "total": "s", "time": "s", "reward": "px", "position": "px"}
UNMAPPED = " (not in the mapping)"
"""Marks a code that the mapping does not name, so that validation refuses it."""
MOST_STARS = 3
SCHEMA = read_yaml(Path(__file__).with_name("mapping.schema.yaml"))
for section, names in ((SCHEMA, NAMES), (SCHEMA["properties"]["paths"], PATH_COLUMNS)):
    known = {name: {"$ref": "#/$defs/name"} for name in names}
    section["properties"]["columns"]["properties"] = known


def _codes(given: Any) -> list[str]:
    """Return codes as a list of text: one code may be given alone, and numbers as numbers."""
    return [str(code).strip() for code in (given if isinstance(given, list) else [given])]


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
    if (stars := mapping.get("file_names", "").count("*")) > MOST_STARS:
        # Each multiplies how many ways there are to match a name.
        problems.append(f"file_names: {stars} times *; expected it at most {MOST_STARS} times")
    sides = {side: mapping.get("responses", {}).get(side, []) for side in ("left", "right")}
    for group in (mapping.get("conditions", {}), mapping.get("outcomes", {}), sides):
        codes = [code.lower() for kind in group.values() for code in _codes(kind)]
        for code in sorted({code for code in codes if codes.count(code) > 1}):
            problems.append(f"{', '.join(group)}: {code!r} appears more than once")
    if problems:
        raise InputError(f"{path}: {counted(problems)}", problems)
    return mapping


def read_source(path: str | Path, mapping: Mapping[str, Any]) -> Source:
    """Read a file of another laboratory; what the mapping does not state is detected.

    A file in our columns is read as it is.
    """
    options = ("delimiter", "decimal", "encoding", "sheet")
    stated = {name: mapping[name] for name in options if name in mapping}
    with contextlib.suppress(InputError):
        plain = sources.read_source(path)
        if not stated or (is_ours(plain) and not is_mapped(plain, mapping)):
            return plain
    return sources.read_source(path, **stated)


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


def convert(source: Source, mapping: Mapping[str, Any], paths: bool = False) -> pd.DataFrame:
    """Map a log of another laboratory, or a file of recorded paths, to ours, still as text.

    A cell that cannot be mapped is left such that validation names it.
    """
    section = mapping["paths"] if paths else mapping
    ours = {name: name for name in PATH_COLUMNS} if paths else {}
    columns = ours | section.get("columns", {})
    how = {} if paths else mapping.get("responses", {})
    sought = {f"columns.{ours}": theirs for ours, theirs in columns.items()}
    sought |= {f"responses.{name}": how[name] for name in ("given", "expected") if how}
    problems = [
        f"{key}: no column {theirs!r}; {suggestion(theirs, source.cells)}"
        for key, theirs in sought.items()
        if theirs not in source.cells
    ]
    if not paths and "subject" not in columns and not _from_name(source.file, mapping):
        problems.append(
            "columns.subject: missing; expected the column with the participant, or `file_names`, "
            'such as "{subject}_*", where the files are named by it'
        )
    if problems and not paths and is_ours(source):
        # A mapping is for files with the columns that it names.
        return pd.DataFrame({"file": source.file, "row": source.rows}).join(source.cells)
    if problems:
        apart = "keep files of another layout, and their mapping, in another folder"
        raise InputError(f"{source.file}: not as the mapping says", [*problems, apart])
    table = pd.DataFrame({ours: source.cells[theirs] for ours, theirs in columns.items()})
    silent = ["", *_codes(mapping.get("no_response", []))]
    if "rt" in table:
        table["rt"] = table["rt"].mask(table["rt"].isin(silent), "")
    for name, unit in (OUR_UNITS | section.get("units", {})).items():
        if name in table:
            table[name] = _converted(table[name], unit)
    if not paths:
        table = table.assign(**{**_from_name(source.file, mapping), **table})
        conditions = mapping.get("conditions", DEFAULT_CONDITIONS)
        table["condition"] = _coded(table["condition"], conditions)
        if how:
            sides = {side: how[side] for side in ("left", "right")}
            given = _coded(source.cells[how["given"]], {"none": silent, **sides})
            expected = _coded(source.cells[how["expected"]], sides)
            table["correct"] = (given == expected).map({True: "1", False: "0"})
            for answers in (given, expected):
                table["correct"] = table["correct"].mask(answers.str.endswith(UNMAPPED), answers)
        else:
            outcomes = mapping.get("outcomes", DEFAULT_OUTCOMES)
            coded = _coded(table["correct"], outcomes)
            table["correct"] = coded.replace({"correct": "1", "incorrect": "0"})
    places = pd.DataFrame({"file": source.file, "row": source.rows})
    return places.join(table[[name for name in (*NAMES, "time") if name in table]])


def is_ours(source: Source) -> bool:
    """Whether the columns of a file are named as ours."""
    return not reading.header_problems(list(source.cells), 1)


def is_mapped(source: Source, mapping: Mapping[str, Any]) -> bool:
    """Whether a file has all columns that a mapping names."""
    return "columns" in mapping and set(mapping["columns"].values()) <= set(source.cells)


def _coded(cells: pd.Series, codes: Mapping[str, Any]) -> pd.Series:
    """Their codes as ours, whatever their case; others are marked, so that they are refused."""
    known = {code.lower(): ours for ours, kind in codes.items() for code in _codes(kind)}
    return cells.str.lower().map(known).fillna(cells + UNMAPPED)


def _converted(cells: pd.Series, unit: Any) -> pd.Series:
    """Their numbers in our unit, as text; what is no number stays as it is."""
    theirs = UNITS[unit] if isinstance(unit, str) else Unit("", **unit)
    numbers = pd.to_numeric(cells, errors="coerce").astype(float)
    known = np.isfinite(numbers)
    return cells.mask(known, theirs.to_px(numbers[known]).map("{:.10g}".format))


def _from_name(file: str, mapping: Mapping[str, Any]) -> dict[str, str]:
    """Return subject and session from a file's name, such as ``{subject}_day{session}_*``."""
    match = bids_name(file)
    if pattern := mapping.get("file_names"):
        meaning = {"{subject}": "(?P<subject>.+?)", "{session}": r"(?P<session>\d+)", "*": ".*"}
        parts = re.split(r"(\{subject\}|\{session\}|\*)", pattern)
        regular = "".join(meaning.get(part, re.escape(part)) for part in parts)
        with contextlib.suppress(re.error):
            match = re.fullmatch(regular, unicodedata.normalize("NFC", Path(file).stem))
    named = {name: value for name, value in (match.groupdict() if match else {}).items() if value}
    if "session" in named:
        named["session"] = named["session"].lstrip("0") or named["session"]
    return named


class Target(NamedTuple):
    """One file to be imported: where it comes from, what it will contain, and how many rows."""

    source: Path
    content: bytes
    rows: str


class Plan(NamedTuple):
    """What an import would write, by path, and what the folder would then hold."""

    targets: dict[Path, Target]
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
    files = [file for file in log_files(source) if file not in of_paths]
    read = read_all(files, lambda file: read_source(file, mapping))
    logs = read_all(files, lambda file: convert(read[files.index(file)], mapping))
    paths = read_all(of_paths, lambda file: convert(read_source(file, mapping), mapping, True))
    targets = _targets(files, to, logs, "trial")
    there = sorted(to.iterdir()) if to.is_dir() else []
    present = [file for file in there if is_table(file) and file not in targets]
    whole = [reading.read_logs(present, as_numbered=True).raw] if present else []
    raw = pd.concat([*whole, *logs], ignore_index=True).fillna("")
    notes = [*sources.reading_notes(read), *reading.count_on(raw)]
    checked = validation.validate(raw, actions)
    seen = [recordings.typed(table) for table in paths] or [recordings.read([])]
    recorded = recordings.validate(
        pd.concat(seen, ignore_index=True), checked.trials, checked.exclusions
    )
    targets |= _targets(of_paths, to / "paths", paths, "frame")
    return Plan(targets, checked, recorded, notes)


def _targets(
    files: Sequence[Path], to: Path, tables: Sequence[pd.DataFrame], what: str
) -> dict[Path, Target]:
    refuse_names(file.name for file in files)
    targets: dict[Path, Target] = {}
    for file, table in zip(files, tables, strict=True):
        path = to / f"{file.stem}.csv"
        if path in targets:
            problem = f"{path.name}: {targets[path].source.name}, {file.name}"
            raise InputError("two files would get the same name", [problem])
        text = table.drop(columns=["file", "row"]).to_csv(index=False, lineterminator="\n")
        targets[path] = Target(file, text.encode(), counted(table, what))
    return targets


def write_targets(targets: Mapping[Path, Target], replace: bool = False) -> list[str]:
    """Write all files that are new or changed, or none; say what happened to every file."""
    before = {path: path.read_bytes() for path in targets if path.exists()}
    same = [path for path, content in before.items() if content == targets[path].content]
    changed = [
        f"{path} already exists, and {targets[path].source} would change its content"
        for path in before
        if path not in same
    ]
    if changed and not replace:
        raise InputError(
            "nothing was written", [*changed, "add --replace to replace it, or move it"]
        )
    lines = []
    with contextlib.ExitStack() as stack:
        for path, target in targets.items():
            if path not in same:
                stack.enter_context(replacing(path)).write_bytes(target.content)
                state = "replaces the previous version" if path in before else "new"
                lines.append(f"{target.source} -> {path}: {target.rows}, {state}")
    if same:
        names = listed(path.name for path in same)
        lines.append(f"{names}: unchanged since the last import, skipped")
    return lines
