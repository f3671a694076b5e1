"""What made the results: versions, commit, and processor time by rule."""

from __future__ import annotations

import csv
import platform
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Mapping
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
    wall : float
        Sum of the jobs' durations (s).
    cpu : float
        Processor time (s) of the jobs that Snakemake sampled.
    unsampled : int
        Jobs that ended before Snakemake looked at their processor time.
    memory : float
        Largest memory of a job (MB).
    """

    rule: str
    jobs: int
    wall: float
    cpu: float
    unsampled: int = 0
    memory: float = 0.0

    @property
    def cpu_text(self) -> str:
        """The processor time, or that it is not known or at least so much."""
        if self.unsampled == self.jobs:
            return "not sampled"
        return f"≥ {self.cpu:.1f}" if self.unsampled else f"{self.cpu:.1f}"


def costs(*folders: str | Path) -> list[Cost]:
    """Sum Snakemake's benchmark tables of some folders by rule, the longest first.

    A table lies at ``RULE.tsv`` or, where a rule has several jobs, at ``RULE/JOB.tsv``.
    """
    found: dict[str, list[dict[str, str]]] = defaultdict(list)
    files = [(Path(folder), file) for folder in folders for file in Path(folder).rglob("*.tsv")]
    for folder, path in sorted(files):
        rule = path.relative_to(folder).parts[0].removesuffix(".tsv")
        with path.open(encoding="utf-8", newline="") as file:
            found[rule] += csv.DictReader(file, delimiter="\t")
    sums = [
        Cost(
            rule,
            len(jobs),
            wall=sum(_number(job, "s") for job in jobs),
            cpu=sum(_number(job, "cpu_time") for job in jobs),
            unsampled=sum(not _number(job, "cpu_time") for job in jobs),
            memory=max(_number(job, "max_rss") for job in jobs),
        )
        for rule, jobs in found.items()
        if jobs
    ]
    return sorted(sums, key=lambda cost: (-cost.wall, cost.rule))


def _number(job: Mapping[str, str], column: str) -> float:
    """Return a number of a benchmark; 0 where a job was too short to be measured."""
    try:
        return float(job[column])
    except (KeyError, TypeError, ValueError):
        return 0.0


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
