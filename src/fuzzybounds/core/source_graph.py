"""Which source files a script, a notebook or a module depends on, and a digest of their code.

Snakemake notices when a script changes, not when a module that it imports does; Numba notices when
the file of a compiled function changes, not when a file changes whose functions it calls.  This
module finds these files for both, by reading import statements and never by importing.
"""

from __future__ import annotations

import ast
import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

PACKAGE = "fuzzybounds"
CODE = (".py", ".ipynb")
MESSAGES = "suggestions.py"
"""The module that only words messages of errors."""
SHOWN = "TooFew"
"""The exception whose message is drawn in figures and written into tables."""


def modules_of(path: Path, source: Path) -> list[str]:
    """Return the package's modules that a script or notebook imports, directly or through another.

    `source` is the folder that holds the package.
    """
    modules: set[Path] = set()
    waiting = [path]
    while waiting:
        new = _imported_files(waiting.pop(), source) - modules
        modules |= new
        waiting += new
    return sorted(map(str, modules - {path}))


def digest(*paths: Path, source: Path) -> str:
    """Return a hash of the code of scripts, notebooks or modules, and of all modules they import.

    Comments, formatting and docstrings do not change it, nor do the messages of errors.  Data that
    belong to a module are hashed as they are.
    """
    files = {Path(name) for path in paths for name in modules_of(path, source)}.union(paths)
    contents = sorted((path.name, _content_hash(path)) for path in files if path.name != MESSAGES)
    return hashlib.sha256(repr(contents).encode()).hexdigest()[:16]


@cache
def imported_names(path: Path) -> frozenset[str]:
    """Return what a script, module or notebook imports, by full names, also inside functions."""
    if path.suffix not in CODE:
        return frozenset()
    names: set[str] = set()
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            # "from fuzzybounds import task" imports a module, "... import Controller" does not:
            # both are offered, and only files that exist count.
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(names)


@cache
def _tree(path: Path) -> ast.Module:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    return ast.parse(text)


@cache
def _content_hash(path: Path) -> str:
    content = repr(_code(_tree(path))).encode() if path.suffix in CODE else path.read_bytes()
    return hashlib.sha256(content).hexdigest()


def _code(node: Any) -> Any:
    """Return a syntax tree as lists, the same for every Python, without what is for readers.

    That is every text that is a statement, such as a docstring, and what an exception is raised
    with, unless its message is a result.
    """
    if isinstance(node, list):
        return [_code(child) for child in node if not _is_text(child)]
    if not isinstance(node, ast.AST):
        return node
    if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
        name = ast.unparse(node.exc.func)
        if name != SHOWN:
            return ["Raise", name]
    # Newer versions know more fields, which are empty in older code.
    fields = ((name, _code(child)) for name, child in ast.iter_fields(node))
    return [
        type(node).__name__,
        *((name, child) for name, child in fields if child not in (None, [])),
    ]


def _is_text(node: Any) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


@cache
def _imported_files(path: Path, source: Path) -> frozenset[Path]:
    names = [name for name in imported_names(path) if name.split(".")[0] == PACKAGE]
    return frozenset(file for name in names for file in _files_of(name, source)) | _data_of(path)


@cache
def _files_of(name: str, source: Path) -> tuple[Path, ...]:
    """Return the module's file, and the __init__ of every package above it."""
    package, _, last = name.rpartition(".")
    above = _files_of(package, source) if package else ()
    folder = source.joinpath(*package.split(".")) if package else source
    return above + tuple(
        file for file in (folder / last / "__init__.py", folder / f"{last}.py") if file.is_file()
    )


def _data_of(path: Path) -> frozenset[Path]:
    """Return the files beside a module that it names in its code: its data."""
    if path.suffix != ".py":
        return frozenset()
    beside = {file.name: file for file in path.parent.iterdir() if file.suffix not in ("", *CODE)}
    return frozenset(
        beside[node.value]
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.Constant) and node.value in beside
    )
