"""What a person reads when rows of a log cannot be used: one line per cause, then a table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from fuzzybounds.canoe.task import SPEED, STEP
from fuzzybounds.intake import units
from fuzzybounds.intake.checks import TIME_SLACK, Check
from fuzzybounds.storage.errors import InputError, counted, listed

PLACES = 3
"""Number of occurrences named per cause."""
LISTED = 20
"""Lines of the table of places."""
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}( .*)?|\d{1,2}[. -]+[A-Za-zä]{3,}|[A-Za-zä]{3,}[. -]+\d{1,2}")
_COMMA = re.compile(r"[+-]?\d+,\d+")


@dataclass(frozen=True)
class Cause:
    """One kind of error in a column: which rows it concerns, and what a person can do about it."""

    check: Check
    column: str
    expected: str
    mask: np.ndarray
    remedy: str = ""

    def places(self, raw: pd.DataFrame) -> pd.DataFrame:
        """Return one row per finding: check, column, file, row, value and index."""
        own = raw[self.mask]
        return pd.DataFrame(
            {
                "check": self.check.name,
                "column": self.column,
                "file": own["file"],
                "row": own["row"],
                "value": own[self.column] if self.column else "",
                "index": np.flatnonzero(self.mask),
            }
        )

    def sentence(self, raw: pd.DataFrame) -> str:
        """Say what is wrong, how often, where first, and what can be done."""
        places = self.places(raw)
        column = f", column {self.column}" if self.column else ""
        first = [
            f"{row.file} row {row.row}" + (f" ({row.value!r})" if self.column else "")
            for row in places.head(PLACES).itertuples()
        ]
        more = ", ..." if len(places) > PLACES else ""
        remedy = (
            self.remedy or _hint(self, places["value"]) or self.check.remedy(self.mask.mean() > 0.5)
        )
        return (
            f"{self.check.name}: {counted(places, 'row')}{column}; expected {self.expected}; "
            f"first: {', '.join(first)}{more}; remedy: {remedy}"
        )


class FileProblems:
    """Problems of whole files: the same problem of several files is one line."""

    def __init__(self, files: int):
        self.files = files
        self.causes: dict[tuple[str, str], list[Path]] = {}

    def add(self, path: Path, summary: str, problem: str) -> None:
        """Note a problem of a file."""
        self.causes.setdefault((summary, problem), []).append(path)

    @contextmanager
    def collecting(self, path: Path) -> Iterator[None]:
        """Note the problems that reading a file raises."""
        try:
            yield
        except InputError as error:
            summary = error.summary.removeprefix(f"{path}: ")
            for problem in error.problems or [""]:
                self.add(path, summary, problem)

    def refuse(self) -> None:
        """Raise an error if a file has a problem."""
        concerned = list(dict.fromkeys(path for own in self.causes.values() for path in own))
        if not concerned:
            return
        if len(concerned) == 1:
            summary = next(iter(self.causes))[0]
            raise InputError(
                f"{concerned[0]}: {summary}", [problem for _, problem in self.causes if problem]
            )
        raise InputError(
            f"{concerned[0].parent}: {len(concerned)} of {counted(self.files, 'file')} cannot be "
            "used",
            [
                f"{listed(path.name for path in paths)}: {': '.join(filter(None, texts))}"
                for texts, paths in self.causes.items()
            ],
        )


def read_all(paths: Sequence[Path], read: Callable[[Path], Any]) -> list[Any]:
    """Read every file; the problems of all of them are one error."""
    problems = FileProblems(len(paths))
    found = []
    for path in paths:
        with problems.collecting(path):
            found.append(read(path))
    problems.refuse()
    return found


def _hint(cause: Cause, values: pd.Series) -> str:
    """A remedy that the values themselves suggest."""
    if cause.check.name != "not_a_number":
        return ""
    if values.map(lambda cell: bool(_DATE.fullmatch(cell))).mean() > 0.5:
        return (
            "a spreadsheet has turned numbers into dates; format the column as Number, "
            "re-enter the values and export again"
        )
    if values.map(lambda cell: bool(_COMMA.fullmatch(cell))).mean() > 0.5:
        return "write every number with a decimal point"
    return ""


def table_of_places(counts: Mapping[tuple[str, str], int], what: str) -> str:
    """Count the rows of each file by cause; empty where one line has said it all.

    Parameters
    ----------
    counts : mapping
        From file and cause to a number of rows.
    what : str
        What the causes are.
    """
    if len(counts) < 2:
        return ""
    lines = [("file", what, "rows"), *((*key, str(rows)) for key, rows in counts.items())]
    widths = [max(len(line[place]) for line in lines) for place in (0, 1)]
    shown = [f"{a:{widths[0]}}  {b:{widths[1]}}  {c:>4}" for a, b, c in lines[: LISTED + 1]]
    hidden = len(lines) - 1 - LISTED
    return "\n".join(shown + ([f"... and {counted(hidden, 'more line')}"] if hidden > 0 else []))


def in_milliseconds(times: np.ndarray, late: np.ndarray) -> str:
    """Return a remedy if the times would be possible in milliseconds."""
    if not late.any() or units.time_unit(times) != "ms":
        return ""
    return (
        "import the files with `units: {rt: ms}` in the mapping, which `fuzzybounds import` "
        "proposes (in milliseconds most of these times are possible)"
    )


def unit_of_total(totals: np.ndarray, expected: np.ndarray) -> str:
    """Return a remedy if the durations of trials would be as expected in another unit of time."""
    for unit, factor in (("ms", 1e-3), ("s", 1e3)):
        if np.mean(np.abs(totals * factor - expected) <= TIME_SLACK) > units.MOSTLY:
            return f"import the files with `units: {{total: {unit}}}` in the mapping"
    return ""


def other_units(
    files: pd.Series, times: np.ndarray, positions: np.ndarray, responded: np.ndarray
) -> tuple[np.ndarray, str]:
    """Find files whose positions cannot be px, and say in which unit they could be.

    Returns
    -------
    array of bool
        The rows of such files.
    str
        What they may be, and how to fix it.
    """
    times = times * units.TIME_UNITS[units.time_unit(times)]
    told = units.telling(times, positions) & responded

    def wrong(own: np.ndarray) -> bool:
        return units.share_on_lattice(*_of(times, positions, own)) < units.MOSTLY

    foreign = _of_files(files, told, wrong)
    return foreign, _unit_sentence(times, positions, told & foreign) if foreign.any() else ""


def too_short(
    files: pd.Series, times: np.ndarray, positions: np.ndarray, responded: np.ndarray
) -> tuple[np.ndarray, str]:
    """Find files whose times are s taken for ms, as :func:`other_units` finds positions."""
    longer = times / units.TIME_UNITS["ms"]
    told = units.telling(longer, positions) & responded

    def wrong(own: np.ndarray) -> bool:
        return (
            np.median(times[own]) < units.EARLIEST
            and units.find_unit(*_of(longer, positions, own)) is not None
        )

    return _of_files(files, told, wrong), (
        "import the files with `units: {rt: s}` in the mapping, which `fuzzybounds import` "
        "proposes (these times are 1000 times too short: in s they fit the positions)"
    )


def _of_files(
    files: pd.Series, told: np.ndarray, wrong: Callable[[np.ndarray], bool]
) -> np.ndarray:
    """Return the rows of files that are wrong, by those of their rows that tell something."""
    codes, names = pd.factorize(files)
    if told.sum() < units.ENOUGH:
        return np.zeros(len(files), dtype=bool)
    enough = np.bincount(codes[told], minlength=len(names)) >= units.ENOUGH
    if not enough.any():
        # Files with only a few trials are judged together.
        codes, enough = np.zeros(len(files), int), np.array([True])
    return np.isin(codes, [n for n in np.flatnonzero(enough) if wrong(told & (codes == n))])


def _of(times: np.ndarray, positions: np.ndarray, chosen: np.ndarray):
    return times[chosen], positions[chosen]


def _unit_sentence(times: np.ndarray, positions: np.ndarray, chosen: np.ndarray) -> str:
    times, positions = _of(times, positions, chosen)
    share = units.share_on_lattice(times, positions)
    now = (
        f"as px only {100 * share:.0f} % of the positions, which range from {positions.min():g} "
        f"to {positions.max():g}, are where the canoe can be"
    )
    keep = "if they are px after all, set `validation.wrong_units: keep` in config.yaml"
    if found := units.find_unit(times, positions):
        unit, share = found
        return (
            f"import the files with `units: {{position: {unit.as_yaml()}}}` in the mapping, which "
            f"`fuzzybounds import` proposes ({now}; as {unit.text} {100 * share:.0f} % are); {keep}"
        )
    if step := units.find_step(times, positions):
        return (
            f"none here ({now}; with a direction drawn every {step:.3g} s instead of {STEP:g} s "
            f"most are): this is another task, whose paths cannot be reconstructed; {keep}"
        )
    return (
        f"none is known ({now}, and no unit, screen coordinate or factor puts them there). Are "
        "they positions at the response, in the rows of their own times, and the times in s? Did "
        f"the canoe move {SPEED:g} px/s and draw its direction every {STEP:g} s? I{keep[1:]}"
    )
