"""The article about Experiments A and B, typeset by typst from result tables.

``article.typ`` names a table, a row and the decimals for every number; one that is not there stops
the build (``lookup.typ``).  Words that depend on a result are chosen by the conclusion of a claim,
by the judges of the scorecard.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple, cast

import yaml

from fuzzybounds.core.documents import read_yaml
from fuzzybounds.core.errors import InputError
from fuzzybounds.core.results import Results
from fuzzybounds.report.abstract import write_abstract
from fuzzybounds.report.provenance import commit, commit_time, versions
from fuzzybounds.report.registry import read_registry
from fuzzybounds.scorecard.verdicts import AS_PRINTED
from fuzzybounds.scorecard.words.policy import POLICY
from fuzzybounds.stopping.answers import CLEAR

TITLE = "[Re] A Neuro-Fuzzy Model of Time-Varying Decision Boundaries"
PACKAGES = ("fuzzybounds", "numba", "numpy", "pandas", "scikit-learn", "scipy", "typst")
FIGURES = {
    **{f"fig{number:02d}": f"fig{number:02d}" for number in range(1, 18)},
    **{"specification": "figS4", "direction": "figS13", "surface": "figS14", "posterior": "figS15"},
}
"""Figures of the article, by the names that the template has for them: the paper's, and others."""
TABLES = (
    *("claims", "errata", "exclusions", "design_check", "group_tests", "regression_to_mean"),
    *("specification_summary", "optimum", "post_error", "outward", "boundary_direction"),
    *("boundary_controls", "stopping_brief", "stopping_brief_power", "stopping_questions"),
    *("stopping_comparison", "rule_posterior_check", "session_comparison", "session_population"),
    *("session_power", "stopping_sensitivity", "rule_claims"),
)
"""Tables of either experiment from which the article takes its numbers."""
SHARED = ("claim_controls", "design_power", "learning_sweep_summary", "recovery_cells")
LOGS = {"a": "experiment_a", "b": "experiment_b"}
PARTS = ("article.typ", "lookup.typ", "references.bib")


