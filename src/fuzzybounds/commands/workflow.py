"""``run`` and what looks at its results: ``report``, ``compare``, ``show``, ``list``, ``crate``."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from fuzzybounds.commands import logs, project
from fuzzybounds.core import inventory
from fuzzybounds.core.errors import InputError, counted
from fuzzybounds.core.suggestions import suggestion
from fuzzybounds.logs.files import (
    ENDINGS,
    UNREADABLE,
    data_set_name,
    is_table,
    log_files,
    refuse_folder,
    say_unread,
)
from fuzzybounds.logs.registration import deviations

TARGETS = ("all", "paper", "supplement", "verdict", "sessions", "article")
"""What can be made by name, beside figures and files."""
GIVE_UP = "if this version has no such results, delete what is noted of them in {}/"


def run(given: argparse.Namespace) -> int:
    """Make every figure of a data set, and print what was found and where the report is."""
    variant = project.FIRST_LOOK if given.fast else given.variant
    name = _import(Path(given.what), given) if _is_path(given.what) else _known(given.what)
    if name is None:
        return 1
    if project.data_sets()[name] == "own":
        say_unread(project.RAW / name)
        for line in deviations(project.RAW / name, logs.actions_for(name)):
            print(line, flush=True)
    targets = [_target(what, project.results(name, variant)) for what in given.only]
    code = _make(name, variant, targets, given.snakemake, given.cores)
    return code or (0 if given.only else _show(project.results(name, variant)))


def _make(
    name: str,
    variant: str | None,
    targets: Sequence[str] = (),
    more: Sequence[str] = (),
    cores: int | None = None,
) -> int:
    """Run the workflow; before it, make results again that are no longer as they were made."""
    folder = project.results(name, variant)
    if damaged := inventory.damage(folder):
        reasons = (f"  {path.as_posix()}: {reason}" for path, reason in damaged.items())
        print("Damaged results are made again first:", *reasons, sep="\n", file=sys.stderr)
        files = [path.as_posix() for path in damaged]
        again = [*more, "--forcerun", *files]
        code = project.snakemake(name, files, variant=variant, cores=cores, more=again)
        if code:
            noted = (folder / inventory.FOLDER).as_posix()
            print(
                f"error: they could not be made again\n  - {GIVE_UP.format(noted)}", file=sys.stderr
            )
            return code
    code = project.snakemake(name, targets, variant=variant, cores=cores, more=more)
    if code == 0:
        _refuse_damage(folder)
    return code


def _refuse_damage(folder: Path) -> None:
    """Refuse results that are not as they were made; say where nobody can know."""
    inventory.refuse_damage(folder)
    noted = folder / inventory.FOLDER
    if folder.is_dir() and not noted.is_dir():
        again = f"{inventory.run_command(folder)} --snakemake --forceall"
        print(
            f"{folder.as_posix()}: without {noted.as_posix()}/ nobody can know whether results are "
            f"whole; {again} makes all of them again",
            file=sys.stderr,
        )


def _target(what: str, folder: Path) -> str:
    """Return what Snakemake calls something to be made; a figure may be named by its number."""
    from fuzzybounds.report.registry import read_registry

    if what in TARGETS or "/" in what:
        return what
    figures = read_registry(project.folder() / "notebooks")
    if what not in figures:
        file = f"or name a file, such as {(folder / 'groups.csv').as_posix()}"
        raise InputError(f"--only {what}: unknown", [suggestion(what, [*TARGETS, *figures]), file])
    return (folder / f"figures/{what}.png").as_posix()


def _is_path(what: str) -> bool:
    """Whether an argument is a file or a folder, not the name of a data set."""
    path = Path(what)
    named = path.suffix.lower() in (*ENDINGS, *UNREADABLE) or len(path.parts) > 1
    if named and not path.exists():
        raise InputError(f"{what}: no such file or folder")
    return named or (path.is_dir() and what not in project.data_sets())


def _known(name: str) -> str:
    known = project.data_sets()
    if name not in known:
        remedy = "for logs of your own, name a file or a folder: fuzzybounds run my_log.xlsx"
        raise InputError(f"unknown data set {name!r}", [suggestion(name, known), remedy])
    return name


def _import(source: Path, given: argparse.Namespace) -> str | None:
    """Import a file or folder as a data set; return its name, or None if a person must act first.

    Logs in our columns are copied as they are.  For others a mapping is proposed, which a person
    has to check; the file ``mapping.yaml`` beside them is used when the command is repeated.
    """
    from fuzzybounds.logs import importing, problems

    if source.parent.resolve() == project.RAW.resolve() and source.is_dir():
        refuse_folder(source)
        return source.name
    name = given.name or data_set_name(source.stem)
    if project.data_sets().get(name, "own") != "own":
        raise InputError(f"{name!r} is another data set", ["add --name NAME to choose a name"])
    to = project.RAW / name
    refuse_folder(to)
    rules = (source if source.is_dir() else source.parent) / "mapping.yaml"
    files = log_files(source)
    mapping = importing.read_mapping(rules) if rules.exists() else {}
    read = problems.read_all(files, lambda file: importing.read_source(file, mapping))
    if all(importing.is_ours(log) and not importing.is_mapped(log, mapping) for log in read):
        _copy(source, files, to, given.replace)
        return name
    if not mapping:
        named = f" --name {given.name}" if given.name else ""
        again = f"fuzzybounds run {source}{named}{' --fast' if given.fast else ''}"
        logs.propose(source, to, again)
        return None
    logs.write(source, rules, to, given.replace)
    return name


def _copy(source: Path, files: list[Path], to: Path, replace: bool) -> None:
    """Copy logs that need no mapping, with paths, design and events that lie beside them."""
    from fuzzybounds.logs.importing import Target, write_targets

    folder = source if source.is_dir() else source.parent
    names = ("design.json", "dataset_description.json", "registration.json")
    described = [folder / name for name in names if (folder / name).is_file()]
    beside = [*folder.glob("paths/*"), *folder.glob("events/*.csv"), *described]
    if source.is_dir():
        files = [*files, *(file for file in beside if file.suffix != ".csv" or is_table(file))]
        say_unread(folder)
    targets = {
        to / file.relative_to(folder): Target(file, file.read_bytes(), "a copy") for file in files
    }
    print(*write_targets(targets, replace), sep="\n", flush=True)


def _show(folder: Path) -> int:
    """Print the findings of a finished run."""
    from fuzzybounds.report.terminal import summary

    _refuse_damage(folder)
    if not (folder / "claims.csv").is_file():
        remedy = f"{inventory.run_command(folder)} makes it"
        raise InputError(f"{folder}: no finished run", [remedy])
    colours = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    print(*summary(folder, shutil.get_terminal_size().columns, colours), sep="\n")
    return 0


def _results(name: str, variant: str | None = None) -> Path:
    """Return the results that an argument names: a folder, or a data set."""
    return Path(name) if len(Path(name).parts) > 1 else project.results(name, variant)


def show(given: argparse.Namespace) -> int:
    """Print the findings of a finished run."""
    return _show(_results(given.results, given.variant))


def report(given: argparse.Namespace) -> int:
    """Make the report again, even if it is up to date: the commit may have changed."""
    variant = project.FIRST_LOOK if given.fast else given.variant
    name = _known(given.what)
    code = _make(name, variant, more=["--forcerun", "make_report"])
    if code == 0:
        page = project.results(name, variant) / "report.html"
        print(f"Report: {page.as_posix()}")
        if given.open:
            import webbrowser

            webbrowser.open(page.resolve().as_uri())
    return code


def compare(given: argparse.Namespace) -> int:
    """Say where two data sets or variants differ, in the terminal and as a table."""
    if given.second is None and given.variant is None:
        known = [name for name in project.data_sets() if name != given.first]
        remedy = f"name a second data set, such as {known[0]}, or --variant paper_penalty"
        raise InputError(f"{given.first}: nothing to compare it with", [remedy])
    folders = [_results(given.first), _results(given.second or given.first, given.variant)]
    missing = [
        f"{folder.as_posix()} has no finished run; {inventory.run_command(folder)} makes it"
        for folder in folders
        if not (folder / "claims.csv").is_file()
    ]
    if missing:
        raise InputError("results that are needed first", missing)
    for folder in folders:
        _refuse_damage(folder)
    from fuzzybounds.core.results import Results
    from fuzzybounds.core.tables import write_csv
    from fuzzybounds.report import comparison

    first, second = (Results(folder) for folder in folders)
    differences = comparison.compare(first, second)
    name = f"{folders[0].name}--{f'{given.variant}_' if given.variant else ''}{folders[1].name}.csv"
    target = given.to or folders[0].parent / "comparisons" / name
    write_csv(differences, target)
    titles = [
        f"{results['dataset']['title']} {results.first_look}".strip() for results in (first, second)
    ]
    print(*comparison.lines(differences, titles, shutil.get_terminal_size().columns), sep="\n")
    print(f"{target.as_posix()}: {counted(len(differences), 'difference')}")
    return 0


def fetch(given: argparse.Namespace) -> int:
    """Get published logs, pinned and checked, without running anything."""
    from fuzzybounds.datasets import fetch_log
    from fuzzybounds.logs.retrieval import published

    for name in given.names:
        path = fetch_log(name, project.RAW)
        entry = published()[name]
        print(f"{path.as_posix()}: {entry['size']} bytes, sha256 as published")
        print(f"source: {entry['source']}; licence: {entry['licence']}")
    return 0


def list_data_sets(given: argparse.Namespace) -> int:
    """List data sets, their logs and their results."""
    rows = [("data set", "kind", "logs", "report")]
    for name, kind in project.data_sets().items():
        there = kind == "simulated" or (project.RAW / name).is_dir()
        page = project.results(name) / "report.html"
        logs_of = {"simulated": "made by the workflow", "own": f"data/raw/{name}/"}
        get = f"data/raw/{name}/" if there else f"fuzzybounds fetch {name}, or run"
        made = page.as_posix() if page.is_file() else f"fuzzybounds run {name}"
        rows.append((name, kind, logs_of.get(kind, get), made))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (f"{cell:{width}}" for cell, width in zip(row, widths, strict=True))
        print("  ".join(cells).rstrip())
    return 0


def crate(given: argparse.Namespace) -> int:
    """Pack a finished run as one file to share (RO-Crate), or check such a file."""
    from fuzzybounds.report.crate import check, pack

    if given.check:
        problems = check(given.check)
        print("\n".join(problems) or f"{given.check}: every file is as described")
        return 1 if problems else 0
    folder = _results(given.what, given.variant)
    _refuse_damage(folder)
    target = given.to or folder / "crate.zip"
    pack(project.folder(), folder, target, given.with_data)
    print(f"{target}: {target.stat().st_size / 1e6:.1f} MB")
    return 0
