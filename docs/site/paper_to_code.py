"""From the paper to the code: every equation, figure, claim and erratum, and where each is.

``paper_to_code.yaml`` maps the equations.  Figures are described by their notebooks, claims and
errata by their registries.  Their tests are found by their ids, where these are named.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import yaml

from fuzzybounds.figures.registry import read_registry
from fuzzybounds.paper.claims import CLAIMS
from fuzzybounds.paper.errata import ERRATA
from fuzzybounds.report.text import figure_name, mentioned
from fuzzybounds.storage.registry import TABLES, file_of

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
        ``FILE::TEST`` within tests/.
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
    sources = dict(_tests(root / "tests"))
    registry = read_registry(root / "notebooks")
    return [
        *(Entry("equation", name, **own) for name, own in mapped["equations"].items()),
        *(Entry("algorithm", name, **own) for name, own in mapped["algorithms"].items()),
        *(
            Entry(
                "figure",
                figure,
                entry["title"],
                [f"figures.{name}.draw" for name in _drawn_by(entry["notebook"])],
                _naming(sources, "figures/", *_drawn_by(entry["notebook"]))
                + mapped["figures"].get(figure, []),
                list(entry.get("tables", [])),
            )
            for figure, entry in registry.items()
        ),
        *(
            Entry(
                "claim",
                claim.id,
                claim.text,
                [_name_of(claim.judge)],
                _naming(sources, "paper/claims/", claim.id)
                + _called(sources, claim.id)
                + mapped["claims"].get(claim.id, []),
                [*mentioned(claim.where), *claim.tables, "claims"],
            )
            for claim in CLAIMS.values()
        ),
        *(
            Entry(
                "erratum",
                name,
                erratum.what,
                mapped["errata"].get(name, {}).get("implemented", [])
                + [own for own in [_name_of(erratum.evidence)] if own != "paper.errata.nothing"],
                _naming(sources, "paper/test_errata", name)
                + _called(sources, name)
                + mapped["errata"].get(name, {}).get("tests", []),
                [*mentioned(erratum.what), "errata"],
            )
            for name, erratum in ERRATA.items()
        ),
    ]


def page(root: Path) -> str:
    """Write the page."""
    found = entries(root)
    counts = {kind: sum(own.kind == kind for own in found) for kind in HEADINGS}
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
        lines += [_row(own) for own in found if own.kind == kind]
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


def _row(own: Entry) -> str:
    name = figure_name(own.id) if own.kind == "figure" else own.id
    left = f"**{name}**<br>{own.says}" + (f"<br>{{math}}`{own.formula}`" if own.formula else "")
    code = "<br>".join(_code_link(function) for function in own.implemented)
    tests = "<br>".join(f"`{test}`" for test in own.tests)
    shown = ", ".join(_shown(thing) for thing in dict.fromkeys(own.shown))
    right = f"*implemented by*<br>{code}<br>*checked by*<br>{tests}"
    right += f"<br>*shown in*<br>{shown}" if shown else ""
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in (left, right)) + " |"


def _code_link(function: str) -> str:
    return f"{{py:obj}}`{function} <fuzzybounds.{function}>`"


def _shown(thing: str) -> str:
    if thing in TABLES:
        return f"`{file_of(thing)}`"
    return figure_name(thing) if thing.startswith("fig") else thing


def resolve(function: str) -> Any:
    """Return the object that a dotted name within the package means."""
    parts = function.split(".")
    for depth in range(len(parts) - 1, 0, -1):
        try:
            found = import_module("fuzzybounds." + ".".join(parts[:depth]))
        except ModuleNotFoundError:
            continue
        for part in parts[depth:]:
            found = getattr(found, part)
        return found
    raise ImportError(f"fuzzybounds.{function}: not found")


def _name_of(function: Any) -> str:
    name = function.__qualname__.split(".<locals>")[0]
    return f"{function.__module__.removeprefix('fuzzybounds.')}.{name}"


def _drawn_by(notebook: str) -> list[str]:
    """Return the modules of the package figures that a notebook's ``draw`` comes from."""
    return list(
        dict.fromkeys(re.findall(r"(\w+)\.draw\(", Path(notebook).read_text(encoding="utf-8")))
    )


def _tests(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield every test, as ``FILE::TEST``, with its source and its decorators."""
    for path in sorted(folder.rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                first = min([node.lineno, *(own.lineno for own in node.decorator_list)])
                source = "\n".join(text.splitlines()[first - 1 : node.end_lineno])
                yield f"{path.relative_to(folder).as_posix()}::{node.name}", source


def known_tests(root: Path) -> set[str]:
    """Return every test of the project, as ``FILE::TEST``."""
    return {name for name, _ in _tests(root / "tests")}


def _naming(sources: dict[str, str], folder: str, *names: str) -> list[str]:
    """Return the tests of a folder in whose source one of some names occurs."""
    pattern = re.compile("|".join(rf"\b{name}\b" for name in names))
    return [
        test
        for test, source in sources.items()
        if test.startswith(folder) and pattern.search(source)
    ]


def _called(sources: dict[str, str], name: str) -> list[str]:
    """Return the tests whose own name contains an id, as ``test_a08_...``."""
    return [test for test in sources if f"test_{name.lower()}_" in test]
