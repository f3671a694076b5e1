"""The report of a data set from the files of its run: the stage `make_report`."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from markupsafe import Markup

from fuzzybounds.core.results import Results
from fuzzybounds.report import explorer, figures, page, provenance
from fuzzybounds.report.abstract import write_abstract

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
GRAPH = r'<svg class="graph" role="img" aria-label="Graph of the workflow\'s rules" \1>'
"""How the drawing begins on the page: as wide as the page, with a text for screen readers."""
READ = ("dataset", "design_check", *TABLES.values(), *FITTED)
"""Every table that the report reads."""


class Assembled(NamedTuple):
    """What :func:`make_report` returns: the page, and the options of the results."""

    report: str
    options: dict[str, Any]


def make_report(
    graph: str,
    *,
    folder: str,
    drawn: Mapping[str, Mapping[str, str]],
    configuration: Mapping[str, Any],
    snakefile: str,
    logs: Sequence[str],
) -> Assembled:
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
    drawing = Path(graph).read_text(encoding="utf-8")
    head = r"^.*?<svg[^>]*?(viewBox=\S+ \S+ \S+ \S+\")[^>]*>"
    results = {
        "dataset": tables["dataset"],
        **{name: _rows(f"{folder}/{file}.csv") for name, file in TABLES.items()},
        "abstract": write_abstract(_rows(f"{folder}/claims.csv")),
        # What is about single subjects would fill pages, and is in the table itself.
        "design": [row for row in _rows(f"{folder}/design_check.csv") if not row["subject"]],
        "figures": [figures.load(figure, entry, folder) for figure, entry in drawn.items()],
        "configuration": yaml.safe_dump(dict(configuration), sort_keys=False, allow_unicode=True),
        "graph": Markup(re.sub(head, GRAPH, drawing, flags=re.S)),
        "explorer": explorer.collect(*(tables[name] for name in FITTED)),
    }
    commit, changed = provenance.commit(snakefile)
    run = {
        "commit": commit,
        "changed": changed,
        "versions": provenance.versions([*PACKAGES, "snakemake"]),
        "costs": provenance.costs(*logs),
    }
    return Assembled(page.render(results, run), dict(configuration))


def _rows(path: str) -> list[dict[str, str]]:
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
