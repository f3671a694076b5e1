"""Compare the tables of two runs to the digits that the registry promises."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from fuzzybounds.storage.registry import TABLES
from fuzzybounds.storage.registry.definition import Table
from fuzzybounds.storage.tables import read_table

if TYPE_CHECKING:
    import pandas as pd

NEGLIGIBLE = 1e-4
"""Numbers this many times smaller than their column's largest count by that one's digits."""


def differences(one: pd.DataFrame, other: pd.DataFrame, table: Table) -> list[str]:
    """List the columns in which two versions of a table differ by more than the registry allows.

    Integers, texts and truth values must be equal.  A number must agree to the digits of its
    column, or to those of the column's largest number if it is much smaller.
    """
    if list(one.columns) != list(other.columns):
        return [f"columns {', '.join(one.columns)} and {', '.join(other.columns)}"]
    if len(one) != len(other):
        return [f"{len(one)} and {len(other)} rows"]
    lines = []
    for name in one.columns:
        a, b = one[name].to_numpy(), other[name].to_numpy()
        if a.dtype.kind == "f" or b.dtype.kind == "f":
            wrong = _far(a.astype(float), b.astype(float), table.digits_of(name))
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


def _far(a: np.ndarray, b: np.ndarray, digits: int) -> np.ndarray:
    finite = np.isfinite(a) & np.isfinite(b)
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    largest = np.abs(a[finite]).max(initial=0.0)
    size = np.maximum(np.abs(np.where(finite, a, 0.0)), NEGLIGIBLE * largest)
    with np.errstate(invalid="ignore"):
        return ~same & ~(finite & (np.abs(a - b) <= size * 10.0**-digits))


def _missing(values: np.ndarray) -> np.ndarray:
    return np.array([value is None or value != value for value in values], bool)
