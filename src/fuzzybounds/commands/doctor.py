"""``fuzzybounds doctor``: what is installed, what would fail, and how to mend it."""

from __future__ import annotations

import argparse
import os
import platform
import shutil
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from fuzzybounds.commands import project
from fuzzybounds.core.errors import InputError

ROOM = 2.0
"""GB that a run of every data set takes at most."""


class Finding(NamedTuple):
    """One line: what was looked at, what was found, and what to do about it if it would fail."""

    what: str
    found: str
    remedy: str = ""


def doctor(given: argparse.Namespace) -> int:
    """Print what was found, and return 1 if something that a run needs would fail."""
    failing = False
    for own in findings():
        failing |= bool(own.remedy)
        print(f"{'✗' if own.remedy else '✓'} {own.what + ':':<13}{own.found}")
        if own.remedy:
            print(f"  {'':<13}{own.remedy}")
    print("\nA run would fail here." if failing else "\nA run can start here: fuzzybounds run")
    return int(failing)


def findings() -> Iterator[Finding]:
    """Look at everything that a run, or a command, needs."""
    packages = ("numpy", "scipy", "pandas", "numba", "scikit-learn", "pyarrow", "matplotlib")
    yield Finding("fuzzybounds", f"{_version('fuzzybounds')}, in {project.PACKAGE}")
    yield Finding("Python", f"{platform.python_version()} on {platform.platform()}")
    yield Finding("Library", ", ".join(f"{name} {_version(name)}" for name in packages))
    missing = project.missing_packages()
    yield Finding(
        "Workflow",
        f"{', '.join(missing)} missing" if missing else f"Snakemake {_version('snakemake')}",
        "pip install 'fuzzybounds[workflow]'" if missing else "",
    )
    try:
        place = project.folder()
        yield Finding("Project", str(place))
        names = project.configuration()["cohorts"]
        yield Finding("Options", f"config.yaml can be read; cohorts {', '.join(names)}")
    except InputError as error:
        yield Finding("Project", error.summary, "; ".join(error.problems) or "correct the file")
    yield Finding("Cores", str(os.cpu_count() or 1))
    free = shutil.disk_usage(Path.cwd()).free / 1e9
    small = f"make room: a run takes up to {ROOM:g} GB"
    yield Finding("Disk", f"{free:.0f} GB free", small if free < ROOM else "")
    writable = os.access(Path.cwd(), os.W_OK)
    yield Finding("Folder", str(Path.cwd()), "" if writable else "choose a folder you may write to")
    mirror = os.environ.get("FUZZYBOUNDS_MIRROR")
    lost = mirror and not Path(mirror).is_dir()
    yield Finding(
        "Logs",
        f"published ones from {mirror or 'the network, when a run needs them'}",
        "FUZZYBOUNDS_MIRROR names no folder; correct or unset it" if lost else "",
    )


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "(not installed)"
