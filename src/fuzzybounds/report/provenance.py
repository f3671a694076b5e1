"""What made the results: versions and commit."""

from __future__ import annotations

import platform
import subprocess
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

UNKNOWN = "unknown"
COMPUTE = ("numba", "numpy", "pandas", "scipy")
"""Packages on whose versions the last digits of a table may depend."""


def processor() -> str:
    """Name the processor, as the system does; or its architecture."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return next(filter(None, named), platform.processor() or platform.machine() or UNKNOWN)


def versions(packages: Iterable[str]) -> dict[str, str]:
    """The processor, and the versions of Python, of the system, and of some packages."""
    described = {"processor": processor(), "Python": platform.python_version()}
    described["system"] = platform.system()
    for name in packages:
        try:
            described[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            described[name] = UNKNOWN
    return described


def describe_reference(made: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return ``reference.json``, how tables were made: each rule's parameters, and versions."""
    return {"reference": {**made, "versions": versions(COMPUTE)}}


def commit(file: str | Path) -> tuple[str, str]:
    """Return the commit of a file's project and whether its tree has changed since; or unknown.

    A project that is inside another repository without being part of it has no commit.
    """
    folder, name = Path(file).resolve().parent, Path(file).name
    if _git(folder, "ls-files", "--error-unmatch", name) is None:
        return UNKNOWN, UNKNOWN
    revision, changes = _git(folder, "rev-parse", "HEAD"), _git(folder, "status", "--porcelain")
    return revision or UNKNOWN, UNKNOWN if changes is None else "yes" if changes else "no"


def commit_time(file: str | Path) -> str | None:
    """Return when the commit of a file's project was made, in s since 1970; or None."""
    folder, name = Path(file).resolve().parent, Path(file).name
    if _git(folder, "ls-files", "--error-unmatch", name) is None:
        return None
    return _git(folder, "log", "-1", "--format=%ct")


def _git(folder: Path, *arguments: str) -> str | None:
    """What git says, or None where there is no git, no repository, or no such file in it."""
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()
