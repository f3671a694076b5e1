"""Where results are, for a notebook that is run by hand."""

from __future__ import annotations

from pathlib import Path

from fuzzybounds.storage.errors import InputError

USUAL = "simulated"


def results_folder(results: str | Path | None = None, dataset: str | None = None) -> Path:
    """Find the folder with the results of a data set.

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
        there = sorted(path.parent.name for path in Path(results).glob("*/dataset.json"))
        if not there:
            raise InputError(f"{results}: no results of any data set", ["make figures makes them"])
        dataset = USUAL if USUAL in there else there[0]
    return Path(results) / dataset
