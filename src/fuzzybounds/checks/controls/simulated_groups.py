"""Cohorts whose boundaries differ, approach each other, or do neither, with the tables of groups.

The tables are made from simulated trials as the workflow makes them from people's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.checks.controls.regression_to_mean import regression_to_mean
from fuzzybounds.core.seeds import generator
from fuzzybounds.core.words import ALIKE, APPROACH, DIFFER, STAY, STUDENT
from fuzzybounds.paper.groups.fast_and_slow import assign_groups

SUBJECTS, BLOCKS, PER_BLOCK = 26, 40, 2
CHOICES: dict[str, Any] = {
    **{"condition": "easy", "missed": True, "summary": "median", "blocks": 20},
    **{"quantile": "hazen", "fast": "<=", "slow": ">"},
}
"""The choices that give the printed groups."""
RESAMPLES = 200
"""Resamples of the intervals of changes, where the claim is about changes."""


class Kind(NamedTuple):
    """What cohorts of a kind are like, how many there are, and what names their random numbers.

    The standard deviation of boundaries over subjects is `spread` (px); after the first half they
    approach their mean by the share `shrink`, which is None where changes are not looked at.
    """

    spread: float
    shrink: float | None
    cohorts: int
    names: tuple[str, ...]


KINDS = {
    DIFFER: Kind(40.0, None, 40, ("C09", "C13", "positive")),
    # Enlarged by 400 after a look at the first 40.
    ALIKE: Kind(0.0, None, 440, ("C09", "C13", "negative")),
    APPROACH: Kind(40.0, 0.6, 40, ("C14", "positive")),
    STAY: Kind(40.0, 0.0, 40, ("C14", "negative")),
}


class SimulatedGroups(NamedTuple):
    """What :func:`simulate_groups` returns: one table per output of the stage."""

    groups: pd.DataFrame
    tests: pd.DataFrame
    regression: pd.DataFrame


def simulate_groups(*, seed: int, most: int) -> SimulatedGroups:
    """Simulate cohorts of every kind, and make the tables of their groups.

    Parameters
    ----------
    seed : int
        Names the random numbers.
    most : int
        Largest number of cohorts per kind.

    Returns
    -------
    SimulatedGroups
        The tables ``groups``, ``group_tests`` (Student's) and ``regression_to_mean`` of cohorts.
    """
    groups, tests, regression = [], [], []
    for name, kind in KINDS.items():
        for number in range(min(kind.cohorts, most)):
            trials, named = simulate(kind, generator(seed, "controls", *kind.names, number))
            assigned = assign_groups(trials, **CHOICES, **named)
            key = {"kind": name, "cohort": number}
            groups.append(_keyed(assigned.groups, key))
            tests.append(_keyed(assigned.tests[assigned.tests["test"] == STUDENT], key))
            if kind.shrink is not None:
                changes = regression_to_mean(trials, **CHOICES, **named, resamples=RESAMPLES)
                regression.append(_keyed(changes, key))
    return SimulatedGroups(
        *(pd.concat(parts, ignore_index=True) for parts in (groups, tests, regression))
    )


def _keyed(table: pd.DataFrame, key: Mapping[str, Any]) -> pd.DataFrame:
    """Return a table with the kind and the number of its cohort in front."""
    return table.assign(**key)[[*key, *table.columns]]


def simulate(kind: Kind, rng: np.random.Generator) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return the trials of a cohort, and what names the random numbers of its tables."""
    level = kind.spread * rng.standard_normal((SUBJECTS, 1, 1))
    late = np.arange(BLOCKS)[None, :, None] >= BLOCKS // 2
    noise = 50.0 * rng.standard_normal((SUBJECTS, BLOCKS, PER_BLOCK))
    distance = 150.0 + level * np.where(late, 1 - (kind.shrink or 0.0), 1) + noise
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
    return trials, {"seed": int(rng.integers(2**31)), "dataset": "controls"}
