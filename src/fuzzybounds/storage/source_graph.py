"""Which source files a script, a notebook or a module depends on.

Snakemake notices when a script changes, not when a module that it imports does; Numba notices when
the file of a compiled function changes, not when a file changes whose functions it calls.  This
module finds these files for both, by reading import statements and never by importing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PACKAGE = "fuzzybounds"


def modules_of(path: Path, source: Path) -> list[str]:
    """The package's modules that a script or notebook imports, directly or through another.

    Parameters
    ----------
    path : Path
        A Python file, or a notebook.
    source : Path
        The folder that holds the package.

    Returns
    -------
    list of str
        Paths, sorted, including imported modules in the script's own folder.
    """
    found: set[Path] = set()
    waiting = [path]
    while waiting:
        for module in _imported_files(waiting.pop(), source):
            if module not in found:
                found.add(module)
                waiting.append(module)
    return sorted(map(str, found - {path}))


@cache
def _imported_files(path: Path, source: Path) -> frozenset[Path]:
    files: set[Path] = set()
    for name in _imported_names(path):
        if name.split(".")[0] == PACKAGE:
            files.update(_files_of(name, source))
        elif (path.parent / f"{name}.py").is_file() and path.parent.name == "scripts":
            files.add(path.parent / f"{name}.py")
    return frozenset(files)


IMPORT = re.compile(
    r"^[ \t]*(?:import[ \t]+(?P<modules>[\w., \t]+)"
    r"|from[ \t]+(?P<module>[\w.]+)[ \t]+import[ \t]*(?P<names>\([^)]*\)|[^\n]*))",
    re.M,
)
"""An import statement, anywhere in a file.  Parsing the files would be exact and cost a
tenth of a second at every start; a line of prose that looks like an import does no harm."""


def _imported_names(path: Path) -> Iterator[str]:
    """Every dotted name that may be a module, wherever in the file it is imported."""
    for match in IMPORT.finditer(_python_of(path)):
        if match["modules"]:
            yield from (name.split()[0] for name in match["modules"].split(",") if name.strip())
        else:
            yield match["module"]
            # "from fuzzybounds import task" imports a module, "... import Controller" does not:
            # both are offered, and only files that exist count.
            yield from (f"{match['module']}.{name}" for name in re.findall(r"\w+", match["names"]))


def _python_of(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        return text
    cells = json.loads(text)["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")


@cache
def _files_of(name: str, source: Path) -> tuple[Path, ...]:
    """The module's own file and the __init__ of every package above it."""
    package, _, own = name.rpartition(".")
    above = _files_of(package, source) if package else ()
    folder = source.joinpath(*package.split(".")) if package else source
    files = (folder / own / "__init__.py", folder / f"{own}.py")
    return above + tuple(file for file in files if file.is_file())
