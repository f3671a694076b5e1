"""Record, import and check logs of the canoe task before running the workflow.

``validate`` reports problems of logs and how each is handled; ``template`` writes an empty log;
``import`` proposes a mapping for logs of another layout and converts them; ``task`` records new
ones.  Every failure ends in a single message.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from fuzzybounds.browser import command as task
from fuzzybounds.intake.files import ENDINGS, is_table, log_files, refuse_folder
from fuzzybounds.storage.errors import InputError, counted, suggestion

if TYPE_CHECKING:
    import pandas as pd

SHOWN = 40
"""Subjects that a summary lists one by one."""


class _Parser(argparse.ArgumentParser):
    """A parser whose errors look like all others."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"error: {message}\n  - run {self.prog} --help for usage\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 0, or 1 if something needs to be fixed."""
    parser, commands = _parser()
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    known = [*commands, "-h", "--help"]
    if arguments and arguments[0] not in known:
        parser.error(f"unknown command {arguments[0]!r}; {suggestion(arguments[0], known)}")
    given, unknown = parser.parse_known_args(arguments)
    if unknown:
        options = [
            name for action in commands[given.command]._actions for name in action.option_strings
        ]
        commands[given.command].error(
            f"unknown option {unknown[0]!r}; {suggestion(unknown[0], options)}"
        )
    try:
        code = given.run(given)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # The reader (such as `| head`) has closed the pipe; nothing more can be written to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
    except OSError as error:
        # A folder without permission, a full disk: the system's message is clear enough.
        print(f"error: {error}", file=sys.stderr)
    return 1


def _parser() -> tuple[_Parser, dict[str, _Parser]]:
    parser = _Parser(prog="fuzzybounds", description=__doc__.split("\n")[0], allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, run, about: str) -> _Parser:
        own = commands.add_parser(name, help=about, description=about, allow_abbrev=False)
        own.set_defaults(run=run)
        return own

    check = command("validate", validate, "Check logs; report what to fix and what will be used.")
    check.add_argument(
        "logs", nargs="+", type=Path, metavar="FILE", help="a log, or a folder of logs"
    )
    check.add_argument(
        "--paths", nargs="+", type=Path, default=[], metavar="FILE", help="recorded paths"
    )
    _add_config(check)
    empty = command("template", template, "Write an empty log with the right columns.")
    empty.add_argument(
        "file", nargs="?", type=Path, metavar="FILE", help="file to write; by default the terminal"
    )
    empty.add_argument("--paths", action="store_true", help="a file for recorded paths instead")
    other = command("import", import_logs, "Map logs of another layout to ours, and check them.")
    other.add_argument(
        "source", type=Path, metavar="SOURCE", help="a CSV, Excel or Parquet file, or a folder"
    )
    other.add_argument(
        "--mapping",
        type=Path,
        metavar="FILE",
        help="how their columns map to ours; by default a mapping is proposed and written",
    )
    other.add_argument("--to", type=Path, metavar="FOLDER", help="such as data/raw/my_lab/")
    other.add_argument(
        "--replace",
        action="store_true",
        help="replace files that changed since the last import",
    )
    _add_config(other)
    beside = command("compare", compare, "Show two data sets or variants side by side.")
    for name in ("first", "second"):
        beside.add_argument(name, type=Path, metavar="RESULTS", help="such as results/my_lab")
    beside.add_argument("--to", type=Path, metavar="FILE", help="the page to write (HTML)")
    ended = command("show", show, "Show what a run has found, and whether its files are whole.")
    ended.add_argument("results", type=Path, metavar="RESULTS", help="such as results/my_lab")
    task.add_options(command("task", task.run, "Run the canoe task in the browser."))
    return parser, dict(commands.choices)


def _add_config(parser: _Parser) -> None:
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help="a config.yaml whose `validation` sets how irregular rows are handled",
    )


def _actions(config: Path | None, dataset: str) -> dict[str, str]:
    """Return how a configuration handles irregular rows of a data set."""
    if config is None:
        return {}
    from fuzzybounds.storage.schemas import read_yaml

    document = read_yaml(config)
    actions: dict[str, str] = {}
    own = document.get("datasets") or {} if isinstance(document, dict) else None
    for options in (document, own.get(dataset) or {} if isinstance(own, dict) else None):
        section = options.get("validation", {}) if isinstance(options, dict) else None
        if not isinstance(section, dict):
            raise InputError(
                f"{config}: not a configuration", ["expected keys such as `validation:`"]
            )
        actions |= section
    return actions


def show(given: argparse.Namespace) -> int:
    """Print the findings of a run; files that are damaged or gone are named."""
    import shutil

    from fuzzybounds.report.terminal import summary
    from fuzzybounds.storage.results import damaged_files

    if problems := damaged_files(given.results):
        remedy = "delete them and rerun the same command; they are made again"
        raise InputError(
            f"{given.results}: {counted(problems, 'damaged file')}", [*problems, remedy]
        )
    colours = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    print(*summary(given.results, shutil.get_terminal_size().columns, colours), sep="\n")
    return 0


def validate(given: argparse.Namespace) -> int:
    """Check logs and recorded paths; print a summary."""
    from contextlib import ExitStack

    from fuzzybounds.intake import logs, recordings, study_design, validation
    from fuzzybounds.storage import folder_lock

    files: list[Path] = []
    paths = list(given.paths)
    with ExitStack() as locks:
        for path in given.logs:
            if path.is_dir():
                refuse_folder(path)
            files += log_files(path) if path.is_dir() else [path]
            if path.is_dir():
                locks.enter_context(folder_lock.reading(path))
                paths += sorted(own for own in path.glob("paths/*") if is_table(own))
        (raw, found), seen = logs.read_logs(files), recordings.read(paths)
        design = study_design.design_of(files)
        notes = [note for path in given.logs if path.is_dir() for note in study_design.notes(path)]
    checked = validation.validate(raw, _actions(given.config, given.logs[0].name), design)
    recorded = recordings.validate(seen, checked.trials, checked.exclusions, design)
    for line in found:
        print(line)
    print(summary(checked, recorded))
    if notes:
        print("\nHow these data were recorded:", *(f"  - {note}" for note in notes), sep="\n")
    return 0


def summary(checked, recorded: pd.DataFrame) -> str:
    """Summarise the result of validation as text.

    Parameters
    ----------
    checked : fuzzybounds.intake.validation.Validated
    recorded : DataFrame
        The validated paths.
    """
    from fuzzybounds.intake.data_warnings import remarks

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
        lines += [
            "",
            "Limitations of these data:",
            *(f"  - {remark}" for remark in said),
        ]
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
    from fuzzybounds.intake import logs, recordings
    from fuzzybounds.storage.tables import replacing

    if given.paths:
        columns = {name: (meaning, True) for name, meaning in recordings.COLUMNS.items()}
    else:
        columns = {
            c.name: (f"{c.meaning}{f' ({c.unit})' if c.unit else ''}", c.required)
            for c in logs.COLUMNS
        }
    header = ",".join(columns) + "\n"
    dictionary = "\n".join(
        f"{name:10s} {'' if required else '(optional) '}{meaning}"
        for name, (meaning, required) in columns.items()
    )
    if given.file is None:
        print(header, end="")
        print(dictionary, file=sys.stderr)
        return 0
    _refuse([given.file])
    with replacing(given.file) as temporary:
        temporary.write_text(header, encoding="utf-8")
    print(f"{given.file}: a header; add one row per {'frame' if given.paths else 'trial'}\n")
    print(dictionary)
    return 0


def _refuse(files: Sequence[Path]) -> None:
    """Raise an error if a file already exists: data are never overwritten."""
    there = [f"{file} already exists" for file in files if file.exists()]
    if there:
        raise InputError("nothing was written", [*there, "move it, or choose another name"])


def import_logs(given: argparse.Namespace) -> int:
    """Map logs of another layout, check the result with existing logs, and only then write it."""
    if given.mapping is None:
        return propose(given)
    from fuzzybounds.intake import importing, mapping

    if given.to is None:
        raise InputError("no folder to import into", ["add --to FOLDER, such as data/raw/my_lab"])
    refuse_folder(given.to)
    plan = importing.plan_import(
        given.source,
        mapping.read_mapping(given.mapping),
        given.to,
        _actions(given.config, given.to.name),
    )
    if not given.replace:
        importing.refuse_changes(plan)
    importing.write_plan(plan)
    print("\n".join(importing.describe(plan)))
    print(f"\n{given.to} now holds:\n{summary(plan.checked, plan.recorded)}")
    return 0


def propose(given: argparse.Namespace) -> int:
    """Propose a mapping, report what it gives, and ask the user to check it."""
    from fuzzybounds.intake import importing, mapping, problems, proposal, sources
    from fuzzybounds.storage.tables import replacing

    source: Path = given.source
    folder = source if source.is_dir() else source.parent
    target = folder / "mapping.yaml"
    if target.exists():
        raise InputError(
            f"{target} already exists",
            [f"add --mapping {target} to use it, or move it to get a new proposal"],
        )
    files = log_files(source) if source.is_dir() else [source]
    read = problems.read_all(files, sources.read_source)
    text, unclear = proposal.propose(read)
    if source.is_dir():
        text += "".join(f"{line}\n" for line in proposal.propose_paths(folder, ENDINGS))
    with replacing(target) as temporary:
        temporary.write_text(text, encoding="utf-8")
    for file in read:
        said = file.dialect.describe()
        print(f"{file.file}: {counted(file.rows, 'row')}{f', {said}' if said else ''}")
    print(f"\n{target}: a proposed mapping\n\n{text}")
    missing = unclear
    if not missing:
        try:
            rules = mapping.read_mapping(target)
            plan = importing.plan_import(source, rules, given.to or folder / "nowhere")
        except InputError as error:
            missing = str(error).splitlines()
        else:
            trials = plan.checked.trials
            said = f"{counted(trials, 'trial')} of {counted(trials['subject'].unique(), 'subject')}"
            print(f"With this mapping {said} can be used.")
    if missing:
        print("Still to be done:")
        print("\n".join(f"  - {problem}" for problem in missing))
    to = given.to or "data/raw/my_lab"
    print(
        f"Check every line of {target}, then run\n"
        f"  fuzzybounds import {source} --mapping {target} --to {to}"
    )
    return 1 if missing else 0


def compare(given: argparse.Namespace) -> int:
    """Write a page that shows the results of two data sets or variants side by side."""
    from fuzzybounds.report import comparison
    from fuzzybounds.storage.results import Results
    from fuzzybounds.storage.tables import replacing

    first, second = Results(given.first), Results(given.second)
    page = comparison.compare(first, second)
    place, results = second.folder, first.folder.parent
    place = place.relative_to(results) if place.is_relative_to(results) else Path(place.name)
    names = f"{first.folder.name}--{'_'.join(place.parts)}.html"
    target = given.to or results / "comparisons" / names
    with replacing(target) as temporary:
        temporary.write_text(page, encoding="utf-8")
    print(f"{target}: {target.stat().st_size / 1e6:.1f} MB")
    return 0
