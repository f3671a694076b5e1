"""Import files of another laboratory into a folder of logs: all of them, or none."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from fuzzybounds.intake import conversion, logs, mapping, recordings, sources, validation
from fuzzybounds.intake.causes import read_all
from fuzzybounds.intake.files import is_table, log_files, refuse_names
from fuzzybounds.intake.sessions import count_on
from fuzzybounds.storage.errors import InputError, counted, listed
from fuzzybounds.storage.tables import replacing

NEW, SAME, CHANGED = "new", "same", "changed"


class Target(NamedTuple):
    """One file to be imported: source, target, its content, and the target's present content."""

    source: Path
    path: Path
    table: pd.DataFrame
    state: str

    @property
    def rows(self) -> int:
        """How many rows it has."""
        return len(self.table)


class Plan(NamedTuple):
    """What an import would write, and what the folder would then hold."""

    logs: list[Target]
    paths: list[Target]
    checked: validation.Validated
    recorded: pd.DataFrame
    notes: list[str]

    @property
    def targets(self) -> list[Target]:
        """Logs and paths."""
        return [*self.logs, *self.paths]


def plan_import(
    source: Path, rules: Mapping[str, Any], to: Path, actions: Mapping[str, str] | None = None
) -> Plan:
    """Convert files, and check the result together with what the folder already holds.

    Parameters
    ----------
    source : Path
        A file, or a folder of them.
    rules : mapping
        From :func:`fuzzybounds.intake.mapping.read_mapping`.
    to : Path
        The folder that they are imported into.
    actions : mapping, optional
        What to do about each check.

    Raises
    ------
    InputError
        With the problems of all files.
    """
    folder = source if source.is_dir() else source.parent
    path_files = mapping.path_files(folder, rules)
    files = log_files(source) if source.is_dir() else [source]
    files = [file for file in files if file not in path_files]
    everything = read_all([*files, *path_files], lambda file: mapping.read_source(file, rules))
    read, read_paths = everything[: len(files)], everything[len(files) :]
    converted = _convert_all(read, rules, conversion.convert_log)
    paths = _convert_all(read_paths, rules, conversion.convert_paths)
    log_targets = _targets(files, to, [log.drop(columns=["file", "row"]) for log in converted])
    path_targets = _targets(path_files, to / "paths", paths)
    ours = {target.path for target in log_targets}
    present = [file for file in _tables_in(to) if file not in ours]
    whole = [logs.read_logs(present, as_numbered=True).raw] if present else []
    raw = pd.concat([*whole, *converted], ignore_index=True).fillna("")
    notes = [*_notes(read), *count_on(raw)]
    checked = validation.validate(raw, actions)
    frames = [recordings.typed(own, file.name) for own, file in zip(paths, path_files, strict=True)]
    seen = pd.concat(frames, ignore_index=True) if frames else recordings.read([])
    recorded = recordings.validate(seen, checked.trials, checked.exclusions)
    return Plan(log_targets, path_targets, checked, recorded, notes)


def refuse_changes(plan: Plan) -> None:
    """Raise an error if a file would be overwritten with different content."""
    changed = [target for target in plan.targets if target.state == CHANGED]
    if changed:
        raise InputError(
            "nothing was written",
            [
                *(
                    f"{own.path} already exists, and {own.source} would change its content"
                    for own in changed
                ),
                "add --replace to replace it, or move it",
            ],
        )


def write_plan(plan: Plan) -> None:
    """Write all files that are new or changed, or none."""
    with contextlib.ExitStack() as stack:
        for own in plan.targets:
            if own.state != SAME:
                temporary = stack.enter_context(replacing(own.path))
                temporary.write_text(_as_csv(own.table), encoding="utf-8")


def _tables_in(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return [path for path in sorted(folder.iterdir()) if is_table(path)]


def _convert_all(
    read: Sequence[sources.Source], rules: Mapping[str, Any], convert: Callable
) -> list[pd.DataFrame]:
    """Convert every file; the findings of all of them are one error."""
    tables, findings = [], []
    for source in read:
        try:
            tables.append(convert(source, rules))
        except conversion.ConversionError as error:
            findings += error.findings
    if findings:
        raise conversion.ConversionError(findings, len(read))
    return tables


def _targets(files: Sequence[Path], to: Path, tables: Iterable[pd.DataFrame]) -> list[Target]:
    refuse_names(files)
    names = [f"{file.stem}.csv" for file in files]
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise InputError(
            "two files would get the same name",
            [
                f"{name}: {listed(file.name for file in files if f'{file.stem}.csv' == name)}"
                for name in repeated
            ],
        )
    pairs = zip(files, names, tables, strict=True)
    return [Target(file, to / name, table, _state(to / name, table)) for file, name, table in pairs]


def _state(path: Path, table: pd.DataFrame) -> str:
    if not path.exists():
        return NEW
    try:
        return SAME if path.read_text(encoding="utf-8") == _as_csv(table) else CHANGED
    except UnicodeDecodeError:
        return CHANGED


def _as_csv(table: pd.DataFrame) -> str:
    return table.to_csv(index=False, lineterminator="\n")


def _notes(read: Sequence[sources.Source]) -> list[str]:
    """How files were read, where they are not plain CSV."""
    by_dialect: dict[str, list[str]] = {}
    for source in read:
        if said := source.dialect.describe():
            by_dialect.setdefault(said, []).append(source.file)
    return [f"{listed(names)}: {said}" for said, names in by_dialect.items()]


def describe(plan: Plan) -> list[str]:
    """Describe what happens to every file."""
    lines = [*plan.notes]
    for unit, targets in (("trial", plan.logs), ("frame", plan.paths)):
        for own in targets:
            if own.state != SAME:
                said = "replaces the previous version" if own.state == CHANGED else "new"
                lines.append(f"{own.source} -> {own.path}: {counted(own.rows, unit)}, {said}")
    same = [own.path.name for own in plan.targets if own.state == SAME]
    if same:
        lines.append(f"{listed(same)}: unchanged since the last import, skipped")
    return lines
