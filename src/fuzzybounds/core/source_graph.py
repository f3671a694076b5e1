"""Which source files a script, a notebook or a module depends on.

Snakemake notices when a script changes, not when a module that it imports does; Numba notices when
the file of a compiled function changes, not when a file changes whose functions it calls.  This
module finds these files for both, by reading import statements and never by importing.
"""

from __future__ import annotations

import ast
import json
from functools import cache
from pathlib import Path

PACKAGE = "fuzzybounds"


def modules_of(path: Path, source: Path) -> list[str]:
    """Return the package's modules that a script or notebook imports, directly or through another.

    `source` is the folder that holds the package.
    """
    found: set[Path] = set()
    waiting = [path]
    while waiting:
        new = _imported_files(waiting.pop(), source) - found
        found |= new
        waiting += new
    return sorted(map(str, found - {path}))


@cache
def imported_names(path: Path) -> frozenset[str]:
    """Return what a script, module or notebook imports, by full names, also inside functions."""
    if path.suffix == ".yaml":
        return frozenset()
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    names: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names |= {own.name for own in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            # "from fuzzybounds import task" imports a module, "... import Controller" does not:
            # both are offered, and only files that exist count.
            names |= {node.module, *(f"{node.module}.{own.name}" for own in node.names)}
    return frozenset(names)


@cache
def _imported_files(path: Path, source: Path) -> frozenset[Path]:
    names = imported_names(path)
    return frozenset(
        file for name in names if name.split(".")[0] == PACKAGE for file in _files_of(name, source)
    )


@cache
def _files_of(name: str, source: Path) -> tuple[Path, ...]:
    """Return the module's own file, its data, and the __init__ of every package above it.

    Data of a module are in a YAML file of its name.
    """
    package, _, own = name.rpartition(".")
    above = _files_of(package, source) if package else ()
    folder = source.joinpath(*package.split(".")) if package else source
    files = (folder / own / "__init__.py", folder / f"{own}.py", folder / f"{own}.yaml")
    return above + tuple(file for file in files if file.is_file())
