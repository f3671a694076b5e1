"""Import files of another laboratory into a folder of logs: all of them, or none."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from fuzzybounds.intake import logs, mapping, recordings, validation
from fuzzybounds.intake.files import is_table, log_files, refuse_names
from fuzzybounds.intake.problems import read_all
from fuzzybounds.intake.sources import dialect_notes
from fuzzybounds.storage.errors import InputError, counted, listed
from fuzzybounds.storage.tables import replacing

NEW, SAME, CHANGED = "new", "unchanged", "replaces the previous version"


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
    source: Path, rules: Mapping[str, Any], to: Path, actions: Mapping[str, str] | None = None
) -> Plan:
    """Convert a file or a folder by `rules`, and check the result with what `to` already holds.

    The problems of all files are one :class:`InputError`.
    """
    path_files = mapping.path_files(source if source.is_dir() else source.parent, rules)
    files = log_files(source) if source.is_dir() else [source]
    files = [file for file in files if file not in path_files]
    read = read_all([*files, *path_files], lambda file: mapping.read_source(file, rules))
    converted = mapping.convert(read[: len(files)], rules)
    paths = mapping.convert(read[len(files) :], rules, paths=True)
    targets = _targets(files, to, converted, "trial")
    ours = {target.path for target in targets}
    targets += _targets(path_files, to / "paths", paths, "frame")
    there = sorted(to.iterdir()) if to.is_dir() else []
    present = [file for file in there if is_table(file) and file not in ours]
    whole = [logs.read_logs(present, as_numbered=True).raw] if present else []
    raw = pd.concat([*whole, *converted], ignore_index=True).fillna("")
    notes = [*dialect_notes(read[: len(files)]), *logs.count_on(raw)]
    checked = validation.validate(raw, actions)
    frames = [recordings.typed(own) for own in paths] or [recordings.read([])]
    seen = pd.concat(frames, ignore_index=True)
    recorded = recordings.validate(seen, checked.trials, checked.exclusions)
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


def refuse_changes(plan: Plan) -> None:
    """Raise an error if a file would be overwritten with different content."""
    changed = [
        f"{own.path} already exists, and {own.source} would change its content"
        for own in plan.targets
        if own.state == CHANGED
    ]
    if changed:
        raise InputError(
            "nothing was written", [*changed, "add --replace to replace it, or move it"]
        )


def write_plan(plan: Plan) -> None:
    """Write all files that are new or changed, or none."""
    with contextlib.ExitStack() as stack:
        for own in plan.targets:
            if own.state != SAME:
                temporary = stack.enter_context(replacing(own.path))
                temporary.write_text(own.text, encoding="utf-8")


def describe(plan: Plan) -> list[str]:
    """Describe what happens to every file."""
    lines = [
        f"{own.source} -> {own.path}: {own.rows}, {own.state}"
        for own in plan.targets
        if own.state != SAME
    ]
    same = [own.path.name for own in plan.targets if own.state == SAME]
    skipped = [f"{listed(same)}: unchanged since the last import, skipped"] if same else []
    return [*plan.notes, *lines, *skipped]
