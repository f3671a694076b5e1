"""Positive and negative controls of the judges: cohorts whose truth is known.

A judge must be right where the truth is known.  The tables of fast and slow groups are made from
trials of simulated subjects for whom a claim is true, or for whom it is not
(:mod:`fuzzybounds.checks.controls.simulated_groups`); here the judges are asked, and counted.
C02 to C04 and C22 have their controls in :mod:`boundary_controls`, B01 and B02 in
``stopping_brief_power.csv``.  All others have none: the tables that they read would have to be made
as their judges want them, which the tests of the judges do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pandas as pd

from fuzzybounds.core.errors import TooFew
from fuzzybounds.core.words import ALIKE, APPROACH, DIFFER, FIRST, LAST, STAY
from fuzzybounds.paper.printed import printed
from fuzzybounds.scorecard.judges import groups as _groups  # noqa: F401 (defines judges)
from fuzzybounds.scorecard.judges.judge import JUDGES
from fuzzybounds.scorecard.verdicts import SUPPORTED, UNDECIDED, UNSUPPORTED

MISTAKEN = 0.05
"""The largest share of cohorts that a judge may call by the opposite of the truth."""
POSITIVE, NEGATIVE = "positive", "negative"


class Control(NamedTuple):
    """What is true of the two kinds of cohorts that some claims are judged on."""

    claims: tuple[str, ...]
    positive: str
    negative: str
    cohorts: tuple[str, str]


CONTROLS = (
    Control(
        ("C09", "C13"),
        "boundaries differ by 40 px (standard deviation over subjects)",
        "all subjects have the same boundary",
        (DIFFER, ALIKE),
    ),
    Control(
        ("C14",),
        "boundaries approach their mean by 60 %",
        "boundaries differ and do not change",
        (APPROACH, STAY),
    ),
)


def tables_of_groups(
    groups: pd.DataFrame, tests: pd.DataFrame, regression: pd.DataFrame
) -> dict[str, list[dict[str, pd.DataFrame]]]:
    """Return the tables that judges read for every cohort, by its kind."""
    tables = {"groups": groups, "group_tests": tests, "regression_to_mean": regression}
    parts = {name: dict(list(table.groupby(["kind", "cohort"]))) for name, table in tables.items()}
    cohorts: dict[str, list[dict[str, pd.DataFrame]]] = {}
    for key in parts["groups"]:
        of_cohort = {name: part[key] for name, part in parts.items() if key in part}
        of_cohort["specification_summary"] = _only_specification(of_cohort["group_tests"])
        cohorts.setdefault(key[0], []).append(of_cohort)
    return cohorts


def _only_specification(tests: pd.DataFrame) -> pd.DataFrame:
    """Return the table ``specification_summary`` as if the default were the only one."""
    p, below = tests.set_index("comparison")["p"], printed("C13")
    between = all(p[f"slow_vs_fast_{name}"] < below[f"p_{name}"] for name in (FIRST, LAST))
    summary = dict.fromkeys(("groups", "stated", "matching", "matching_stated", "signs"), 1)
    summary |= dict.fromkeys(("between", "between_stated"), int(between))
    summary |= dict.fromkeys(("sizes", "sizes_stated", "chance_match"), 0)
    return pd.DataFrame({"key": summary.keys(), "number": summary.values()})


def check_claims(
    groups: pd.DataFrame, tests: pd.DataFrame, regression: pd.DataFrame
) -> pd.DataFrame:
    """Judge claims on simulated cohorts: the table ``claim_controls``.

    Parameters
    ----------
    groups, tests, regression : DataFrame
        Result tables ``control_groups``, ``control_tests`` and ``control_regression``.
    """
    cohorts = tables_of_groups(groups, tests, regression)
    return pd.DataFrame([row for control in CONTROLS for row in _check(control, cohorts)])


def _check(
    control: Control, cohorts: Mapping[str, list[dict[str, Any]]]
) -> Iterator[dict[str, Any]]:
    for which, (kind, truth) in enumerate(
        ((POSITIVE, control.positive), (NEGATIVE, control.negative))
    ):
        true, tables = kind == POSITIVE, cohorts[control.cohorts[which]]
        for name in control.claims:
            conclusions = Counter(_judge(name, cohort) for cohort in tables)
            right = conclusions[SUPPORTED] if true else len(tables) - conclusions[SUPPORTED]
            mistaken = conclusions[UNSUPPORTED] if true else conclusions[SUPPORTED]
            yield {
                "claim": name,
                "control": kind,
                "truth": truth,
                "cohorts": len(tables),
                "conclusion": ", ".join(f"{word} {n}" for word, n in conclusions.most_common()),
                "right": right / len(tables),
                "mistaken": mistaken / len(tables),
                "as_expected": mistaken <= MISTAKEN * len(tables) and right > len(tables) / 2,
            }


def _judge(name: str, tables: Mapping[str, Any]) -> str:
    try:
        return JUDGES[name](tables).conclusion
    except TooFew:
        return UNDECIDED
