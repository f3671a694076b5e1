"""What a judge is, and how it comes to a verdict and a conclusion."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pandas as pd

from fuzzybounds.core.statistics import prints_as, wilson
from fuzzybounds.paper.printed import printed as numbers_of
from fuzzybounds.scorecard.verdicts import (
    AS_PRINTED,
    DEPENDS,
    DIRECTION,
    NOT,
    SUPPORTED,
    UNDECIDED,
    UNSUPPORTED,
)

Tables = Mapping[str, Any]
Numbers = Mapping[str, float]


class Judged(SimpleNamespace):
    """What a judge finds.

    Attributes
    ----------
    verdict, conclusion : str
    few : bool
        Whether other subjects, as many as these, cannot decide.
    **numbers
        What the sentences about it need, by name.
    """

    def __init__(
        self, verdict: str, conclusion: str = UNDECIDED, few: bool = False, **numbers: Any
    ) -> None:
        super().__init__(verdict=verdict, conclusion=conclusion, few=few, **numbers)


@dataclass(frozen=True)
class Judge:
    """A function of tables, printed numbers and tolerance, and the thresholds by name."""

    id: str
    function: Callable[[Tables, Numbers, Numbers], Judged]
    tolerance: Numbers

    def __call__(self, tables: Tables, **printed: float) -> Judged:
        """Judge the tables of a data set; printed numbers may be changed."""
        return self.function(tables, {**numbers_of(self.id), **printed}, self.tolerance)


JUDGES: dict[str, Judge] = {}
"""Every judge by its claim, as the modules of this package define them."""


def judge(id_: str, **tolerance: float) -> Callable[[Any], Any]:
    """Define the judge of a claim, with its tolerance."""

    def define(function: Any) -> Any:
        JUDGES[id_] = Judge(id_, function, tolerance)
        return function

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


def few_for_share(successes: float, n: float, threshold: float) -> bool:
    """Whether the interval of a share contains a threshold."""
    low, high = wilson(successes, n)
    return bool(low <= threshold <= high)
