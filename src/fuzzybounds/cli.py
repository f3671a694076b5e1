"""Fit fuzzy decision boundaries: from raw canoe logs to every figure of the paper.

``fuzzybounds run`` does all of it.  Every failure ends in a single message.
"""

from __future__ import annotations

import argparse
import os
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from fuzzybounds.core.errors import InputError

START = """\
examples:
  fuzzybounds run                  every figure, on a simulated cohort
  fuzzybounds run --fast           a first look: few subjects and draws
  fuzzybounds run experiment_a     the same on the published logs
  fuzzybounds run my_log.xlsx      import, check and run your own logs
  fuzzybounds plan my_study.yaml   what a study would decide, before its data
  fuzzybounds doctor               what is installed, and what would fail
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 0, or 1 if something needs to be fixed."""
    parser, _ = build_parser()
    given = parser.parse_args(arguments)
    try:
        code = given.run(given)
        sys.stdout.flush()
        return code or 0
    except BrokenPipeError:
        # The reader (such as `| head`) has closed the pipe; nothing more can be written to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (InputError, OSError) as error:
        # A folder without permission, a full disk: the system's message is clear enough.
        print(f"error: {error}", file=sys.stderr)
    except ModuleNotFoundError as error:
        # The base install is the library alone.
        extra = "crate" if error.name == "rocrate" else "workflow"
        remedy = f"pip install 'fuzzybounds[{extra}]'"
        print(f"error: this command needs {error.name}\n  - {remedy}", file=sys.stderr)
    except KeyboardInterrupt:
        return 130
    return 1


