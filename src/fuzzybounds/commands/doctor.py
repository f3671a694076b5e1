"""``fuzzybounds doctor``: what is installed, what would fail, and how to mend it."""

from __future__ import annotations

import argparse
import os
import platform
import shutil
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from fuzzybounds.commands import project
from fuzzybounds.core.errors import InputError

ROOM = 2.0
"""GB that a run of every data set takes at most."""


def doctor(given: argparse.Namespace) -> int:
    """Print what was found, and return 1 if something that a run needs would fail."""
    failing = False
    for what, state, remedy in findings():
        failing |= bool(remedy)
        print(f"{'✗' if remedy else '✓'} {what + ':':<13}{state}")
        if remedy:
            print(f"  {'':<13}{remedy}")
    print("\nA run would fail here." if failing else "\nA run can start here: fuzzybounds run")
    return int(failing)


def findings() -> Iterator[tuple[str, str, str]]:
    """Look at everything that a run needs: what it is, what was found, the remedy if it fails."""
    packages = ("numpy", "scipy", "pandas", "numba", "scikit-learn", "pyarrow", "matplotlib")
    yield "fuzzybounds", f"{_version('fuzzybounds')}, in {project.PACKAGE}", ""
    yield "Python", f"{platform.python_version()} on {platform.platform()}", ""
    yield "Library", ", ".join(f"{name} {_version(name)}" for name in packages), ""
    if missing := project.missing_packages():
        yield "Workflow", f"{', '.join(missing)} missing", "pip install 'fuzzybounds[workflow]'"
    else:
        yield "Workflow", f"Snakemake {_version('snakemake')}", ""
    try:
        yield "Project", str(project.folder()), ""
        names = project.configuration()["cohorts"]
        yield "Options", f"config.yaml can be read; cohorts {', '.join(names)}", ""
    except InputError as error:
        yield "Project", error.summary, "; ".join(error.problems) or "correct the file"
    yield "Cores", str(os.cpu_count() or 1), ""
    here = Path.cwd()
    free = shutil.disk_usage(here).free / 1e9
    small = f"make room: a run takes up to {ROOM:g} GB"
    yield "Disk", f"{free:.0f} GB free", small if free < ROOM else ""
    writable = os.access(here, os.W_OK)
    yield "Folder", str(here), "" if writable else "choose a folder you may write to"
    mirror = os.environ.get("FUZZYBOUNDS_MIRROR")
    lost = "FUZZYBOUNDS_MIRROR names no folder; correct or unset it"
    source = f"published ones from {mirror or 'the network, when a run needs them'}"
    yield "Logs", source, lost if mirror and not Path(mirror).is_dir() else ""


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "(not installed)"
