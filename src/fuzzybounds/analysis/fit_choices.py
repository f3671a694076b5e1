"""Effects of two choices on the fuzzy fits: the tuning penalty, and how missing paths are drawn.

The paper tunes without a penalty (A24) and does not consider that on some paths a subject would
have responded earlier (A26).  No printed number decides either choice, so both ways are shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import pandas as pd

from fuzzybounds.analysis import groups
from fuzzybounds.analysis.group_comparison import GRID
from fuzzybounds.canoe.block_windows import block_ranges, split
from fuzzybounds.canoe.samples import RECONSTRUCTED, normalise
from fuzzybounds.fuzzy.fits import EMPTY, FitTables, Recipe, controllers, fit_tables
from fuzzybounds.fuzzy.survival import redraw
from fuzzybounds.fuzzy.tuning import CROSSED, EXTREME_WIDTH
from fuzzybounds.storage.registry import TABLES
from fuzzybounds.storage.registry.vocabulary import FAST, FIRST, LAST, SLOW

MOST = 26
"""Number of subjects per group that are refitted, and of all subjects whose paths are redrawn:
enough to see the effect of a choice, however large the cohort."""
FEWEST = 10
"""Responses in the window that a subject must have for paths to be weighted by a fit."""
AT_ONCE = 26
"""Number of subjects whose points are held in memory at a time."""


class FitChoices(NamedTuple):
    """What :func:`check_fit_choices` returns: one table per output of the stage."""

    penalty: pd.DataFrame
    bridges: pd.DataFrame


def check_fit_choices(
    trials: pd.DataFrame,
    samples: pd.DataFrame,
    groups_of: pd.DataFrame,
    fits: pd.DataFrame,
    rules: pd.DataFrame,
    memberships: pd.DataFrame,
    *,
    blocks: int,
    condition: str,
    normalisation: str,
    labels: int,
    seed: int,
    dataset: str,
    **recipe: Any,
) -> FitChoices:
    """Fit fast and slow subjects without a penalty, and draw earlier points by survival.

    Parameters
    ----------
    trials, samples, groups_of, fits, rules, memberships : DataFrame
        Result tables.
    blocks, condition, normalisation
        As in :func:`fuzzybounds.fuzzy.subject_fits.fit_fuzzy`.
    labels : int
        Number of labels of the fits to compare.
    seed, dataset
        Name the random numbers of survival-weighted bridges.
    **recipe
        See :class:`~fuzzybounds.fuzzy.fits.Recipe`.
    """
    group = groups_of.set_index("subject")["group"]
    members = [name for own in (FAST, SLOW) for name in group.index[group == own][:MOST]]
    redrawn = list(group.index[:MOST])
    used = list(dict.fromkeys([*members, *redrawn]))
    ranges = block_ranges(trials[trials["subject"].isin(used)], blocks)
    how = Recipe(labels=labels, **recipe)
    free, drawn = [EMPTY], [TABLES["bridge_check"].empty()]
    parts = [used[first : first + AT_ONCE] for first in range(0, len(used), AT_ONCE)]
    for part in parts:
        points = samples[samples["subject"].isin(part)]
        own = points if condition == "all" else points[points["condition"] == condition]
        if own.empty:
            continue
        own = normalise(split(own, ranges), normalisation)
        to_fit = own[own["subject"].isin(members)]
        if len(to_fit):
            free.append(fit_tables(to_fit, replace(how, penalty=0.0)))
        first = own[(own["window"] == FIRST) & (own["path"] == RECONSTRUCTED)]
        first = first[first["subject"].isin(redrawn) & _enough(first)]
        if len(first):
            drawn.append(compare_bridges(first, redraw(first, how.memberships(), seed, dataset)))
    chosen = FitTables(fits, rules, memberships).select(members, labels)
    without = FitTables(
        *(pd.concat(tables, ignore_index=True) for tables in zip(*free, strict=True))
    )
    rows = [
        row
        for penalty, tables in ((how.penalty, chosen), (0.0, without))
        for row in _describe(tables, penalty, group, labels)
    ]
    columns = TABLES["penalty_check"].names
    bridges = pd.concat(drawn[1:] or drawn, ignore_index=True)
    return FitChoices(
        pd.DataFrame(rows, columns=columns),
        bridges.assign(group=bridges["subject"].map(group))[TABLES["bridge_check"].names],
    )


def _enough(points: pd.DataFrame) -> pd.Series:
    """Whether a point belongs to a subject with enough responses, in one draw, for a fit."""
    responses = points["responded"] & (points["draw"] == points["draw"].min())
    return responses.groupby(points["subject"]).transform("sum") >= FEWEST


def _describe(
    tables: FitTables, penalty: float, group: pd.Series, labels: int
) -> Iterator[tuple[Any, ...]]:
    """Describe the fits of each group and window: their flags, and the output they average to."""
    outputs = groups.average_output(controllers(tables), group.to_dict(), labels, GRID)
    of = outputs.groupby(["group", "window"])["output"].agg(["mean", "min"])
    flags = tables.fits.assign(group=tables.fits["subject"].map(group))
    for (name, window), row in of.iterrows():
        own = flags.loc[(flags["group"] == name) & (flags["window"] == window), "flags"]
        crossed, extreme = (own.str.contains(flag).mean() for flag in (CROSSED, EXTREME_WIDTH))
        yield penalty, name, window, len(own), crossed, extreme, row["mean"], row["min"]


def compare_bridges(uniform: pd.DataFrame, survival: pd.DataFrame) -> pd.DataFrame:
    """Compare the earlier points of each subject, drawn uniformly and by survival.

    Parameters
    ----------
    uniform, survival : DataFrame
        The same two-class points of one window, normalised, before and after
        :func:`fuzzybounds.fuzzy.survival.redraw`.
    """
    means = [
        (own["position"] * own["position_range"])[~own["responded"].astype(bool)]
        .groupby(own["subject"], sort=False)
        .mean()
        for own in (uniform, survival)
    ]
    table = pd.DataFrame({"uniform": means[0], "survival": means[1]})
    table["difference"] = table["uniform"] - table["survival"]
    return table.rename_axis("subject").reset_index()


def changes_of_output(penalty: pd.DataFrame) -> pd.Series:
    """Return the change of the mean output from first to last, by penalty and group."""
    wide = penalty.pivot_table("mean_output", ["penalty", "group"], "window")
    return wide.reindex(columns=[FIRST, LAST]).diff(axis="columns")[LAST]
