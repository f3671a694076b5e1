"""What is said about a claim."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from fuzzybounds.core.statistics import wilson
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


WORDS: dict[str, Callable[[Judged], Words]] = {}
"""The function that puts the numbers of a judge into words, by claim."""


def words(id_: str) -> Callable[[Callable[[Judged], Words]], Callable[[Judged], Words]]:
    """Define the function that puts the numbers of a claim's judge into words."""

    def define(function: Callable[[Judged], Words]) -> Callable[[Judged], Words]:
        WORDS[id_] = function
        return function

    return define


def few_for_share(successes: float, n: float, threshold: float) -> str:
    """Say that the interval of a share contains a threshold."""
    low, high = wilson(successes, n)
    return (
        f"The share of subjects, {successes:.0f} of {n:.0f}, has the 95 % interval "
        f"[{low:.2f}, {high:.2f}], which contains {threshold:g}."
    )
