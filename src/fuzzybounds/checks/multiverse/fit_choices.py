"""Effects of two choices on the fuzzy fits: the tuning penalty, and how missing paths are drawn.

The paper tunes without a penalty (A24) and does not consider that on some paths a subject would
have responded earlier (A26).  No printed number decides either choice, so both ways are shown.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import pandas as pd

from fuzzybounds.canoe.samples import RECONSTRUCTED
from fuzzybounds.checks.controls.bridges import redraw
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.words import FAST, FIRST, LAST, SLOW
from fuzzybounds.paper.fuzzy.fits import EMPTY, FitTables, controllers, fit_tables, points_to_fit
from fuzzybounds.paper.fuzzy.tuning import CROSSED, EXTREME_WIDTH
from fuzzybounds.paper.groups import fast_and_slow as groups
from fuzzybounds.paper.groups.fast_and_slow import GRID

MOST = 26
"""Number of subjects per group that are refitted, and of all subjects whose paths are redrawn:
enough to see the effect of a choice, however large the cohort."""
FEWEST = 10
"""Responses in the window that a subject must have for paths to be weighted by a fit."""


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
    labels: int,
    seed: int,
    dataset: str,
    **options: Any,
) -> FitChoices:
    """Fit fast and slow subjects without a penalty, and draw earlier points by survival.

    Parameters
    ----------
    trials, samples, groups_of, fits, rules, memberships : DataFrame
        Result tables.
    labels : int
        Number of labels of the fits to compare.
    seed, dataset
        Name the random numbers of survival-weighted bridges.
    **options
        See :func:`fuzzybounds.paper.fuzzy.fits.points_to_fit`.
    """
    group = groups_of.set_index("subject")["group"]
    members = [name for own in (FAST, SLOW) for name in group.index[group == own][:MOST]]
    redrawn = list(group.index[:MOST])
    used = samples["subject"].isin([*members, *redrawn])
    same = {"one_session": [labels], "three_session": [labels]}
    free, drawn = [EMPTY], [TABLES["bridge_check"].empty()]
    for points, recipe in points_to_fit(trials, samples[used], labels=same, **options):
        to_fit = points[points["subject"].isin(members)]
        if len(to_fit):
            free.append(fit_tables(to_fit, replace(recipe, penalty=0.0)))
        first = points[(points["window"] == FIRST) & (points["path"] == RECONSTRUCTED)]
        first = first[first["subject"].isin(redrawn) & _enough(first)]
        if len(first):
            survived = redraw(first, recipe.memberships(), seed, dataset)
            drawn.append(compare_bridges(first, survived))
    without = FitTables(*(pd.concat(own[1:] or own) for own in zip(*free, strict=True)))
    chosen = FitTables(fits, rules, memberships).select(members, labels)
    bridges = pd.concat(drawn[1:] or drawn, ignore_index=True)
    described = [
        _describe(tables, penalty, group, labels)
        for tables, penalty in ((chosen, options["penalty"]), (without, 0.0))
    ]
    return FitChoices(
        pd.concat(described, ignore_index=True),
        bridges.assign(group=bridges["subject"].map(group))[TABLES["bridge_check"].names],
    )


def _enough(points: pd.DataFrame) -> pd.Series:
    """Whether a point belongs to a subject with enough responses, in one draw, for a fit."""
    responses = points["responded"] & (points["draw"] == points["draw"].min())
    return responses.groupby(points["subject"]).transform("sum") >= FEWEST


def _describe(tables: FitTables, penalty: float, group: pd.Series, labels: int) -> pd.DataFrame:
    """Describe the fits of each group and window: their flags, and the output they average to."""
    fits = tables.fits.assign(group=tables.fits["subject"].map(group))
    by_subject = groups.output_by_subject(controllers(tables), labels, GRID)
    outputs = groups.average_output(by_subject, group.to_dict(), GRID)
    rows = []
    for (name, window), own in outputs.groupby(["group", "window"])["output"]:
        flags = fits.loc[(fits["group"] == name) & (fits["window"] == window), "flags"]
        shares = [flags.str.contains(flag).mean() for flag in (CROSSED, EXTREME_WIDTH)]
        rows.append((penalty, name, window, len(flags), *shares, own.mean(), own.min()))
    return pd.DataFrame(rows, columns=TABLES["penalty_check"].names)


def compare_bridges(uniform: pd.DataFrame, survival: pd.DataFrame) -> pd.DataFrame:
    """Compare the earlier points of each subject, drawn uniformly and by survival.

    Both are normalised two-class points of one window.
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
