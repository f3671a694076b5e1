"""The averaged consequents that the paper prints (C11), under every choice that it leaves open.

The paper states five labels, normalised degrees and that the largest certainty wins a conflict, so
these stay.  It leaves open over which points the range of a variable becomes 1 (A09), the width of
five labels (A03), premises without points (A08), and the earlier point of each trial (A10).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import get_args

import numpy as np
import pandas as pd

from fuzzybounds.analysis.choices import combinations
from fuzzybounds.analysis.printed_digits import prints_as
from fuzzybounds.canoe.block_windows import split
from fuzzybounds.canoe.samples import normalise
from fuzzybounds.fuzzy.fits import fill, gather
from fuzzybounds.fuzzy.membership import equidistant, labels, structure_width
from fuzzybounds.fuzzy.rules import EmptyPolicy
from fuzzybounds.fuzzy.wang_mendel import learn_structure
from fuzzybounds.storage.registry.vocabulary import FAST, FIRST, SLOW

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


def table_specifications(
    samples: Iterable[pd.DataFrame],
    ranges: pd.DataFrame,
    memberships: pd.DataFrame,
    printed: Mapping[str, float],
) -> pd.DataFrame:
    """Return the key cells for every combination of choices and every pair of groups.

    Parameters
    ----------
    samples : iterable of DataFrame
        Two-class points, of some subjects at a time to save memory.
    ranges : DataFrame
        From :func:`fuzzybounds.canoe.block_windows.block_ranges`.
    memberships : DataFrame
        The distinct pairs of condition and members (a pair of tuples of names, fast and slow) of
        the group specifications.
    printed : mapping
        The printed values of :data:`CELLS`.

    Returns
    -------
    DataFrame
        The choices, condition and members, a column for each of :data:`CELLS`, and
        draws_as_printed, the share of draws in which all three print as in the paper.
    """
    parts: dict[tuple, list[pd.DataFrame]] = {}
    for some in samples:
        whole = split(some, ranges)
        for condition in CONDITIONS:
            points = whole if condition == "all" else whole[whole["condition"] == condition]
            if not (points["window"] == FIRST).any():
                continue
            for values, table in consequents(points):
                parts.setdefault((condition, *values), []).append(table)
    rows = []
    for condition, members in memberships[["condition", "members"]].itertuples(index=False):
        for choice in combinations(EXTRACTING):
            extracted = parts.get((condition, *choice.values()))
            if extracted is None:
                continue
            if len(extracted) > 1:
                extracted[:] = [pd.concat(extracted, ignore_index=True)]
            for path, cells in _key_cells(extracted[0], members, printed).items():
                made = {"path": path, "condition": condition, "members": members}
                rows.append({**choice, **made, **cells})
    numbers = [*CELLS, "draws_as_printed"]
    table = pd.DataFrame(rows, columns=[*TABULATING, "condition", "members", *numbers])
    return table.astype(dict.fromkeys(numbers, float))


def consequents(points: pd.DataFrame) -> Iterator[tuple[tuple[str, ...], pd.DataFrame]]:
    """Yield every combination of :data:`EXTRACTING`, and its key consequents in the first window.

    Parameters
    ----------
    points : DataFrame
        Two-class points of both windows.

    Yields
    ------
    values : tuple of str
    table : DataFrame
        One row per subject and draw, one column per key cell.
    """
    names = labels(FIVE)
    wanted = sorted({cell[1:] for cell in CELLS.values()})
    for normalisation in EXTRACTING["normalisation"]:
        used = points[points["window"] == FIRST] if normalisation == WINDOW else points
        used = normalise(used, SUBJECT)
        keys, batch = gather(used[used["window"] == FIRST])
        for width in EXTRACTING["width"]:
            sigma = structure_width(3 if width == AS_THREE else FIVE, convention="width")
            start = equidistant(FIVE, width=sigma, convention="width")
            structure = learn_structure(
                batch.inputs, batch.responded, (start, start), weights=batch.weights
            )
            for empty in get_args(EmptyPolicy):
                rules = fill(structure.consequents, empty)
                columns = {
                    f"{time}_{position}": rules[:, names.index(time), names.index(position)]
                    for time, position in wanted
                }
                yield (normalisation, width, empty), keys.assign(**columns)


def _key_cells(
    rules: pd.DataFrame, members: tuple[tuple, tuple], printed: Mapping[str, float]
) -> dict[str, dict[str, float]]:
    """Average each key cell over the members of its group, in the first draw and over draws."""
    of_group = dict(zip((FAST, SLOW), members, strict=True))
    cells = sorted({f"{time}_{position}" for _, time, position in CELLS.values()})
    means = {
        group: rules[rules["subject"].isin(own)].groupby("draw")[cells].mean()
        for group, own in of_group.items()
    }
    by_draw = pd.DataFrame(
        {
            cell: means[group][f"{time}_{position}"]
            for cell, (group, time, position) in CELLS.items()
        }
    )
    exact = np.logical_and.reduce([prints_as(by_draw[cell], printed[cell]) for cell in CELLS])
    share = {"draws_as_printed": float(exact.mean()) if len(by_draw) else np.nan}
    first = by_draw.reindex([1]).iloc[0]
    return {
        FIRST_DRAW: {**first.to_dict(), **share},
        MEAN_OF_DRAWS: {**by_draw.mean().to_dict(), **share},
    }
