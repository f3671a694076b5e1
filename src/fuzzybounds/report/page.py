"""The page itself: results inserted into the template, as one self-contained file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from importlib import resources
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined, Template
from markupsafe import Markup

from fuzzybounds.core.results import first_look_note
from fuzzybounds.report.terminal import LOOKS
from fuzzybounds.report.text import linked, mentioned, rounded


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


def render(results: Mapping[str, Any], run: Mapping[str, Any]) -> str:
    """Render the report.

    Parameters
    ----------
    results : mapping
        What is the same from run to run: ``dataset`` (content of ``dataset.json``), the rows of
        tables by name, every cell as text, ``figures``, ``configuration`` (YAML), ``graph`` (the
        drawing of the workflow) and ``explorer``.
    run : mapping
        What may differ although the results do not, shown in the section with the id ``run``
        alone: ``commit``, ``changed``, ``versions`` and ``costs``.
    """
    found = Counter(row["verdict"] for row in results["claims"])
    by_group: dict[str, list[Mapping[str, str]]] = {}
    for row in results["claims"]:
        by_group.setdefault(row["group"], []).append(row)
    return template("page.html").render(
        results=results,
        run=run,
        first_look=first_look_note(results["dataset"]),
        looks=LOOKS,
        counts={verdict: found[verdict] for verdict in LOOKS if found[verdict]},
        totals=[
            (
                group,
                Counter(row["verdict"] for row in own),
                Counter(row["conclusion"] for row in own),
            )
            for group, own in by_group.items()
        ],
        claims_of={
            figure.id: [row for row in results["claims"] if figure.id in mentioned(row["where"])]
            for figure in results["figures"]
        },
        style=parts("page.css", "explorer.css"),
        script=parts("page.js"),
        explorer=results["explorer"],
        explorer_data=results["explorer"].to_json(),
        explorer_script=parts("explorer_model.js", "explorer.js"),
    )
