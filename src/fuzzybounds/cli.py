"""Fit fuzzy decision boundaries: from raw canoe logs to every figure of the paper.

``fuzzybounds run`` does all of it.  Every failure ends in a single message.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, NoReturn

from fuzzybounds.collect import command as task
from fuzzybounds.core.errors import InputError, suggestion

START = """\
examples:
  fuzzybounds run                  every figure, on a simulated cohort
  fuzzybounds run --fast           a first look in about a minute
  fuzzybounds run experiment_a     the same on the published logs
  fuzzybounds run my_log.xlsx      import, check and run your own logs
  fuzzybounds doctor               what is installed, and what would fail
"""


class _Parser(argparse.ArgumentParser):
    """A parser whose errors look like all others."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"error: {message}\n  - run {self.prog} --help for usage\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 0, or 1 if something needs to be fixed."""
    parser, commands = build_parser()
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    known = [*commands, "-h", "--help", "--version"]
    if arguments and arguments[0] not in known:
        parser.error(f"unknown command {arguments[0]!r}; {suggestion(arguments[0], known)}")
    given, unknown = parser.parse_known_args(arguments)
    if unknown:
        options = [name for action in given.parser._actions for name in action.option_strings]
        given.parser.error(f"unknown option {unknown[0]!r}; {suggestion(unknown[0], options)}")
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
    except KeyboardInterrupt:
        return 130
    return 1


def build_parser() -> tuple[_Parser, dict[str, _Parser]]:
    """Return the parser, and those of the commands by name."""
    about, *_ = (__doc__ or "").split("\n")
    parser = _Parser(
        prog="fuzzybounds",
        description=about,
        epilog=START,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {version('fuzzybounds')}")
    parser.set_defaults(run=_help, parser=parser)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    _run_commands(commands)
    _log_commands(commands)
    own = _command(commands, "task", None, "Run the canoe task in the browser.")
    kinds = own.add_subparsers(dest="kind", metavar="WHAT")
    for name, (run, said, options) in task.COMMANDS.items():
        options(_command(kinds, name, run, said))
    return parser, dict(commands.choices)


def _help(given: argparse.Namespace) -> int:
    given.parser.print_help()
    return 0


def _command(commands: Any, name: str, run: Callable[..., int] | None, about: str) -> _Parser:
    own = commands.add_parser(name, help=about, description=about, allow_abbrev=False)
    own.set_defaults(run=run or _help, parser=own)
    return own


def _later(module: str, name: str) -> Callable[[argparse.Namespace], int]:
    """Return a function of `commands` that is imported when it is called."""

    def run(given: argparse.Namespace) -> int:
        from importlib import import_module

        return getattr(import_module(f"fuzzybounds.commands.{module}"), name)(given)

    return run


def _run_commands(commands: Any) -> None:
    run = _command(
        commands,
        "run",
        _later("workflow", "run"),
        "Make every figure of a data set, or of your own logs.",
    )
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
        help="paper, supplement or verdict, or files such as results/simulated/figures/fig13.png",
    )
    run.add_argument("--cores", type=int, metavar="N", help="by default all")
    run.add_argument("--name", metavar="NAME", help="what to call logs that are imported")
    run.add_argument("--replace", action="store_true", help="replace logs that have changed")
    run.add_argument(
        "--snakemake",
        nargs=argparse.REMAINDER,
        default=[],
        metavar="OPTION",
        help="options for Snakemake itself, last: --snakemake --profile profiles/slurm",
    )
    again = _command(
        commands, "report", _later("workflow", "report"), "Make the report of a data set again."
    )
    again.add_argument("what", nargs="?", default="simulated", metavar="DATASET")
    again.add_argument("--open", action="store_true", help="open it in the browser")
    for own in (run, again):
        own.add_argument(
            "--fast", action="store_true", help="a first look: few subjects, brief searches"
        )
        _add_variant(own)
    beside = _command(
        commands,
        "compare",
        _later("workflow", "compare"),
        "Show two data sets or variants side by side.",
    )
    beside.add_argument("first", metavar="DATASET", help="such as my_lab, or results/my_lab")
    beside.add_argument("second", nargs="?", metavar="DATASET", help="such as experiment_a")
    _add_variant(beside)
    beside.add_argument("--to", type=Path, metavar="FILE", help="the page to write (HTML)")
    shown = _command(
        commands, "show", _later("workflow", "show"), "Show what a run has found, and check it."
    )
    shown.add_argument("results", metavar="DATASET", help="such as my_lab, or results/my_lab")
    _add_variant(shown)
    _command(commands, "list", _later("workflow", "list_data_sets"), "List the data sets.")
    got = _command(commands, "fetch", _later("workflow", "fetch"), "Get published logs.")
    got.add_argument("names", nargs="+", metavar="DATASET", help="such as experiment_a")
    got.add_argument("--mirror", metavar="FOLDER", help="a folder that has them already")
    packed = _command(
        commands,
        "crate",
        _later("workflow", "crate"),
        "Pack a run as one file to share.",
    )
    packed.add_argument("what", nargs="?", default="simulated", metavar="DATASET")
    packed.add_argument("--with-data", action="store_true", help="also copy rows of real logs")
    packed.add_argument("--to", type=Path, metavar="FILE", help="the ZIP file to write")
    packed.add_argument("--check", type=Path, metavar="ZIP", help="compare a crate's files instead")
    _add_variant(packed)
    _command(commands, "doctor", _later("doctor", "doctor"), "Say what would fail, and why.")


def _log_commands(commands: Any) -> None:
    check = _command(
        commands,
        "validate",
        _later("logs", "validate"),
        "Check logs; report what to fix and what will be used.",
    )
    check.add_argument(
        "logs", nargs="+", type=Path, metavar="FILE", help="a log, or a folder of logs"
    )
    check.add_argument(
        "--paths", nargs="+", type=Path, default=[], metavar="FILE", help="recorded paths"
    )
    other = _command(
        commands,
        "import",
        _later("logs", "import_logs"),
        "Map logs of another layout to ours, and check them.",
    )
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
        "--replace", action="store_true", help="replace files that changed since the last import"
    )
    for own in (check, other):
        own.add_argument(
            "--config",
            type=Path,
            metavar="FILE",
            help="a config.yaml whose `validation` sets how irregular rows are handled",
        )
    empty = _command(
        commands,
        "template",
        _later("logs", "template"),
        "Write an empty log with our columns.",
    )
    empty.add_argument(
        "file", nargs="?", type=Path, metavar="FILE", help="file to write; by default the terminal"
    )
    empty.add_argument("--paths", action="store_true", help="a file for recorded paths instead")


def _add_variant(parser: _Parser) -> None:
    parser.add_argument("--variant", metavar="NAME", help="other options, from variants/NAME.yaml")
