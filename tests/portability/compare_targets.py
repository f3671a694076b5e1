"""Run the workflow as if on other processors, and compare every table to the promised digits.

    make portability
    .venv/bin/python tests/portability/compare_targets.py --dataset simulated --target plain

The run of this folder is completed first where something is missing.  Each target then runs in a
temporary copy of the project.  Integers, texts, truth values and verdicts must be the same, and
numbers to the digits that the registry promises.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from fuzzybounds.storage.comparison import compare_runs

ROOT = Path(__file__).resolve().parents[2]
SNAKEMAKE = (sys.executable, "-m", "snakemake")
TARGETS = {
    "avx2": {
        "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR",
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F",
        "OPENBLAS_CORETYPE": "Haswell",
        "NUMBA_CPU_NAME": "haswell",
        "NUMBA_CPU_FEATURES": "",
    },
    "plain": {
        "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR",
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F",
        "OPENBLAS_CORETYPE": "Nehalem",
        "NUMBA_CPU_NAME": "generic",
        "NUMBA_CPU_FEATURES": "",
    },
}
"""Processors that one machine can pass for: without AVX-512, and without AVX2 and fused
multiply-add besides."""
TABLES = ("claims.csv", "errata.csv", "design_check.csv")
"""What is asked for: with it comes every table that the scorecard rests on."""


def copy_project(folder: Path) -> Path:
    """Copy what git knows of the project, as it is now."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    packed = subprocess.run(
        ["tar", "-c", "--null", "-T", "-"], cwd=ROOT, input=listed.stdout, stdout=subprocess.PIPE
    )
    folder.mkdir()
    subprocess.run(["tar", "-x"], cwd=folder, input=packed.stdout, check=True)
    return folder


def run(folder: Path, dataset: str, cores: str, environment: dict[str, str]) -> None:
    """Make the tables of a data set in a folder, under an environment."""
    files = [f"results/{dataset}/{name}" for name in TABLES]
    command = [*SNAKEMAKE, "--cores", cores, "--config", f"dataset={dataset}", "--", *files]
    done = subprocess.run(command, cwd=folder, env={**os.environ, **environment})
    if done.returncode:
        raise SystemExit(f"error: the run in {folder} failed")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dataset", action="append", help="by default simulated and experiment_a")
    parser.add_argument("--target", action="append", choices=sorted(TARGETS), help="default: all")
    parser.add_argument("--cores", default="all")
    chosen = parser.parse_args()
    failed = 0
    for dataset in chosen.dataset or ("simulated", "experiment_a"):
        run(ROOT, dataset, chosen.cores, {})
        for target in chosen.target or sorted(TARGETS):
            with tempfile.TemporaryDirectory(prefix="fuzzybounds-") as folder:
                copy = copy_project(Path(folder, target))
                own = {**TARGETS[target], "NUMBA_CACHE_DIR": str(Path(folder, "compiled"))}
                run(copy, dataset, chosen.cores, own)
                places = (place / "results" / dataset for place in (ROOT, copy))
                found = compare_runs(*places)
            wrong = {file: lines for file, lines in found.items() if lines}
            print(f"{dataset}, {target}: {len(found)} tables compared, {len(wrong)} differ")
            for file, lines in wrong.items():
                print("\n".join(f"  {file}, {line}" for line in lines))
            failed += len(wrong)
    if failed:
        raise SystemExit(f"error: {failed} tables differ by more than the registry allows")


if __name__ == "__main__":
    main()
