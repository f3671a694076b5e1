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
from pathlib import Path
from typing import Any

import numba

from fuzzybounds.core.source_graph import modules_of

PACKAGE = Path(__file__).resolve().parents[1]
MARK = "fuzzybounds.core.compilation"
"""Modules that name this one are compiled."""
KEPT = 3
"""How many folders of machine code are kept: those of the sources used last."""


def source_key(package: Path = PACKAGE) -> str:
    """Return a hash of every source file on which compiled functions depend."""
    compiled = [path for path in package.rglob("*.py") if MARK in path.read_text(encoding="utf-8")]
    used = {str(path) for path in compiled}
    for path in compiled:
        used.update(modules_of(path, package.parent))
    contents = [Path(name).read_bytes() for name in sorted(used)]
    return hashlib.sha256(b"\0".join(contents)).hexdigest()[:16]


def _folder() -> Path:
    """Return the folder for machine code of these sources; the oldest of others are removed."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    parent = Path(given) if given else PACKAGE / "__pycache__"
    if not given and not os.access(PACKAGE, os.W_OK):
        parent = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "fuzzybounds"
    folder = parent / f"compiled-{source_key()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        others = sorted(parent.glob("compiled-*"), key=lambda path: path.stat().st_mtime)
        for old in others[:-KEPT]:
            shutil.rmtree(old, ignore_errors=True)
    except OSError:
        pass  # Numba then compiles in memory, or says why it cannot.
    return folder


numba.config.CACHE_DIR = str(_folder())  # type: ignore[attr-defined]
# Unrolled loops over a few elements become vector instructions, too; no sum changes its order.
numba.config.SLP_VECTORIZE = 1  # type: ignore[attr-defined]


def njit(*arguments: Any, **options: Any) -> Callable[..., Any]:
    """Compile a function as :func:`numba.njit` does, and keep its machine code on disk."""
    return numba.njit(*arguments, **{"cache": True, **options})
