"""Compiled functions whose machine code is never older than the sources it was made from.

Numba keeps machine code on disk and notices when the file of a function changes, but not when a
file changes whose functions or constants it uses.  So the folder of the machine code is named by a
hash of all these files.  Compiled modules import :func:`njit` from here, never from Numba.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba
from numba.core.compiler import Compiler

from fuzzybounds.storage.source_graph import modules_of

PACKAGE = Path(__file__).resolve().parents[1]
MARK = "fuzzybounds.storage.compilation"
"""Modules that name this one are compiled."""
PREFIX = "compiled-"
KEPT = 3
"""How many folders of machine code are kept: those of the sources used last."""


def source_key(package: Path = PACKAGE) -> str:
    """Return a hash of every source file on which compiled functions depend."""
    files = sorted(package.rglob("*.py"))
    compiled = [file for file in files if MARK in file.read_text(encoding="utf-8")]
    used = {str(file) for file in compiled}
    for file in compiled:
        used.update(modules_of(file, package.parent))
    digest = hashlib.sha256()
    for name in sorted(used):
        digest.update(os.path.relpath(name, package).encode())
        digest.update(Path(name).read_bytes())
    return digest.hexdigest()[:16]


def _folder() -> Path:
    """Return the folder for machine code of these sources; the oldest of others are removed."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    parent = Path(given) if given else PACKAGE / "__pycache__"
    if not given and not os.access(PACKAGE, os.W_OK):
        parent = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "fuzzybounds"
    folder = parent / f"{PREFIX}{source_key()}"
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        others = sorted(parent.glob(f"{PREFIX}*"), key=lambda path: path.stat().st_mtime)
        for old in others[:-KEPT]:
            shutil.rmtree(old, ignore_errors=True)
    return folder


FOLDER = _folder()
numba.config.CACHE_DIR = str(FOLDER)  # type: ignore[attr-defined]
# Unrolled loops over a few elements become vector instructions, too; no sum changes its order.
numba.config.SLP_VECTORIZE = 1  # type: ignore[attr-defined]


class Apart(Compiler):
    """Compile a function whose array arguments never overlap."""

    def define_pipelines(self) -> list:
        """Tell the compiler so, and take the usual steps."""
        self.state.flags.noalias = True
        return super().define_pipelines()


def njit(*arguments: Any, apart: bool = False, **options: Any) -> Callable[..., Any]:
    """Compile a function as :func:`numba.njit` does, and keep its machine code on disk.

    With `apart` the compiler may assume that no array among the arguments overlaps another one: it
    can then turn loops over several arrays into vector instructions.  For the same reason a
    division by zero is not checked there, but gives inf or NaN.
    """
    if apart:
        options = {"pipeline_class": Apart, "error_model": "numpy", **options}
    return numba.njit(*arguments, **{"cache": True, **options})
