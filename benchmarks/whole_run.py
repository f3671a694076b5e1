"""CPU seconds of whole runs, from an empty clone to every figure, in total and by rule.

    python benchmarks/whole_run.py [COMMIT ...]

clones the project at each commit (by default, the one that is checked out) into a temporary
folder and runs, one after the other: ``make figures``, the same again (nothing to do),
Experiments A and B where FUZZYBOUNDS_MIRROR names the folder with their logs, and a first look
with and without compiled code.  Totals are CPU seconds of all processes of a run; rules are seconds
by the clock, from Snakemake's benchmark files.
"""

from __future__ import annotations

import csv
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

PROJECT = Path(__file__).parents[1]
COMPILED = "src/fuzzybounds/__pycache__"


def spent() -> float:
    """CPU seconds of all processes that this one has started and that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(project: Path, *arguments: str) -> tuple[float, float]:
    """Run make, and return CPU seconds and seconds by the clock."""
    before, start = spent(), time.monotonic()
    done = subprocess.run(
        ["make", *arguments], cwd=project, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    if done.returncode:
        sys.exit(f"make {' '.join(arguments)} failed:\n{done.stdout.decode()[-3000:]}")
    return spent() - before, time.monotonic() - start


def seconds_of(benchmark: Path) -> float:
    """Seconds of a job by the clock, as Snakemake's benchmark file has them."""
    with open(benchmark, encoding="utf-8", newline="") as file:
        return sum(float(row["s"]) for row in csv.DictReader(file, delimiter="\t"))


def by_rule(project: Path, since: float) -> None:
    """Print how long the jobs of a run took, by rule."""
    by_rule = defaultdict(list)
    logs = project / "logs"
    for path in sorted(logs.rglob("*.tsv")):
        if path.stat().st_mtime >= since:
            by_rule[path.relative_to(logs).with_suffix("").parts[1]].append(seconds_of(path))
    for rule, seconds in sorted(by_rule.items(), key=lambda item: -sum(item[1])):
        print(f"  {sum(seconds):8.1f}  {rule}" + (f" ({len(seconds)})" if seconds[1:] else ""))


def measure(commit: str, folder: Path) -> None:
    """Print a table for one commit."""
    project = folder / commit
    subprocess.run(["git", "clone", "--quiet", str(PROJECT), str(project)], check=True)
    subprocess.run(["git", "checkout", "--quiet", commit], cwd=project, check=True)
    print(f"== {commit}: CPU s (s by the clock)", flush=True)

    def step(name: str, *arguments: str, detail: bool = False) -> None:
        start = time.time()
        cpu, wall = run(project, *arguments)
        print(f"{cpu:8.1f} ({wall:.0f})  {name}", flush=True)
        if detail:
            by_rule(project, start)

    step("set-up", ".venv/.ready")
    step("make figures, nothing there but the environment", "figures", detail=True)
    step("nothing to do", "figures")
    if os.environ.get("FUZZYBOUNDS_MIRROR"):
        for dataset in ("experiment_a", "experiment_b"):
            step(dataset, "figures", f"DATASET={dataset}", detail=True)
    step("a first look, compiled", "figures", "FAST=1")
    for path in [project / "results/variants", *(project / COMPILED).glob("compiled-*")]:
        shutil.rmtree(path)
    step("a first look, nothing compiled", "figures", "FAST=1")


def main(commits: list[str]) -> None:
    head = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=PROJECT, capture_output=True, text=True
    )
    with tempfile.TemporaryDirectory() as folder:
        for commit in commits or [head.stdout.strip()]:
            measure(commit, Path(folder))


if __name__ == "__main__":
    main(sys.argv[1:])
