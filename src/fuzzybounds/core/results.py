"""The results of a data set, read by the names of their tables."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fuzzybounds.core.dictionary import TABLES, file_of
from fuzzybounds.core.errors import InputError, counted
from fuzzybounds.core.inventory import SHARED, run_command
from fuzzybounds.core.suggestions import suggestion
from fuzzybounds.core.tables import read_table

DEFAULT = "simulated"
_LEARNING = ("curves", "consequents", "initial", "reach", "sweep", "sweep_summary")
SHARED_TABLES = {
    "example_trial",
    *(f"learning_{name}" for name in (*_LEARNING, "rule_curves", "rules")),
    *(f"recovery_{name}" for name in ("rules", "labels", "cells", "memberships", "losses")),
    *(f"control_{name}" for name in ("groups", "tests", "regression")),
    *("claim_controls", "design_power"),
}
"""Tables that do not depend on a data set, computed once for all of them."""
NOT_OF_RUNS = {
    **dict.fromkeys(
        ("session_fits", "people", "session_recovery"), "`make people` in a checkout makes it"
    ),
    "stopping_recovery_fits": "its parts are in fits/, one for each shard of subjects",
}
"""Tables that no rule of the workflow makes, or not as a whole, and where they are from."""


def first_look_note(described: Mapping[str, Any]) -> str:
    """Say that results are only a first look, and with how many subjects; empty for a whole run.

    `described` is the content of ``dataset.json``.  Results of only some subjects are a first look
    even where nobody calls them so.
    """
    subjects_found, used = described.get("subjects_found", 0), described.get("subjects_used", 0)
    note = described.get("first_look") or ("First look" if used < subjects_found else "")
    if not note or not subjects_found:
        return note
    subjects = counted(subjects_found, "subject")
    return f"{note} ({subjects})" if used == subjects_found else f"{note} ({used} of {subjects})"


class Results(Mapping[str, Any]):
    """The result tables of one data set (``results/{dataset}``), each read on first access.

    Examples
    --------
    >>> results = find_results(dataset="simulated")  # doctest: +SKIP
    >>> results["groups"].head()  # doctest: +SKIP
    """

    def __init__(self, folder: str | Path):
        self.folder = Path(folder)
        self._read: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        """Return a table, or the content of a JSON file."""
        if name not in self._read:
            path = self._path(name)
            if not path.exists():
                missing = f"{self.folder / file_of(name)}: no such file"
                raise InputError(missing, self._remedies(name))
            self._read[name] = read_table(path)
        return self._read[name]

    def _path(self, name: str) -> Path:
        """Return where a table is: in the folder, or beside it where all data sets share it."""
        path = self.folder / file_of(name)
        return path if path.exists() else self.folder.parent / SHARED / file_of(name)

    def _remedies(self, name: str) -> list[str]:
        """Explain how to create a missing table, or list the data sets with results."""
        if name in NOT_OF_RUNS:
            return [NOT_OF_RUNS[name]]
        command = run_command(self.folder)
        if self.folder.is_dir():
            place = self.folder.with_name(SHARED) if name in SHARED_TABLES else self.folder
            parts = place.parts[-3 if "--variant" in command else -1 :]
            path = Path("results", *parts, file_of(name)).as_posix()
            return [f"{command} --only {path} makes it"]
        known = names_in(self.folder.parent)
        there = suggestion(self.folder.name, known) if known else "there are no results yet"
        made = f"{command} makes the results of a data set"
        return [f"no results of {self.folder.name!r}; {there}", made]

    @property
    def first_look(self) -> str:
        """What marks results that are only a first look; empty for a whole run."""
        return first_look_note(self["dataset"]) if "dataset" in self else ""

    def __iter__(self):
        return (name for name in TABLES if self._path(name).exists())

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        return name in TABLES and self._path(str(name)).exists()


def names_in(results: str | Path) -> list[str]:
    """Return the names of the data sets that have results in a folder."""
    return sorted(path.parent.name for path in Path(results).glob("*/dataset.json"))


def find_results(results: str | Path | None = None, dataset: str | None = None) -> Results:
    """Find the results of a data set.

    By default the folder ``results`` of the working directory or of the nearest one above it, and
    there the simulated cohort or, if it has no results, the first data set by name.
    """
    if results is None:
        places = [place / "results" for place in (Path.cwd(), *Path.cwd().parents)]
        results = next((place for place in places if place.is_dir()), None)
        if results is None:
            raise InputError("no folder 'results' here or above", ["fuzzybounds run makes it"])
    if dataset is None:
        present = names_in(results)
        if not present:
            raise InputError(f"{results}: no results yet", ["fuzzybounds run makes them"])
        dataset = DEFAULT if DEFAULT in present else present[0]
    return Results(Path(results) / dataset)