def read_values(results: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of the tables that the article reads; an empty cell is None."""
    read = {
        f"{log}/{name}": Results(results / dataset)[name]
        for log, dataset in LOGS.items()
        for name in TABLES
    }
    read |= {f"shared/{name}": Results(results / "shared")[name] for name in SHARED}
    return {
        name: json.loads(table.replace("", None).to_json(orient="records", double_precision=15))
        for name, table in read.items()
    }


class Article(NamedTuple):
    """What :func:`write_article` returns: one file per output of the stage."""

    article: bytes
    metadata: str
    codecheck: str
    references: str
    values: dict[str, Any]


def write_article(*, results: str, project: str) -> Article:
    """Write the article, and what journals ask for beside it.

    Parameters
    ----------
    results : str
        The folder of all data sets.
    project : str
        The folder with ``CITATION.cff`` and the Snakefile.
    """
    citation = read_yaml(Path(project) / "CITATION.cff")
    authors = [_name(author) for author in citation["authors"]]
    tables = read_values(Path(results))
    said = " ".join(map(str, write_abstract(results, LOGS["a"], LOGS["b"])))
    # Typeset, a minus is as long as a plus, and a percent sign stands apart.
    abstract = re.sub(r"(?<=\d) ?%", "\u00a0%", re.sub(r"(?<![\w.])-(?=\d)", "−", said))
    date = date_of(project)
    revision, changed = commit(Path(project) / "Snakefile")
    drawn = read_registry(Path(project) / "notebooks")
    values = {
        "tables": tables,
        "clear": CLEAR,
        "figures": {
            name: {"title": drawn[name]["title"], "paper": drawn[name]["paper"]}
            for name in FIGURES
            if "paper" in drawn.get(name, {})
        },
        "text": {
            "title": TITLE,
            "authors": authors,
            "abstract": abstract,
            "date": f"{date.day} {date:%B %Y}",
            "policy": POLICY,
            "as_printed": AS_PRINTED,
            "commit": revision if changed != "yes" else f"{revision}, changed since",
            "versions": versions(PACKAGES),
        },
    }
    parts = resources.files(__package__)
    files = {name: parts.joinpath(name).read_bytes() for name in PARTS}
    folder = Path(results, LOGS["a"])
    figures = {name: folder / f"figures/{number}.svg" for name, number in FIGURES.items()}
    for name, figure in figures.items():
        if not figure.exists():
            raise InputError(f"{figure}: no such figure", ["fuzzybounds run makes it"])
        files[f"{name}.svg"] = figure.read_bytes()
    scored = [Path(results, dataset, "claims.csv") for dataset in LOGS.values()]
    return Article(
        typeset({"main.typ": files.pop("article.typ"), **files}, values, date),
        _metadata(authors, citation, abstract),
        _codecheck(citation, [*figures.values(), *scored], list(LOGS.values())),
        files["references.bib"].decode(),
        values,
    )


def date_of(project: str) -> datetime:
    """Return SOURCE_DATE_EPOCH if it is set, else when the project's commit was made, or now."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH") or commit_time(Path(project) / "Snakefile")
    return datetime.fromtimestamp(int(seconds), UTC) if seconds else datetime.now(UTC)


def typeset(files: Mapping[str, bytes], values: Mapping[str, Any], date: datetime) -> bytes:
    """Return the tagged PDF of a document that reads its values.

    The same files and the same date give the same bytes.

    Raises
    ------
    InputError
        If the document asks for a value that is not there, has no words for a result, or has a
        figure without an alternative text.
    """
    import typst

    # The package takes a dictionary, its types do not say so.
    several = cast(Any, {**files, "values.json": json.dumps(values).encode()})
    try:
        return typst.compile(several, timestamp=date, pdf_standards="ua-1")
    except typst.TypstError as error:
        remedy = "correct article.typ, or make the tables again"
        raise InputError(f"the article: {error.message}", [remedy]) from error


def _name(author: Mapping[str, str]) -> str:
    named = f"{author.get('given-names', '')} {author.get('family-names', '')}".strip()
    return named or author["name"]


def _metadata(authors: list[str], citation: Mapping[str, Any], abstract: str) -> str:
    """Return what ReScience C asks for; what only an editor or the authors know stays empty."""
    paper, data = (
        next(work for work in citation["references"] if work["type"] == kind)
        for kind in ("article", "data")
    )
    cited = ", ".join(_name(author) for author in paper["authors"])
    year = str(paper["date-published"])[:4]
    content = read_yaml(Path(__file__).with_name("metadata.yaml"))
    content |= {
        "title": TITLE,
        "authors": [{"name": name, **content["authors"][0]} for name in authors],
        "keywords": ", ".join([*citation["keywords"], "Python"]),
        "abstract": abstract,
    }
    content["code"][0]["url"] = citation.get("repository-code")
    content["data"][0]["url"] = data["repository-code"]
    content["replication"][0]["cite"] = f"{cited} ({year}). {paper['title']}."
    content["replication"][2]["url"] = paper["url"]
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True)


def _codecheck(citation: Mapping[str, Any], files: Iterable[Path], datasets: Sequence[str]) -> str:
    """Return the files that a check of the code should reproduce, with their hashes.

    It is the authors' part of CODECHECK's file; who checks the code adds the rest.  Files are named
    from the folder of the run, where the file has to lie.
    """
    paper = next(work for work in citation["references"] if work["type"] == "article")
    published = citation.get("preferred-citation", {})
    content = {
        "version": "https://codecheck.org.uk/spec/config/1.0",
        "manifest": [
            {
                "file": file.as_posix(),
                "comment": f"SHA-256 {sha256(file.read_bytes()).hexdigest()}",
            }
            for file in files
        ],
        "paper": {
            "title": TITLE,
            "authors": [
                {"name": _name(author)}
                | ({"ORCID": author["orcid"].rpartition("/")[2]} if "orcid" in author else {})
                for author in citation["authors"]
            ],
            # Without an address in the text: that of another article would be taken for this one's.
            "reference": f"https://doi.org/{published['doi']}"
            if "doi" in published
            else f"Not published; a replication of {paper['identifiers'][0]['value']}",
        },
        "fuzzybounds_commands": [
            f"fuzzybounds run {name} --only all verdict sessions" for name in datasets
        ]
        + [f"fuzzybounds run {datasets[0]} --only article"],
        "fuzzybounds_environment": "requirements.lock, Python 3.11 or later",
    }
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True, version=(1, 1))
