"""What a person reads when files cannot be used: one line per cause, then where it occurs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from fuzzybounds.core.errors import InputError, counted, listed

PLACES, LISTED = 3, 20
"""Occurrences that are named per cause, and lines of the table."""
HINTS = {
    r"\d{4}-\d{2}-\d{2}( .*)?|\d{1,2}[. -]+[A-Za-zä]{3,}|[A-Za-zä]{3,}[. -]+\d{1,2}": (
        "a spreadsheet has turned numbers into dates; format the column as Number, re-enter the "
        "values and export again"
    ),
    r"[+-]?\d+,\d+": "write every number with a decimal point",
}
"""What to do about cells that are not numbers, by what they look like."""


class Cause(NamedTuple):
    """One kind of problem: its name, column and expectation, and the rows that it concerns.

    `places` has the columns file, row and value.  `column` is empty where the whole row is
    concerned.
    """

    name: str
    column: str
    expected: str
    places: pd.DataFrame
    remedy: str = ""

    def sentence(self) -> str:
        """Say what is wrong, how often, where first, and what can be done."""
        column = f", column {self.column}" if self.column else ""
        remedy = self.remedy
        for pattern, hint in HINTS.items() if "number" in self.expected else ():
            if self.places["value"].str.fullmatch(pattern).mean() > 0.5:
                remedy = hint
        first = [
            f"{place.file} row {place.row}" + (f" ({place.value!r})" if self.column else "")
            for place in self.places.head(PLACES).itertuples()
        ]
        return (
            f"{self.name}: {counted(self.places, 'row')}{column}; expected {self.expected}; "
            f"first: {', '.join(first)}{', ...' if len(self.places) > PLACES else ''}"
            + (f"; remedy: {remedy}" if remedy else "")
        )


class LogError(InputError):
    """Rows of logs that cannot be used, which `places` lists."""

    places: pd.DataFrame


def refuse(causes: Sequence[Cause], where: str) -> None:
    """Raise an error if there is a cause, with a line for each."""
    if not causes:
        return
    places = pd.concat(
        cause.places.assign(check=cause.name, column=cause.column) for cause in causes
    )
    counts = places.rename(columns={"check": "cause"}).groupby(["file", "cause"], sort=False)
    table = counts.size().rename("rows").reset_index()
    # A table of one line repeats the sentence.
    shown = table.head(LISTED).to_string(index=False) if len(table) > 1 else ""
    if len(table) > LISTED:
        shown += f"\n... and {counted(len(table) - LISTED, 'more line')}"
    kinds = f" of {len(causes)} kinds" if len(causes) > 1 else ""
    error = LogError(
        f"{listed(places['file'].unique())}: {counted(places)}{kinds} {where}",
        [cause.sentence() for cause in causes],
        shown,
    )
    error.places = places
    raise error


def read_all(paths: Sequence[Path], read: Callable[[Path], Any]) -> list[Any]:
    """Read every file; the problems of all of them are one error, the same problem one line."""
    contents, errors = [], []
    shared: dict[str, list[str]] = {}
    for path in paths:
        try:
            contents.append(read(path))
        except InputError as error:
            errors.append(error)
            summary = error.summary.removeprefix(f"{path}: ").removeprefix(f"{path.name}: ")
            for problem in error.problems or [""]:
                text = ": ".join(filter(None, (summary, problem)))
                shared.setdefault(text, []).append(path.name)
    if len(errors) == 1:
        raise errors[0]
    if errors:
        raise InputError(
            f"{paths[0].parent}: {len(errors)} of {counted(paths, 'file')} cannot be used",
            [f"{listed(names)}: {text}" for text, names in shared.items()],
        )
    return contents
