"""The report of a data set, one self-contained page: the stage `make_report`."""

from __future__ import annotations

import csv
import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from jinja2 import Environment, FunctionLoader, StrictUndefined, Template
from markupsafe import Markup

from fuzzybounds.core.documents import read_yaml
from fuzzybounds.core.results import Results, first_look_note
from fuzzybounds.logs.dataset import MOST_LOST
from fuzzybounds.report import explorer, figures, provenance
from fuzzybounds.report.abstract import Sentence, tables_of_abstract, write_abstract
from fuzzybounds.report.linked_data import review_claims
from fuzzybounds.report.terminal import CLAIMS, LOOKS, decided
from fuzzybounds.report.text import Terms, linked, mentioned, rounded
from fuzzybounds.scorecard.claims import tables_of_claims
from fuzzybounds.scorecard.verdicts import WITHHELD
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
PAGE = read_yaml(Path(__file__).with_name("page.yaml"))
"""What the page says whatever the data are, the answers to the thesis, and terms explained."""
FINDING = "figS13"
"""The figure on the first screen."""
WIDE = 1800
"""A figure of more pixels is as wide as the page; the text stands below it."""
GRAPH = r'<svg class="graph" role="img" aria-label="Graph of the workflow\'s rules" \1>'
"""How the drawing begins on the page: as wide as the page, with a text for screen readers."""
ABSTRACT = sorted(tables_of_abstract() & {*tables_of_claims(), "outward"})
"""The tables of the abstract that every run makes; sentences on others are there if those are."""
READ = tuple(
    dict.fromkeys(
        ["dataset", "design_check", "stopping_brief", *TABLES.values(), *FITTED, *ABSTRACT]
    )
)
"""Every table that the report needs."""


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
    environment.filters |= {
        **{"rounded": rounded, "linked": linked},
        "explained": Terms(PAGE["terms"]),
    }
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
    """
    tables = Results(folder)
    drawing = Path(graph).read_text(encoding="utf-8")
    head = r"^.*?<svg[^>]*?(viewBox=\S+ \S+ \S+ \S+\")[^>]*>"
    claims = _rows(f"{folder}/claims.csv")
    # Everything that is the same from run to run.
    results = {
        "dataset": tables["dataset"],
        **{name: _rows(f"{folder}/{file}.csv") for name, file in TABLES.items()},
        # What is about single subjects would fill pages, and is in the table itself.
        "design": [row for row in _rows(f"{folder}/design_check.csv") if not row["subject"]],
        "decided": decided(folder),
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
    }
    dataset, conclusions = tables["dataset"], {row["id"]: row["conclusion"] for row in claims}
    drawn_figures = {figure.id: figure for figure in results["figures"]}
    verdicts = Counter(row["verdict"] for row in claims)
    by_group: dict[str, list[Mapping[str, str]]] = {}
    for row in claims:
        by_group.setdefault(row["group"], []).append(row)
    fits = explorer.collect(*(tables[name] for name in FITTED))
    page = template("page.html").render(
        results=results,
        run=run,
        page=PAGE,
        heading=heading(dataset),
        answer=answer(conclusions),
        bullets=findings(claims, folder),
        finding=drawn_figures.get(FINDING),
        simulated=dataset["kind"] == "simulated",
        beside=f"{'People, ' * (dataset['kind'] == 'simulated')}Experiment A",
        many_lost=dataset.get("without_path", 0) > MOST_LOST,
        printed=sum(LOOKS[row["verdict"]][0] == "yes" for row in claims),
        decide=_documentation(Path(snakefile).parent / "docs/decide.md", folder),
        short=CLAIMS,
        wide=WIDE,
        first_look=first_look_note(dataset),
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


def heading(dataset: Mapping[str, Any]) -> str:
    """Return the title of a data set, which says once if its subjects are simulated."""
    title = str(dataset["title"] or dataset["name"])
    if dataset["kind"] != "simulated":
        return title
    rest = title.removeprefix("simulated").lstrip(", ")
    return f"Simulated: {rest}"


def answer(conclusions: Mapping[str, str]) -> str:
    """Answer whether the thesis holds from the conclusions of B02 and B01."""
    asked = [conclusions.get(name, WITHHELD) for name in ("B02", "B01")]
    return next(
        text
        for *given, text in PAGE["thesis"]
        if all(one in ("*", other) for one, other in zip(given, asked, strict=True))
    )


def findings(
    claims: Sequence[Mapping[str, str]], folder: str
) -> list[tuple[Mapping[str, str] | None, Sentence]]:
    """Return the sentences of the abstract, each with its claim where it first comes up."""
    rows: dict[str, Mapping[str, str] | None] = {row["id"]: row for row in claims}
    results, here = os.path.split(folder)
    said = write_abstract(results, here, other=None)
    return [(rows.pop(sentence.claim, None), sentence) for sentence in said]


def _documentation(page: Path, folder: str) -> str:
    """Return the way from a results folder to a page of the documentation, if it is there."""
    return Path(os.path.relpath(page, folder)).as_posix() if page.exists() else ""


def _rows(path: str) -> list[dict[str, str]]:
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
