"""The report of a data set, one self-contained page: the stage `make_report`."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from jinja2 import Environment, FunctionLoader, StrictUndefined, Template
from markupsafe import Markup

from fuzzybounds.core.results import Results, first_look_note
from fuzzybounds.report import explorer, figures, provenance
from fuzzybounds.report.article import write_abstract
from fuzzybounds.report.linked_data import review_claims
from fuzzybounds.report.terminal import LOOKS
from fuzzybounds.report.text import linked, mentioned, rounded
from fuzzybounds.scorecard.words.policy import POLICY
from fuzzybounds.stopping.answers import DIRECTION, KIND, KIND_DIRECTED

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
READ = ("dataset", "design_check", "stopping_brief", *TABLES.values(), *FITTED)
"""Every table that the report reads."""


def parts(*names: str) -> Markup:
    """Files of this package, as they are."""
    folder = resources.files(__package__)
    return Markup("".join(folder.joinpath(name).read_text(encoding="utf-8") for name in names))


def template(name: str) -> Template:
    """A template of this package."""
    environment = Environment(
        loader=FunctionLoader(lambda other: str(parts(other))),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"rounded": rounded, "linked": linked}
    return environment.get_template(name)


class Assembled(NamedTuple):
    """What :func:`make_report` returns: the page, the options of the results, claims as data."""

    report: str
    options: dict[str, Any]
    claims_data: dict[str, Any]


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
    tables = Results(folder)
    drawing = Path(graph).read_text(encoding="utf-8")
    head = r"^.*?<svg[^>]*?(viewBox=\S+ \S+ \S+ \S+\")[^>]*>"
    claims = _rows(f"{folder}/claims.csv")
    # Everything that is the same from run to run.
    results = {
        "dataset": tables["dataset"],
        **{name: _rows(f"{folder}/{file}.csv") for name, file in TABLES.items()},
        "abstract": write_abstract(claims),
        # What is about single subjects would fill pages, and is in the table itself.
        "design": [row for row in _rows(f"{folder}/design_check.csv") if not row["subject"]],
        "brief": [
            row
            for row in _rows(f"{folder}/stopping_brief.csv")
            if row["question"] in (KIND, KIND_DIRECTED, DIRECTION)
        ],
        "figures": [figures.load(figure, entry, folder) for figure, entry in drawn.items()],
        "configuration": yaml.safe_dump(dict(configuration), sort_keys=False, allow_unicode=True),
        "graph": Markup(re.sub(head, GRAPH, drawing, flags=re.S)),
    }
    # What may differ although the results do not, shown in the section with the id "run" alone.
    commit, changed = provenance.commit(snakefile)
    run = {
        "commit": commit,
        "changed": changed,
        "versions": provenance.versions([*PACKAGES, "snakemake"]),
        "costs": provenance.costs(*logs),
    }
    verdicts = Counter(row["verdict"] for row in claims)
    by_group: dict[str, list[Mapping[str, str]]] = {}
    for row in claims:
        by_group.setdefault(row["group"], []).append(row)
    fits = explorer.collect(*(tables[name] for name in FITTED))
    page = template("page.html").render(
        results=results,
        run=run,
        first_look=first_look_note(tables["dataset"]),
        looks=LOOKS,
        policy=POLICY,
        counts={verdict: verdicts[verdict] for verdict in LOOKS if verdicts[verdict]},
        totals=[
            (group, *(Counter(row[name] for row in rows) for name in ("verdict", "conclusion")))
            for group, rows in by_group.items()
        ],
        claims_of={
            figure: [row for row in claims if figure in mentioned(row["where"])] for figure in drawn
        },
        style=parts("page.css", "explorer.css"),
        script=parts("page.js"),
        explorer=fits,
        explorer_data=explorer.to_json(fits),
        explorer_script=parts("explorer_model.js", "explorer.js"),
    )
    controls = None
    if "claim_controls" in tables:
        controls = tables["claim_controls"]
    return Assembled(page, dict(configuration), review_claims(claims, controls))


def _rows(path: str) -> list[dict[str, str]]:
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
