"""The one registry of result tables.

Reading, writing, empty tables, the checks of columns, the inputs of figures and claims, and the
documentation of every column derive from it.  A table is identified by its name, which is the name
of its file without the extension and is unique.  :mod:`definition` says what a table
is, :mod:`vocabulary` holds the words that appear in several; :mod:`data`, :mod:`fuzzy`,
:mod:`boundaries`, :mod:`groups`, :mod:`learning` and :mod:`paper` define the tables of their stage.
"""

from __future__ import annotations

from fuzzybounds.storage.registry import boundaries, data, fuzzy, groups, learning, paper, stopping
from fuzzybounds.storage.registry.definition import DIGITS, Column, Table

__all__ = ["DIGITS", "TABLES", "Column", "Table", "file_of"]

_ALL = (
    *data.TABLES,
    *fuzzy.TABLES,
    *boundaries.TABLES,
    *groups.TABLES,
    *learning.TABLES,
    *stopping.TABLES,
    *paper.TABLES,
)

TABLES: dict[str, Table] = {table.name: table for table in _ALL}
"""Every result table by its name, in the order in which the workflow makes them."""

if len(TABLES) != len(_ALL):
    raise ValueError("two result tables have the same name")


def file_of(name: str) -> str:
    """Return the file of a table under ``results/{dataset}/``."""
    if name not in TABLES:
        raise KeyError(f"no result table is called {name!r}")
    return TABLES[name].file
