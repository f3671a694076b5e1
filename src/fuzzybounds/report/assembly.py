"""The report of a data set from the files of its run: the stage `make_report`."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fuzzybounds.report import explorer, figures, page, provenance
from fuzzybounds.storage.results import Results

PACKAGES = ("fuzzybounds", "matplotlib", "numba", "numpy", "pandas", "scikit-learn", "scipy")
TABLES = {
    "claims": "claims",
    "errata": "errata",
    "specification": "specification_summary",
    "selection": "model_selection",
}
"""Tables that are shown as they are, by their names on the page."""
FITTED = ("fuzzy_fits", "rules", "memberships")
"""The tables of fits, in the order in which the explorer takes them."""
READ = ("dataset", "design_check", *TABLES.values(), *FITTED)
"""Every table that the report reads."""


def make_report(
    graph: str,
    *,
    folder: str,
    drawn: Mapping[str, Mapping[str, str]],
    configuration: Mapping[str, Any],
    snakefile: str,
    logs: Sequence[str],
) -> str:
    """Put the results of a data set into one HTML page.

    Parameters
    ----------
    graph : str
        The drawing of the workflow's rules (SVG file).
    folder : str
        ``results/{dataset}``.
    drawn : mapping
        Title, and what the paper says, of every figure.
    configuration : mapping
        All options.
    snakefile : str
        A file of the project, whose commit is shown.
    logs : sequence of str
        Folders with Snakemake's benchmark files.
    """
    import yaml

    tables = Results(folder)
    rows = {name: _rows(f"{folder}/{file}.csv") for name, file in TABLES.items()}
    # What is about single subjects would fill pages, and is in the table itself.
    design = [row for row in _rows(f"{folder}/design_check.csv") if not row["subject"]]
    drawing = Path(graph).read_text(encoding="utf-8")
    results = page.Results(
        dataset=tables["dataset"],
        **rows,
        design=design,
        figures=[figures.load(figure, entry, folder) for figure, entry in drawn.items()],
        configuration=yaml.safe_dump(dict(configuration), sort_keys=False, allow_unicode=True),
        graph=drawing[drawing.find("<svg") :],
        explorer=explorer.collect(*(tables[name] for name in FITTED)),
    )
    commit, changed = provenance.commit(snakefile)
    versions = provenance.versions([*PACKAGES, "snakemake"])
    return page.render(results, page.Run(commit, changed, versions, provenance.costs(*logs)))


def _rows(path: str) -> list[dict[str, str]]:
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
