"""The environment that every job inherits."""

from __future__ import annotations

import os
from pathlib import Path

THREADS = ("OMP", "OPENBLAS", "MKL", "NUMEXPR")


def prepare(source: Path) -> None:
    """Fix what results must not depend on: the number of threads, and which library is used.

    Python may keep its bytecode: without it, importing takes three times as long in every job.

    Parameters
    ----------
    source : Path
        The folder of this project's library; jobs use it, installed or not.
    """
    for library in THREADS:
        os.environ[f"{library}_NUM_THREADS"] = "1"
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(source.resolve()), before]))
