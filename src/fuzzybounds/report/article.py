"""The article: a template filled from result tables, and typeset by typst; its abstract.

The template names a table, a row and a format for every number; one that is not there stops the
build.  Words that depend on a result are chosen by the conclusion of a claim, by the judges of the
scorecard.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple, cast

import pandas as pd
import yaml

from fuzzybounds.beyond.stopping.answers import BOUNDARY, CLEAR, KIND, RULES
from fuzzybounds.core.documents import read_yaml
from fuzzybounds.core.errors import InputError
from fuzzybounds.core.results import Results
from fuzzybounds.report.provenance import commit, versions
from fuzzybounds.scorecard.claims.claim import (
    CANNOT,
    EMPIRICAL,
    POLICY,
    AS_PRINTED,
    SUPPORTED,
    UNTESTABLE,
    WITHHELD,
)

TITLE = "[Re] A Neuro-Fuzzy Model of Time-Varying Decision Boundaries"
PACKAGES = ("fuzzybounds", "numba", "numpy", "pandas", "scikit-learn", "scipy", "typst")
FIGURES = {
    "specification": "figS4",
    "consequents": "fig14",
    "recovery": "figS10",
    "boundaries": "fig01",
    "families": "figS11",
    "fitted": "figS12",
    "regression": "figS9",
    "learning": "fig17",
}
"""Figures of the article, by the names that the template has for them."""
TABLES = (
    *("claims", "errata", "exclusions", "design_check", "group_tests", "regression_to_mean"),
    *("specification_summary", "optimum", "post_error", "stopping_questions", "stopping_power"),
    *("session_comparison", "session_population"),
)
"""Tables of a data set from which the article takes its numbers."""
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
    return sum(row[column] in (AS_PRINTED, SUPPORTED) for row in rows)


class Facts:
    """Values of result tables, by the names of table, column and row.

    Parameters
    ----------
    results : path
        The folder of all data sets.
    dataset : str
        The data set that the article is about.
    """

    def __init__(self, results: str | Path, dataset: str) -> None:
        self.results, self.dataset = Path(results), dataset
        self.used: list[tuple[str, str, str]] = []

    def table(self, name: str) -> pd.DataFrame:
        """Return a table by its data set and name, as in ``experiment_a/groups``."""
        dataset, _, short = name.partition("/")
        return Results(self.results / dataset)[short]

    def rows(self, name: str, **where: Any) -> pd.DataFrame:
        """Return the rows of a table that have some values."""
        table = self.table(name)
        for column, value in where.items():
            table = table[table[column].fillna("") == value]
        return table

    def value(self, name: str, column: str, how: str = "", **where: Any) -> str:
        """Return one formatted cell; there must be one such row, and it must not be empty.

        A name without a data set is that of a table of the data set that the article is about.
        """
        name = name if "/" in name else f"{self.dataset}/{name}"
        found = self.rows(name, **where)
        row = ", ".join(f"{key} {value}" for key, value in where.items())
        if len(found) != 1 or pd.isna(found[column].iloc[0]):
            problem = f"{len(found)} rows" if len(found) != 1 else "an empty cell"
            raise InputError(
                f"{name}, {column}, {row}: expected one value, found {problem}",
                ["correct the template, or make the table again"],
            )
        text = format(found[column].iloc[0], how)
        self.used.append((name, f"{column}, {row}", text))
        return text

    def claim(self, claim: str, column: str, dataset: str = "") -> str:
        """Return a cell of a data set's scorecard."""
        return self.value(f"{dataset or self.dataset}/claims", column, id=claim)

    def tested(self, claim: str) -> bool:
        """Whether there were data for a claim; the sentences about it are left out if not."""
        return self.claim(claim, "ours") != CANNOT

    def say(self, claim: str, texts: Mapping[str, str], dataset: str = "") -> str:
        """Return the text for the conclusion of a claim."""
        return self.choose(self.claim(claim, "conclusion", dataset), texts)

    def choose(self, found: str, texts: Mapping[str, str]) -> str:
        """Return the text for a value; one without a text stops the build."""
        if found not in texts:
            raise InputError(
                f"the article has no words for {found!r}", ["add them to the template"]
            )
        return texts[found]

    def interval(self, name: str, column: str, how: str, **where: Any) -> str:
        """Return a value with its 95 % interval."""
        ends = [self.value(name, end, how, **where) for end in (column, "low", "high")]
        return "{} [{}, {}]".format(*ends)

    def change(self, start: str, end: str, group: str) -> str:
        """Return how a group's boundary changes between blocks."""
        blocks = {"chosen_by": "half_of_first", "from": start, "to": end, "group": group}
        return self.interval(f"{self.dataset}/regression_to_mean", "change", "+.0f", **blocks)

    def after(self, quantity: str, dataset: str = "") -> str:
        """Return how a quantity changes after an error, by regression."""
        where = {"quantity": quantity, "previous": "any", "measure": "regression"}
        how = "+.2f" if quantity == "rt" else "+.1f"
        return self.interval(f"{dataset or self.dataset}/post_error", "change", how, **where)

    def population(self, dataset: str, quantity: str) -> str:
        """Return the mean of a parameter of session models, easy trials where there are cues."""
        where = {"kind": BOUNDARY, "shuffle": 0, "quantity": quantity}
        where["condition"] = self._first_condition(f"{dataset}/session_population")
        how = ".2f" if quantity in ("correlation", "motor_delay") else ".0f"
        return self.interval(f"{dataset}/session_population", "mean", how, **where)

    def lead(self, dataset: str, first: str, second: str, **where: Any) -> str:
        """Return by how much one answer to a question is ahead of another, in nats."""
        return self._lead(f"{dataset}/stopping_questions", "answer", first, second, where)[0]

    def gain(self, dataset: str, scheme: str) -> str:
        """Return what a motor delay adds to the density of held-out trials."""
        condition = self._first_condition(f"{dataset}/stopping_questions")
        asked = {"question": "delay", "scheme": scheme, "condition": condition}
        return self.lead(dataset, "fitted", "none", **asked)

    def dependence(self, dataset: str) -> str:
        """Return by how much the best model with dependent trials is ahead of the best without."""
        return self._sessions(dataset, ("", DEPENDENT), ("", INDEPENDENT))[0]

    def sessions(self, dataset: str) -> str:
        """Return by how much a boundary is ahead of rules where trials depend on each other."""
        return self._sessions(dataset, (BOUNDARY, DEPENDENT), (RULES, DEPENDENT))[0]

    def told(self, dataset: str) -> str:
        """Say whether boundaries or rules are ahead, beyond two standard errors, or neither."""
        _, sign = self._sessions(dataset, (BOUNDARY, DEPENDENT), (RULES, DEPENDENT))
        return ("the two are not told apart", "the boundary is ahead", "the rules are ahead")[sign]

    def expected(self, dataset: str, truth: str, condition: str, scheme: str) -> str:
        """Return the lead of boundaries in simulated cohorts; a dash where none were simulated."""
        asked = {"question": KIND, "delay": "fitted", "true_answer": truth}
        where = {**asked, "condition": condition, "scheme": scheme}
        name = f"{dataset}/stopping_power"
        if self.rows(name, **where).empty:
            return "–"
        lead = self.value(name, "boundary_ahead", "+.0f", **where)
        return f"{lead} ± {self.value(name, 'se', '.0f', **where)}"

    def _sessions(
        self, dataset: str, first: tuple[str, str], second: tuple[str, str]
    ) -> tuple[str, int]:
        """Compare the best models of sessions whose names start and end so."""
        name = f"{dataset}/session_comparison"
        where = {"condition": self._first_condition(name)}
        ranked = self.rows(name, **where).sort_values("elpd", ascending=False)["model"]
        one, other = (
            next(model for model in ranked if model.startswith(start) and model.endswith(end))
            for start, end in (first, second)
        )
        return self._lead(name, "model", one, other, where)

    def _first_condition(self, name: str) -> str:
        return "easy" if "easy" in set(self.table(name)["condition"]) else "all"

    def _lead(
        self, name: str, column: str, first: str, second: str, where: Mapping[str, Any]
    ) -> tuple[str, int]:
        """Return a lead in words, and its sign if it exceeds two standard errors, else 0."""
        ahead, behind = (
            [float(self.value(name, own, **where, **{column: answer})) for own in DIFFERENCE]
            for answer in (first, second)
        )
        # Differences, and their standard errors, are from the best: it must be one of the two.
        if ahead[0] and behind[0]:
            raise InputError(
                f"{name}: neither {first} nor {second} is the best, so their lead has no error",
                ["correct the template"],
            )
        lead, se = ahead[0] - behind[0], max(ahead[1], behind[1])
        sign = 0 if abs(lead) <= CLEAR * se else 1 if lead > 0 else -1
        return f"{lead:+.0f} ± {se:.0f}", sign


