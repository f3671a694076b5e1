"""Run the workflow as if on other processors, and compare every table to its tolerance.

    make portability
    make portability OPTIONS='--dataset simulated --target plain'

The run of this folder is completed first where something is missing.  Each target then runs in a
temporary copy of the project.  Integers, texts, truth values and verdicts must be the same, and
numbers to the tolerance of their table.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from fuzzybounds.core.dictionary import TABLES, Table
from fuzzybounds.core.tables import read_table

ROOT = Path(__file__).resolve().parents[2]
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
NEGLIGIBLE = 1e-4
"""Numbers below this share of their column's largest may differ by as much as it may."""


def copy_project(folder: Path) -> Path:
    """Copy what git knows of the project, as it is now."""
    folder.mkdir()
    copy = f"git ls-files -z | xargs -0 cp --parents -t {folder}"
    subprocess.run(copy, cwd=ROOT, shell=True, check=True)
    return folder


def make_tables(folder: Path, dataset: str, cores: str, environment: Mapping[str, str]) -> None:
    """Run the workflow on a data set in a folder, under an environment."""
    own = {**os.environ, **environment, "PYTHONPATH": str(folder / "src")}
    command = [sys.executable, "-m", "snakemake", "--cores", cores, "--config"]
    if subprocess.run([*command, f"dataset={dataset}"], cwd=folder, env=own).returncode:
        raise SystemExit(f"error: the run of {dataset} in {folder} failed")


def difference(one: pd.DataFrame, other: pd.DataFrame, table: Table) -> str:
    """Say where two versions of a table differ by more than its tolerance; empty if nowhere.

    Integers, texts and truth values must be equal.
    """
    try:
        pd.testing.assert_index_equal(one.columns, other.columns)
        for name in one:
            number, tolerance = one[name].dtype.kind == "f", table.tolerance
            if number and np.isinf(tolerance):
                pd.testing.assert_series_equal(one[name].isna(), other[name].isna())
                continue
            allowed: dict[str, Any] = {"check_exact": True}
            if number:
                largest = np.nan_to_num(one[name].abs().max())
                allowed = {"rtol": tolerance, "atol": tolerance * NEGLIGIBLE * largest}
            pd.testing.assert_series_equal(one[name], other[name], **allowed)
    except AssertionError as error:
        return str(error)
    return ""


def compare(dataset: str, target: str, copy: Path) -> int:
    """Compare the tables of a data set, say where they differ, and return in how many."""
    files = [
        file.relative_to(copy)
        for folder in (dataset, "shared")
        for file in sorted((copy / "results" / folder).glob("*"))
        if file.stem in TABLES and file.suffix in (".csv", ".parquet")
    ]
    wrong = 0
    for file in files:
        one, other = (read_table(place / file) for place in (ROOT, copy))
        if found := difference(one, other, TABLES[file.stem]):
            wrong += 1
            print(f"{file}: {found}", flush=True)
    print(f"{dataset}, {target}: {wrong} of {len(files)} tables differ", flush=True)
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dataset", action="append", help="by default simulated and experiment_a")
    parser.add_argument("--target", action="append", choices=sorted(TARGETS), help="default: all")
    parser.add_argument("--cores", default="all")
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
    if differ:
        raise SystemExit(f"error: {differ} tables differ by more than the dictionary allows")


if __name__ == "__main__":
    main()
