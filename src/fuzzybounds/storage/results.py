"""The results of a data set, read by the names of their tables."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fuzzybounds.storage.errors import InputError
from fuzzybounds.storage.registry import TABLES, file_of
from fuzzybounds.storage.tables import read_table

DEFAULT = "simulated"


class Results(Mapping[str, Any]):
    """The result tables of one data set, each read when it is first asked for.

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
                raise InputError(
                    f"{path}: not there",
                    [f"make figures DATASET={self.folder.name} makes the results of a data set"],
                )
            self._read[name] = read_table(path)
        return self._read[name]

    def __iter__(self):
        return (name for name in TABLES if (self.folder / file_of(name)).exists())

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        return name in TABLES and (self.folder / file_of(str(name))).exists()


def find_results(results: str | Path | None = None, dataset: str | None = None) -> Results:
    """Find the results of a data set.

    Parameters
    ----------
    results : path, optional
        The folder of all results.  None: the folder ``results`` of the working directory or, if it
        has none, of the nearest directory above it.
    dataset : str, optional
        None: the simulated cohort if its results are there, or else the first data set by name.
    """
    if results is None:
        places = [place / "results" for place in (Path.cwd(), *Path.cwd().parents)]
        results = next((place for place in places if place.is_dir()), None)
        if results is None:
            raise InputError("no folder 'results' here or above", ["make figures makes it"])
    if dataset is None:
        present = sorted(path.parent.name for path in Path(results).glob("*/dataset.json"))
        if not present:
            raise InputError(f"{results}: no results of any data set", ["make figures makes them"])
        dataset = DEFAULT if DEFAULT in present else present[0]
    return Results(Path(results) / dataset)
