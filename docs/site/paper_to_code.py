"""From the paper to the code: every equation, figure, claim and erratum, and where each is.

``paper_to_code.yaml`` maps the equations.  Figures are described by their notebooks, claims and
errata by their registries.  Tests are found by what they import and by the ids that they name.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import yaml

from fuzzybounds.core.dictionary import TABLES, file_of
from fuzzybounds.report.registry import read_registry
from fuzzybounds.report.text import figure_name, mentioned
from fuzzybounds.scorecard.claims import CLAIMS
from fuzzybounds.scorecard.errata import ERRATA, NUMBERS
from fuzzybounds.scorecard.judges.judge import JUDGES

MAP = Path(__file__).with_name("paper_to_code.yaml")


@dataclass(frozen=True)
class Entry:
    """One thing of the paper.

    Attributes
    ----------
    kind, id, says : str
        "equation", "algorithm", "figure", "claim" or "erratum"; its id; what it is.
    implemented : list of str
        Functions within the package.
    tests : list of str
        Files within tests/.
    shown : list of str
        Figures, result tables and claims, by id.
    formula : str
        LaTeX, of equations.
    """

    kind: str
    id: str
    says: str
    implemented: list[str]
    tests: list[str]
    shown: list[str]
    formula: str = ""


def entries(root: Path) -> list[Entry]:
    """List everything in the paper, in the order of the page."""
    mapped = yaml.safe_load(MAP.read_text(encoding="utf-8"))
    tests = {
        path.relative_to(root / "tests").as_posix(): path.read_text(encoding="utf-8")
        for path in sorted((root / "tests").rglob("test_*.py"))
    }

    def entry(kind: str, name: str, fields: dict[str, Any]) -> Entry:
        return Entry(kind, name, **fields, tests=_checking(tests, fields["implemented"]))

    every = [
        entry(kind, name, fields)
        for kind in ("equation", "algorithm")
        for name, fields in mapped[f"{kind}s"].items()
    ]
    for name, figure in read_registry(root / "notebooks").items():
        code = _drawn_by(Path(figure["notebook"]))
        checked = sorted({*_checking(tests, code), *_naming(tests, Path(figure["notebook"]).stem)})
        shown = list(figure.get("tables", []))
        every.append(Entry("figure", name, figure["title"], code, checked, shown))
    for claim in CLAIMS.values():
        shown = [*mentioned(claim.where), *claim.tables, "claims"]
        naming = _naming(tests, claim.id)
        judge = [_name_of(JUDGES[claim.id].function)]
        every.append(Entry("claim", claim.id, claim.text, judge, naming, shown))
    for name, erratum in ERRATA.items():
        computed = [_name_of(NUMBERS[name])] if name in NUMBERS else []
        code = [*mapped["errata"].get(name, []), *computed]
        checked = sorted({*_naming(tests, name), *_checking(tests, code)})
        shown = [*mentioned(erratum.what), "errata"]
        every.append(Entry("erratum", name, erratum.what, code, checked, shown))
    return every


def page(root: Path) -> str:
    """Write the page."""
    every = entries(root)
    counts = {kind: sum(entry.kind == kind for entry in every) for kind in HEADINGS}
    lines = [
        "# From the paper to the code",
        "",
        "Every equation, figure, claim and erratum of the paper, with the function that implements "
        "it, the tests that check it, and the tables or figures that show it. The page is "
        "generated, and a test fails if anything in the paper is missing here, or if anything "
        "named here does not exist. It lists "
        + ", ".join(f"{count} {PLURALS[kind]}" for kind, count in counts.items())
        + ".",
        "",
    ]
    for kind, (heading, about) in HEADINGS.items():
        lines += [f"## {heading}", "", about, ""]
        lines += ["| in the paper | in the project |", "|---|---|"]
        lines += [_row(entry) for entry in every if entry.kind == kind]
        lines.append("")
    return "\n".join(lines)


PLURALS = {
    "equation": "equations and formulas",
    "algorithm": "procedures",
    "figure": "figures",
    "claim": "claims",
    "erratum": "errata",
}
HEADINGS = {
    "equation": (
        "Equations",
        "By the labels of the paper's LaTeX source. Equations without a label, and formulas of the "
        "text, have names.",
    ),
    "algorithm": ("Procedures", "What the paper describes in words."),
    "figure": ("Figures", "Figs. 1 to 17 are the paper's; the others are supplementary."),
    "claim": ("Claims", "The verdicts are in `claims.csv` and at the top of every report."),
    "erratum": (
        "Errata",
        "Where the paper contradicts itself or is silent; see {doc}`../errata` for what was done.",
    ),
}


def _row(entry: Entry) -> str:
    name = figure_name(entry.id) if entry.kind == "figure" else entry.id
    left = f"**{name}**<br>{entry.says}" + (
        f"<br>{{math}}`{entry.formula}`" if entry.formula else ""
    )
    code = "<br>".join(_code_link(function) for function in entry.implemented)
    tests = "<br>".join(f"`{test}`" for test in entry.tests)
    shown = ", ".join(_shown(thing) for thing in dict.fromkeys(entry.shown))
    right = f"*implemented by*<br>{code}<br>*checked by*<br>{tests}"
    right += f"<br>*shown in*<br>{shown}" if shown else ""
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in (left, right)) + " |"


def _code_link(function: str) -> str:
    return f"{{py:obj}}`{function} <fuzzybounds.{function}>`"


def _shown(thing: str) -> str:
    if thing in TABLES:
        return f"`{file_of(thing)}`"
    return figure_name(thing) if thing.startswith("fig") else thing


def module_of(function: str) -> str:
    """Return the module within the package in which a dotted name is defined."""
    parts = function.split(".")
    for depth in range(len(parts), 0, -1):
        name = ".".join(parts[:depth])
        with suppress(ModuleNotFoundError):
            if find_spec(f"fuzzybounds.{name}"):
                return name
    raise ImportError(f"fuzzybounds.{function}: not found")


def resolve(function: str) -> Any:
    """Return the object that a dotted name within the package means."""
    module = module_of(function)
    value: Any = import_module(f"fuzzybounds.{module}")
    for part in function.removeprefix(module).split(".")[1:]:
        value = getattr(value, part)
    return value


def _name_of(function: Any) -> str:
    name = function.__qualname__.split(".<locals>")[0]
    return f"{function.__module__.removeprefix('fuzzybounds.')}.{name}"


def _drawn_by(notebook: Path) -> list[str]:
    """Return the function that draws a notebook's figure: its module is named as the notebook."""
    package = "checks" if notebook.stem.startswith("figS") else "paper"
    return [f"{package}.figures.{notebook.stem}.draw"]


def _checking(tests: dict[str, str], functions: list[str]) -> list[str]:
    """Return the files of tests, beside a function's own package, that import its module."""
    files: set[str] = set()
    for function in functions:
        *package, module = module_of(function).split(".")
        name = "[.]".join(["fuzzybounds", *package])
        imported = re.compile(rf"\b{name}[.]{module}\b|from {name} import [^\n]*\b{module}\b")
        folder = "/".join(package)
        files.update(
            file
            for file, text in tests.items()
            if file.rpartition("/")[0] == folder and imported.search(text)
        )
    return sorted(files)


def _naming(tests: dict[str, str], name: str) -> list[str]:
    """Return the files of tests that name a claim or an erratum."""
    pattern = re.compile(rf"\b{name}\b|test_{name.lower()}_")
    return [file for file, text in tests.items() if pattern.search(text)]
