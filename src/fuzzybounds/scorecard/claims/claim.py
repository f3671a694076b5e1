"""What a claim is, and the words for its two results.

``docs/scorecard.md`` states the policy by which a claim gets a verdict and a conclusion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from fuzzybounds.core.statistics import prints_as, wilson

AS_PRINTED = "comes out as printed"
READING = "comes out under a reading"
"""Some readings of what the paper leaves open give the printed numbers; the default is one."""
CHANGED = "comes out with a change"
"""A statement that the paper prints has to be changed."""
DIRECTION = "in direction only"
DEPENDS = "depends on the reading"
"""A statement without printed digits that holds for some readings, and not for others."""
NOT = "does not come out"
UNDECIDED = "undecided"
"""An interval contains the threshold, or there are too few subjects."""
UNTESTABLE = "not testable on this data set"
UNPRINTED = "nothing printed"
"""The paper states it without a number or a test."""
SUPPORTED, UNSUPPORTED = "supported", "not supported"
UNIDENTIFIED = "not identified by this method"
"""Where the truth is known, the method does not find it: another method may."""
CANNOT = "cannot be computed"
"""Stands for our value where there are too few data."""
WITHHELD = "withheld"
"""In a first look: a whole run may contradict what few subjects say."""

REASONS = {
    AS_PRINTED: "Nothing was chosen or changed.",
    DIRECTION: "The order or the signs agree, the printed values do not.",
    NOT: "Neither the printed values nor their order come out.",
    UNTESTABLE: "It needs data that are not published.",
    UNPRINTED: "The paper states it without a number or a test.",
}
"""Why a verdict is what it is, where its judge gives no other reason."""

POLICY = {
    "verdict": "says whether what the paper printed comes out when it is computed as the paper "
    "says, under a reading of what it leaves open, or only if a printed statement is changed",
    "conclusion": "says whether what the paper concludes survives the control that could refute it",
}
"""The policy in short, for the report and the article; ``docs/scorecard.md`` has all of it."""

ARITHMETIC, DESIGN, EMPIRICAL = "arithmetic", "design", "empirical"
"""Groups of claims: about the formulas and examples of the model, about the task, about people."""
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
    ours, verdict, note : str
        Our values, short enough for a table; the verdict; a sentence for the reader.
    few : str
        Why other subjects, as many as these, cannot decide; empty where they can.
    conclusion : str
    interval : str
        The interval of ours, and the power of its test, in words.
    reason : str
        Why the verdict is what it is: what the paper leaves open and what was taken, which printed
        statement was changed, or what stands against it.
    """

    ours: str
    verdict: str
    note: str
    few: str = ""
    conclusion: str = UNDECIDED
    interval: str = ""
    reason: str = ""


Judge = Callable[[Tables, Numbers, Numbers], Found]


@dataclass(frozen=True)
class Claim:
    """One claim of the paper.

    Attributes
    ----------
    id, text, paper, where : str
        Its number, what the paper says, what it prints, and the section or figure.
    group, about : str
        Its group, and what it is about.
    rule, control : str
        What the verdict needs, and what could refute the conclusion; names of `tolerance` in
        braces are replaced by their values.
    judge : callable
        Tables, printed numbers and tolerance to what we find.
    tables : tuple of str
        The result tables that the judge reads; none: the worked example alone.
    printed, tolerance : mapping
        The printed numbers, and the thresholds, by name.
    """

    id: str
    text: str
    where: str
    paper: str
    rule: str
    control: str
    judge: Judge
    group: str = EMPIRICAL
    about: str = EXPERIMENT_A
    tables: tuple[str, ...] = ()
    printed: Numbers = field(default_factory=dict)
    tolerance: Numbers = field(default_factory=dict)

    def find(self, tables: Tables) -> Found:
        """Judge the claim on the tables of a data set."""
        return self.judge(tables, self.printed, self.tolerance)


CLAIMS: dict[str, Claim] = {}
"""Every claim by its number, as the modules of this package define them."""


def claim(id_: str, text: str, **about: Any) -> Callable[[Judge], Judge]:
    """Define a claim by the function that judges it; the arguments are those of :class:`Claim`."""

    def define(judge: Judge) -> Judge:
        CLAIMS[id_] = Claim(id_, text, judge=judge, **about)
        return judge

    return define


def verdict(exact: bool, direction: bool = False, *, printed: str = AS_PRINTED) -> str:
    """Return the verdict of a claim that holds exactly, in direction only, or not at all.

    If it holds exactly, the verdict is `printed`.
    """
    return printed if exact else DIRECTION if direction else NOT


def over_readings(holding: int, readings: int) -> str:
    """Return the verdict of a statement without printed digits, over readings that are open."""
    return AS_PRINTED if holding == readings else DEPENDS if holding else NOT


def prints(ours: Numbers, printed: Numbers) -> bool:
    """Whether every value prints as in the paper, rounded or cut (A22)."""
    return all(prints_as(pd.Series([ours[name]]), value).iloc[0] for name, value in printed.items())


def supported(holds: bool) -> str:
    """Return the conclusion of a claim whose control leaves no doubt."""
    return SUPPORTED if holds else UNSUPPORTED


def by_intervals(intervals: Iterable[tuple[float, float]]) -> str:
    """Return the conclusion where every difference should be positive, by their intervals."""
    pairs = list(intervals)
    if any(high < 0 for _, high in pairs):
        return UNSUPPORTED
    return SUPPORTED if pairs and all(low > 0 for low, _ in pairs) else UNDECIDED


def few_for_share(successes: float, n: float, threshold: float) -> str:
    """Return a sentence if the interval of a share contains a threshold; else nothing."""
    low, high = wilson(successes, n)
    if not low <= threshold <= high:
        return ""
    return (
        f"The share of subjects, {successes:.0f} of {n:.0f}, has the 95 % interval "
        f"[{low:.2f}, {high:.2f}], which contains {threshold:g}."
    )
