"""What is found for a claim: the numbers of its judge, and what is said about them."""

from __future__ import annotations

from dataclasses import dataclass

from fuzzybounds.scorecard.judges import (  # noqa: F401 (each defines judges)
    boundaries,
    groups,
    learning,
    rules,
    rules_or_boundary,
    task,
    worked,
)
from fuzzybounds.scorecard.judges.judge import JUDGES, Tables
from fuzzybounds.scorecard.verdicts import UNDECIDED
from fuzzybounds.scorecard.words import pieces  # noqa: F401 (defines words)
from fuzzybounds.scorecard.words import rules_or_boundary as _words  # noqa: F401
from fuzzybounds.scorecard.words.words import say


@dataclass(frozen=True)
class Finding:
    """What a data set says about a claim.

    Attributes
    ----------
    ours, verdict, note, few, conclusion, interval, reason : str
        The results of the judge, and the sentences about them; `few` is empty where subjects can
        decide.
    """

    ours: str
    verdict: str
    note: str
    few: str = ""
    conclusion: str = UNDECIDED
    interval: str = ""
    reason: str = ""


def find(id_: str, tables: Tables, **printed: float) -> Finding:
    """Judge a claim on the tables of a data set; printed numbers may be changed."""
    judged = JUDGES[id_](tables, **printed)
    sentences = say(id_, judged)
    if not judged.few:
        sentences = sentences._replace(few="")
    return Finding(verdict=judged.verdict, conclusion=judged.conclusion, **sentences._asdict())
