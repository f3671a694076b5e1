"""Run the simulated data set here and through a real Slurm, and compare every file of the results.

    make test-slurm                                       6 + 2 subjects, some minutes
    .venv-slurm/bin/python tests/slurm/compare_runs.py --whole     all 26 + 2

Everything happens in two temporary copies of the project; Slurm is started for it and stopped.
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
SNAKEMAKE = str(Path(sys.executable).with_name("snakemake"))
SLURM = (
    *("--profile", "workflow/profiles/slurm"),
    # What a cluster without accounting needs; and a short one can be asked often.
    *("--slurm-no-account", "--slurm-status-command", "squeue"),
    *("--slurm-init-seconds-before-status-checks", "2", "--seconds-between-status-checks", "2"),
)


def copy_project(folder: Path) -> Path:
    """Copy what git knows of the project, as it is now."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    copy = subprocess.run(
        ["tar", "-c", "--null", "-T", "-"], cwd=ROOT, input=listed.stdout, stdout=subprocess.PIPE
    )
    folder.mkdir()
    subprocess.run(["tar", "-x"], cwd=folder, input=copy.stdout, check=True)
    return folder


def run(folder: Path, *arguments: str) -> float:
    """Run the workflow in a copy, and return how many seconds it took."""
    start = time.monotonic()
    done = subprocess.run([SNAKEMAKE, *arguments], cwd=folder)
    if done.returncode:
        raise SystemExit(f"error: the run in {folder.name} failed")
    return time.monotonic() - start


def hashes(folder: Path) -> dict[str, str]:
    """Sha256 of every file of the results."""
    results = folder / "results"
    return {
        str(path.relative_to(results)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(results.rglob("*"))
        if path.is_file() and path.name != ".snakemake_timestamp"
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--whole", action="store_true", help="all 28 subjects instead of eight")
    parser.add_argument("targets", nargs="*", help="what to make; everything by default")
    given = parser.parse_args()
    # As Ctrl-C does: everything that was started is stopped.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    config = [] if given.whole else ["--configfile", "tests/slurm/fewer.yaml"]
    arguments = [*config, "--", *given.targets] if given.targets else config
    with tempfile.TemporaryDirectory(prefix="fuzzybounds-") as folder:
        local, slurm = (copy_project(Path(folder, name)) for name in ("local", "slurm"))
        with one_node():
            through_slurm = run(slurm, *SLURM, *arguments)
        here = run(local, *arguments)
        expected, found = hashes(local), hashes(slurm)
    differing = sorted(
        name for name in expected.keys() | found.keys() if expected.get(name) != found.get(name)
    )
    print(f"Slurm: {through_slurm:.0f} s, local: {here:.0f} s; {len(expected)} files to compare")
    if differing:
        raise SystemExit("error: these files differ or are missing:\n  " + "\n  ".join(differing))
    print("every file is the same to the byte")


if __name__ == "__main__":
    main()
