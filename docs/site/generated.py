"""Pages of the site that are written from the code, so that they cannot disagree with it."""

from __future__ import annotations

import argparse
import inspect
import math
import pkgutil
from importlib import import_module
from pathlib import Path
from typing import Any

import paper_to_code

import fuzzybounds
from fuzzybounds import cli
from fuzzybounds.core.dictionary import TABLES, TOLERANCE
from fuzzybounds.report.registry import read_registry
from fuzzybounds.report.text import figure_name


def pages(root: Path) -> dict[str, str]:
    """Return every generated page by its path on the site."""
    return {
        "reference/paper-to-code.md": paper_to_code.page(root),
        "reference/options.md": options(root),
        "reference/tables.md": tables(),
        "reference/figures.md": figures(root),
        "reference/command-line.md": command_line(),
        **api(),
    }


# --- options ----------------------------------------------------------------------------------
def options(root: Path) -> str:
    """Write the configuration as it is, every option with the reason for its default."""
    lines = [
        "# Options",
        "",
        "`config.yaml` as it is. `workflow/schemas/config.schema.yaml` says what each option may "
        "be; an unknown key is an error that suggests the right one. "
        "{doc}`../how-to/change-an-option` says how to set one.",
        "",
        "```yaml",
        (root / "config.yaml").read_text(encoding="utf-8").rstrip(),
        "```",
        "",
    ]
    return "\n".join(lines)


# --- result tables ----------------------------------------------------------------------------
def tables() -> str:
    """Write every result table with its columns."""
    lines = [
        "# Result tables",
        "",
        "Every table under `results/{dataset}/`, as the data dictionary "
        "(`fuzzybounds.core.dictionary`) defines it. Two machines may differ in a table's numbers "
        "by its tolerance, one part in a million where none is named; one machine always gives the "
        "same. `fuzzybounds.find_results()` reads a table by the name of its file without the "
        "ending.",
        "",
        "| file | one row is a |",
        "|---|---|",
        *(
            f"| [`{table.file}`](#{_anchor(table.file)}) | {table.row} |"
            for table in TABLES.values()
        ),
        "",
    ]
    for table in TABLES.values():
        lines += [
            f"({_anchor(table.file)})=",
            f"## `{table.file}`",
            "",
            f"One row: {table.row}.",
            "",
        ]
        if table.columns:
            lines += ["| column | type | unit | meaning |", "|---|---|---|---|"]
            lines += [
                f"| `{column.name}` | {column.type} | {column.unit} | "
                + column.meaning.replace("|", "\\|")
                + " |"
                for column in table.columns
            ]
            lines.append("")
        if math.isinf(table.tolerance):
            lines += ["Numbers may differ between machines.", ""]
        elif table.tolerance > TOLERANCE:
            lines += [f"Tolerance: {100 * table.tolerance:g} %.", ""]
        if table.within:
            amounts = (f"`{name}` by {amount:g}" for name, amount in table.within.items())
            lines += [f"Machines may differ in {', '.join(amounts)}.", ""]
        if table.more:
            lines += [f"Further columns: {table.more}.", ""]
    return "\n".join(lines)


def _anchor(file: str) -> str:
    return "table-" + file.replace(".", "-").replace("_", "-")


# --- figures ----------------------------------------------------------------------------------
def figures(root: Path) -> str:
    """Write every figure with its small image, caption and tables."""
    registry = read_registry(root / "notebooks")
    lines = [
        "# Figures",
        "",
        "All figures of the paper, numbered as they are there, and supplementary ones (S), drawn "
        "from Experiment A unless the caption says otherwise. `results/{dataset}/figures/` has "
        "each as PDF, SVG and PNG; `report.html` shows them beside what the paper says.",
        "",
    ]
    for figure, entry in registry.items():
        name = figure_name(figure)
        lines += [f"## {name}: {entry['title']}", ""]
        if (root / "docs/figures" / f"{figure}.png").exists():
            lines += [f"![{name}](../figures/{figure}.png)", ""]
        lines += [entry["caption"], ""]
        if entry.get("paper"):
            lines += [f"*The paper:* {entry['paper']}", ""]
        drawn = ", ".join(f"`{TABLES[name].file}`" for name in entry.get("tables", []))
        lines += [f"Drawn by `notebooks/{Path(entry['notebook']).name}`"]
        lines[-1] += f" from {drawn}." if drawn else " from the paper's worked example."
        if entry.get("on_request"):
            lines[-1] += " Takes minutes, so it is drawn by `fuzzybounds run --only supplement`."
        lines.append("")
    return "\n".join(lines)


