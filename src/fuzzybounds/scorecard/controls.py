"""Positive and negative controls of the judges: cohorts whose truth is known.

A judge must be right where the truth is known.  Each control simulates the tables that a judge
reads, from subjects for whom the claim is true or for whom it is not, and counts what it says.
C02 to C04 and C22 have their controls in :mod:`boundary_controls`, B01 in
``stopping_brief_power.csv``.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.checks.controls.regression_to_mean import regression_to_mean
from fuzzybounds.cohort.fuzzy_subjects import CAUTIOUS, HASTY, rules_from
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


def outputs(rng: np.random.Generator, true: bool) -> dict[str, Any]:
    """Simulate outputs that are larger for the fast and grow bluer for the slow, or do neither."""
    means = {FAST: 0.75 if true else 0.65, SLOW: 0.6 if true else 0.65}
    rows, averaged = [], []
    for group, n in SIZES.items():
        blue = 0.25 + 0.08 * rng.standard_normal(n)
        for window in (FIRST, LAST):
            output = means[group] + 0.06 * rng.standard_normal(n)
            grown = 0.15 if true and group == SLOW and window == LAST else 0.0
            area = blue + grown + 0.04 * rng.standard_normal(n)
            rows += [(f"{group}{i}", group, window, output[i], 0.0, area[i]) for i in range(n)]
            share = np.linspace(0, 1, 101) < area.mean()
            least = 0.2 if window == LAST and group == SLOW else 0.0
            level = (output.mean() - share.mean() * least) / (1 - share.mean())
            averaged += [(group, window, least if below else level, n) for below in share]
    columns = ["subject", "group", "window", "mean_output", "least_output", "blue_area"]
    return {
        "subject_output": pd.DataFrame(rows, columns=columns),
        "group_output": pd.DataFrame(averaged, columns=["group", "window", "output", "n_subjects"]),
    }


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


def recorded(rng: np.random.Generator, true: bool) -> dict[str, Any]:
    """Simulate two subjects with recorded paths: with rules of their own that stay, or not."""
    styles = {("T1", FIRST): HASTY, ("T1", LAST): HASTY}
    styles |= {("T2", FIRST): CAUTIOUS, ("T2", LAST): CAUTIOUS}
    if not true:
        # Either both have the same rules, or practice changes those of one.
        same = bool(rng.random() < 0.5)
        styles |= {("T1", LAST): CAUTIOUS, ("T1", FIRST): CAUTIOUS if same else HASTY}
    rows = []
    for key, style in styles.items():
        base = rules_from(style)
        for (i, time), (j, place) in itertools.product(
            enumerate(base.time_labels), enumerate(base.position_labels)
        ):
            rows += drawn_rows(rng, (*key, 3, time, place), bool(base.consequents[i, j] == 1))
    return {
        "rules": pd.DataFrame(rows, columns=RULE_COLUMNS),
        "dataset": {"recorded_paths": ["T1", "T2"]},
        "recovery_cells": recovered(1.0),
    }


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


def identified(rng: np.random.Generator, true: bool) -> dict[str, Any]:
    """Simulate recovery of every rule, or of what a coin would find."""
    table = recovered(1.0)
    if not true:
        table["recovered"] = rng.binomial(100, 0.5, len(table)) / 100
    return {"recovery_cells": table, "fuzzy_fits": pd.DataFrame({"subject": ["s00"]})}


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


def tuned(rng: np.random.Generator, true: bool) -> dict[str, Any]:
    """Simulate losses that tuning lowers below ln 2, or to about ln 2."""
    before = rng.uniform(0.8, 1.5, SUBJECTS)
    after = rng.normal(0.5 if true else np.log(2), 0.05, SUBJECTS)
    names = [f"s{number:02d}" for number in range(SUBJECTS)]
    columns = {"subject": names, "labels": 5, "loss_before": before, "loss_after": after}
    return {"fuzzy_fits": pd.DataFrame(columns)}


def practised_labels(rng: np.random.Generator, true: bool) -> dict[str, Any]:
    """Simulate fitted widths of a subject whose labels practice changes, or the reverse."""
    sd = 0.1
    change = {"S": -0.7, "M": 0.7} if true else {"S": 0.7, "M": -0.7}
    rows = [
        ("T1", window, 3, "time", label, np.exp(rng.normal(change[label] * late, sd)))
        for late, window in enumerate((FIRST, LAST))
        for label in change
    ]
    columns = ["subject", "window", "labels", "variable", "label", "width"]
    errors = {"labels": 3, "variable": "time", "label": list(change), "width_sd": sd}
    return {
        "memberships": pd.DataFrame(rows, columns=columns),
        "dataset": {"recorded_paths": ["T1"]},
        "recovery_memberships": pd.DataFrame(errors),
    }


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
        ("C10", "C19"),
        outputs,
        "outputs of fast subjects larger by 0.15; blue area of slow ones grows by 0.15",
        "the same output and area in both groups and windows",
    ),
    Control(
        ("C11", "C20"),
        rules,
        "19 of 20 fast and 1 of 5 slow subjects stop where time and position are S or M",
        "half of either group stops at every premise",
    ),
    Control(
        ("C15",),
        recorded,
        "one subject has one rule that says continue, the other four; practice changes none",
        "both subjects have the same rules, or practice changes those of one",
    ),
    Control(
        ("C18",),
        identified,
        "fits find every rule",
        "fits find half of the rules, as a coin would",
    ),
    Control(
        ("C24",),
        implied,
        "boundaries within about 20 px of the one that the rules of Fig. 5 imply",
        "constant boundaries",
    ),
    Control(("C25",), tuned, "tuning lowers the loss to 0.5", "tuning lowers the loss to ln 2"),
    Control(
        ("C26",),
        practised_labels,
        "practice halves the width of S and doubles that of M",
        "practice doubles the width of S and halves that of M",
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
