"""Where two data sets, or two variants of one, differ: options, claims and numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.errors import counted
from fuzzybounds.core.results import Results
from fuzzybounds.report.text import rounded

COMPARED = (
    *("design_check", "group_tests", "consequents"),
    *("shape_evidence", "model_selection", "specification_summary"),
)
"""Tables whose numbers are compared where both have them."""
COLUMNS = ("table", "row", "column", "first", "second")
Difference = tuple[str, str, str, str, str]
"""A cell by its table, row and column, and what it says on either side."""


def compare(first: Results, second: Results) -> pd.DataFrame:
    """Return every difference of two data sets or variants, one per row."""
    shared = [name for name in COMPARED if name in first and name in second]
    differences = [
        *_options(first, second),
        *_claims(first["claims"], second["claims"]),
        *(difference for name in shared for difference in _table(name, first[name], second[name])),
    ]
    return pd.DataFrame(differences, columns=COLUMNS)


def lines(differences: pd.DataFrame, titles: Sequence[str], width: int) -> list[str]:
    """Return differences as lines of a terminal: options and claims, then counts of numbers."""
    summed = ~differences["table"].isin(("options", "claims"))
    rows = [("", *titles)]
    rows += [
        (f"{row.row} {row.column}".strip(), row.first, row.second)
        for row in differences[~summed].itertuples()
    ]
    left = max(len(name) for name, *_ in rows)
    room = max((width - left - 4) // 2, 8)
    shown = [
        f"{name:<{left}}  {_cut(one, room):<{room}}  {_cut(other, room)}".rstrip()
        for name, one, other in rows
    ]
    counts = differences[summed]["table"].value_counts(sort=False)
    return [*shown, *(f"{name}: {counted(n, 'number')} not the same" for name, n in counts.items())]


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else f"{text[: room - 1]}…"


def _options(first: Results, second: Results) -> Iterator[Difference]:
    sides = [
        pd.json_normalize(side["options"]).iloc[0].to_dict() if "options" in side else {}
        for side in (first, second)
    ]
    for name, value in sides[0].items():
        other = sides[1].get(name, value)
        if value != other and name not in ("dataset", "variant"):
            yield "options", name, "", str(value), str(other)


def _claims(first: pd.DataFrame, second: pd.DataFrame) -> Iterator[Difference]:
    both = [table.fillna("").set_index("id") for table in (first, second)]
    for claim in dict.fromkeys([*both[0].index, *both[1].index]):
        for column in ("verdict", "conclusion", "ours"):
            one, other = (
                str(table.loc[claim, column]) if claim in table.index else "" for table in both
            )
            if one != other:
                yield "claims", claim, column, one, other


def _table(name: str, first: pd.DataFrame, second: pd.DataFrame) -> Iterator[Difference]:
    """Yield the numbers that differ as they are shown; rows of single subjects are left out."""
    keys = [column.name for column in TABLES[name].columns if column.type != "number"]
    values = [column.name for column in TABLES[name].columns if column.type == "number"]
    if "subject" in keys:
        first, second = (table[table["subject"].fillna("") == ""] for table in (first, second))
    # Rows with the same keys are matched in their order.
    first, second = (
        table.assign(_n=table.groupby(keys, dropna=False).cumcount()) for table in (first, second)
    )
    for _, row in first.merge(second, on=[*keys, "_n"], how="outer", sort=False).iterrows():
        key = ", ".join(str(row[key]) for key in keys if str(row[key]) not in ("", "nan"))
        for column in values:
            one, other = _text(row[f"{column}_x"]), _text(row[f"{column}_y"])
            if one != other:
                yield name, key, column, one, other


def _text(value: float) -> str:
    return "" if pd.isna(value) else rounded(f"{value:.10g}")
