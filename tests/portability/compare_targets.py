"""Run the workflow as if on other processors, and compare every table to its tolerance.

    make portability
    make portability OPTIONS='--dataset simulated --target plain'
    make portability OPTIONS=--test

The run of this folder is completed first where something is missing.  Each target then runs in a
temporary copy of the project.  Integers, texts, truth values and verdicts must be the same, and
numbers to the tolerance of their table.  With --test, `make figures` and `make test` have
to pass in the copy too, where the documentation is compared with the tables of the target.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from fuzzybounds.core.comparison import compare_runs
from fuzzybounds.core.dictionary import TABLES

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
ON_REQUEST = ("stopping_", "learning_people", "model_recovery", "session_fits", "people")
"""Tables that are made on request start so; the scorecard asks for what it needs of them."""
KNOWN_TRUTH = ("recovery_", "session_recovery")
"""Tables of simulated cohorts alone start so."""


def tables_of(dataset: str) -> list[str]:
    """Return the tables that are compared: every one that `make figures` makes."""
    left_out = ON_REQUEST if dataset == "simulated" else ON_REQUEST + KNOWN_TRUTH
    return [
        f"results/{dataset}/{table.file}"
        for table in TABLES.values()
        if table.file.endswith((".csv", ".parquet")) and not table.name.startswith(left_out)
    ]


def copy_project(folder: Path) -> Path:
    """Clone the project and copy what git knows of it, as it is now; the environment is shared.

    Linters and tests ask git which files there are, so a copy alone would not do.
    """
    subprocess.run(["git", "clone", "--quiet", "--shared", str(ROOT), str(folder)], check=True)
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    packed = subprocess.run(
        ["tar", "-c", "--null", "-T", "-"], cwd=ROOT, input=listed.stdout, stdout=subprocess.PIPE
    )
    subprocess.run(["tar", "-x"], cwd=folder, input=packed.stdout, check=True)
    (folder / ".venv").symlink_to(Path(sys.prefix))
    return folder


def run(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> None:
    """Run a command on the project in a folder, under an environment."""
    own = {**os.environ, **environment, "PYTHONPATH": str(folder / "src")}
    if subprocess.run(command, cwd=folder, env=own).returncode:
        raise SystemExit(f"error: {' '.join(command[:4])} ... failed in {folder}")


def make_tables(folder: Path, dataset: str, cores: str, environment: Mapping[str, str]) -> None:
    """Make the tables of a data set."""
    options = ["--cores", cores, "--config", f"dataset={dataset}", "--"]
    run([*SNAKEMAKE, *options, *tables_of(dataset)], folder, environment)


def compare(dataset: str, target: str, copy: Path) -> int:
    """Compare the tables of a data set, say where they differ, and return in how many."""
    made = {Path(table).name for table in tables_of(dataset)}
    found = compare_runs(*(place / "results" / dataset for place in (ROOT, copy)))
    # The folder may also hold what was made on request.
    found = {file: lines for file, lines in found.items() if Path(file).name in made}
    wrong = {file: lines for file, lines in found.items() if lines}
    print(f"{dataset}, {target}: {len(found)} tables compared, {len(wrong)} differ", flush=True)
    for file, lines in wrong.items():
        print("\n".join(f"  {file}, {line}" for line in lines), flush=True)
    return len(wrong)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dataset", action="append", help="by default simulated and experiment_a")
    parser.add_argument("--target", action="append", choices=sorted(TARGETS), help="default: all")
    parser.add_argument("--cores", default="all")
    parser.add_argument(
        "--test", action="store_true", help="draw the figures and run `make test` there as well"
    )
    chosen = parser.parse_args()
    datasets = chosen.dataset or ("simulated", "experiment_a")
    for dataset in datasets:
        make_tables(ROOT, dataset, chosen.cores, {})
    differ = 0
    for target in chosen.target or sorted(TARGETS):
        with tempfile.TemporaryDirectory(prefix="fuzzybounds-") as folder:
            copy = copy_project(Path(folder, target))
            own = {**TARGETS[target], "NUMBA_CACHE_DIR": str(Path(folder, "compiled"))}
            for dataset in datasets:
                make_tables(copy, dataset, chosen.cores, own)
                differ += compare(dataset, target, copy)
            if chosen.test:
                for dataset in datasets:
                    run(["make", "figures", f"DATASET={dataset}"], copy, own)
                run(["make", "test"], copy, own)
                print(f"{target}: make figures and make test passed", flush=True)
    if differ:
        raise SystemExit(f"error: {differ} tables differ by more than the dictionary allows")


if __name__ == "__main__":
    main()
