"""The page itself: results inserted into the template, as one self-contained file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined, Template
from markupsafe import Markup

from fuzzybounds.paper.claims import claim
from fuzzybounds.report.explorer import Explorer
from fuzzybounds.report.figures import NOTHING, Figure
from fuzzybounds.report.provenance import Cost
from fuzzybounds.report.text import linked, mentioned, rounded
from fuzzybounds.storage.first_look import first_look_note

Rows = Sequence[Mapping[str, str]]

STYLES = {
    claim.REPRODUCED: ("yes", "✓"),
    claim.DIRECTION: ("direction", "≈"),
    claim.NOT: ("no", "✗"),
    claim.INCONCLUSIVE: ("undecided", "?"),
    claim.UNTESTABLE: ("untestable", "–"),
}
VERDICTS = {
    **STYLES,
    **{elsewhere: STYLES[verdict] for verdict, elsewhere in claim.ELSEWHERE.items()},
    claim.FEW: STYLES[claim.INCONCLUSIVE],
    claim.WITHHELD: STYLES[claim.UNTESTABLE],
}
"""For each verdict the name of its style, and a sign that distinguishes it without colour."""


@dataclass(frozen=True)
class Results:
    """What the report shows that is the same from run to run.

    Attributes
    ----------
    dataset : mapping
        Content of ``dataset.json``.
    claims, errata, specification, selection, design : rows
        The tables of these names, every cell as text.
    figures : sequence of Figure
        In order of appearance.
    configuration : str
        The configuration, as YAML.
    graph : Markup
        The workflow's rules as a picture; empty if there is no record of them.
    explorer : Explorer
        The fits that a reader can play with.
    """

    dataset: Mapping[str, Any]
    claims: Rows
    errata: Rows
    specification: Rows
    selection: Rows
    design: Rows
    figures: Sequence[Figure]
    configuration: str
    graph: Markup = NOTHING
    explorer: Explorer = field(default_factory=Explorer)


@dataclass(frozen=True)
class Run:
    """What differs from run to run or from machine to machine, although the results do not.

    Attributes
    ----------
    commit, changed : str
        The code's commit, and whether the tree was changed since.
    versions : mapping
        Versions of Python and of packages.
    costs : sequence of Cost
        Duration and processor time by rule.
    """

    commit: str
    changed: str
    versions: Mapping[str, str] = field(default_factory=dict)
    costs: Sequence[Cost] = ()


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


def render(results: Results, run: Run) -> str:
    """Render the report; what `run` says is in the section with the id ``run`` and nowhere else."""
    found = Counter(row["verdict"] for row in results.claims)
    return template("page.html").render(
        results=results,
        run=run,
        first_look=first_look_note(results.dataset),
        verdicts=VERDICTS,
        counts={verdict: found[verdict] for verdict in VERDICTS if found[verdict]},
        claims_of={
            figure.id: [row for row in results.claims if figure.id in mentioned(row["where"])]
            for figure in results.figures
        },
        style=parts("page.css", "explorer.css"),
        script=parts("page.js"),
        explorer=results.explorer,
        explorer_data=results.explorer.to_json(),
        explorer_script=parts("explorer_model.js", "explorer.js"),
    )