# --- command line -----------------------------------------------------------------------------
def command_line() -> str:
    """Write the help of every command."""
    parser, commands = cli.build_parser()
    lines = [
        "# Command line",
        "",
        "`fuzzybounds run` does all of it; in a checkout the command is `.venv/bin/fuzzybounds` "
        "after any `make`, or `uv run --extra workflow fuzzybounds`. See {doc}`../running`.",
        "",
        *_help(parser),
    ]
    for name, command in commands.items():
        lines += [f"## `fuzzybounds {name}`", "", *_help(command)]
    lines += ["## `make`", "", "```", *_make_targets(), "```", ""]
    return "\n".join(lines)


def _help(parser: argparse.ArgumentParser) -> list[str]:
    formatter = argparse.HelpFormatter(parser.prog, width=96, max_help_position=30)
    parser.formatter_class = lambda prog: formatter
    text = parser.format_help()
    return ["```", text.rstrip(), "```", ""]


def _make_targets() -> list[str]:
    """Return the comments at the top of the Makefile."""
    lines = (Path(__file__).resolve().parents[2] / "Makefile").read_text("utf-8").splitlines()
    top = lines[: next(i for i, line in enumerate(lines) if not line.startswith("#"))]
    return [line.removeprefix("#").removeprefix(" ").rstrip() for line in top[1:]]


# --- API --------------------------------------------------------------------------------------
def api() -> dict[str, str]:
    """Write the public names in full, and a page for every package."""
    packages = sorted(
        info.name for info in pkgutil.iter_modules(fuzzybounds.__path__) if info.ispkg
    )
    public = [name for name in fuzzybounds.__all__ if name != "__version__"]
    functions = [name for name in public if inspect.isfunction(getattr(fuzzybounds, name))]
    classes = [name for name in public if inspect.isclass(getattr(fuzzybounds, name))]
    lines = [
        "# API",
        "",
        "`import fuzzybounds` is all that {doc}`../tutorials/fit_one_subject` needs. These names "
        "are stable: a change that breaks them is announced in {doc}`../changelog`.",
        "",
        "## Public functions",
        "",
        *(line for name in functions for line in _auto("function", name)),
        "## Public classes",
        "",
        *(line for name in classes for line in _auto("class", name)),
        "## Packages",
        "",
        "Everything else may change from one version to the next.",
        "",
        "```{toctree}",
        ":maxdepth: 1",
        "",
        *(f"api/{name}" for name in packages),
        "```",
        "",
    ]
    return {"reference/api.md": "\n".join(lines)} | {
        f"reference/api/{name}.md": _package(name) for name in packages
    }


def _auto(kind: str, name: str) -> list[str]:
    member = getattr(fuzzybounds, name)
    target = f"{member.__module__}.{name}"
    lines = ["```{eval-rst}", f".. auto{kind}:: {target}"]
    lines += ["   :members:"] if kind == "class" else []
    # What lies in a package is indexed on the package's own page.
    lines += ["   :no-index:"] if target.count(".") > 2 else []
    return [*lines, "```", ""]


def _package(name: str) -> str:
    package = import_module(f"fuzzybounds.{name}")
    lines = [f"# `fuzzybounds.{name}`", ""]
    lines += ["```{eval-rst}", f".. automodule:: fuzzybounds.{name}", "```", ""]
    for info in sorted(pkgutil.walk_packages(package.__path__, f"fuzzybounds.{name}."), key=_depth):
        module = import_module(info.name)
        lines += [f"## `{info.name.removeprefix('fuzzybounds.')}`", "", "```{eval-rst}"]
        lines += [f".. automodule:: {info.name}"]
        members = [
            member
            for member, value in vars(module).items()
            if not member.startswith("_")
            and getattr(value, "__module__", None) == info.name
            and (inspect.isclass(value) or callable(value))
        ]
        if members and not info.ispkg:
            lines += [f"   :members: {', '.join(members)}"]
        lines += ["```", ""]
    return "\n".join(lines)


def _depth(info: Any) -> tuple[int, str]:
    return info.name.count("."), info.name
