"""Fill tables and numbers of the documentation, and what Experiment A gave, from results.

A table stands between ``<!-- table: FILE [columns a,b] [where a=x,b=y|z] -->`` and
``<!-- end -->``, where FILE lies under results/ and ``y|z`` is either of two values.

A number in a sentence stands between ``<!-- value: FILE COLUMNS FORMAT | a=x | b<y -->`` and
``<!-- end -->``; :mod:`fuzzybounds.report.queries` says what can be asked for.  The abstract, a
list of sentences with such numbers, stands between ``<!-- abstract -->`` and
``<!-- end of the abstract -->``.
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
from fuzzybounds.core.errors import InputError
from fuzzybounds.core.tables import write_json
from fuzzybounds.report.abstract import write_abstract
from fuzzybounds.report.queries import numbers, phrase

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


def stated(text: str, results: Path) -> str:
    """Return a document whose sentences have the numbers of the results that are there."""

    def fill(match: re.Match[str]) -> str:
        if not made(match["query"], results):
            return match[0]
        return match[1] + phrase(*numbers(match["query"], results)) + match[4]

    return VALUE.sub(fill, text)


ABSTRACT = re.compile(r"(<!-- abstract -->\n)(?P<said>.*?)(<!-- end of the abstract -->)", re.S)


def abstract(results: Path) -> str:
    """Return the sentences of the abstract as a list, with a marker around every number."""
    said = write_abstract(
        results, write=lambda query, words: f"<!-- value: {query} -->{words}<!-- end -->"
    )
    return "".join(f"- **{one.opening}** {one.then}\n".replace("**** ", "") for one in said)


def opened(text: str, results: Path) -> str:
    """Return a document with the abstract of the results, if all its tables are there."""
    if not ABSTRACT.search(text):
        return text
    try:
        said = abstract(results)
    except InputError as error:
        print(f"left as it is, no abstract: {error}")
        return text
    return ABSTRACT.sub(lambda match: match[1] + said + match[3], text)


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
        text = opened(document.read_text(encoding="utf-8"), results)
        document.write_text(stated(filled(text, results), results), encoding="utf-8")


if __name__ == "__main__":
    write_json(reference(ROOT / "results/experiment_a"), REFERENCE)
    main([Path(name) for name in sys.argv[1:]] or DOCUMENTS, ROOT / "results")
