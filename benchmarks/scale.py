"""What a cohort costs, by its size: CPU time and memory of every rule, and Snakemake's own.

    python benchmarks/scale.py                           26 subjects
    python benchmarks/scale.py 26 260 2600               and more: hours
    python benchmarks/scale.py 2600 --without-weibull    without the fits that cost most

Runs the workflow on cohorts of scale.yaml, in this folder, on one core; what is there is not run
again.  CPU time and memory are what each job wrote at the end of its log, by the system's account.
(Snakemake's own benchmark files, beside the logs, sample: every half second at first, later every
thirty seconds, so that they miss the end of a job.)  The memory of a small job is at least that of
Snakemake, from which it was started.
"""

from __future__ import annotations

import argparse
import re
import resource
import subprocess
import sys
from pathlib import Path

import pandas as pd
from pyarrow.parquet import read_metadata

SNAKEMAKE = str(Path(sys.executable).with_name("snakemake"))
OPTIONS = ("--cores", "1", "--configfile", "benchmarks/scale.yaml", "--config")
TABLES = ("design_check.csv", "groups.csv")
WEIBULL = ("model_selection.csv",)
RULES = (
    "simulate_logs",
    "validate_logs",
    "check_design",
    "draw_samples",
    "split_subjects",
    "fit_fuzzy",
    "gather_fuzzy",
    "compare_groups",
    "fit_weibull",
    "gather_weibull",
    "select_models",
)
USED = re.compile(r"done, with ([\d.]+) s of CPU time, at most (\d+) MiB of memory")


def cpu_of(command: list[str]) -> float:
    """Run a command, and return the CPU time of all its processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def used_by(rule: str, logs: Path) -> dict[str, float] | None:
    """The jobs of a rule: how many, their CPU time, the largest memory of one."""
    files = [logs / f"{rule}.log", *(logs / rule).glob("*.log")]
    found = [USED.findall(file.read_text()) for file in files if file.exists()]
    if not found:
        return None
    cpu, memory = zip(*((float(own[-1][0]), int(own[-1][1])) for own in found), strict=True)
    return {"jobs": len(found), "cpu": sum(cpu), "memory": max(memory)}


def measure(subjects: int, tables: tuple[str, ...]) -> dict[str, str]:
    """Run a cohort, and return a column of the table of costs."""
    name = f"scale_{subjects}"
    targets = [f"results/{name}/{table}" for table in tables]
    command = [SNAKEMAKE, *OPTIONS, f"dataset={name}", "--", *targets]
    running = cpu_of(command)
    planning = cpu_of([SNAKEMAKE, "--dry-run", *command[1:]])
    used = {rule: used_by(rule, Path("logs", name)) for rule in RULES}
    column = {
        rule: f"{own['cpu'] / subjects:.3f} ({own['jobs']} x, {own['memory']} MiB)" if own else ""
        for rule, own in used.items()
    }
    counted = [own for rule, own in used.items() if own and rule != "simulate_logs"]
    cpu = sum(own["cpu"] for own in counted)
    column["all but simulate_logs"] = f"{cpu / subjects:.3f}"
    column["trials"] = str(read_metadata(f"results/{name}/trials.parquet").num_rows)
    column["shards"] = str(sum(path.is_dir() for path in Path(f"results/{name}/shards").iterdir()))
    column["planning, CPU s"] = f"{planning:.1f}"
    column["this run, CPU s"] = f"{running:.0f}"
    return column


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("subjects", nargs="*", type=int, default=[26])
    parser.add_argument("--without-weibull", action="store_true")
    given = parser.parse_args()
    tables = TABLES if given.without_weibull else (*TABLES, *WEIBULL)
    columns = {f"{n} subjects": measure(n, tables) for n in given.subjects}
    print("CPU s per subject (jobs, largest memory of one)\n")
    print(pd.DataFrame(columns).to_markdown())


if __name__ == "__main__":
    main()
