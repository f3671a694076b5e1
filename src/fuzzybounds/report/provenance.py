"""What made the results: versions, commit, and processor time by rule."""

from __future__ import annotations

import csv
import platform
import subprocess
from collections import defaultdict
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

UNKNOWN = "unknown"


class Cost(NamedTuple):
    """What the jobs of a rule took when they last ran.

    Attributes
    ----------
    rule : str
    jobs : int
    cpu : float
        Processor time (s).
    wall : float
        Sum of the jobs' durations (s).
    """

    rule: str
    jobs: int
    cpu: float
    wall: float


def costs(*folders: str | Path) -> list[Cost]:
    """Sum the benchmark tables of some folders by rule, the most expensive first.

    A table lies at ``RULE.tsv`` or, where a rule has several jobs, at ``RULE/JOB.tsv``.
    """
    found = defaultdict(list)
    files = [(Path(folder), file) for folder in folders for file in Path(folder).rglob("*.tsv")]
    for folder, path in sorted(files):
        rule = path.relative_to(folder).parts[0].removesuffix(".tsv")
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t"))
        found[rule].append((_sum(rows, "cpu_time"), _sum(rows, "s")))
    sums = [
        Cost(rule, len(jobs), sum(cpu for cpu, _ in jobs), sum(wall for _, wall in jobs))
        for rule, jobs in found.items()
    ]
    return sorted(sums, key=lambda cost: (-cost.cpu, cost.rule))


def _sum(rows: list[dict[str, str]], column: str) -> float:
    """Sum a column, in which jobs too short to be measured have no number."""
    return sum(float(row[column]) for row in rows if row.get(column) not in (None, "", "-", "NA"))


def processor() -> str:
    """Name the processor, as the system does; or its architecture."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return next(filter(None, named), platform.processor() or platform.machine() or UNKNOWN)


def vector_instructions() -> str:
    """Name the vector instructions that NumPy uses here."""
    import numpy as np

    found = np.show_config(mode="dicts").get("SIMD Extensions", {})
    return " ".join([*found.get("baseline", []), *found.get("found", [])]) or UNKNOWN


def versions(packages: Iterable[str]) -> dict[str, str]:
    """The processor, and the versions of Python, of the system, and of some packages."""
    found = {"processor": processor(), "vector instructions": vector_instructions()}
    found |= {"Python": platform.python_version(), "system": platform.system()}
    for name in packages:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = UNKNOWN
    return found


def commit(file: str | Path) -> tuple[str, str]:
    """Return the commit of a file's project and whether its tree has changed since; or unknown.

    A project that is inside another repository without being part of it has no commit.
    """
    folder, name = Path(file).resolve().parent, Path(file).name
    if _git(folder, "ls-files", "--error-unmatch", name) is None:
        return UNKNOWN, UNKNOWN
    found, changes = _git(folder, "rev-parse", "HEAD"), _git(folder, "status", "--porcelain")
    return found or UNKNOWN, UNKNOWN if changes is None else "yes" if changes else "no"


def _git(folder: Path, *arguments: str) -> str | None:
    """What git says, or None where there is no git, no repository, or no such file in it."""
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()
