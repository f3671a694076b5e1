"""Propose a mapping for files of another laboratory: a best guess per column, and its reason.

Columns are guessed by their names, then checked against their content; units by what puts the
responses where the canoe can be (:mod:`fuzzybounds.logs.units`); names of conditions by what they
mean in some languages.  A person is asked to check it all.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml

from fuzzybounds.core.errors import listed
from fuzzybounds.logs import units
from fuzzybounds.logs.columns import COLUMNS, SYNONYMS, plain
from fuzzybounds.logs.files import ENDINGS, bids_name
from fuzzybounds.logs.importing import DEFAULT_CONDITIONS, DEFAULT_OUTCOMES
from fuzzybounds.logs.sources import Source

WORDS = {
    "easy": "easy leicht low einfach facile facil simple",
    "hard": "hard schwer high schwierig difficult difficile dificil",
    "correct": "1 correct richtig korrekt true yes ja hit right oui si",
    "incorrect": "0 incorrect wrong falsch inkorrekt false no nein miss error non",
    "left": "left links l gauche izquierda arrowleft leftarrow",
    "right": "right rechts r droite derecha arrowright rightarrow",
    "none": "none na nan n/a null missed timeout keine miss noresponse no_response",
    "given": "response resp key keypress button choice answer antwort taste reponse",
    "expected": "expected heading correctresponse correctkey corrresp corransw target side truth "
    "solution",
}
"""What codes, and columns of responses, mean, in lower case."""
TODO = "TODO"
MOST_CODES = 6
"""Number of different codes beyond which a column does not hold conditions."""


def propose(sources: Sequence[Source]) -> tuple[str, list[str]]:
    """Propose a mapping for all logs of one laboratory, and say what could not be guessed."""
    guess = _Guess(sources)
    why = {key: f"  # {reason}" for key, reason in guess.why.items()}
    lines = ["# Proposed by looking at the files: check every line. In columns, ours: theirs."]
    for section, content in guess.mapping.items():
        nested = content if isinstance(content, dict) else {}
        value = "" if nested else f" {_scalar(content)}"
        lines.append(f"{section}:{value}{why.get(section, '')}")
        for name, value in nested.items():
            lines.append(f"  {name}: {_scalar(value)}{why.get(f'{section}.{name}', '')}")
    used = {*guess.ours.values(), *guess.responding}
    if left := [_scalar(name) for name in guess.cells if name not in used]:
        lines.append(f"# Left out: {', '.join(left)}.")
    return "\n".join(lines) + "\n", guess.unclear


def _scalar(value: Any) -> str:
    return yaml.safe_dump(
        value, allow_unicode=True, default_flow_style=True, sort_keys=False, width=10**9
    ).split("\n")[0]


def _meaning(code: str, among: Iterable[str]) -> str | None:
    return next((name for name in among if code.lower() in WORDS[name].split()), None)


class _Guess:
    """A mapping for some files, guessed section by section."""

    def __init__(self, sources: Sequence[Source]):
        self.cells = pd.concat([source.cells for source in sources], ignore_index=True).fillna("")
        self.numbers = {
            name: pd.to_numeric(self.cells[name], errors="coerce").to_numpy(dtype=float)
            for name in self.cells
        }
        self.mapping: dict[str, Any] = {}
        self.why: dict[str, str] = {}
        self.unclear: list[str] = []
        self.ours: dict[str, str] = {}
        self.responding: tuple[str, ...] = ()
        self.columns()
        self.responses()
        self.missing(sources)
        self.units()
        self.codes()

    def add(self, section: str, name: str, value: Any, why: str = "") -> None:
        """Add a key to a section of the mapping, with a reason."""
        self.mapping.setdefault(section, {})[name] = value
        if why:
            self.why[f"{section}.{name}"] = why

    def columns(self) -> None:
        """Find which of their columns is which of ours, the surest first."""
        scored = sorted(
            (-score, place, column.name, theirs)
            for place, column in enumerate(COLUMNS)
            for theirs in self.cells
            if (score := _likeness(theirs, column.name)) and self.suits(theirs, column.name)
        )
        why = {}
        for _, _, ours, theirs in scored:
            if ours not in self.ours and theirs not in self.ours.values():
                self.ours[ours], why[ours] = theirs, "by its name"
        if "rt" in self.ours and "position" not in self.ours:
            for theirs, numbers in self.numbers.items():
                free = theirs not in self.ours.values() and np.isfinite(numbers).mean() >= 0.5
                if free and units.find_unit(self.seconds(), numbers):
                    self.ours["position"], why["position"] = theirs, "where the canoe can be"
                    break
        for column in COLUMNS:
            if column.name in self.ours:
                theirs = self.ours[column.name]
                self.add(
                    "columns", column.name, theirs, f"{why[column.name]}; {self.content(theirs)}"
                )

    def suits(self, theirs: str, ours: str) -> bool:
        """Whether the content of a column can be that of one of ours."""
        numbers = self.numbers[theirs]
        if ours == "subject":
            return True
        if ours in ("condition", "correct"):
            codes = set(self.cells[theirs].str.lower()) - {"", *WORDS["none"].split()}
            return len(codes) <= (2 if ours == "correct" else MOST_CODES)
        if ours in ("session", "block", "trial"):
            return bool(((numbers >= 1) & (numbers == np.floor(numbers))).mean() > 0.9)
        return bool(np.isfinite(numbers).mean() > 0.5)

    def content(self, theirs: str) -> str:
        """Say what a column holds."""
        numbers = self.numbers[theirs]
        if np.isfinite(numbers).mean() > 0.9:
            return f"{np.nanmin(numbers):g} to {np.nanmax(numbers):g}"
        return f"such as {listed(map(repr, self.cells[theirs].unique()))}"

    def seconds(self) -> np.ndarray:
        """Return the response times in s."""
        times = self.numbers[self.ours["rt"]]
        return np.where(times > 0, times, np.nan) * units.TIME_UNITS[units.time_unit(times)]

    def responses(self) -> None:
        """Responses given and expected, where there is no column of outcomes."""
        free = [name for name in self.cells if name not in self.ours.values()]
        meant = {_meaning(plain(name), ["given", "expected"]): name for name in reversed(free)}
        if "correct" in self.ours or not {"given", "expected"} <= set(meant):
            return
        self.responding = (meant["given"], meant["expected"])
        position = self.numbers[self.ours["position"]] if "position" in self.ours else None
        sides: dict[str, list[str]] = {"left": [], "right": []}
        for name in self.responding:
            for code in self.cells[name].unique():
                side = _meaning(code, [*sides, "none"]) if code else "none"
                if side is None and position is not None:
                    where = np.nanmean(position[(self.cells[name] == code).to_numpy()])
                    side = "right" if where > np.nanmean(position) else "left"
                if side in sides and code not in sides[side]:
                    sides[side].append(code)
        self.why["responses"] = "sides by their names, or by where the canoe was"
        self.mapping["responses"] = {name: meant[name] for name in ("given", "expected")} | sides

    def missing(self, sources: Sequence[Source]) -> None:
        """Ask for the required columns that were not found."""
        known = {*self.ours, *(["correct"] if self.responding else [])}
        if all(bids_name(source.file) for source in sources):
            known.add("subject")
        elif "subject" not in known and len(sources) > 1:
            known.add("subject")
            self.mapping["file_names"] = "{subject}"
            example = _scalar(sources[0].file)
            self.why["file_names"] = f"no column of participants; files such as {example}"
        for column in COLUMNS:
            if column.required and column.name not in known:
                self.add("columns", column.name, TODO, f"{column.meaning}; no column found")
                self.unclear.append(f"columns.{column.name}: no column found")

    def units(self) -> None:
        """Units of times and positions."""
        for name in (name for name in ("rt", "total") if name in self.ours):
            theirs = self.ours[name]
            unit = units.time_unit(self.numbers[theirs])
            self.add("units", name, unit, f"values are {self.content(theirs)}")
        if {"rt", "position"} <= set(self.ours):
            match = units.find_unit(self.seconds(), self.numbers[self.ours["position"]])
            if match:
                why = f"as {match[0].text} {100 * match[1]:.0f} % are where the canoe can be"
                self.add("units", "position", match[0].option, why)
            else:
                self.unclear.append("units.position: no unit puts positions where the canoe can be")

    def codes(self) -> None:
        """What stands for no response, conditions and outcomes."""
        silent = {code for name in self.responding for code in self.cells[name]}
        silent = {code for code in silent if _meaning(code, ["none"])}
        if "rt" in self.ours:
            times = self.numbers[self.ours["rt"]]
            silent |= set(self.cells[self.ours["rt"]][~(times >= 0)]) - {""}
        if 0 < len(silent) <= MOST_CODES:
            self.mapping["no_response"] = sorted(silent)
        for section, ours, known in (
            ("conditions", "condition", DEFAULT_CONDITIONS),
            ("outcomes", "correct", DEFAULT_OUTCOMES),
        ):
            cells = self.cells[self.ours[ours]] if ours in self.ours else pd.Series([""])
            codes = [code for code in cells.unique() if code]
            if not {code.lower() for code in codes} <= {*itertools.chain(*known.values())}:
                self.pair(section, list(known), codes)

    def pair(self, section: str, names: list[str], codes: list[str]) -> None:
        """Name the codes of two kinds by their meaning; no outcome is an error."""
        meant = {code: _meaning(code, [*names, "none"]) for code in codes}
        if section == "outcomes":
            meant = {code: "incorrect" if kind == "none" else kind for code, kind in meant.items()}
        why = "by their meaning"
        if not set(meant.values()) <= set(names):
            meant, why = {}, f"which of {listed(map(repr, codes), MOST_CODES)} is which?"
            self.unclear.append(f"{section}: {why}")
        self.why[section] = why
        for name in names:
            matching = [code for code in meant if meant[code] == name]
            self.add(section, name, matching if meant else [TODO])


def _likeness(theirs: str, ours: str) -> int:
    """How much the name of a column looks like one of ours: by its name, a synonym, or a word."""
    word, names = plain(theirs), {ours, *SYNONYMS[ours].split()}
    if word in names:
        return 3 if word == ours else 2
    words = re.findall(r"[A-Z]+(?![a-zà-ÿ])|[A-Z]?[a-zà-ÿ]+", theirs)
    return int(bool(names & {word.lower() for word in words}))


def propose_paths(folder: Path) -> str:
    """Comment on tables in folders below: they may be recorded paths."""
    tables = [file for file in folder.glob("*/*") if file.suffix.lower() in ENDINGS]
    return "".join(
        f"# If {kind} are recorded paths, add paths: {{files: {kind}, columns: {{trial: ...}}}}\n"
        for kind in sorted({f"{file.parent.name}/*{file.suffix}" for file in tables})
    )
