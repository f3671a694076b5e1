"""The data dictionary: what every result table is, and what each of its columns holds.

The YAML files beside this module hold it, one file per part of the project.  Under ``tables`` each
file of results has

- ``row``: what one row is;
- ``columns``: ``name: [type, unit, meaning]``, in their order.  The unit is left out where there is
  none.  A name without a definition is one of ``shared`` above, or of ``shared.yaml``;
- ``more``: what further columns hold, whose names depend on models or the configuration;
- ``tolerance``: the relative difference that two machines may have in its numbers, by default
  :data:`TOLERANCE`.  Integers, texts and truth values must be equal.

Reading, writing, checks, the comparison of two runs and the documentation derive from it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from fuzzybounds.core.documents import read_yaml

if TYPE_CHECKING:
    import pandas as pd

FOLDER = Path(__file__).parent
FILES = ("data", "fuzzy", "boundaries", "groups", "learning", "stopping", "scorecard")
"""In the order in which the workflow makes their tables."""
TYPES = {
    "text": "object",
    "integer": "int64",
    "int16": "int16",
    "int32": "int32",
    "number": "float64",
    "true/false": "bool",
}
"""The types that a column can have, and the dtype of each in an empty table."""
TOLERANCE = 1e-6


@dataclass(frozen=True)
class Column:
    """One column of a result table; its type is one of :data:`TYPES`."""

    name: str
    type: str
    unit: str
    meaning: str


@dataclass(frozen=True)
class Table:
    """One result table: a file under ``results/{dataset}/`` and its columns."""

    file: str
    row: str
    columns: tuple[Column, ...] = ()
    more: str = ""
    tolerance: float = TOLERANCE

    @property
    def name(self) -> str:
        """The name by which code refers to the table."""
        return PurePosixPath(self.file).stem

    @property
    def names(self) -> list[str]:
        """The names of the columns that every such table has."""
        return [column.name for column in self.columns]

    @property
    def digits(self) -> int:
        """Significant digits worth showing: those that the tolerance leaves, at least two."""
        return max(2, -math.ceil(math.log10(min(self.tolerance, 1.0))))

    def empty(self) -> pd.DataFrame:
        """Return the table without rows, each column with its type."""
        import pandas as pd

        types = {column.name: TYPES[column.type] for column in self.columns}
        return pd.DataFrame({name: pd.Series(dtype=type_) for name, type_ in types.items()})

    def problems(self, frame: pd.DataFrame) -> list[str]:
        """List how a table differs from its definition, one line per column."""
        found = [str(name) for name in frame.columns]
        lines = [f"no column {name!r}" for name in self.names if name not in found]
        if not self.more:
            lines += [f"unknown column {name!r}" for name in found if name not in self.names]
        if not lines and found[: len(self.names)] != self.names:
            lines.append(f"columns in the order {', '.join(found)}")
        for column in self.columns:
            if column.name in found and len(frame) and not _fits(frame[column.name], column.type):
                lines.append(
                    f"column {column.name!r} holds {frame[column.name].dtype}, "
                    f"expected {column.type}"
                )
        return lines


def _fits(values: pd.Series, type_: str) -> bool:
    """Whether values have a type; a column without any value has every type."""
    from pandas.api import types

    if values.isna().all():
        return True
    if type_ == "text":
        return not (types.is_numeric_dtype(values) or types.is_bool_dtype(values))
    if type_ == "true/false":
        return types.is_bool_dtype(values)
    if type_ == "number":
        return types.is_numeric_dtype(values) and not types.is_bool_dtype(values)
    return types.is_integer_dtype(values)


def _column(name: str, definition: list[str] | None, shared: dict[str, list[str]]) -> Column:
    type_, *unit, meaning = definition or shared[name]
    return Column(name, type_, "".join(unit), meaning)


def _tables() -> dict[str, Table]:
    tables: dict[str, Table] = {}
    everywhere = read_yaml(FOLDER / "shared.yaml")
    for part in FILES:
        content = read_yaml(FOLDER / f"{part}.yaml")
        shared = everywhere | content.get("shared", {})
        for file, own in content["tables"].items():
            columns = [
                _column(name, definition, shared)
                for name, definition in own.pop("columns", {}).items()
            ]
            table = Table(file=file, columns=tuple(columns), **own)
            if table.name in tables:
                raise ValueError(f"two result tables are called {table.name}")
            tables[table.name] = table
    return tables


TABLES = _tables()
"""Every result table by its name, in the order in which the workflow makes them."""


def file_of(name: str) -> str:
    """Return the file of a table under ``results/{dataset}/``."""
    if name not in TABLES:
        raise KeyError(f"no result table is called {name!r}")
    return TABLES[name].file
