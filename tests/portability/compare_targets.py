"""Run the workflow as if on other processors, and compare every table to its tolerance.

    make portability
    make portability OPTIONS='--dataset simulated --target plain'

The run of this folder is completed first where something is missing.  Each target then runs in a
temporary copy of the project.  Integers, texts, truth values and verdicts must be the same, and
numbers as far as the data dictionary says.
"""

from __future__ import annotations

import argparse
import inspect
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from fuzzybounds.core.dictionary import TABLES, Table, same_text
from fuzzybounds.core.tables import read_table
from fuzzybounds.scorecard.claims import CLAIMS
from fuzzybounds.scorecard.errata import ERRATA, NUMBERS

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
    variables = {**os.environ, **environment, "PYTHONPATH": str(folder / "src")}
    command = [sys.executable, "-m", "snakemake", "--cores", cores, "--config"]
    if subprocess.run([*command, f"dataset={dataset}"], cwd=folder, env=variables).returncode:
        raise SystemExit(f"error: the run of {dataset} in {folder} failed")


def sources(name: str) -> list[Table]:
    """The tables that a claim or an erratum is made from; none of another name."""
    if name in CLAIMS:
        return [TABLES[table] for table in CLAIMS[name].tables if table in TABLES]
    if name not in ERRATA:
        return []
    code = inspect.getsource(NUMBERS[name]) if name in NUMBERS else ""
    read = [TABLES[table] for table in re.findall(r'tables\["(\w+)"\]', code) if table in TABLES]
    return read + sources(ERRATA[name].claim)


def same_column(one: pd.Series, other: pd.Series, table: Table, names: pd.Series) -> np.ndarray:
    """Whether a column is as two machines may give it; `names` are those of the rows."""
    gone = one.isna().to_numpy()
    if one.dtype.kind == "O":
        pairs = zip(one.astype(str), other.astype(str), names.astype(str), strict=True)
        same = np.array([same_text(a, b, sources(name)) for a, b, name in pairs], dtype=bool)
    else:
        values, others = one.to_numpy(dtype=float), other.to_numpy(dtype=float)
        slack = table.within.get(str(one.name), 0.0)
        if one.dtype.kind == "f" and not slack:
            largest = np.nan_to_num(one.abs().max())
            slack = table.slack(str(one.name), values) + table.tolerance * NEGLIGIBLE * largest
        with np.errstate(invalid="ignore"):
            same = (values == others) | (np.abs(values - others) <= slack)
        if np.isinf(table.tolerance) and one.dtype.kind == "f":
            same[:] = True
    return (gone == other.isna().to_numpy()) & (gone | same)


def difference(one: pd.DataFrame, other: pd.DataFrame, table: Table) -> str:
    """Say where two versions of a table differ by more than machines may; empty if nowhere."""
    if list(one) != list(other) or len(one) != len(other):
        return f"{len(other)} rows of {list(other)}, expected {len(one)} of {list(one)}"
    lines = []
    for name in one:
        if one[name].dtype != other[name].dtype:
            lines.append(f"{name}: {other[name].dtype}, expected {one[name].dtype}")
            continue
        same = same_column(one[name], other[name], table, one.iloc[:, 0])
        pairs = zip(one.loc[~same, name], other.loc[~same, name], strict=True)
        lines += [f"{name}: {b!r}, expected {a!r}" for a, b in pairs]
    return "; ".join(lines)


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
        if differs := difference(one, other, TABLES[file.stem]):
            wrong += 1
            print(f"{file}: {differs}", flush=True)
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
            variables = {**TARGETS[target], "NUMBA_CACHE_DIR": str(Path(folder, "compiled"))}
            for dataset in datasets:
                make_tables(copy, dataset, chosen.cores, variables)
                differ += compare(dataset, target, copy)
    if differ:
        raise SystemExit(f"error: {differ} tables differ by more than the dictionary allows")


if __name__ == "__main__":
    main()
