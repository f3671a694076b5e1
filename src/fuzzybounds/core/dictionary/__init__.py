"""The data dictionary: what every result table is, and what each of its columns holds.

The YAML files beside this module hold it, one file per part of the project.  Under ``tables`` each
file of results has

- ``row``: what one row is;
- ``columns``: ``name: [type, unit, meaning]``, in their order.  The unit is left out where there is
  none.  A name without a definition is one of ``shared`` above, or of ``shared.yaml``;
- ``more``: what further columns hold, whose names depend on models or the configuration;
- ``tolerance``: the relative difference that two machines may have in its numbers, by default
  :data:`TOLERANCE`.  Integers, texts and truth values must be equal;
- ``within``: for single columns, the difference in their unit that two machines may have instead,
  counts among them.

Numbers in the texts of the scorecard may differ as those of the tables that they are made from.

Reading, writing, checks, the comparison of two runs and the documentation derive from it.  No rule
of the workflow watches these files: another description makes no table out of date.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

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
NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w.]*\d)%?")
"""A number in a text, but not one that is part of a name."""


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
    within: Mapping[str, float] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name by which code refers to the table."""
        return PurePosixPath(self.file).stem

    @property
    def names(self) -> list[str]:
        """The names of the columns that every such table has."""
        return [column.name for column in self.columns]

    @property
    def varies(self) -> bool:
        """Whether machines may differ by more than rounding."""
        return bool(self.within) or self.tolerance > TOLERANCE

    def slack(self, column: str, numbers: Any) -> Any:
        """Return by how much another machine's numbers may differ from these of a column."""
        if column in self.within:
            return self.within[column]
        counted = any(c.name == column and c.type != "number" for c in self.columns)
        return 0.0 if counted else self.tolerance * abs(numbers)

    def place(self, column: str, number: float) -> int:
        """Return the power of ten of the last digit worth showing of a number that is not zero.

        Where a difference in its unit is allowed, it is the place of that difference's first digit;
        one digit is shown in any case.  Where a relative difference is, the digits that it leaves
        are shown, at least two, and all before the decimal point.
        """
        first = math.floor(math.log10(abs(number)))
        if column in self.within:
            return min(first, math.floor(math.log10(self.within[column]) + 1e-9))
        digits = max(2, -math.ceil(math.log10(min(self.tolerance, 1.0))))
        return min(0, first + 1 - digits)

    def empty(self) -> pd.DataFrame:
        """Return the table without rows, each column with its type."""
        import pandas as pd

        types = {column.name: TYPES[column.type] for column in self.columns}
        return pd.DataFrame({name: pd.Series(dtype=type_) for name, type_ in types.items()})

    def problems(self, frame: pd.DataFrame) -> list[str]:
        """List how a table differs from its definition, one line per column."""
        present = [str(name) for name in frame.columns]
        lines = [f"no column {name!r}" for name in self.names if name not in present]
        if not self.more:
            lines += [f"unknown column {name!r}" for name in present if name not in self.names]
        if not lines and present[: len(self.names)] != self.names:
            lines.append(f"columns in the order {', '.join(present)}")
        for column in self.columns:
            if column.name in present and len(frame) and not _fits(frame[column.name], column.type):
                lines.append(
                    f"column {column.name!r} holds {frame[column.name].dtype}, "
                    f"expected {column.type}"
                )
        return lines


def same_text(one: str, other: str, tables: Iterable[Table]) -> bool:
    """Whether texts are equal, but for numbers by as much as machines may differ in some tables.

    Of these tables the largest tolerance counts, and a printed number may be the next one.  What is
    allowed of counts is allowed of whole numbers alone.
    """
    varied = [table for table in tables if table.varies]
    if one == other or not varied or NUMBER.sub("#", one) != NUMBER.sub("#", other):
        return one == other
    relative = max(table.tolerance for table in varied)
    amounts, counts = (
        max(
            (one.slack(c.name, 0.0) for one in varied for c in one.columns if c.type in types),
            default=0,
        )
        for types in (("number",), ("integer",))
    )
    for a, b in zip(NUMBER.findall(one), NUMBER.findall(other), strict=True):
        scale = 0.01 if a.endswith("%") else 1.0
        decimals = len(a.partition(".")[2].partition("e")[0].rstrip("%"))
        x, y = (scale * float(number.rstrip("%")) for number in (a, b))
        whole = not decimals and "e" not in a and scale == 1.0
        allowed = max(relative * max(abs(x), abs(y)), amounts, counts if whole else 0.0)
        last = scale * 10.0**-decimals
        if abs(x - y) > allowed + last * (1 + 1e-9):
            return False
    return True


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
    everywhere, *parts = (read_yaml(FOLDER / f"{part}.yaml") for part in ("shared", *FILES))
    for content in parts:
        shared = everywhere | content.get("shared", {})
        for file, fields in content["tables"].items():
            columns = tuple(
                _column(name, definition, shared)
                for name, definition in fields.get("columns", {}).items()
            )
            # Tables may share their fields, so these are not changed.
            table = Table(file=file, **{**fields, "columns": columns})
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
