"""C02 to C04 and C22 under every combination of the choices that they depend on.

The scorecard judges them on stable fits and on the first boundary time of the configuration.  This
table repeats each judgement with the other criterion, the other time axis, and the authors' bounds,
within which most fits of class rl are unstable.
"""

from __future__ import annotations

import pandas as pd

from fuzzybounds.canoe.block_windows import compared
from fuzzybounds.checks.multiverse.grid import vary
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.paper.boundaries.comparison import (
    CRITERIA,
    comparisons,
    scores_of,
    shape_evidence,
)
from fuzzybounds.scorecard.boundary_counts import (
    Count,
    count_best,
    count_classes,
    count_learning,
    count_varying,
)

NO_CRITERION = "-"
"""C02 compares no models."""
BOUNDS = {True: "stable", False: "authors"}


def vary_choices(
    fits: pd.DataFrame,
    trials: pd.DataFrame,
    variation: pd.DataFrame,
    *,
    criterion: str,
    boundary_times: list[str],
) -> pd.DataFrame:
    """Judge C02 to C04 under every combination of choices.

    Parameters
    ----------
    fits, trials, variation : DataFrame
        Result tables ``model_fits``, ``trials`` and ``boundary_variation``.
    criterion : {"aic", "bic"}
        The criterion by which the scorecard judges.
    boundary_times : list of str
        Those that were fitted; the scorecard judges by the first.

    Returns
    -------
    DataFrame
        The table ``boundary_multiverse``.
    """
    fits = fits[fits["subject"].isin(compared(trials)["subject"])]
    evidence = shape_evidence(fits)
    ten = {(time, BOUNDS[stable]): compared for stable, time, compared in comparisons(fits)}

    def judge(claim: str, criterion: str, boundary_time: str, bounds: str) -> Count | None:
        if (boundary_time, bounds) not in ten or (claim == "C02") != (criterion == NO_CRITERION):
            return None
        if claim == "C02":
            return count_varying(_rows(variation, boundary_time, bounds))
        if claim == "C03":
            rows = _rows(evidence, boundary_time, bounds)
            return count_classes(rows[rows["criterion"] == criterion])
        count = count_best if claim == "C04" else count_learning
        return count(scores_of(ten[boundary_time, bounds], criterion))

    choices = {
        "claim": ["C02", "C03", "C04", "C22"],
        "criterion": [NO_CRITERION, *CRITERIA],
        "boundary_time": boundary_times,
        "bounds": list(BOUNDS.values()),
    }
    table = vary(choices, judge, ["value", "out_of", "compared", "edge", "verdict"])
    default = (table["boundary_time"] == boundary_times[0]) & (table["bounds"] == "stable")
    default &= table["criterion"].isin([criterion, NO_CRITERION])
    return table.assign(default=default)[TABLES["boundary_multiverse"].names]


def _rows(table: pd.DataFrame, time: str, bounds: str) -> pd.DataFrame:
    return table[(table["boundary_time"] == time) & (table["stable"].map(BOUNDS) == bounds)]
