"""The abstract, which opens the article, the report of a data set and the README.

``abstract.yaml`` has its sentences, with a query (:mod:`~fuzzybounds.report.queries`) for every
number.  The variant of a sentence is chosen by the conclusion of a claim, or by a lead in nats.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from fuzzybounds.core.documents import read_yaml
from fuzzybounds.core.errors import InputError
from fuzzybounds.core.results import Results
from fuzzybounds.core.thresholds import CLEAR
from fuzzybounds.report.queries import numbers, phrase
from fuzzybounds.scorecard.verdicts import UNTESTABLE, WITHHELD

SENTENCES: list[dict[str, str]] = [
    # The lead that chooses the words is the one that is shown.
    {**one, "then": one["then"].replace("{lead}", f"{{{one.get('lead')}}}")}
    for one in read_yaml(Path(__file__).with_name("abstract.yaml"))
]
"""Each with its claim or its lead, and a text for each conclusion, or for a lead that is ahead,
behind or undecided."""
QUERY = re.compile(r"\{(?P<query>[^}]+)\}")
HERE, OTHER = "here/", "other/"
"""How queries name the data set that the abstract is about, and Experiment B."""


class Sentence(NamedTuple):
    """A sentence: the number of its claim, if it has one, its opening words, and what follows."""

    claim: str
    opening: str
    then: str

    def __str__(self) -> str:
        return f"{self.opening} {self.then}".strip()


def write_abstract(
    results: str | Path,
    here: str = "experiment_a",
    other: str | None = "experiment_b",
    write: Callable[[str, str], str] = lambda query, words: words,
) -> list[Sentence]:
    """Return the sentences of the abstract.

    Parameters
    ----------
    results : path
        The folder of all data sets.
    here : str
        The data set that the sentences are about.
    other : str, optional
        The data set that the sentence on a second experiment is about.  Without it the abstract is
        that of one report: sentences on tables that were not made, or on other results, are left
        out.
    write : callable
        Returns what stands for a query and its number in words; by default the words.

    Raises
    ------
    InputError
        If there is no text for a result, or for an abstract of both data sets a number is missing.
    """
    names = {HERE: f"{here}/", OTHER: f"{other}/"}

    def named(query: str) -> str:
        for short, folder in names.items():
            query = query.replace(short, folder)
        return query

    def filled(match: re.Match[str]) -> str:
        query = named(match["query"])
        return write(query, phrase(*numbers(query, Path(results))))

    said = []
    for sentence in SENTENCES:
        dataset = other if "log" in sentence else here
        if dataset is None:
            continue
        try:
            key = _key(sentence, Path(results), dataset, named)
            then = QUERY.sub(filled, sentence["then"])
        except (OSError, ValueError) as error:
            if other is None:
                continue
            remedy = "`make article` makes every table that it needs"
            raise InputError(f"the abstract: {error}", [remedy]) from None
        if key in (WITHHELD, UNTESTABLE):
            continue
        if key and key not in sentence:
            if other is None:
                continue
            about = sentence.get("claim") or sentence["lead"]
            remedy = "add one to abstract.yaml"
            raise InputError(f"{about}: no sentence for {key!r}", [remedy])
        said.append(Sentence(sentence.get("claim", ""), sentence.get(key, ""), then))
    return said


def _key(sentence: dict[str, Any], results: Path, dataset: str, named: Callable) -> str:
    """Return by which result the opening words of a sentence are chosen."""
    if "lead" in sentence:
        (lead, se), _ = numbers(named(sentence["lead"]), results)
        return "undecided" if abs(lead) <= CLEAR * se else "ahead" if lead > 0 else "behind"
    if "claim" not in sentence:
        return ""
    claims = Results(results / dataset)["claims"].set_index("id")["conclusion"]
    return claims.get(sentence["claim"], WITHHELD)


def tables_of_abstract() -> set[str]:
    """Return the names of the tables that the sentences ask for."""
    texts = [text for sentence in SENTENCES for text in sentence.values()]
    return {Path(query.split()[0]).stem for text in texts for query in QUERY.findall(text)}