DEPENDENT, INDEPENDENT = ", dependent trials", ", independent trials"
DIFFERENCE = ("elpd_difference", "se")
WORDS = (
    *("value", "claim", "tested", "say", "choose", "change", "after", "population", "lead"),
    *("gain", "dependence", "sessions", "told", "expected"),
)
"""What the template can call, besides ``rows``."""


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
    return environment.from_string(template).render(
        rows=lambda *given, **where: facts.rows(*given, **where).to_dict("records"),
        **{name: getattr(facts, name) for name in WORDS},
        **more,
    )


class Article(NamedTuple):
    """What :func:`write_article` returns: one file per output of the stage."""

    article: bytes
    metadata: str
    codecheck: str
    references: str
    values: list[str]


def write_article(*, results: str, project: str, dataset: str, second: str = "") -> Article:
    """Write the article about a data set, and what journals ask for beside it.

    Parameters
    ----------
    results : str
        The folder of all data sets.
    project : str
        The folder with ``CITATION.cff`` and the Snakefile.
    dataset, second : str
        Experiments A and B; or another data set alone, whose article lacks the sentences that are
        about these two.
    """
    citation = read_yaml(Path(project) / "CITATION.cff")
    authors = [_name(own) for own in citation["authors"]]
    facts = Facts(results, dataset)
    name = "Experiment A" if second else dataset
    title = TITLE if second else f"{TITLE}: {dataset}"
    claims = facts.table(f"{dataset}/claims").fillna("").to_dict("records")
    abstract = " ".join(write_abstract(claims))
    parts = resources.files(__package__)
    references = parts.joinpath("references.bib").read_text(encoding="utf-8")
    found, changed = commit(Path(project) / "Snakefile")
    filled = fill(
        parts.joinpath("article.typ").read_text(encoding="utf-8"),
        facts,
        title=title,
        authors=authors,
        abstract=abstract,
        policy=POLICY,
        dataset=dataset,
        second=second,
        name=name,
        logs=[(dataset, "A"), (second, "B")] if second else [(dataset, dataset)],
        commit=found if changed != "yes" else f"{found}, changed since",
        versions=versions(PACKAGES),
    )
    files = {"main.typ": filled.encode(), "references.bib": references.encode()}
    figures = {name: Path(results, dataset, f"figures/{own}.svg") for name, own in FIGURES.items()}
    for name, figure in figures.items():
        if not figure.exists():
            raise InputError(f"{figure}: no such figure", ["fuzzybounds run makes it"])
        files[f"{name}.svg"] = figure.read_bytes()
    scored = [Path(results, own, "claims.csv") for own in (dataset, second) if own]
    return Article(
        typeset(files),
        _metadata(title, authors, citation, abstract),
        _codecheck(title, citation, [*figures.values(), *scored], [second, dataset]),
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


def _metadata(title: str, authors: list[str], citation: Mapping[str, Any], abstract: str) -> str:
    """Return what ReScience C asks for; what only an editor or the authors know stays empty."""
    paper = next(own for own in citation["references"] if own["type"] == "article")
    data = next(own for own in citation["references"] if own["type"] == "data")
    cited = ", ".join(_name(own) for own in paper["authors"])
    named = {"orcid": None, "email": None, "affiliations": "1,*"}
    content = {
        "title": title,
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


def _codecheck(
    title: str, citation: Mapping[str, Any], files: Iterable[Path], datasets: Sequence[str]
) -> str:
    """Return the files that a check of the code should reproduce, with their hashes.

    It is the authors' part of CODECHECK's file; who checks the code adds the rest.  Files are named
    from the folder of the run, where the file has to lie.
    """
    paper = next(own for own in citation["references"] if own["type"] == "article")
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
            "title": title,
            "authors": [
                {"name": _name(own)}
                | ({"ORCID": own["orcid"].rpartition("/")[2]} if "orcid" in own else {})
                for own in citation["authors"]
            ],
            "reference": f"Not published; a replication of {paper['url']}",
        },
        "fuzzybounds_commands": [
            f"fuzzybounds run {own} --only all verdict sessions" for own in datasets if own
        ]
        + [f"fuzzybounds run {datasets[-1]} --only article"],
        "fuzzybounds_environment": "requirements.lock, Python 3.11 or later",
    }
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True, version=(1, 1))
