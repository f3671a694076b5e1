"""What a result table is: its file, what one row is, and its columns."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

TYPES = {
    "text": "object",
    "integer": "int64",
    "int16": "int16",
    "int32": "int32",
    "number": "float64",
    "true/false": "bool",
}
"""The types that a column can have, and the dtype of each in an empty table."""
DIGITS = 6
"""Significant digits on which every processor must agree, unless a column states fewer."""


@dataclass(frozen=True)
class Column:
    """One column of a result table.

    Attributes
    ----------
    name, type, unit, meaning : str
        `type` is one of :data:`TYPES`; the unit is empty where there is none.
    digits : int
        How many significant digits of a number hold on every processor.  Integers, texts and
        truth values are the same everywhere.
    """

    name: str
    type: str
    unit: str
    meaning: str
    digits: int = DIGITS

    def __post_init__(self) -> None:
        if self.type not in TYPES:
            raise ValueError(f"column {self.name}: unknown type {self.type!r}")


@dataclass(frozen=True)
class Table:
    """One result table.

    Attributes
    ----------
    file : str
        Its name under ``results/{dataset}/``.
    row : str
        What one row is.
    columns : tuple of Column
        In their order.
    more : str
        What further columns hold whose names depend on the models or the configuration; empty
        where there are none.
    more_digits : int
        The significant digits of these that hold on every processor.
    """

    file: str
    row: str
    columns: tuple[Column, ...] = ()
    more: str = ""
    more_digits: int = field(default=DIGITS, kw_only=True)

    @property
    def name(self) -> str:
        """The name by which code refers to the table."""
        return PurePosixPath(self.file).stem

    @property
    def names(self) -> list[str]:
        """The names of the columns that every such table has."""
        return [column.name for column in self.columns]

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

    def digits_of(self, name: str) -> int:
        """Return how many significant digits of a column hold on every processor."""
        for column in self.columns:
            if column.name == name:
                return column.digits
        return self.more_digits


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
