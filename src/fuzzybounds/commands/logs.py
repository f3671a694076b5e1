"""``validate``, ``template`` and ``import``: check logs, begin one, map those of another layout."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fuzzybounds.core.errors import InputError, counted
from fuzzybounds.logs.files import log_files, recorded_files, refuse_folder

if TYPE_CHECKING:
    import pandas as pd

    from fuzzybounds.logs.validation import Validated

SHOWN = 40
"""Subjects that a summary lists one by one."""


def _actions(config: Path | None, dataset: str) -> dict[str, str]:
    """Return how a configuration handles irregular rows of a data set."""
    from fuzzybounds.core.documents import read_yaml

    document = read_yaml(config) if config else {}
    try:
        own = (document.get("datasets") or {}).get(dataset) or {}
        return {**document.get("validation", {}), **own.get("validation", {})}
    except (AttributeError, TypeError) as error:
        expected = ["expected keys such as `validation:`"]
        raise InputError(f"{config}: not a configuration", expected) from error


def validate(given: argparse.Namespace) -> int:
    """Check logs and recorded paths; print a summary."""
    from fuzzybounds.logs import study_design
    from fuzzybounds.logs.dataset import check_logs

    files: list[Path] = []
    paths = list(given.paths)
    for path in given.logs:
        if path.is_dir():
            refuse_folder(path)
        paths += recorded_files(path)
        files += log_files(path)
    checked, recorded, found = check_logs(files, paths, _actions(given.config, given.logs[0].name))
    notes = [note for path in given.logs if path.is_dir() for note in study_design.notes(path)]
    for line in found:
        print(line)
    print(summary(checked, recorded))
    if notes:
        print("\nHow these data were recorded:", *(f"  - {note}" for note in notes), sep="\n")
    return 0


def summary(checked: Validated, recorded: pd.DataFrame) -> str:
    """Summarise validated logs and recorded paths as text."""
    from fuzzybounds.logs.dataset import remarks

    trials = checked.trials
    table = _by_subject(trials, recorded)
    lines = [f"{counted(trials, 'trial')} of {counted(table, 'subject')} can be used.", ""]
    lines += table.head(SHOWN).to_string().splitlines()
    if len(table) > SHOWN:
        lines.append(f"... and {counted(len(table) - SHOWN, 'more subject')}")
    found = checked.counts[checked.counts["rows"] > 0]
    if len(found):
        lines += ["", "Irregular rows and how they are handled (`validation` in config.yaml):"]
        lines += [
            f"  - {row.check}: {counted(row.rows, 'row')}, {row.action} (expected {row.expected})"
            for row in found.itertuples()
        ]
    left_out = checked.exclusions["scope"].value_counts()
    lines += [
        f"  - left out of {'everything' if scope == 'trials' else 'what needs a path'}: "
        f"{counted(int(n), 'row')}"
        for scope, n in left_out.items()
    ]
    if said := remarks(trials):
        lines += ["", "Limitations of these data:", *(f"  - {remark}" for remark in said)]
    return "\n".join(lines)


def _by_subject(trials: pd.DataFrame, recorded: pd.DataFrame) -> pd.DataFrame:
    """Count trials, errors and the like, one row per subject."""
    import pandas as pd

    by = trials.assign(
        easy=trials["condition"] == "easy",
        hard=trials["condition"] == "hard",
        missed=~trials["responded"],
        errors=trials["responded"] & ~trials["correct"],
    ).groupby("subject", sort=False)
    counts = by[["easy", "hard", "errors", "missed"]].sum()
    paths = recorded.groupby("subject")["trial"].nunique().reindex(counts.index).fillna(0)
    return pd.DataFrame(
        {
            "sessions": by["session"].nunique(),
            "blocks": by["block"].nunique(),
            "trials": by.size(),
            **counts,
            "paths": paths.astype(int),
        }
    )


def template(given: argparse.Namespace) -> int:
    """Write the header of a log, or of a file of paths, and explain its columns."""
    from fuzzybounds.core.tables import replacing
    from fuzzybounds.logs import columns as names
    from fuzzybounds.logs import recordings

    columns = recordings.COLUMNS
    if not given.paths:
        columns = {
            own.name: f"{'' if own.required else '(optional) '}{own.meaning}"
            f"{f' ({own.unit})' if own.unit else ''}"
            for own in names.COLUMNS
        }
    header = ",".join(columns) + "\n"
    dictionary = "\n".join(f"{name:10s} {meaning}" for name, meaning in columns.items())
    if given.file is None:
        print(header, end="")
        print(dictionary, file=sys.stderr)
        return 0
    if given.file.exists():
        raise InputError(f"{given.file} already exists", ["move it, or choose another name"])
    with replacing(given.file) as temporary:
        temporary.write_text(header, encoding="utf-8")
    print(f"{given.file}: a header; add one row per {'frame' if given.paths else 'trial'}\n")
    print(dictionary)
    return 0


def import_logs(given: argparse.Namespace) -> int:
    """Map logs of another layout, check the result with existing logs, and only then write it."""
    if given.mapping is None:
        return 1 if propose(given.source, given.to)[1] else 0
    from fuzzybounds.logs.importing import read_mapping

    if given.to is None:
        raise InputError("no folder to import into", ["add --to FOLDER, such as data/raw/my_lab"])
    rules = read_mapping(given.mapping)
    write(given.source, rules, given.to, given.replace, _actions(given.config, given.to.name))
    return 0


def write(
    source: Path,
    rules: Mapping[str, Any],
    to: Path,
    replace: bool = False,
    actions: Mapping[str, str] | None = None,
) -> None:
    """Import files by a mapping, and say what the folder then holds."""
    from fuzzybounds.logs import importing

    refuse_folder(to)
    plan = importing.plan_import(source, rules, to, actions)
    print(*plan.notes, *importing.write_targets(plan.targets, replace), sep="\n")
    print(f"\n{to} now holds:\n{summary(plan.checked, plan.recorded)}")


def propose(source: Path, to: Path | None, then: str = "") -> tuple[Path, list[str]]:
    """Propose a mapping, report what it gives, and ask the user to check it.

    `then` is the command that uses it.  Return the file, and what is still to be done in it.
    """
    from fuzzybounds.core.tables import replacing
    from fuzzybounds.logs import importing, problems, proposal, sources

    folder = source if source.is_dir() else source.parent
    target = folder / "mapping.yaml"
    if target.exists():
        raise InputError(
            f"{target} already exists",
            [f"add --mapping {target} to use it, or move it to get a new proposal"],
        )
    read = problems.read_all(log_files(source), sources.read_source)
    text, unclear = proposal.propose(read)
    if source.is_dir():
        text += proposal.propose_paths(folder)
    with replacing(target) as temporary:
        temporary.write_text(text, encoding="utf-8")
    for file in read:
        print(f"{file.file}: {counted(file.rows, 'row')}{f', {file.said}' if file.said else ''}")
    print(f"\n{target}: a proposed mapping\n\n{text}")
    missing = unclear
    if not missing:
        try:
            rules = importing.read_mapping(target)
            plan = importing.plan_import(source, rules, to or folder / "nowhere")
        except InputError as error:
            missing = str(error).splitlines()
        else:
            trials = plan.checked.trials
            said = f"{counted(trials, 'trial')} of {counted(trials['subject'].unique(), 'subject')}"
            print(f"With this mapping {said} can be used.")
    if missing:
        print("Still to be done:")
        print("\n".join(f"  - {problem}" for problem in missing))
    then = then or (
        f"fuzzybounds import {source} --mapping {target} --to {to or 'data/raw/my_lab'}"
    )
    print(f"Check every line of {target}, then run\n  {then}")
    return target, missing
