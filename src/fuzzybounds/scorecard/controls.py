"""Positive and negative controls of the judges: cohorts whose truth is known.

A judge must be right where the truth is known.  Each control simulates the tables that a judge
reads, from subjects for whom the claim is true or for whom it is not, and counts what it says.
C02 to C04 and C22 have their controls in :mod:`boundary_controls`, B01 in
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

from fuzzybounds.checks.controls.regression_to_mean import regression_to_mean
from fuzzybounds.core.errors import TooFew
from fuzzybounds.core.seeds import generator
from fuzzybounds.core.words import FAST, FIRST, LAST, SLOW
from fuzzybounds.paper import worked_example
from fuzzybounds.paper.fuzzy.membership import labels
from fuzzybounds.paper.groups.fast_and_slow import (
    assign_groups,
    average_consequents,
    consequents_by_draw,
)
from fuzzybounds.paper.printed import printed
from fuzzybounds.scorecard.judges import boundaries, groups  # noqa: F401 (they define judges)
from fuzzybounds.scorecard.judges import rules as _rules  # noqa: F401
from fuzzybounds.scorecard.judges.judge import JUDGES
from fuzzybounds.scorecard.verdicts import SUPPORTED, UNDECIDED, UNSUPPORTED

COHORTS = 40
MORE = 440
"""Cohorts of a negative control that was repeated on 400 more."""
MISTAKEN = 0.05
"""The largest share of cohorts that a judge may call by the opposite of the truth."""
POSITIVE, NEGATIVE = "positive", "negative"
SUBJECTS, BLOCKS, PER_BLOCK = 26, 40, 2
CHOICES: dict[str, Any] = {
    **{"condition": "easy", "missed": True, "summary": "median", "blocks": 20},
    **{"quantile": "hazen", "fast": "<=", "slow": ">"},
}
"""The choices that give the printed groups."""
SIZES = {FAST: 7, SLOW: 6}
DRAWS = 20
RULE_COLUMNS = [
    *("subject", "window", "labels", "time_label", "position_label", "draw", "consequent"),
]


class Control(NamedTuple):
    """How the tables of some claims are simulated, and what is true of them, or not."""

    claims: tuple[str, ...]
    simulate: Callable[[np.random.Generator, bool], Mapping[str, Any]]
    positive: str
    negative: str
    negatives: int = COHORTS


def differing(rng: np.random.Generator, true: bool) -> dict[str, Any]:
    """Simulate boundaries of subjects who differ, or who are all alike."""
    return of_trials(rng, spread=40.0 if true else 0.0)


def approaching(rng: np.random.Generator, true: bool) -> dict[str, Any]:
    """Simulate subjects who differ, and whose boundaries approach each other, or stay."""
    return of_trials(rng, spread=40.0, shrink=0.6 if true else 0.0, resamples=200)


def of_trials(
    rng: np.random.Generator, spread: float, shrink: float = 0.0, resamples: int = 0
) -> dict[str, Any]:
    """Simulate trials, and make the tables of groups from them as the workflow does.

    The standard deviation of boundaries over subjects is `spread` (px); after the first half they
    approach their mean by the share `shrink`.
    """
    level = spread * rng.standard_normal((SUBJECTS, 1, 1))
    late = np.arange(BLOCKS)[None, :, None] >= BLOCKS // 2
    noise = 50.0 * rng.standard_normal((SUBJECTS, BLOCKS, PER_BLOCK))
    distance = 150.0 + level * np.where(late, 1 - shrink, 1) + noise
    subject, block, _ = np.indices(distance.shape)
    trials = pd.DataFrame(
        {
            "subject": [f"s{number:02d}" for number in subject.ravel()],
            "session": 1,
            "block": block.ravel() + 1,
            "condition": "easy",
            "position": np.maximum(distance.ravel(), 0.0),
            "responded": True,
        }
    )
    named: dict[str, Any] = {"seed": int(rng.integers(2**31)), "dataset": "controls"}
    assigned = assign_groups(trials, **CHOICES, **named)
    p = assigned.tests[assigned.tests["test"] == "student_t"].set_index("comparison")["p"]
    below = printed("C13")
    between = all(p[f"slow_vs_fast_{name}"] < below[f"p_{name}"] for name in (FIRST, LAST))
    # The only specification is the default.
    summary = dict.fromkeys(("groups", "stated", "matching", "matching_stated", "signs"), 1)
    summary |= dict.fromkeys(("between", "between_stated"), int(between))
    summary |= dict.fromkeys(("sizes", "sizes_stated", "chance_match"), 0)
    tables = {
        "groups": assigned.groups,
        "group_tests": assigned.tests,
        "specification_summary": pd.DataFrame({"key": summary.keys(), "number": summary.values()}),
    }
    if resamples:
        named["resamples"] = resamples
        tables["regression_to_mean"] = regression_to_mean(trials, **CHOICES, **named)
    return tables


def rules(rng: np.random.Generator, true: bool) -> dict[str, Any]:
    """Simulate consequents as printed, or alike in both groups; fits find every rule."""

    def chance(group: str, window: str, inside: bool) -> float:
        return {FAST: 0.95, SLOW: 0.2}[group] if inside and true else 0.5

    return of_groups(rng, chance, (FIRST,))


def practised(rng: np.random.Generator, true: bool) -> dict[str, Any]:
    """Simulate groups whose boundaries and rules approach each other, or stay."""

    def chance(group: str, window: str, inside: bool) -> float:
        return {FAST: 0.8, SLOW: 0.2}[group] if window == FIRST or not true else 0.5

    return {**of_groups(rng, chance, (FIRST, LAST)), **approaching(rng, true)}


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
        differing,
        "boundaries differ by 40 px (standard deviation over subjects)",
        "all subjects have the same boundary",
        negatives=MORE,
    ),
    Control(
        ("C14",),
        approaching,
        "boundaries approach their mean by 60 %",
        "boundaries differ and do not change",
    ),
    Control(
        ("C12",),
        practised,
        "boundaries approach their mean by 60 %; at each premise 4 of 5 fast and 1 of 5 slow "
        "subjects stop at first, and half of either group in the end",
        "boundaries differ and do not change, nor do the rules",
    ),
    Control(
        ("C11", "C20"),
        rules,
        "19 of 20 fast and 1 of 5 slow subjects stop where time and position are S or M",
        "half of either group stops at every premise",
    ),
    Control(
        ("C24",),
        implied,
        "boundaries within about 20 px of the one that the rules of Fig. 5 imply",
        "constant boundaries",
    ),
)


def check_claims(*, seed: int, most: int = MORE) -> pd.DataFrame:
    """Judge claims on simulated cohorts: the table ``claim_controls``.

    Parameters
    ----------
    seed : int
        Names the random numbers.
    most : int
        Largest number of cohorts per control.
    """
    return pd.DataFrame([row for control in CONTROLS for row in _check(control, seed, most)])


def _check(control: Control, seed: int, most: int) -> Iterator[dict[str, Any]]:
    for kind, truth, planned in (
        (POSITIVE, control.positive, COHORTS),
        (NEGATIVE, control.negative, control.negatives),
    ):
        true, cohorts = kind == POSITIVE, min(planned, most)
        tables = [
            control.simulate(generator(seed, "controls", *control.claims, kind, number), true)
            for number in range(cohorts)
        ]
        for name in control.claims:
            conclusions = Counter(_judge(name, cohort) for cohort in tables)
            right = conclusions[SUPPORTED] if true else cohorts - conclusions[SUPPORTED]
            mistaken = conclusions[UNSUPPORTED] if true else conclusions[SUPPORTED]
            yield {
                "claim": name,
                "control": kind,
                "truth": truth,
                "cohorts": cohorts,
                "conclusion": ", ".join(f"{word} {n}" for word, n in conclusions.most_common()),
                "right": right / cohorts,
                "mistaken": mistaken / cohorts,
                "as_expected": mistaken <= MISTAKEN * cohorts and right > cohorts / 2,
            }


def _judge(name: str, tables: Mapping[str, Any]) -> str:
    try:
        return JUDGES[name](tables).conclusion
    except TooFew:
        return UNDECIDED
