"""The averaged consequents that the paper prints (C11), under every choice that it leaves open.

The paper states five labels, normalised degrees and that the largest certainty wins a conflict, so
these stay.  It leaves open over which points the range of a variable becomes 1 (A09), the width of
five labels (A03), premises without points (A08), and the earlier point of each trial (A10).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import get_args

import numpy as np
import pandas as pd

from fuzzybounds.canoe.block_windows import split
from fuzzybounds.canoe.samples import normalise
from fuzzybounds.checks.multiverse.grid import vary
from fuzzybounds.core.statistics import prints_as
from fuzzybounds.core.words import FAST, FIRST, SLOW
from fuzzybounds.paper.fuzzy.fits import gather
from fuzzybounds.paper.fuzzy.membership import equidistant, labels, structure_width
from fuzzybounds.paper.fuzzy.rules import EmptyPolicy, fill
from fuzzybounds.paper.fuzzy.tuning import Points
from fuzzybounds.paper.fuzzy.wang_mendel import learn_structure

FIVE = 5
"""Labels of each variable, as the paper states."""
CONDITIONS = ("easy", "hard", "all")
"""Which trials may be used for the tables (A11)."""

SUBJECT, WINDOW = "subject", "window"
SPACING, AS_THREE = "spacing", "as_three_labels"
FIRST_DRAW, MEAN_OF_DRAWS = "first_draw", "mean_of_draws"
EXTRACTING = {
    "normalisation": (SUBJECT, WINDOW),
    "width": (SPACING, AS_THREE),
    "empty": get_args(EmptyPolicy),
}
"""Choices that determine the rules: the points whose largest values become 1 (of both windows of a
subject, or of the window that is fitted), the width of five labels (3/7 of their distance, or that
of three labels), and how premises without points are treated."""
TABULATING = {**EXTRACTING, "path": (FIRST_DRAW, MEAN_OF_DRAWS)}
"""Choices that determine the averaged consequents."""

CELLS = {
    "fast_S_M": (FAST, "S", "M"),
    "slow_S_M": (SLOW, "S", "M"),
    "slow_M_S": (SLOW, "M", "S"),
}
"""Cells whose values the paper prints: group, time label, position label; first window."""
PREMISES = ("M_S", "S_M")
"""Time and position label of these cells."""
AT_ONCE = 26
"""Number of subjects whose points are processed at a time, to save memory."""


def table_specifications(
    samples: pd.DataFrame,
    ranges: pd.DataFrame,
    memberships: pd.DataFrame,
    printed: Mapping[str, float],
) -> pd.DataFrame:
    """Return the key cells for every combination of choices and every pair of groups.

    `ranges` are those of :func:`fuzzybounds.canoe.block_windows.block_ranges`, `memberships` the
    distinct pairs of condition and members (a pair of tuples of names, fast and slow) of the group
    specifications.  The table has the choices, condition and members, a column for each of
    :data:`CELLS`, and draws_as_printed, the share of draws in which all three print as in the
    paper.
    """
    numbers = [*CELLS, "draws_as_printed"]
    columns = [*TABULATING, "condition", "members", *numbers]
    rules = _by_condition(samples, ranges)
    parts = [
        _key_cells(rules[condition], members, printed).assign(
            condition=condition, members=lambda cells, chosen=members: [chosen] * len(cells)
        )
        for condition, members in memberships[["condition", "members"]].itertuples(index=False)
        if condition in rules
    ]
    none = pd.DataFrame(columns=columns).astype(dict.fromkeys(numbers, float))
    return pd.concat(parts, ignore_index=True)[columns] if parts else none


def _by_condition(samples: pd.DataFrame, ranges: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Extract the key rules of some subjects at a time."""
    subjects = ranges["subject"].unique()
    rules: dict[str, list[pd.DataFrame]] = {}
    for start in range(0, len(subjects), AT_ONCE):
        some = samples["subject"].isin(subjects[start : start + AT_ONCE])
        whole = split(samples[some], ranges)
        for condition in CONDITIONS:
            points = whole if condition == "all" else whole[whole["condition"] == condition]
            if (points["window"] == FIRST).any():
                rules.setdefault(condition, []).append(key_rules(points))
    return {condition: pd.concat(tables, ignore_index=True) for condition, tables in rules.items()}


def key_rules(points: pd.DataFrame) -> pd.DataFrame:
    """Extract the key consequents of the first window by every choice of :data:`EXTRACTING`.

    The points are those of both windows.  The table has the choices, subject and draw, and a
    column for each of :data:`PREMISES`.
    """
    names = labels(FIVE)

    @cache
    def gathered(normalisation: str) -> tuple[pd.DataFrame, Points]:
        used = points[points["window"] == FIRST] if normalisation == WINDOW else points
        used = normalise(used, SUBJECT)
        return gather(used[used["window"] == FIRST])

    @cache
    def learned(normalisation: str, width: str) -> np.ndarray:
        batch = gathered(normalisation)[1]
        sigma = structure_width(3 if width == AS_THREE else FIVE, convention="width")
        start = equidistant(FIVE, width=sigma, convention="width")
        return learn_structure(
            batch.inputs, batch.responded, (start, start), weights=batch.weights
        ).consequents

    def evaluate(normalisation, width, empty):
        rules = np.stack([fill(table, empty) for table in learned(normalisation, width)])
        cells = {
            premise: rules[:, names.index(time), names.index(position)]
            for premise in PREMISES
            for time, position in [premise.split("_")]
        }
        return gathered(normalisation)[0].assign(**cells)

    return vary(EXTRACTING, evaluate)


def _key_cells(
    rules: pd.DataFrame, members: tuple[tuple, tuple], printed: Mapping[str, float]
) -> pd.DataFrame:
    """Average each key cell over the members of its group, in the first draw and over draws."""
    everyone = rules.groupby([*EXTRACTING, "draw"], sort=False).size().index
    means = {
        group: rules[rules["subject"].isin(group_members)]
        .groupby([*EXTRACTING, "draw"], sort=False)[list(PREMISES)]
        .mean()
        .reindex(everyone)
        for group, group_members in zip((FAST, SLOW), members, strict=True)
    }
    by_draw = pd.DataFrame(
        {
            cell: means[group][f"{time}_{position}"]
            for cell, (group, time, position) in CELLS.items()
        }
    )
    exact = np.logical_and.reduce([prints_as(by_draw[cell], printed[cell]) for cell in CELLS])
    by_choice = by_draw.assign(exact=exact).groupby(list(EXTRACTING), sort=False)
    averaged = {
        FIRST_DRAW: by_draw[by_draw.index.get_level_values("draw") == 1].droplevel("draw"),
        MEAN_OF_DRAWS: by_choice[list(CELLS)].mean(),
    }
    share = by_choice["exact"].mean().rename("draws_as_printed")
    tables = [table.join(share).assign(path=path) for path, table in averaged.items()]
    return pd.concat(tables).reset_index()
