"""Effects of two choices on the fuzzy fits: the tuning penalty, and how missing paths are drawn.

The paper tunes without a penalty (A24) and does not consider that on some paths a subject would
have responded earlier (A26).  No printed number decides either choice, so both ways are shown.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pandas as pd

from fuzzybounds.canoe.block_windows import block_ranges, split
from fuzzybounds.canoe.samples import RECONSTRUCTED
from fuzzybounds.checks.controls.bridges import mean_distances
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.seeds import generator
from fuzzybounds.core.words import FAST, FIRST, SLOW
from fuzzybounds.paper.fuzzy.fits import FitTables, controllers, fit_fuzzy
from fuzzybounds.paper.fuzzy.tuning import CROSSED, EXTREME_WIDTH
from fuzzybounds.paper.groups import fast_and_slow as groups
from fuzzybounds.paper.groups.fast_and_slow import GRID

MOST = 26
"""Number of subjects per group that are refitted, and of all subjects whose paths are weighted:
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
    """Fit fast and slow subjects without a penalty, and weigh earlier points by survival.

    Parameters
    ----------
    trials, samples, groups_of, fits, rules, memberships : DataFrame
        Result tables.
    labels : int
        Number of labels of the fits to compare.
    seed, dataset
        Name the random numbers of bridges.
    **options
        See :func:`fuzzybounds.paper.fuzzy.fits.points_to_fit`.
    """
    group = groups_of.set_index("subject")["group"]
    members = [name for side in (FAST, SLOW) for name in group.index[group == side][:MOST]]
    every = FitTables(fits, rules, memberships)
    chosen = every.select(members, labels)
    without = fit_fuzzy(
        trials,
        samples[samples["subject"].isin(members)],
        labels={"one_session": [labels], "three_session": [labels]},
        **{**options, "penalty": 0.0},
    )
    described = [
        _describe(tables, penalty, group, labels)
        for tables, penalty in ((chosen, options["penalty"]), (without, 0.0))
    ]
    windows = split(samples, block_ranges(trials, options["blocks"]))
    first = windows[(windows["window"] == FIRST) & (windows["draw"] == 1) & windows["responded"]]
    if options["condition"] != "all":
        first = first[first["condition"] == options["condition"]]
    drawn = every.select(group.index[:MOST], labels)
    bridges = compare_bridges(drawn, first[first["path"] == RECONSTRUCTED], labels, seed, dataset)
    return FitChoices(
        pd.concat(described, ignore_index=True),
        bridges.assign(group=bridges["subject"].map(group))[TABLES["bridge_check"].names],
    )


def _describe(tables: FitTables, penalty: float, group: pd.Series, labels: int) -> pd.DataFrame:
    """Describe the fits of each group and window: their flags, and the output they average to."""
    fits = tables.fits.assign(group=tables.fits["subject"].map(group))
    by_subject = groups.output_by_subject(controllers(tables), labels, GRID)
    outputs = groups.average_output(by_subject, group.to_dict(), GRID)
    rows = []
    for (name, window), averaged in outputs.groupby(["group", "window"])["output"]:
        flags = fits.loc[(fits["group"] == name) & (fits["window"] == window), "flags"]
        shares = [flags.str.contains(flag).mean() for flag in (CROSSED, EXTREME_WIDTH)]
        rows.append((penalty, name, window, len(flags), *shares, averaged.mean(), averaged.min()))
    return pd.DataFrame(rows, columns=TABLES["penalty_check"].names)


def compare_bridges(
    tables: FitTables, responses: pd.DataFrame, labels: int, seed: int, dataset: str
) -> pd.DataFrame:
    """Compare the mean distance of each subject's earlier points, uniform and by survival.

    Survival is by the subject's fit to the first draw in the first window, of which `responses`
    are those without recorded paths.
    """
    fits = tables.fits[(tables.fits["window"] == FIRST) & (tables.fits["draw"] == 1)]
    scales = fits.set_index("subject")[["time_range", "position_range"]]
    fitted, rows = controllers(tables), []
    for subject, points in responses.groupby("subject", sort=False):
        if subject not in scales.index or len(points) < FEWEST:
            continue
        time, position = scales.loc[subject]
        controller = fitted[subject, FIRST, labels, 1].scaled(time=time, position=position)
        rng = generator(seed, dataset, subject, FIRST, "survival")
        responded = (points["time"].to_numpy(), points["position"].to_numpy())
        rows.append((subject, *mean_distances(controller, *responded, rng)))
    table = pd.DataFrame(rows, columns=["subject", "uniform", "survival"])
    return table.assign(difference=table["uniform"] - table["survival"])
