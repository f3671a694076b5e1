"""Propose a mapping for files of another laboratory: a best guess per column, and its reason.

Columns are guessed by their names, then checked against their content; units by what puts the
responses where the canoe can be (:mod:`fuzzybounds.intake.units`); names of conditions by what they
mean in some languages, or by accuracy.  A person is asked to check it all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import yaml

from fuzzybounds.intake import units
from fuzzybounds.intake.conversion import DEFAULT_CONDITIONS, DEFAULT_OUTCOMES
from fuzzybounds.intake.files import bids_name
from fuzzybounds.intake.logs import COLUMNS, SYNONYMS, nearest, plain
from fuzzybounds.intake.sources import Source
from fuzzybounds.storage.errors import listed

WORDS = {
    "easy": "easy leicht low einfach facile facil simple",
    "hard": "hard schwer high schwierig difficult difficile dificil",
    "correct": "correct richtig korrekt true yes ja hit right oui si",
    "incorrect": "incorrect wrong falsch inkorrekt false no nein miss error non",
    "left": "left links l gauche izquierda arrowleft leftarrow",
    "right": "right rechts r droite derecha arrowright rightarrow",
    "none": "none na nan n/a null missed timeout keine miss noresponse no_response",
}
"""What codes mean, in lower case."""
GIVEN = "response resp key keypress button choice answer antwort taste reponse"
EXPECTED = (
    "expected heading correctresponse correctkey corrresp corransw target side truth solution"
)
TODO = "TODO"


class Proposal(NamedTuple):
    """A proposed mapping as text, and what it could not guess."""

    text: str
    unclear: list[str]


def propose(sources: Sequence[Source]) -> Proposal:
    """Propose a mapping for files of one laboratory.

    Parameters
    ----------
    sources : sequence of Source
        All of its logs.
    """
    return _Guess(sources).proposal()


def _scalar(value: Any) -> str:
    text = yaml.safe_dump(value, allow_unicode=True, default_flow_style=True, width=10**9)
    return text.split("\n")[0]


def _meaning(code: str, among: Iterable[str]) -> str | None:
    return next((name for name in among if code.lower() in WORDS[name].split()), None)


class _Guess:
    """Guesses about some files, section by section of the mapping."""

    def __init__(self, sources: Sequence[Source]):
        self.sources = sources
        self.cells = pd.concat([own.cells for own in sources], ignore_index=True).fillna("")
        self.unclear: list[str] = []
        self.lines: list[str] = []
        self.decimals = {own.dialect.decimal for own in sources}

    def proposal(self) -> Proposal:
        """Put the sections together."""
        self.lines = ["# Proposed by looking at the files: check every line.", *self._files()]
        columns = self._columns()
        bids = all(bids_name(own.file) for own in self.sources)
        if "subject" not in columns and self.by_name and not bids:
            said = f"no column of participants; files such as {_scalar(self.sources[0].file)}"
            self.lines.append(f'file_names: "{{subject}}"  # {said}')
        self.lines += ["# Ours: theirs.", "columns:"]
        for column in COLUMNS:
            if column.name in columns:
                theirs, why = columns[column.name]
                self.lines.append(f"  {column.name}: {_scalar(theirs)}  # {why}")
        used = {theirs for theirs, _ in columns.values()}
        responses = [] if "correct" in columns else self._responses(columns, used)
        for column in COLUMNS:
            named = column.name == "subject" and self.by_name
            told = column.name == "correct" and responses
            if column.required and column.name not in columns and not named and not told:
                self.lines.append(f"  {column.name}: {TODO}  # {column.meaning}; no column found")
                self.unclear.append(f"columns.{column.name}: no column found")
        self.lines += self._units(columns)
        self.lines += self._codes(columns)
        self.lines += responses
        left = [name for name in self.cells if name not in used | self.responding]
        if left:
            self.lines.append(f"# Left out: {', '.join(map(_scalar, left))}.")
        return Proposal("\n".join(self.lines) + "\n", self.unclear)

    @property
    def by_name(self) -> bool:
        """Whether subjects are named by files, as in BIDS data sets or one file per subject."""
        return all(bids_name(own.file) for own in self.sources) or len(self.sources) > 1

    def numbers(self, name: str) -> np.ndarray:
        """A column as numbers; NaN where it is none."""
        cells = self.cells[name]
        if "," in self.decimals:
            cells = cells.str.replace(",", ".")
        return pd.to_numeric(cells, errors="coerce").to_numpy(dtype=float)

    def _files(self) -> list[str]:
        dialects = {own.dialect for own in self.sources}
        if len(dialects) > 1:
            return ["# Files are written in different ways; how is found for each."]
        (dialect,) = dialects
        if dialect.sheet:
            return [f"sheet: {_scalar(dialect.sheet)}  # the first sheet of the workbook"]
        return [
            f'delimiter: "{dialect.delimiter}"'.replace("\t", "\\t"),
            f'decimal: "{dialect.decimal}"',
            f"encoding: {dialect.encoding.removesuffix('-sig')}",
        ]

    def _columns(self) -> dict[str, tuple[str, str]]:
        """Find which of their columns is which of ours, the surest first."""
        scored = sorted(
            (
                (-score, place, column.name, theirs)
                for place, column in enumerate(COLUMNS)
                for theirs in self.cells
                if (score := _likeness(theirs, column.name)) and self._suits(theirs, column.name)
            ),
        )
        found: dict[str, tuple[str, str]] = {}
        for _, _, ours, theirs in scored:
            if ours not in found and theirs not in {own for own, _ in found.values()}:
                found[ours] = (theirs, f"by its name; {self._content(theirs)}")
        if "rt" in found and "position" not in found:
            self._find_position(found)
        return found

    def _find_position(self, found: dict[str, tuple[str, str]]) -> None:
        """A column of any name whose numbers are where the canoe can be."""
        taken = {own for own, _ in found.values()}
        for theirs in self.cells:
            numbers = self.numbers(theirs)
            if theirs in taken or np.isfinite(numbers).mean() < 0.5:
                continue
            if units.find_unit(self._seconds(found["rt"][0]), numbers):
                found["position"] = (theirs, f"where the canoe can be; {self._content(theirs)}")
                return

    def _suits(self, theirs: str, ours: str) -> bool:
        cells = self.cells[theirs]
        if ours == "subject":
            return True
        if ours in ("condition", "correct"):
            codes = set(cells.str.lower()) - {""} - set(WORDS["none"].split())
            return len(codes) <= (2 if ours == "correct" else 6)
        numbers = self.numbers(theirs)
        known = np.isfinite(numbers)
        if ours in ("session", "block", "trial"):
            whole = known & (numbers >= 1) & (numbers == np.floor(numbers))
            return bool(whole.mean() > 0.9)
        return bool(known.mean() > 0.5)

    def _content(self, theirs: str) -> str:
        numbers = self.numbers(theirs)
        if np.isfinite(numbers).mean() > 0.9:
            return f"{np.nanmin(numbers):g} to {np.nanmax(numbers):g}"
        return f"such as {listed(map(repr, self.cells[theirs].unique()))}"

    def _seconds(self, theirs: str) -> np.ndarray:
        times = self.numbers(theirs)
        return np.where(times > 0, times, np.nan) * units.TIME_UNITS[units.time_unit(times)]

    def _units(self, columns: dict[str, tuple[str, str]]) -> list[str]:
        lines = ["units:"]
        for ours in ("rt", "total"):
            if ours in columns:
                seconds = units.time_unit(self.numbers(columns[ours][0]))
                why = f"values are {self._content(columns[ours][0])}"
                lines.append(f"  {ours}: {seconds}  # {why}")
        if {"rt", "position"} <= set(columns):
            positions = self.numbers(columns["position"][0])
            found = units.find_unit(self._seconds(columns["rt"][0]), positions)
            if found:
                said = f"as {found[0].text} {100 * found[1]:.0f} % are where the canoe can be"
                lines.append(f"  position: {found[0].as_yaml()}  # {said}")
            else:
                lines.append("  position: px  # no unit puts them where the canoe can be")
                self.unclear.append("units.position: no unit puts positions where the canoe can be")
        return lines if len(lines) > 1 else []

    def _codes(self, columns: dict[str, tuple[str, str]]) -> list[str]:
        lines = []
        if "rt" in columns:
            cells, times = self.cells[columns["rt"][0]], self.numbers(columns["rt"][0])
            codes = set(cells[~(times >= 0)]) - {""}
            codes |= self._silent()
            if codes and len(codes) <= 6:
                lines.append(f"no_response: {_scalar(sorted(codes))}  # not a time or a response")
        if "condition" in columns:
            lines += self._pair("conditions", columns["condition"][0], DEFAULT_CONDITIONS, columns)
        if "correct" in columns:
            lines += self._pair("outcomes", columns["correct"][0], DEFAULT_OUTCOMES, columns)
        return lines

    def _pair(
        self,
        section: str,
        theirs: str,
        defaults: dict[str, list[str]],
        columns: dict[str, tuple[str, str]],
    ) -> list[str]:
        """The codes of two kinds: those that are known as they are need not be mapped."""
        codes = [code for code in self.cells[theirs].unique() if code]
        if {code.lower() for code in codes} <= {
            own for every in defaults.values() for own in every
        }:
            return []
        named: dict[str, list[str]] = {name: [] for name in defaults}
        for code in codes:
            meaning = _meaning(code, defaults)
            if meaning is None and section == "outcomes" and _meaning(code, ["none"]):
                meaning = "incorrect"
            if meaning:
                named[meaning].append(code)
        why = "by their meaning"
        if sum(map(len, named.values())) < len(codes):
            named, why = self._by_accuracy(section, theirs, codes, columns)
        lines = [f"{section}:  # {why}"]
        return lines + [f"  {name}: {_scalar(own)}" for name, own in named.items()]

    def _by_accuracy(
        self, section: str, theirs: str, codes: list[str], columns: dict[str, tuple[str, str]]
    ) -> tuple[dict[str, list[str]], str]:
        if section == "conditions" and "correct" in columns and len(codes) == 2:
            outcome = self.cells[columns["correct"][0]].str.lower()
            right = outcome.isin(["1", *WORDS["correct"].split()])
            share = right.groupby(self.cells[theirs]).mean()
            if share.nunique() == 2:
                easy, hard = share.idxmax(), share.idxmin()
                said = f"{100 * share[easy]:.0f} % and {100 * share[hard]:.0f} % correct"
                return {"easy": [easy], "hard": [hard]}, f"by accuracy: {said}"
        self.unclear.append(f"{section}: which of {listed(map(repr, codes), 6)} is which?")
        names = DEFAULT_CONDITIONS if section == "conditions" else DEFAULT_OUTCOMES
        return {name: [TODO] for name in names}, f"there are {listed(map(repr, codes), 6)}"

    responding: frozenset[str] = frozenset()

    def _silent(self) -> set[str]:
        """Codes of responses that mean none."""
        return {
            code
            for name in self.responding
            for code in self.cells[name]
            if _meaning(code, ["none"])
        }

    def _responses(self, columns: dict[str, tuple[str, str]], used: set[str]) -> list[str]:
        """Responses given and expected, where there is no column of outcomes."""
        names = [name for name in self.cells if name not in used]
        given = next((name for name in names if plain(name) in GIVEN.split()), None)
        expected = next((name for name in names if plain(name) in EXPECTED.split()), None)
        if given is None or expected is None:
            return []
        self.responding = frozenset((given, expected))
        position = self.numbers(columns["position"][0]) if "position" in columns else None
        sides: dict[str, list[str]] = {"left": [], "right": []}
        for name in (given, expected):
            for code in dict.fromkeys(self.cells[name]):
                if not code or _meaning(code, ["none"]):
                    continue
                side = _meaning(code, sides)
                if side is None and position is not None:
                    where = np.nanmean(position[(self.cells[name] == code).to_numpy()])
                    side = "right" if where > np.nanmean(position) else "left"
                if side and code not in sides[side]:
                    sides[side].append(code)
        lines = ["responses:  # sides by their names, or by where the canoe was"]
        lines += [f"  given: {_scalar(given)}", f"  expected: {_scalar(expected)}"]
        return lines + [f"  {side}: {_scalar(codes)}" for side, codes in sides.items()]


def _likeness(theirs: str, ours: str) -> float:
    """How much the name of a column looks like one of ours: 0 to 3."""
    own, names = plain(theirs), SYNONYMS[ours].split()
    if own == ours:
        return 3.0
    if own in names:
        return 2.0
    words = {word.lower() for word in re.findall(r"[A-Za-zÀ-ÿ][a-zà-ÿ]*|[A-Z]+", theirs)}
    words |= {word.lower() for word in re.split(r"[^A-Za-zÀ-ÿ]+", theirs)}
    if ours in words or words & set(names):
        return 1.5
    return 1.0 if nearest(theirs, [ours]) else 0.0


def propose_paths(folder: Path, endings: Iterable[str]) -> list[str]:
    """Comment on tables in folders below: they may be recorded paths."""
    known = tuple(endings)
    found = [
        (inner.name, kind)
        for inner in sorted(path for path in folder.iterdir() if path.is_dir())
        for kind in sorted({own.suffix for own in inner.iterdir() if own.suffix.lower() in known})
    ]
    lines = []
    for name, kind in found:
        lines += [
            f"# {name}/ holds tables too. If they are recorded paths, say so:",
            "# paths:",
            f"#   files: {name}/*{kind}",
            "#   columns: {subject: ..., trial: ..., time: ..., position: ...}",
        ]
    return lines
