"""Run the simulated data set through a real Slurm, and compare every file with the run made here.

    make test-slurm
    .venv-slurm/bin/python tests/slurm/compare_runs.py results/simulated/groups.csv    a part of it

The local run is that of this folder, which is completed first where something is missing.  Slurm is
started for the other one, in a temporary copy of the project, and stopped.
"""

from __future__ import annotations

import argparse
import hashlib
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from cluster import one_node

ROOT = Path(__file__).resolve().parents[2]
SNAKEMAKE = (sys.executable, "-m", "snakemake")
SLURM = (
    *("--profile", "profiles/slurm"),
    # What a cluster without accounting needs; and a short one can be asked often.
    *("--slurm-no-account", "--slurm-status-command", "squeue"),
    *("--slurm-init-seconds-before-status-checks", "2", "--seconds-between-status-checks", "2"),
)
NOT_COMPARED = (".html", ".ipynb")
"""The report and notebooks say when and where they were made."""


def copy_project(folder: Path) -> Path:
    """Copy what git knows of the project, as it is now."""
    folder.mkdir()
    copy = f"git ls-files -z | xargs -0 cp --parents -t {folder}"
    subprocess.run(copy, cwd=ROOT, shell=True, check=True)
    return folder


def run(folder: Path, *arguments: str) -> float:
    """Run the workflow in a folder, and return how many seconds it took."""
    start = time.monotonic()
    done = subprocess.run([*SNAKEMAKE, *arguments], cwd=folder)
    if done.returncode:
        raise SystemExit(f"error: the run in {folder} failed")
    return time.monotonic() - start


def results_of(folder: Path, *targets: str) -> dict[str, str]:
    """Sha256 of every file that the targets need, by Snakemake's own list of them."""
    command = [*SNAKEMAKE, "--quiet", "--summary", "--", *targets]
    listed = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
    outputs = {folder / line.split("\t")[0] for line in listed.splitlines()[1:]}
    files = {
        file
        for output in outputs
        for file in (output.rglob("*") if output.is_dir() else [output])
        if file.is_file() and not file.name.endswith(NOT_COMPARED)
    }
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(files)
        if file.name != ".snakemake_timestamp"
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("targets", nargs="*", help="what to make; everything by default")
    targets = parser.parse_args().targets
    # As Ctrl-C does: everything that was started is stopped.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    run(ROOT, "--", *targets)
    expected = results_of(ROOT, *targets)
    with tempfile.TemporaryDirectory(prefix="fuzzybounds-") as folder:
        copy = copy_project(Path(folder, "slurm"))
        with one_node():
            through_slurm = run(copy, *SLURM, "--", *targets)
        made = results_of(copy, *targets)
    differing = sorted(
        name for name in expected.keys() | made.keys() if expected.get(name) != made.get(name)
    )
    print(f"through Slurm: {through_slurm:.0f} s; {len(expected)} files to compare")
    if differing:
        raise SystemExit("error: these files differ or are missing:\n  " + "\n  ".join(differing))
    print("every file is the same to the byte")


if __name__ == "__main__":
    main()
