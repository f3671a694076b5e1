"""Two data sets, or two variants of one, side by side: scorecards, tables and figures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from fuzzybounds.core.dictionary import TABLES, file_of
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


def compare(first: Results, second: Results) -> str:
    """Return a page that shows the results of two data sets or variants side by side."""
    claims = list(_claims(first["claims"], second["claims"]))
    shared = [name for name in COMPARED if name in first and name in second]
    return template("comparison.html").render(
        sides=[_described(first, second), _described(second, first)],
        claims=claims,
        changed=sum(not own["same"] for own in claims),
        tables={file_of(name): _table(name, first[name], second[name]) for name in shared},
        shown=SHOWN,
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


def _table(name: str, first: pd.DataFrame, second: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows that differ in a number as it is shown, with the numbers of both beside each other."""
    keys = [column.name for column in TABLES[name].columns if column.type != "number"]
    values = [column.name for column in TABLES[name].columns if column.type == "number"]
    if "subject" in keys:
        first, second = (own[own["subject"].fillna("") == ""] for own in (first, second))
    # Rows with the same keys are matched in their order.
    first, second = (
        own.assign(_n=own.groupby(keys, dropna=False).cumcount()) for own in (first, second)
    )
    found = []
    for _, row in first.merge(second, on=[*keys, "_n"], how="outer", sort=False).iterrows():
        both = [(own, _text(row[f"{own}_x"]), _text(row[f"{own}_y"])) for own in values]
        if differing := [own for own in both if own[1] != own[2]]:
            key = [str(row[key]) for key in keys if str(row[key]) not in ("", "nan")]
            found.append({"key": key, "values": differing})
    return found


def _text(value: float) -> str:
    return "" if pd.isna(value) else rounded(f"{value:.10g}")


def _figures(first: Path, second: Path) -> Iterator[dict[str, Any]]:
    folders = (first / "figures", second / "figures")
    names = {path.stem for folder in folders for path in folder.glob("*.png")}
    for name in sorted(names, key=lambda own: ("S" in own, own)):
        paths = [folder / f"{name}.png" for folder in folders]
        images = [data_uri(path.read_bytes()) if path.exists() else "" for path in paths]
        same = images[0] == images[1]
        yield {"name": figure_name(name), "same": same, "images": images[: 1 if same else 2]}
