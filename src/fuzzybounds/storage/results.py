"""The results of a data set, read by the names of their tables."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fuzzybounds.storage.errors import InputError, suggestion
from fuzzybounds.storage.first_look import first_look_note
from fuzzybounds.storage.registry import TABLES, file_of
from fuzzybounds.storage.tables import read_table

DEFAULT = "simulated"


class Results(Mapping[str, Any]):
    """The result tables of one data set, each read on first access.

    Parameters
    ----------
    folder : path
        ``results/{dataset}``.

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
            path = self.folder / file_of(name)
            if not path.exists():
                raise InputError(f"{path}: no such file", self._remedies())
            self._read[name] = read_table(path)
            if name == "dataset":
                self._read[name] = self._with_variant(self._read[name])
        return self._read[name]

    def _remedies(self) -> list[str]:
        """Explain how to create a missing table, or list the data sets with results."""
        dataset, _, variant = self.folder.name.partition("@")
        own = f" VARIANT={variant}" if variant else ""
        made = [f"make figures DATASET={dataset}{own} makes the results of a data set"]
        if self.folder.is_dir():
            return made
        known = names_in(self.folder.parent)
        there = suggestion(self.folder.name, known) if known else "there are no results yet"
        return [f"no results of {self.folder.name!r}; {there}", *made]

    def _with_variant(self, described: dict[str, Any]) -> dict[str, Any]:
        """Mark the description of a variant's data, so that figures name the variant."""
        _, _, variant = self.folder.name.partition("@")
        if not variant:
            return described
        title = f"{described['title']}, variant {variant}"
        return {**described, "title": title, "variant": variant}

    @property
    def first_look(self) -> str:
        """What marks results that are only a first look; empty for a whole run."""
        source = "dataset" if "dataset" in self else "first_look"
        return first_look_note(self[source]) if source in self else ""

    def __iter__(self):
        return (name for name in TABLES if (self.folder / file_of(name)).exists())

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        return name in TABLES and (self.folder / file_of(str(name))).exists()


def names_in(results: str | Path) -> list[str]:
    """Return the names of the data sets and variants that have results in a folder."""
    return sorted(path.parent.name for path in Path(results).glob("*/dataset.json"))


def find_results(results: str | Path | None = None, dataset: str | None = None) -> Results:
    """Find the results of a data set.

    Parameters
    ----------
    results : path, optional
        The folder of all results.  None: the folder ``results`` of the working directory or, if it
        has none, of the nearest directory above it.
    dataset : str, optional
        None: the simulated cohort if it has results, or else the first data set by name.
    """
    if results is None:
        places = [place / "results" for place in (Path.cwd(), *Path.cwd().parents)]
        results = next((place for place in places if place.is_dir()), None)
        if results is None:
            raise InputError("no folder 'results' here or above", ["make figures makes it"])
    if dataset is None:
        present = names_in(results)
        if not present:
            raise InputError(f"{results}: no results of any data set", ["make figures makes them"])
        dataset = DEFAULT if DEFAULT in present else present[0]
    return Results(Path(results) / dataset)
