"""Compare the tables of two runs to the tolerances of the data dictionary."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from fuzzybounds.core.dictionary import TABLES, Table
from fuzzybounds.core.tables import read_table

if TYPE_CHECKING:
    import pandas as pd

NEGLIGIBLE = 1e-4
"""Numbers below this share of their column's largest may differ by as much as it may."""


def differences(one: pd.DataFrame, other: pd.DataFrame, table: Table) -> list[str]:
    """List the columns in which two versions of a table differ by more than its tolerance.

    Integers, texts and truth values must be equal.
    """
    if list(one.columns) != list(other.columns):
        return [f"columns {', '.join(one.columns)} and {', '.join(other.columns)}"]
    if len(one) != len(other):
        return [f"{len(one)} and {len(other)} rows"]
    lines = []
    for name in one.columns:
        a, b = one[name].to_numpy(), other[name].to_numpy()
        if a.dtype.kind == "f" or b.dtype.kind == "f":
            wrong = ~_close(a.astype(float), b.astype(float), table.tolerance)
        else:
            wrong = ~((a == b) | (_missing(a) & _missing(b)))
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0])
            lines.append(f"{name}: {int(wrong.sum())} rows, row {row + 1}: {a[row]} and {b[row]}")
    return lines


def compare_runs(one: Path, other: Path) -> Mapping[str, list[str]]:
    """Compare every table of two folders of results; return differences by file.

    A table that is in neither folder was not requested.
    """
    found = {}
    for table in TABLES.values():
        if not table.file.endswith((".csv", ".parquet")):
            continue
        there = [(folder / table.file).exists() for folder in (one, other)]
        if all(there):
            first, second = (read_table(str(folder / table.file)) for folder in (one, other))
            found[table.file] = differences(first, second, table)
        elif any(there):
            found[table.file] = [f"only in {(one if there[0] else other).parent}"]
    return found


def _close(a: np.ndarray, b: np.ndarray, tolerance: float) -> np.ndarray:
    if np.isinf(tolerance):
        return np.isnan(a) == np.isnan(b)
    largest = np.abs(a[np.isfinite(a)]).max(initial=0.0)
    return np.isclose(b, a, rtol=tolerance, atol=tolerance * NEGLIGIBLE * largest, equal_nan=True)


def _missing(values: np.ndarray) -> np.ndarray:
    return np.array([value is None or value != value for value in values], bool)
