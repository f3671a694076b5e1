"""Positive and negative controls of the judges: cohorts whose truth is known.

A judge must be right where the truth is known.  Each control has the tables that a judge reads of
subjects for whom the claim is true or for whom it is not, and counts what it says.  Tables of
groups are made in :mod:`fuzzybounds.checks.controls.simulated_groups`.
C02 to C04 and C22 have their controls in :mod:`boundary_controls`, B01 and B02 in
``stopping_brief_power.csv``.  C10, C15, C18, C19, C25 and C26 have none: the tables that they read
would have to be made as their judges want them, which the tests of the judges do.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.core.errors import TooFew
from fuzzybounds.core.seeds import generator
from fuzzybounds.core.words import ALIKE, APPROACH, DIFFER, FAST, FIRST, LAST, SLOW, STAY
from fuzzybounds.paper import worked_example
from fuzzybounds.paper.fuzzy.membership import labels
from fuzzybounds.paper.groups.fast_and_slow import average_consequents, consequents_by_draw
from fuzzybounds.paper.printed import printed
from fuzzybounds.scorecard.judges import boundaries as _boundaries  # noqa: F401 (defines judges)
from fuzzybounds.scorecard.judges import groups as _groups  # noqa: F401
from fuzzybounds.scorecard.judges import rules as _rules  # noqa: F401
from fuzzybounds.scorecard.judges.judge import JUDGES
from fuzzybounds.scorecard.verdicts import SUPPORTED, UNDECIDED, UNSUPPORTED

COHORTS = 40
MISTAKEN = 0.05
"""The largest share of cohorts that a judge may call by the opposite of the truth."""
POSITIVE, NEGATIVE = "positive", "negative"
SUBJECTS = 26
SIZES = {FAST: 7, SLOW: 6}
DRAWS = 20
RULE_COLUMNS = [
    *("subject", "window", "labels", "time_label", "position_label", "draw", "consequent"),
]


class Control(NamedTuple):
    """What is true of the cohorts that some claims are judged on, or not.

    Tables of groups are those of simulated `cohorts`, one kind for which the claim is true and one
    for which it is not; others come from `simulate`.
    """

    claims: tuple[str, ...]
    positive: str
    negative: str
    cohorts: tuple[str, ...] = ()
    simulate: Callable[[np.random.Generator, bool], Mapping[str, Any]] = lambda rng, true: {}


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


def rules(rng: np.random.Generator, true: bool) -> dict[str, Any]:
    """Simulate consequents as printed, or alike in both groups; fits find every rule."""

    def chance(group: str, window: str, inside: bool) -> float:
        return {FAST: 0.95, SLOW: 0.2}[group] if inside and true else 0.5

    return of_groups(rng, chance, (FIRST,))


def practised(rng: np.random.Generator, true: bool) -> dict[str, Any]:
    """Simulate groups whose rules approach each other, or stay; the groups are simulated before."""

    def chance(group: str, window: str, inside: bool) -> float:
        return {FAST: 0.8, SLOW: 0.2}[group] if window == FIRST or not true else 0.5

    tables = of_groups(rng, chance, (FIRST, LAST))
    return {name: table for name, table in tables.items() if name != "groups"}


def of_groups(
    rng: np.random.Generator,
    chance: Callable[[str, str, bool], float],
    windows: tuple[str, ...],
) -> dict[str, Any]:
    """Simulate rules of fast and slow subjects, and average them; fits find every rule.

    The chance that a rule says stop is that of the group, the window, and whether time and position
    are S or M.
    """
    names = labels(5)
    subjects = [(f"{group}{number}", group) for group, n in SIZES.items() for number in range(n)]
    rows = []
    for window, (subject, group), *premise in itertools.product(windows, subjects, names, names):
        truth = bool(rng.random() < chance(group, window, set(premise) <= {"S", "M"}))
        rows += drawn_rows(rng, (subject, window, 5, *premise), truth)
    table = pd.DataFrame(rows, columns=RULE_COLUMNS)
    draws = consequents_by_draw(table, dict(subjects), 5)
    return {
        "rules": table,
        "groups": pd.DataFrame(subjects, columns=["subject", "group"]),
        "consequents": average_consequents(draws),
        "consequent_draws": draws,
        "recovery_cells": recovered(1.0),
    }


def drawn_rows(rng: np.random.Generator, key: tuple, truth: bool) -> list[tuple]:
    """Return the rows of a rule; a draw of earlier points gives the other consequent at times."""
    drawn = np.where(rng.random(DRAWS) < 0.05, not truth, truth).astype(float)
    return [(*key, draw + 1, consequent) for draw, consequent in enumerate(drawn)]


def recovered(share: float) -> pd.DataFrame:
    """Return a table of recovery in which this share of fits finds every rule."""
    rows = [
        (number, time, place, value, 0.0, share)
        for number in (3, 5)
        for time in labels(number)
        for place in labels(number)
        for value in (0.0, 1.0)
    ]
    columns = ["labels", "time_label", "position_label", "consequent", "empty", "recovered"]
    return pd.DataFrame(rows, columns=columns)


def implied(rng: np.random.Generator, true: bool) -> dict[str, Any]:
    """Simulate boundaries near the one of the worked example, or constant ones."""
    times = np.linspace(1.0, 10.0, 91)
    boundary = worked_example.CONTROLLER.boundary(times)
    curves, changes = [], []
    for number in range(SUBJECTS):
        key = {"subject": f"s{number:02d}", "boundary_time": "decision", "stable": True}
        key["condition"] = "easy"
        level = rng.uniform(60, 200)
        away = boundary + rng.normal(0, 20) if true else np.full(times.size, level)
        curves.append(
            pd.DataFrame({**key, "after": "first_block", "time": times, "boundary": away})
        )
        changes.append({**key, "earliest": 1.0, "latest": 10.0, "sigma": 30.0})
    return {"boundaries": pd.concat(curves), "boundary_changes": pd.DataFrame(changes)}


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
    Control(
        ("C12",),
        "boundaries approach their mean by 60 %; at each premise 4 of 5 fast and 1 of 5 slow "
        "subjects stop at first, and half of either group in the end",
        "boundaries differ and do not change, nor do the rules",
        (APPROACH, STAY),
        practised,
    ),
    Control(
        ("C11", "C20"),
        "19 of 20 fast and 1 of 5 slow subjects stop where time and position are S or M",
        "half of either group stops at every premise",
        simulate=rules,
    ),
    Control(
        ("C24",),
        "boundaries within about 20 px of the one that the rules of Fig. 5 imply",
        "constant boundaries",
        simulate=implied,
    ),
)


def check_claims(
    groups: pd.DataFrame, tests: pd.DataFrame, regression: pd.DataFrame, *, seed: int, most: int
) -> pd.DataFrame:
    """Judge claims on simulated cohorts: the table ``claim_controls``.

    Parameters
    ----------
    groups, tests, regression : DataFrame
        Result tables ``control_groups``, ``control_tests`` and ``control_regression``.
    seed : int
        Names the random numbers.
    most : int
        Largest number of cohorts per control.
    """
    cohorts = tables_of_groups(groups, tests, regression)
    return pd.DataFrame(
        [row for control in CONTROLS for row in _check(control, cohorts, seed, most)]
    )


def _check(
    control: Control, cohorts: Mapping[str, list[dict[str, Any]]], seed: int, most: int
) -> Iterator[dict[str, Any]]:
    for which, (kind, truth) in enumerate(
        ((POSITIVE, control.positive), (NEGATIVE, control.negative))
    ):
        true = kind == POSITIVE
        of_kind = cohorts[control.cohorts[which]] if control.cohorts else [{}] * min(COHORTS, most)
        names = ("controls", *control.claims, kind)
        tables = [
            {**known, **control.simulate(generator(seed, *names, number), true)}
            for number, known in enumerate(of_kind)
        ]
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
