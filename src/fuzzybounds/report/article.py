"""The article: a template filled from result tables, and typeset by typst; its abstract.

The template names a table, a row and a format for every number; one that is not there stops the
build.  Words that depend on a result are chosen by the conclusion of a claim, by the judges of the
scorecard.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple, cast

import pandas as pd
import yaml

from fuzzybounds.core.documents import read_yaml
from fuzzybounds.core.errors import InputError
from fuzzybounds.core.results import Results
from fuzzybounds.report.provenance import commit, versions
from fuzzybounds.scorecard.claims.claim import (
    EMPIRICAL,
    POLICY,
    REPRODUCED,
    SUPPORTED,
    UNTESTABLE,
    WITHHELD,
)

TITLE = "[Re] A Neuro-Fuzzy Model of Time-Varying Decision Boundaries"
PACKAGES = ("fuzzybounds", "numba", "numpy", "pandas", "scikit-learn", "scipy", "typst")
FIGURES = {
    "specification": "experiment_a/figures/figS4.svg",
    "consequents": "experiment_a/figures/fig14.svg",
    "recovery": "experiment_a/figures/figS10.svg",
    "boundaries": "experiment_a/figures/fig01.svg",
    "families": "experiment_a/figures/figS11.svg",
    "fitted": "experiment_a/figures/figS12.svg",
    "regression": "experiment_a/figures/figS9.svg",
    "learning": "experiment_a/figures/fig17.svg",
}
"""Figures of the article, under the folder of results."""
SENTENCES: dict[str, dict[str, str]] = read_yaml(Path(__file__).with_name("abstract.yaml"))
"""What is said for each conclusion of a claim, in the order of the abstract."""
MARKS = re.compile(r"([#$*_@<>`\\\[\]])")


def write_abstract(claims: Iterable[Mapping[str, str]]) -> list[str]:
    """Return the sentences of an abstract from the rows of the table ``claims``.

    Raises
    ------
    InputError
        If a claim has a conclusion for which there is no sentence.
    """
    rows = {row["id"]: row for row in claims}
    about_people = [row for row in rows.values() if row["group"] == EMPIRICAL]
    others = [row for row in rows.values() if row["group"] != EMPIRICAL]
    said = [
        f"Of {len(others)} claims about formulas and the task {_count(others, 'verdict')} come out "
        f"as printed, and of {len(about_people)} about subjects {_count(about_people, 'verdict')}; "
        f"of the conclusions about subjects {_count(about_people, 'conclusion')} are supported."
    ]
    for name, texts in SENTENCES.items():
        conclusion = rows[name]["conclusion"] if name in rows else WITHHELD
        if conclusion in (WITHHELD, UNTESTABLE):
            continue
        if conclusion not in texts:
            remedy = "add one to abstract.yaml"
            raise InputError(f"{name}: no sentence for the conclusion {conclusion!r}", [remedy])
        said.append(texts[conclusion])
    return said


def _count(rows: list[Mapping[str, str]], column: str) -> int:
    return sum(row[column] in (REPRODUCED, SUPPORTED) for row in rows)


class Facts:
    """Values of result tables, by the names of table, column and row.

    Parameters
    ----------
    results : path
        The folder of all data sets.
    """

    def __init__(self, results: str | Path) -> None:
        self.results = Path(results)
        self.used: list[tuple[str, str, str]] = []

    def table(self, name: str) -> pd.DataFrame:
        """Return a table by its data set and name, as in ``experiment_a/groups``."""
        dataset, _, short = name.partition("/")
        tables = Results(self.results / dataset)
        if short not in tables:
            raise InputError(f"{name}: no such table", ["run the workflow on this data set first"])
        return tables[short]

    def rows(self, name: str, **where: Any) -> pd.DataFrame:
        """Return the rows of a table that have some values."""
        table = self.table(name)
        for column, value in where.items():
            table = table[table[column].fillna("") == value]
        return table

    def value(self, name: str, column: str, how: str = "", **where: Any) -> str:
        """Return one formatted cell; there must be one such row, and it must not be empty."""
        found = self.rows(name, **where)
        row = ", ".join(f"{key} {value}" for key, value in where.items())
        if len(found) != 1 or pd.isna(found[column].iloc[0]):
            problem = f"{len(found)} rows" if len(found) != 1 else "an empty cell"
            raise InputError(
                f"{name}, {column}, {row}: expected one value, found {problem}",
                ["correct the template, or make the table again"],
            )
        text = format(found[column].iloc[0], how)
        self.used.append((name, row, text))
        return text

    def claim(self, dataset: str, claim: str, column: str) -> str:
        """Return a cell of a data set's scorecard."""
        return self.value(f"{dataset}/claims", column, id=claim)

    def say(self, dataset: str, claim: str, texts: Mapping[str, str]) -> str:
        """Return the text for the conclusion of a claim."""
        return self.choose(self.claim(dataset, claim, "conclusion"), texts)

    def choose(self, found: str, texts: Mapping[str, str]) -> str:
        """Return the text for a value; one without a text stops the build."""
        if found not in texts:
            raise InputError(
                f"the article has no words for {found!r}", ["add them to the template"]
            )
        return texts[found]


