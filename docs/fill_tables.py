"""Fill tables and numbers of the documentation, and what Experiment A gave, from results.

A table stands between ``<!-- table: FILE [columns a,b] [where a=x,b=y|z] -->`` and
``<!-- end -->``, where FILE lies under results/ and ``y|z`` is either of two values.

A number in a sentence stands between ``<!-- value: FILE COLUMNS FORMAT | a=x | b<y -->`` and
``<!-- end -->``.  The conditions choose one row.  One column gives 5, two give 5 ± 3, and three
give 5 (2 to 8); a minus before a column turns its sign.  Instead of columns, ``rows`` counts the
rows, and ``mean:COLUMN`` or ``median:COLUMN`` summarises them.
``make docs`` runs the pipeline and then this.  What no run has made, such as tables of the targets
verdict and sessions, stays as it is, and is named.
"""

from __future__ import annotations

import math
import re
import sys
from pathlib import Path
from typing import Any

import pandas as pd

from fuzzybounds.core.dictionary import TABLES, Table
from fuzzybounds.core.tables import write_json

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]
REFERENCE = ROOT / "workflow/experiment_a.json"
SHOWN = 4
"""Significant digits that are shown, where machines agree in so many; from 1000 whole numbers."""
TABLE = re.compile(r"(<!-- table: (?P<query>[^>]+) -->\n).*?(<!-- end -->)", re.S)


def chosen(query: str, results: Path) -> pd.DataFrame:
    """Return the cells that a marker asks for, as they are in the file."""
    match = re.fullmatch(r"(\S+)(?: columns (\S+))?(?: where (\w+=.+))?", query.strip())
    if match is None:
        raise ValueError(f"table {query!r}: expected FILE [columns a,b] [where a=x,b=y|z]")
    file, columns, conditions = match.groups()
    frame = pd.read_csv(results / file, keep_default_na=False, dtype=str)
    for condition in conditions.split(",") if conditions else []:
        key, _, value = condition.partition("=")
        frame = frame[frame[key].isin(value.split("|"))]
    return frame[columns.split(",")].copy() if columns else frame.copy()


def place_of(number: float, table: Table, column: str) -> int:
    """Return the power of ten of the last digit that is shown of a number, which is not zero."""
    least = 0 if abs(number) >= 1000 else math.floor(math.log10(abs(number))) + 1 - SHOWN
    return max(least, table.place(column, number))


def shown(cell: str, table: Table, column: str) -> str:
    """Shorten a number to the digits that are shown; leave text and counts alone."""
    try:
        number = float(cell)
    except ValueError:
        return cell
    whole = number.is_integer() and (column not in table.within or abs(number) < 1000)
    if whole or not math.isfinite(number):
        return cell
    place = place_of(number, table, column)
    if place >= 0:
        return f"{round(number, -place):.0f}"
    return f"{number:.{math.floor(math.log10(abs(number))) + 1 - place}g}"


def render(query: str, results: Path) -> str:
    """Render the table that a marker asks for as Markdown."""
    frame, table = chosen(query, results), TABLES[Path(query.split()[0]).stem]
    for column in frame.columns:
        frame[column] = [shown(cell, table, column) for cell in frame[column]]
    return frame.to_markdown(index=False, disable_numparse=True) + "\n"


def made(query: str, results: Path) -> bool:
    """Whether a run has made the file that a marker asks for; if not, name it."""
    file = query.split()[0]
    there = (results / file).exists()
    if not there:
        print(f"left as it is, no results/{file}: {query}")
    return there


def filled(text: str, results: Path) -> str:
    """Return a document with its tables filled from the results that are there."""

    def fill(match: re.Match[str]) -> str:
        if not made(match["query"], results):
            return match[0]
        return match[1] + render(match["query"], results) + match[3]

    return TABLE.sub(fill, text)


VALUE = re.compile(r"(<!-- value: (?P<query>[^>]+?) -->)(?P<said>[^<]*)(<!-- end -->)")
PHRASES = ("{}", "{} ± {}", "{} ({} to {})")
"""How one, two and three columns are written."""


def numbers(query: str, results: Path) -> tuple[list[float], str]:
    """Return the numbers that a marker in a sentence asks for, and their format."""
    asked, *conditions = (part.strip() for part in query.split("|"))
    file, columns, how = asked.split()
    if file.endswith(".parquet"):
        frame = pd.read_parquet(results / file).astype(str)
    else:
        frame = pd.read_csv(results / file, keep_default_na=False, dtype=str)
    for condition in conditions:
        key, sign, value = re.split("([=<])", condition, maxsplit=1)
        kept = frame[key] == value if sign == "=" else pd.to_numeric(frame[key]) < float(value)
        frame = frame[kept]
    if columns == "rows":
        return [len(frame)], how
    if ":" in columns:
        summary, _, column = columns.partition(":")
        return [pd.to_numeric(frame[column]).agg(summary)], how
    if len(frame) != 1:
        raise ValueError(f"value {query!r}: {len(frame)} rows, expected one")
    row = frame.iloc[0]
    turned = [(-1 if name.startswith("-") else 1, name.lstrip("-")) for name in columns.split(",")]
    return [sign * float(row[name]) for sign, name in turned], how


def phrase(numbers: list[float], how: str) -> str:
    """Write numbers as they stand in a sentence; a rounded zero has no sign."""
    return PHRASES[len(numbers) - 1].format(*(format(number, f"z{how}") for number in numbers))


def stated(text: str, results: Path) -> str:
    """Return a document whose sentences have the numbers of the results that are there."""

    def fill(match: re.Match[str]) -> str:
        if not made(match["query"], results):
            return match[0]
        return match[1] + phrase(*numbers(match["query"], results)) + match[4]

    return VALUE.sub(fill, text)


def reference(folder: Path) -> dict[str, Any]:
    """What Experiment A gives for every claim, for the scorecards of other data sets."""
    claims = pd.read_csv(folder / "claims.csv", keep_default_na=False, dtype=str).set_index("id")
    tests = pd.read_csv(folder / "group_tests.csv")
    student = tests[tests["test"] == "student_t"].set_index("comparison")["effect_size"]
    return {
        "claims": claims[["ours", "verdict", "conclusion"]].to_dict("index"),
        "effects": {name: float(f"{effect:.4g}") for name, effect in student.items()},
    }


def main(documents: list[Path], results: Path) -> None:
    """Fill the tables and numbers of documents in place."""
    for document in documents:
        text = stated(filled(document.read_text(encoding="utf-8"), results), results)
        document.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_json(reference(ROOT / "results/experiment_a"), REFERENCE)
    main([Path(name) for name in sys.argv[1:]] or DOCUMENTS, ROOT / "results")
