"""Numbers in sentences, each asked for by a query: ``FILE COLUMNS FORMAT | a=x | b<y``.

FILE lies under results/, and the conditions choose one row.  One column gives 5, two give 5 ± 3,
and three give 5 (2 to 8); a minus before a column turns its sign.  Instead of columns, ``rows``
counts the rows, and ``mean:COLUMN``, ``median:COLUMN`` or ``sum:COLUMN`` summarises them.

A value may have wildcards, and ``a=x else y`` takes y where no row has x.  ``over a=z`` subtracts
the first column of another row, of which the conditions before hold as well, and takes the larger
of the other columns; of several rows, that with the largest first column counts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

import numpy as np
import pandas as pd

PHRASES = ("{}", "{} ± {}", "{} ({} to {})")
"""How one, two and three columns are written."""
OVER = "over "


def numbers(query: str, results: Path) -> tuple[list[float], str]:
    """Return the numbers that a query asks for, and their format."""
    asked, *conditions = (part.strip() for part in query.split("|"))
    file, columns, how = asked.split()
    if file.endswith(".parquet"):
        frame = pd.read_parquet(results / file).astype(str)
    else:
        frame = pd.read_csv(results / file, keep_default_na=False, dtype=str)
    others = [condition.removeprefix(OVER) for condition in conditions if OVER in condition[:5]]
    common = [condition for condition in conditions if OVER not in condition[:5]]
    chosen = _rows(frame, common)
    if columns == "rows":
        return [len(chosen)], how
    if ":" in columns:
        summary, _, column = columns.partition(":")
        return _checked([pd.to_numeric(chosen[column]).agg(summary)], query), how
    turned = [(-1 if name.startswith("-") else 1, name.lstrip("-")) for name in columns.split(",")]
    if not others:
        if len(chosen) != 1:
            raise ValueError(f"value {query!r}: {len(chosen)} rows, expected one")
        found = [sign * float(chosen.iloc[0][name]) for sign, name in turned]
    else:
        names = [name for _, name in turned]
        one, other = (
            _largest(_rows(frame, part), names, query) for part in (common, common[:-1] + others)
        )
        found = [one[0] - other[0], *np.maximum(one[1:], other[1:])]
    return _checked(found, query), how


def _checked(found: list[float], query: str) -> list[float]:
    if not np.isfinite(found).all():
        raise ValueError(f"value {query!r}: an empty cell")
    return found


def _rows(frame: pd.DataFrame, conditions: Sequence[str]) -> pd.DataFrame:
    """Return the rows for which conditions hold."""
    for condition in conditions:
        key, sign, value = re.split("([=<])", condition, maxsplit=1)
        if sign == "<":
            frame = frame[pd.to_numeric(frame[key]) < float(value)]
            continue
        parts = [
            frame[np.array([fnmatchcase(cell, one) for cell in frame[key]], dtype=bool)]
            for one in value.split(" else ")
        ]
        frame = next((part for part in parts if len(part)), parts[0])
    return frame


def _largest(frame: pd.DataFrame, names: Sequence[str], query: str) -> np.ndarray:
    """Return some columns of the row with the largest value of the first one."""
    if frame.empty:
        raise ValueError(f"value {query!r}: no rows to compare")
    cells = frame[list(names)].astype(float).to_numpy()
    return cells[cells[:, 0].argmax()]


def phrase(found: Sequence[float], how: str) -> str:
    """Write numbers as they stand in a sentence; a rounded zero has no sign."""
    return PHRASES[len(found) - 1].format(*(format(number, f"z{how}") for number in found))
