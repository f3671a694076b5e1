"""CPU seconds of whole runs, from an empty clone to every figure, in total and by rule.

    python benchmarks/whole_run.py [COMMIT ...]

clones the project at each commit (by default, the one that is checked out) into a temporary
folder and runs, one after the other: ``make figures``, the same again (nothing to do),
Experiments A and B where FUZZYBOUNDS_MIRROR names the folder with their logs, and a first look
with and without compiled code.  Times are those of all processes of a run, which Python itself
counts; wall times tell little where other work is going on.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

PROJECT = Path(__file__).parents[1]
DONE = re.compile(r"^done, with ([\d.]+) s of CPU time", re.M)
FIGURES = {"draw_figure", "draw_shared_figure"}
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


def rules(logs: Path, since: float = 0.0) -> dict[str, list[float]]:
    """CPU seconds of the jobs of each rule, as their logs tell."""
    found = defaultdict(list)
    for log in sorted(logs.rglob("*.log")):
        seconds = DONE.findall(log.read_text(encoding="utf-8", errors="replace"))
        if seconds and log.stat().st_mtime >= since:
            parts = log.relative_to(logs).with_suffix("").parts
            found[parts[1]].append(float(seconds[-1]))
    return found


def by_rule(project: Path, total: float, since: float) -> None:
    """Print what the jobs of a run used, and what is left for starting them and for Snakemake."""
    found = rules(project / "logs", since)
    for rule, seconds in sorted(found.items(), key=lambda item: -sum(item[1])):
        print(f"  {sum(seconds):8.1f}  {rule}" + (f" ({len(seconds)})" if seconds[1:] else ""))
    inside = sum(map(sum, found.values()))
    print(f"  {total - inside:8.1f}  set-up, Snakemake, imports")
    drawn = [seconds for rule in FIGURES for seconds in found.get(rule, [])]
    if drawn:
        print(f"  one figure on average: {sum(drawn) / len(drawn):.1f}")


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
            by_rule(project, cpu, start)

    step("set-up", ".venv/.ready")
    step("make figures, nothing there but the environment", "figures", detail=True)
    step("nothing to do", "figures")
    if os.environ.get("FUZZYBOUNDS_MIRROR"):
        for dataset in ("experiment_a", "experiment_b"):
            step(dataset, "figures", f"DATASET={dataset}", detail=True)
    step("a first look, compiled", "figures", "FAST=1")
    for path in [project / "fast", *(project / COMPILED).glob("compiled-*")]:
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
