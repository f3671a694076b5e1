"""Two data sets, or two variants of one, side by side: scorecards, tables and figures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from fuzzybounds.core.dictionary import TABLES, file_of
from fuzzybounds.core.errors import InputError
from fuzzybounds.core.results import Results
from fuzzybounds.report.figures import data_uri
from fuzzybounds.report.page import LOOKS, parts, template
from fuzzybounds.report.text import figure_name, rounded

COMPARED = (
    *("design_check", "group_tests", "consequents"),
    *("shape_evidence", "model_selection", "specification_summary"),
)
"""Tables that are shown side by side where both have them."""
SHOWN = 60
"""Rows of a table that are shown."""


class Pair(NamedTuple):
    """Something of both: whether it is the same, rows or images, and how many rows are left out."""

    name: str
    same: bool
    content: Any
    more: int = 0


def compare(first: Results, second: Results) -> str:
    """Return a page that shows the results of two data sets or variants side by side.

    Raises
    ------
    InputError
        If one of them has no scorecard yet.
    """
    for own in (first, second):
        if "claims" not in own:
            remedy = "run the workflow on this data set and variant first"
            raise InputError(f"{own.folder}: no scorecard", [remedy])
    sides = [_described(first, second), _described(second, first)]
    claims = list(_claims(first["claims"], second["claims"]))
    return template("comparison.html").render(
        sides=sides,
        claims=claims,
        changed=sum(not own["same"] for own in claims),
        tables=[
            _table(name, first[name], second[name])
            for name in COMPARED
            if name in first and name in second
        ],
        figures=list(_figures(first.folder, second.folder)),
        looks=LOOKS,
        style=parts("page.css", "comparison.css"),
    )


def _described(own: Results, other: Results) -> dict[str, Any]:
    """Describe one side: its name, and the options in which it differs from the other."""
    used, others = (
        pd.json_normalize(side["options"]).iloc[0].to_dict() if "options" in side else {}
        for side in (own, other)
    )
    return {
        "name": own["dataset"]["title"],
        "first_look": own.first_look,
        "changes": {
            name: value
            for name, value in used.items()
            if value != others.get(name, value) and name not in ("dataset", "variant")
        },
    }


def _claims(first: pd.DataFrame, second: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """One row per claim of either, with what both say."""
    both = [table.fillna("").set_index("id") for table in (first, second)]
    nothing = {"ours": "", "verdict": "", "conclusion": "", "interval": ""}
    for claim in dict.fromkeys([*both[0].index, *both[1].index]):
        own = [table.loc[claim] if claim in table.index else nothing for table in both]
        text = next(table.loc[claim, "claim"] for table in both if claim in table.index)
        same = all(own[0][name] == own[1][name] for name in ("ours", "verdict", "conclusion"))
        yield {"id": claim, "claim": text, "sides": own, "same": same}


def _table(name: str, first: pd.DataFrame, second: pd.DataFrame) -> Pair:
    """Rows that differ, with the numbers of both beside each other."""
    keys = [column.name for column in TABLES[name].columns if column.type != "number"]
    values = [column.name for column in TABLES[name].columns if column.type == "number"]
    if "subject" in keys:
        first, second = (own[own["subject"].fillna("") == ""] for own in (first, second))
    if first.reset_index(drop=True).equals(second.reset_index(drop=True)):
        return Pair(file_of(name), True, [])
    numbered = [
        own.assign(_n=own.groupby(keys, dropna=False).cumcount()) for own in (first, second)
    ]
    table = numbered[0].merge(numbered[1], on=[*keys, "_n"], how="outer", sort=False)
    pairs = [(f"{own}_x", f"{own}_y") for own in values]
    differs = pd.Series(False, index=table.index)
    for a, b in pairs:
        differs |= ~((table[a] == table[b]) | (table[a].isna() & table[b].isna()))
    shown = table[differs]
    rows = [
        {
            "key": [str(row[key]) for key in keys if str(row[key]) not in ("", "nan")],
            "values": [
                (own, _text(row[a]), _text(row[b]))
                for own, (a, b) in zip(values, pairs, strict=True)
                if _text(row[a]) != _text(row[b])
            ],
        }
        for _, row in shown.head(SHOWN).iterrows()
    ]
    return Pair(
        file_of(name), False, [row for row in rows if row["values"]], len(shown) - len(rows)
    )


def _text(value: float) -> str:
    return "" if pd.isna(value) else rounded(f"{value:.10g}")


def _figures(first: Path, second: Path) -> Iterator[Pair]:
    folders = (first / "figures", second / "figures")
    names = sorted({path.stem for folder in folders for path in folder.glob("*.png")})
    for name in sorted(names, key=lambda own: ("S" in own, own)):
        images = [
            path.read_bytes() if (path := folder / f"{name}.png").exists() else b""
            for folder in folders
        ]
        same = images[0] == images[1]
        content = [data_uri(own) for own in (images[:1] if same else images)]
        yield Pair(figure_name(name), same, content)
