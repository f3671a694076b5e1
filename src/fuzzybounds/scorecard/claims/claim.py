"""What a claim is, and the policy by which every claim gets two results.

``verdict``: does what the paper *printed* come out if it is computed as the paper says, or as the
one reading of an open choice that gives it?  ``conclusion``: does what the paper *concludes*
survive the control that could refute it?
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fuzzybounds.core.statistics import wilson

REPRODUCED, DIRECTION, NOT = "reproduced", "reproduced in direction only", "not reproduced"
DEPENDS = "depends on the specification"
"""The default gives another verdict than most specifications."""
UNDECIDED = "undecided"
"""An interval contains the threshold, or there are too few subjects."""
UNTESTABLE = "not testable on this data set"
UNPRINTED = "nothing printed"
"""The paper states it without a number or a test."""
SUPPORTED, UNSUPPORTED, UNIDENTIFIED = "supported", "not supported", "cannot be identified"
WITHHELD = "withheld"
"""In a first look: a whole run may contradict what few subjects say."""

VERDICTS = (REPRODUCED, DIRECTION, NOT, DEPENDS, UNDECIDED, UNTESTABLE, UNPRINTED, WITHHELD)
CONCLUSIONS = (SUPPORTED, UNSUPPORTED, UNDECIDED, UNIDENTIFIED, UNTESTABLE, WITHHELD)

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
    ours : str
        Our values, short enough for a table.
    verdict, conclusion : str
        One of :data:`VERDICTS`, and one of :data:`CONCLUSIONS`.
    note : str
        A sentence for the reader.
    few : str
        Why other subjects, as many as these, cannot decide; empty where they can.
    interval : str
        The interval of ours, and the power of its test, in words.
    """

    ours: str
    verdict: str
    note: str
    few: str = ""
    conclusion: str = UNDECIDED
    interval: str = ""


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
    tables : tuple of str
        The result tables that the judge reads; none: the worked example alone.
    printed, tolerance : mapping
        The printed numbers, and the thresholds, by name.
    judge : callable
        Tables, printed numbers and tolerance to what we find.
    """

    id: str
    text: str
    where: str
    about: str
    rule: str
    judge: Callable[[Tables, Numbers, Numbers], Found]
    group: str = EMPIRICAL
    paper: str = ""
    control: str = ""
    tables: tuple[str, ...] = ()
    printed: Numbers = field(default_factory=dict)
    tolerance: Numbers = field(default_factory=dict)

    def find(self, tables: Tables) -> Found:
        """Judge the claim on the tables of a data set."""
        return self.judge(tables, self.printed, self.tolerance)

    def explain(self) -> str:
        """Return what the verdict needs, in words."""
        return self.rule.format(**self.tolerance)

    def explain_control(self) -> str:
        """Return what could refute the conclusion, in words."""
        return self.control.format(**self.tolerance)


def verdict(exact: bool, direction: bool = False) -> str:
    """Return the verdict of a claim that holds exactly, in direction only, or not at all."""
    return REPRODUCED if exact else DIRECTION if direction else NOT


def supported(holds: bool) -> str:
    """Return the conclusion of a claim whose control leaves no doubt."""
    return SUPPORTED if holds else UNSUPPORTED


def by_intervals(intervals: Iterable[tuple[float, float]]) -> str:
    """Return the conclusion where every difference should be positive, by their intervals."""
    pairs = list(intervals)
    if any(high < 0 for _, high in pairs):
        return UNSUPPORTED
    return SUPPORTED if pairs and all(low > 0 for low, _ in pairs) else UNDECIDED


def over_specifications(default: str, verdicts: Iterable[str]) -> str:
    """Return the default's verdict, or that it depends on the specification.

    It depends if fewer than half of all specifications give the verdict of the default.
    """
    every = list(verdicts)
    return default if 2 * every.count(default) >= len(every) else DEPENDS


def few_for_share(successes: float, n: float, threshold: float) -> str:
    """Return a sentence if the interval of a share contains a threshold; else nothing."""
    low, high = wilson(successes, n)
    if not low <= threshold <= high:
        return ""
    return (
        f"The share of subjects, {successes:.0f} of {n:.0f}, has the 95 % interval "
        f"[{low:.2f}, {high:.2f}], which contains {threshold:g}."
    )
