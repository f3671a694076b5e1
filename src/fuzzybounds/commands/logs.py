"""``validate`` and ``import``: check logs, and map those of another layout."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from fuzzybounds.commands import project
from fuzzybounds.core.errors import InputError, counted
from fuzzybounds.core.suggestions import suggestion
from fuzzybounds.logs.files import log_files, recorded_files, refuse_folder, say_unread

if TYPE_CHECKING:
    import pandas as pd

    from fuzzybounds.logs.validation import Validated

SHOWN = 40
"""Subjects that a summary lists one by one."""


def actions_for(dataset: str, config: Path | None = None) -> dict[str, str]:
    """Return how a configuration, by default that of the folder, handles a data set's rows."""
    from fuzzybounds.core.documents import read_yaml

    here = Path("config.yaml")
    config = here if config is None and here.is_file() else config
    document = (read_yaml(config) or {}) if config else {}
    try:
        entry = (document.get("datasets") or {}).get(dataset) or {}
        return {**document.get("validation", {}), **entry.get("validation", {})}
    except (AttributeError, TypeError) as error:
        expected = ["expected keys such as `validation:`"]
        raise InputError(f"{config}: not a configuration", expected) from error


def validate(given: argparse.Namespace) -> int:
    """Check logs and recorded paths; print a summary."""
    from fuzzybounds.logs import study_design
    from fuzzybounds.logs.dataset import check_logs
    from fuzzybounds.logs.retrieval import published

    files, paths, folders = [], list(given.paths), []
    published_log = ""
    for path in map(_place, given.logs):
        if path.parent == project.RAW and path.name in published():
            published_log = published()[path.name]["file"]
            files.append(path / published_log)
            continue
        if path.is_dir():
            refuse_folder(path)
            folders.append(path)
        paths += recorded_files(path)
        files += log_files(path)
    actions = actions_for(given.logs[0].name, given.config)
    checked, recorded, reading = check_logs(files, paths, actions, published=bool(published_log))
    notes = [note for folder in folders for note in study_design.notes(folder)]
    print(*reading, sep="\n", end="\n" * bool(reading))
    for folder in folders:
        say_unread(folder)
    print(summary(checked, recorded))
    if notes:
        print("\nHow these data were recorded:", *(f"  - {note}" for note in notes), sep="\n")
    return 0


def _place(logs: Path) -> Path:
    """Return where logs are: a file, a folder, or the folder of a data set of this name."""
    place = logs if logs.exists() else project.RAW / logs
    if not place.exists():
        known = project.data_sets()
        remedies = {
            "published": f"fuzzybounds fetch {logs} gets it",
            "simulated": f"fuzzybounds run {logs} simulates and checks its logs",
        }
        remedy = remedies.get(known.get(str(logs), ""), suggestion(str(logs), known))
        raise InputError(f"{logs}: no such file, folder or data set with logs here", [remedy])
    return place


def summary(checked: Validated, recorded: pd.DataFrame) -> str:
    """Summarise validated logs and recorded paths as text."""
    from fuzzybounds.logs.dataset import remarks

    trials = checked.trials
    table = _by_subject(trials, recorded)
    lines = [*_usable(checked, recorded), ""]
    lines += table.head(SHOWN).to_string().splitlines()
    if len(table) > SHOWN:
        lines.append(f"... and {counted(len(table) - SHOWN, 'more subject')}")
    irregular = checked.counts[checked.counts["rows"] > 0]
    if len(irregular):
        lines += ["", "Irregular rows and how they are handled (`validation` in config.yaml):"]
        lines += [
            f"  - {row.check}: {counted(row.rows, 'row')}, {row.action} (expected {row.expected})"
            for row in irregular.itertuples()
        ]
    if left_out := int((checked.exclusions["scope"] == "trials").sum()):
        lines.append(f"  - left out of everything: {counted(left_out, 'row')}")
    if limits := remarks(trials):
        lines += ["", "Limitations of these data:", *(f"  - {remark}" for remark in limits)]
    return "\n".join(lines)


def _usable(checked: Validated, recorded: pd.DataFrame) -> list[str]:
    """Count the trials that can be used, and say what analyses lose; in red if it is much."""
    from fuzzybounds.logs.dataset import MOST_LOST, lost_paths

    trials = checked.trials
    subjects = counted(trials["subject"].unique(), "subject")
    lost, losses = lost_paths(checked, recorded)
    red = lost > MOST_LOST and sys.stdout.isatty() and "NO_COLOR" not in os.environ
    losses = [f"\x1b[31m{line}\x1b[0m" if red else line for line in losses]
    return [f"{counted(trials, 'trial')} of {subjects} can be used.", *losses]


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


def import_logs(given: argparse.Namespace) -> int:
    """Map logs of another layout, check the result with existing logs, and only then write it."""
    if given.mapping is None:
        return 1 if propose(given.source, given.to, config=given.config) else 0
    if given.to is None:
        raise InputError("no folder to import into", ["add --to FOLDER, such as data/raw/my_lab"])
    write(given.source, given.mapping, given.to, given.replace, given.config)
    return 0


def write(
    source: Path, mapping: Path, to: Path, replace: bool = False, config: Path | None = None
) -> None:
    """Import files by a mapping, and say what the folder then holds."""
    from fuzzybounds.logs import importing

    refuse_folder(to)
    rules = importing.read_mapping(mapping)
    if source.is_dir():
        say_unread(source, importing.path_files(source, rules))
    try:
        plan = importing.plan_import(source, rules, to, actions_for(to.name, config))
    except InputError as error:
        summary_ = f"with {mapping}, {error.summary}"
        raise InputError(summary_, error.problems, error.table) from error
    print(*plan.notes, *importing.write_targets(plan.targets, replace), sep="\n")
    print(f"\n{to} now holds:\n{summary(plan.checked, plan.recorded)}")


def propose(source: Path, to: Path | None, then: str = "", config: Path | None = None) -> list[str]:
    """Propose a mapping, ask the user to check it, and return what is still to be done in it.

    `then` is the command that uses it.
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
        say_unread(folder, beside=[])
    with replacing(target) as temporary:
        temporary.write_text(text, encoding="utf-8")
    for file in read:
        print(f"{file.file}: {counted(file.rows, 'row')}{f', {file.note}' if file.note else ''}")
    print(f"\n{target}: a proposed mapping\n\n{text}")
    missing = unclear
    if not missing:
        try:
            rules = importing.read_mapping(target)
            to = to or folder / "nowhere"
            plan = importing.plan_import(source, rules, to, actions_for(to.name, config))
        except InputError as error:
            missing = [error.summary, *error.problems]
        else:
            count, *losses = _usable(plan.checked, plan.recorded)
            print(f"With this mapping {count}", *losses, sep="\n")
    if missing:
        print("Still to be done:")
        print("\n".join(f"  - {problem}" for problem in missing))
    then = then or (
        f"fuzzybounds import {source} --mapping {target} --to {to or 'data/raw/my_lab'}"
    )
    print(f"Check every line of {target}, then run\n  {then}")
    return missing
