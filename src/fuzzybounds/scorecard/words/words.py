"""What is said about a claim: the sentences of ``words.yaml`` with the numbers of its judge."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from fuzzybounds.core.documents import read_yaml
from fuzzybounds.scorecard.judges.judge import Judged


class Words(NamedTuple):
    """Sentences about what a judge finds.

    Attributes
    ----------
    ours, note : str
        Our values, short enough for a table; a sentence for the reader.
    few : str
        Why other subjects, as many as these, cannot decide, where they cannot.
    interval : str
        The interval of ours, and the power of its test.
    reason : str
        Why the verdict is what it is: what the paper leaves open and what was taken, which printed
        statement was changed, or what stands against it.
    """

    ours: str
    note: str
    few: str = ""
    interval: str = ""
    reason: str = ""


SENTENCES = read_yaml(Path(__file__).with_name("words.yaml"))
"""The sentences about each claim, and those common to several."""
PIECES: dict[str, Callable[[Judged], dict[str, Any] | Words]] = {}
"""The function that makes pieces of sentences from the numbers of a judge, by claim."""


def words(id_: str) -> Callable[[Any], Any]:
    """Define the function that makes pieces of a claim's sentences, or all of them."""

    def define(function: Any) -> Any:
        PIECES[id_] = function
        return function

    return define


def say(id_: str, judged: Judged) -> Words:
    """Put the numbers of a claim's judge into words."""
    pieces = PIECES[id_](judged) if id_ in PIECES else {}
    if isinstance(pieces, Words):
        return pieces
    sentences = SENTENCES[id_]
    if pieces.get("nothing"):
        sentences = sentences["nothing"]
    named = SENTENCES["common"] | vars(judged) | pieces
    parts = {name: sentences[name] for name in Words._fields if name in sentences}
    return Words(**{name: text.format(**named) for name, text in parts.items()})
