"""What a claim is: its text, the printed numbers, tolerance and judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fuzzybounds.analysis.intervals import wilson

REPRODUCED, DIRECTION, NOT = "reproduced", "reproduced in direction only", "not reproduced"
INCONCLUSIVE = "inconclusive"
UNTESTABLE = "not testable on this data set"
"""The verdicts on Experiment A, whose subjects the paper is about."""

ELSEWHERE = {
    REPRODUCED: "holds here",
    DIRECTION: "in direction only",
    NOT: "does not hold here",
    INCONCLUSIVE: "undecided",
    UNTESTABLE: UNTESTABLE,
}
"""The same on the subjects of another data set."""
FEW = "undecided with so few subjects"
WITHHELD = "withheld"
"""In a first look: a whole run may contradict what few subjects say."""

EXPERIMENT_A, ANYONE, UNPUBLISHED = "experiment_a", "anyone", "unpublished"
"""What a claim is about: Experiment A's subjects, the model or the task itself, or unpublished
data."""

Tables = Mapping[str, Any]
Numbers = Mapping[str, float]


@dataclass(frozen=True)
class Found:
    """What a data set says about a claim.

    Attributes
    ----------
    ours : str
        Our values, short enough for a table.
    verdict : str
        One of the verdicts on Experiment A.
    note : str
        A sentence for the reader.
    few : str
        Why another data set of this size cannot decide; empty where it can.
    """

    ours: str
    verdict: str
    note: str
    few: str = ""


@dataclass(frozen=True)
class Claim:
    """One claim of the paper.

    Attributes
    ----------
    id, text, where : str
        Its number, what the paper says, and the section or figure that says it.
    about : str
        What it is about.
    rule : str
        The tolerance and its reason; names of `tolerance` in braces are replaced by their values.
    tables : tuple of str
        The result tables that the judge reads; none: the worked example alone.
    printed, tolerance : mapping
        The printed numbers, and the thresholds of the verdict, by name.
    judge : callable
        Tables, printed numbers and tolerance to what we find.
    """

    id: str
    text: str
    where: str
    about: str
    rule: str
    judge: Callable[[Tables, Numbers, Numbers], Found]
    tables: tuple[str, ...] = ()
    printed: Numbers = field(default_factory=dict)
    tolerance: Numbers = field(default_factory=dict)

    def find(self, tables: Tables) -> Found:
        """Judge the claim on the tables of a data set."""
        return self.judge(tables, self.printed, self.tolerance)

    def explain(self) -> str:
        """Return the tolerance in words."""
        return self.rule.format(**self.tolerance)


def verdict(exact: bool, direction: bool = False) -> str:
    """Return the verdict of a claim that holds exactly, in direction only, or not at all."""
    return REPRODUCED if exact else DIRECTION if direction else NOT


def few_for_share(successes: float, n: float, threshold: float) -> str:
    """Return a sentence if the interval of a share contains a threshold; else nothing."""
    low, high = wilson(successes, n)
    if not low <= threshold <= high:
        return ""
    return (
        f"The share of subjects, {successes:.0f} of {n:.0f}, has the 95 % interval "
        f"[{low:.2f}, {high:.2f}], which contains {threshold:g}."
    )
