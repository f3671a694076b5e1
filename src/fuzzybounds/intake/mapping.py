"""Logs of other laboratories: their columns, units and names, mapped to ours by a small document.

The mapping file (:data:`SCHEMA` documents it) says which of their columns is which of ours, what
the units are, and what conditions and outcomes are called; :mod:`fuzzybounds.intake.conversion`
applies it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from fuzzybounds.canoe.task import CONDITIONS
from fuzzybounds.intake import recordings, units
from fuzzybounds.intake.logs import COLUMNS
from fuzzybounds.intake.sources import DELIMITERS, ENCODINGS, Source
from fuzzybounds.intake.sources import read_source as read_any
from fuzzybounds.storage.errors import InputError, counted
from fuzzybounds.storage.schemas import check, read_yaml

MOST_STARS = 3
"""Number of * in a pattern of file names: each multiplies the time to try a name."""
POSITION_UNITS = {"px": units.PX, "normalised": units.NORMALISED}

_NAME = {"type": "string", "minLength": 1}
_CODE = {"type": ["string", "integer"]}
_CODES = {"anyOf": [_CODE, {"type": "array", "items": _CODE}]}
_TIME = {"enum": list(units.TIME_UNITS)}


def _object(properties: Mapping[str, Any], required: Iterable[str] = ()) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(required),
        "properties": dict(properties),
    }


_SCALE = {"type": "number", "not": {"const": 0}}
_POSITION = {
    "anyOf": [
        {"enum": list(POSITION_UNITS)},
        _object({"scale": _SCALE, "centre": {"type": "number"}}, ["scale"]),
    ]
}
_OURS = {column.name: _NAME for column in COLUMNS}
SCHEMA = _object(
    {
        "delimiter": {"enum": list(DELIMITERS)},
        "decimal": {"enum": [".", ","]},
        "encoding": {"enum": list(ENCODINGS)},
        "sheet": _NAME,
        "file_names": {"type": "string", "pattern": r"\{subject\}"},
        "columns": _object(_OURS, ["block", "rt", "condition", "position"]),
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


def codes_of(own: Any) -> list[str]:
    """Return codes as a list of text: one code may be given alone, and numbers as numbers."""
    return [str(code).strip() for code in (own if isinstance(own, list) else [own])]


def position_unit(option: str | Mapping[str, float]) -> units.Unit:
    """Return the unit of position that a mapping names or describes."""
    if isinstance(option, str):
        return POSITION_UNITS[option]
    centre = option.get("centre", 0.0)
    return units.Unit("as given", dict(option), option["scale"], centre)


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
    groups = [mapping.get(name, {}) for name in ("conditions", "outcomes")]
    responses = mapping.get("responses", {})
    groups.append({side: responses[side] for side in ("left", "right") if side in responses})
    for group in groups:
        codes = [code.lower() for own in group.values() for code in codes_of(own)]
        for code in sorted({code for code in codes if codes.count(code) > 1}):
            problems.append(f"{', '.join(group)}: {code!r} appears more than once")
    if (stars := mapping.get("file_names", "").count("*")) > MOST_STARS:
        problems.append(f"file_names: {stars} *; expected at most {MOST_STARS}")
    pattern = mapping.get("paths", {}).get("files", "")
    if PurePosixPath(pattern).is_absolute() or ".." in PurePosixPath(pattern).parts:
        problems.append(f"paths.files: {pattern!r}; expected a pattern below the source's folder")
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
        raise InputError(
            f"paths.files: {pattern!r}",
            [f"{file} leads outside {folder}" for file in outside]
            or [f"no such file below {folder}"],
        )
    return files