def fill(template: str, facts: Facts, **more: Any) -> str:
    """Fill the template: values in << >>, conditions and loops in <% %>."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        variable_start_string="<<",
        variable_end_string=">>",
        block_start_string="<%",
        block_end_string="%>",
        comment_start_string="<#",
        comment_end_string="#>",
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # What tojson returns is of another type, and goes into a string of typst as it is.
        finalize=lambda value: MARKS.sub(r"\\\1", value) if type(value) is str else value,
        autoescape=False,
    )
    names: dict[str, Callable[..., Any]] = {
        "value": facts.value,
        "rows": lambda *given, **where: facts.rows(*given, **where).to_dict("records"),
        "claim": facts.claim,
        "say": facts.say,
        "choose": facts.choose,
    }
    return environment.from_string(template).render(**names, **more)


class Article(NamedTuple):
    """What :func:`write_article` returns: one file per output of the stage."""

    article: bytes
    metadata: str
    codecheck: str
    references: str
    values: list[str]


def write_article(*, results: str, project: str) -> Article:
    """Write the article of Experiments A and B, and what journals ask for beside it.

    Parameters
    ----------
    results : str
        The folder of all data sets.
    project : str
        The folder with ``CITATION.cff`` and the Snakefile.
    """
    citation = read_yaml(Path(project) / "CITATION.cff")
    authors = [_name(own) for own in citation["authors"]]
    facts = Facts(results)
    claims = facts.table("experiment_a/claims").fillna("").to_dict("records")
    abstract = " ".join(write_abstract(claims))
    parts = resources.files(__package__)
    references = parts.joinpath("references.bib").read_text(encoding="utf-8")
    found, changed = commit(Path(project) / "Snakefile")
    filled = fill(
        parts.joinpath("article.typ").read_text(encoding="utf-8"),
        facts,
        title=TITLE,
        authors=authors,
        abstract=abstract,
        policy=POLICY,
        commit=found if changed != "yes" else f"{found}, changed since",
        versions=versions(PACKAGES),
    )
    files = {"main.typ": filled.encode(), "references.bib": references.encode()}
    for name, path in FIGURES.items():
        figure = Path(results) / path
        if not figure.exists():
            raise InputError(f"{figure}: no such figure", ["fuzzybounds run makes it"])
        files[f"{name}.svg"] = figure.read_bytes()
    return Article(
        typeset(files),
        _metadata(authors, citation, abstract),
        _codecheck(authors, Path(results)),
        references,
        [f"{name}, {row}: {text}" for name, row, text in facts.used],
    )


def typeset(files: Mapping[str, bytes]) -> bytes:
    """Return the PDF of a typst document; the same files give the same bytes."""
    import typst

    several = cast(Any, dict(files))  # the package takes them, its types do not say so
    return typst.compile(several, timestamp=datetime(2016, 8, 25, tzinfo=UTC))


def _name(author: Mapping[str, str]) -> str:
    named = f"{author.get('given-names', '')} {author.get('family-names', '')}".strip()
    return named or author["name"]


def _metadata(authors: list[str], citation: Mapping[str, Any], abstract: str) -> str:
    """Return what ReScience C asks for; what only an editor or the authors know stays empty."""
    paper = next(own for own in citation["references"] if own["type"] == "article")
    data = next(own for own in citation["references"] if own["type"] == "data")
    cited = ", ".join(_name(own) for own in paper["authors"])
    named = {"orcid": None, "email": None, "affiliations": "1,*"}
    content = {
        "title": TITLE,
        "authors": [{"name": name, **named} for name in authors],
        "affiliations": [{"code": 1, "name": None, "address": None}],
        "keywords": ", ".join([*citation["keywords"], "Python"]),
        "code": [{"url": citation.get("repository-code")}, {"doi": None}, {"swh": None}],
        "data": [{"url": data["repository-code"]}, {"doi": None}],
        "replication": [
            {"cite": f"{cited} ({str(paper['date-published'])[:4]}). {paper['title']}."},
            {"bib": "khodadadi2016"},
            {"url": paper["url"]},
            {"doi": None},
        ],
        "abstract": abstract,
        "bibliography": "references.bib",
        "type": "Replication",
        "domain": "Cognitive Science",
        "language": "Python",
        "review": [{"url": None}],
        "contributors": [],
        "dates": [{"received": None}, {"accepted": None}, {"published": None}],
        "article": [{"number": None}, {"doi": None}, {"url": None}],
        "journal": [{"name": "ReScience C"}, {"issn": "2430-3658"}, {"volume": None}],
    }
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True)


def _codecheck(authors: list[str], results: Path) -> str:
    """Return the files that a check of the code should reproduce, with their hashes."""
    files = [results / name for name in FIGURES.values()]
    files += [results / f"{name}/claims.csv" for name in ("experiment_a", "experiment_b")]
    content = {
        "version": "https://codecheck.org.uk/spec/config/1.0",
        "paper": {"title": TITLE, "authors": [{"name": name} for name in authors]},
        "manifest": [
            {
                "file": file.relative_to(results.parent).as_posix(),
                "comment": f"SHA-256 {sha256(file.read_bytes()).hexdigest()}",
            }
            for file in files
        ],
        "summary": "Command: fuzzybounds run experiment_a --only article. "
        "Environment: requirements.lock, Python 3.11 or later.",
    }
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True)