def build_parser() -> tuple[ArgumentParser, dict[str, ArgumentParser]]:
    """Return the parser, and those of the commands by name."""
    about, *_ = (__doc__ or "").split("\n")
    parser = ArgumentParser(
        prog="fuzzybounds",
        description=about,
        epilog=START,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {version('fuzzybounds')}")
    parser.set_defaults(run=lambda given: parser.print_help())
    commands = parser.add_subparsers(metavar="COMMAND")
    _run_commands(commands)
    _result_commands(commands)
    _log_commands(commands)
    _plan_commands(commands)
    task = commands.add_parser("task", help="Run the canoe task in the browser.")
    task.set_defaults(run=lambda given: task.print_help())
    _task_commands(task.add_subparsers(metavar="WHAT"))
    return parser, dict(commands.choices)


def _command(commands: Any, name: str, path: str, about: str) -> ArgumentParser:
    """Add a command, whose function is imported when it is called."""

    def run(given: argparse.Namespace) -> int:
        module, function = path.rsplit(".", 1)
        return getattr(import_module(f"fuzzybounds.{module}"), function)(given)

    command = commands.add_parser(name, help=about, description=about)
    command.set_defaults(run=run)
    return command


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a whole number from 1")
    return int(text)


def _add_variant(parser: ArgumentParser) -> None:
    parser.add_argument("--variant", metavar="NAME", help="other options, from variants/NAME.yaml")


def _run_commands(commands: Any) -> None:
    about = "Make every figure of a data set, or of your own logs."
    run = _command(commands, "run", "commands.workflow.run", about)
    run.add_argument(
        "what",
        nargs="?",
        default="simulated",
        metavar="DATASET|FILE",
        help="a data set (`fuzzybounds list`), or a file or folder of logs; by default simulated",
    )
    run.add_argument(
        "--only",
        nargs="+",
        default=[],
        metavar="WHAT",
        help="all, paper, supplement, verdict, sessions or article, figures such as fig13, or "
        "files such as results/simulated/groups.csv",
    )
    run.add_argument("--cores", type=_positive, metavar="N", help="by default all")
    run.add_argument("--name", metavar="NAME", help="what to call logs that are imported")
    run.add_argument("--replace", action="store_true", help="replace logs that have changed")
    run.add_argument(
        "--snakemake",
        nargs=argparse.REMAINDER,
        default=[],
        metavar="OPTION",
        help="options for Snakemake itself, last: --snakemake --profile profiles/slurm",
    )
    about = "Make the report of a data set again."
    report = _command(commands, "report", "commands.workflow.report", about)
    report.add_argument("what", nargs="?", default="simulated", metavar="DATASET")
    report.add_argument("--open", action="store_true", help="open it in the browser")
    for command in (run, report):
        command.add_argument("--fast", action="store_true", help="few subjects, short simulations")
        _add_variant(command)


def _result_commands(commands: Any) -> None:
    about = "Say where two data sets or variants differ."
    compare = _command(commands, "compare", "commands.workflow.compare", about)
    compare.add_argument("first", metavar="DATASET", help="such as my_lab, or results/my_lab")
    compare.add_argument("second", nargs="?", metavar="DATASET", help="such as experiment_a")
    compare.add_argument("--to", type=Path, metavar="FILE", help="the table to write (CSV)")
    show = _command(commands, "show", "commands.workflow.show", "Show what a run has found.")
    show.add_argument("results", metavar="DATASET", help="such as my_lab, or results/my_lab")
    _command(commands, "list", "commands.workflow.list_data_sets", "List the data sets.")
    fetch = _command(commands, "fetch", "commands.workflow.fetch", "Get published logs.")
    fetch.add_argument("names", nargs="+", metavar="DATASET", help="such as experiment_a")
    crate = _command(
        commands, "crate", "commands.workflow.crate", "Pack a run as one file to share."
    )
    crate.add_argument("what", nargs="?", default="simulated", metavar="DATASET")
    crate.add_argument("--with-data", action="store_true", help="also copy rows of real logs")
    crate.add_argument("--to", type=Path, metavar="FILE", help="the ZIP file to write")
    crate.add_argument("--check", type=Path, metavar="ZIP", help="compare a crate's files instead")
    for command in (compare, show, crate):
        _add_variant(command)
    _command(commands, "doctor", "commands.doctor.doctor", "Say what would fail, and why.")


def _log_commands(commands: Any) -> None:
    about = "Check logs; report what to fix and what will be used."
    check = _command(commands, "validate", "commands.logs.validate", about)
    check.add_argument("logs", nargs="+", type=Path, metavar="FILE", help="a log, or a folder")
    check.add_argument(
        "--paths", nargs="+", type=Path, default=[], metavar="FILE", help="recorded paths"
    )
    about = "Map logs of another layout to ours, and check them."
    other = _command(commands, "import", "commands.logs.import_logs", about)
    other.add_argument("source", type=Path, metavar="SOURCE", help="a file, or a folder of them")
    other.add_argument(
        "--mapping",
        type=Path,
        metavar="FILE",
        help="how their columns map to ours; by default a mapping is proposed and written",
    )
    other.add_argument("--to", type=Path, metavar="FOLDER", help="such as data/raw/my_lab/")
    other.add_argument("--replace", action="store_true", help="replace files that have changed")
    for command in (check, other):
        command.add_argument(
            "--config",
            type=Path,
            metavar="FILE",
            help="whose `validation` sets how irregular rows are handled; by default config.yaml",
        )


def _plan_commands(commands: Any) -> None:
    about = "Simulate what a study would decide, with how many subjects and trials."
    plan = _command(commands, "plan", "commands.plan.plan", about)
    plan.add_argument("studies", nargs="*", type=Path, metavar="STUDY.yaml", help="a configuration")
    about = "rank designs, by default those that come with the project, by information per minute"
    plan.add_argument("--compare", action="store_true", help=about)
    about = "simulated for each truth (18: every rule base once)"
    plan.add_argument("--subjects", type=_positive, default=18, metavar="N", help=about)
    about = "met, hazard, directed, dependent, rules; by default all"
    plan.add_argument("--truths", nargs="+", metavar="TRUTH", help=about)
    plan.add_argument("--seed", type=_positive, metavar="N", help="by default that of the workflow")
    about = "Freeze a planned study in one file with a hash, before its data."
    register = _command(commands, "register", "commands.plan.register", about)
    register.add_argument("study", type=Path, metavar="STUDY.yaml", help="its configuration")
    about = "how many will take part"
    register.add_argument("--subjects", type=_positive, required=True, metavar="N", help=about)
    about = "where the logs will be, such as data/raw/my_lab; by default beside the plan"
    register.add_argument("--data", type=Path, metavar="FOLDER", help=about)


def _task_commands(commands: Any) -> None:
    about = "Run the task in the browser of this machine."
    serve = _command(commands, "serve", "collect.command.serve", about)
    about = "Write the task as one HTML file."
    export = _command(commands, "export", "collect.command.export", about)
    about = "Add files that an exported page has downloaded."
    add = _command(commands, "add", "collect.command.add", about)
    _command(commands, "config", "collect.command.config", "Print the default configuration.")
    for command in (serve, export, add):
        command.add_argument("study", metavar="STUDY", help="name of the study and of its folder")
        command.add_argument(
            "--config", type=Path, metavar="FILE", help="a configuration of your own"
        )
        command.add_argument(
            "--experiment", choices=("A", "B"), help="A with cues (default), B without"
        )
    about = "folder of all studies (data/raw)"
    for command in (serve, export, add):
        command.add_argument("--data", type=Path, default="data/raw", metavar="FOLDER", help=about)
    serve.add_argument("--port", type=int, help="port to use instead of the study's own")
    serve.add_argument("--no-open", action="store_true", help="do not open a browser")
    export.add_argument("file", type=Path, metavar="FILE", help="the HTML file to write")
    about = "for a server of JATOS, which takes the data"
    export.add_argument("--jatos", action="store_true", help=about)
    about = "study that the files were recorded for, if it is another one"
    add.add_argument("--from", dest="source", metavar="STUDY", help=about)
    add.add_argument("files", nargs="+", type=Path, metavar="FILE", help="downloaded files")
