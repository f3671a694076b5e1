"""C02 to C04 under every combination of the choices that they depend on.

The scorecard judges them on stable fits and on the first boundary time of the configuration.  This
table repeats each judgement with the other criterion, the other time axis, and the authors' bounds,
within which most fits of class rl are unstable.
"""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from fuzzybounds.beyond.multiverse.grid import vary
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.paper.boundaries.comparison import (
    CRITERIA,
    comparisons,
    scores_of,
    shape_evidence,
)
from fuzzybounds.scorecard.claims.boundaries import (
    CLAIMS,
    judge_best,
    judge_classes,
    judge_variation,
)

RL = ("weibull", "rl")
NO_CRITERION = "-"
"""C02 compares no models."""
BOUNDS = {True: "stable", False: "authors"}
RULES = {claim.id: {**claim.printed, **claim.tolerance} for claim in CLAIMS}
Found = Mapping[str, object]


def vary_choices(
    fits: pd.DataFrame, variation: pd.DataFrame, *, criterion: str, boundary_times: list[str]
) -> pd.DataFrame:
    """Judge C02 to C04 under every combination of choices.

    Parameters
    ----------
    fits, variation : DataFrame
        Result tables ``model_fits`` and ``boundary_variation``.
    criterion : {"aic", "bic"}
        The criterion by which the scorecard judges.
    boundary_times : list of str
        Those that were fitted; the scorecard judges by the first.

    Returns
    -------
    DataFrame
        The table ``boundary_multiverse``.
    """
    evidence = shape_evidence(fits)
    ten = {(time, BOUNDS[stable]): own for stable, time, own in comparisons(fits)}

    def judge(claim: str, criterion: str, boundary_time: str, bounds: str) -> Found | None:
        if (boundary_time, bounds) not in ten or (claim == "C02") != (criterion == NO_CRITERION):
            return None
        if claim == "C02":
            return count_varying(_rows(variation, boundary_time, bounds))
        if claim == "C03":
            own = _rows(evidence, boundary_time, bounds)
            return count_classes(own[own["criterion"] == criterion])
        return count_best(scores_of(ten[boundary_time, bounds], criterion))

    choices = {
        "claim": list(RULES),
        "criterion": [NO_CRITERION, *CRITERIA],
        "boundary_time": boundary_times,
        "bounds": list(BOUNDS.values()),
    }
    table = vary(choices, judge, ["value", "out_of", "compared", "verdict"])
    default = (table["boundary_time"] == boundary_times[0]) & (table["bounds"] == "stable")
    default &= table["criterion"].isin([criterion, NO_CRITERION])
    return table.assign(default=default)[TABLES["boundary_multiverse"].names]


def _rows(table: pd.DataFrame, time: str, bounds: str) -> pd.DataFrame:
    return table[(table["boundary_time"] == time) & (table["stable"].map(BOUNDS) == bounds)]


def count_varying(variation: pd.DataFrame) -> Found | None:
    """Count the boundaries for easy trials that vary after the first block (C02)."""
    rule = RULES["C02"]
    easy = variation[(variation["condition"] == "easy") & (variation["unit"] == "noise")]
    if easy.empty:
        return None
    counts = easy.set_index("threshold")["n_varying"]
    n, of = int(counts[rule["effect"]]), int(easy["n_subjects"].iloc[0])
    found = judge_variation(n, of, rule["share"])
    return {"value": n, "out_of": of, "compared": int(counts[1.0]), "verdict": found}


def count_classes(evidence: pd.DataFrame) -> Found:
    """Count the learning classes in which the time-varying boundary is better (C03)."""
    rule = RULES["C03"]
    strong = int((evidence["protected_exceedance"] > rule["exceedance"]).sum())
    most = int((evidence["n_weibull"] > evidence["n_subjects"] / 2).sum())
    found = judge_classes(strong, most, rule["classes"])
    return {"value": strong, "out_of": len(evidence), "compared": most, "verdict": found}


def count_best(scores: pd.DataFrame) -> Found:
    """Count the subjects for whom the Weibull boundary with class rl is best (C04)."""
    best = scores.idxmin(axis=1).value_counts()
    ours = int(best.get(RL, 0))
    most = int(best.drop(RL, errors="ignore").max()) if ours < len(scores) else 0
    found = judge_best(ours, most, len(scores), RULES["C04"]["share"])
    return {"value": ours, "out_of": len(scores), "compared": most, "verdict": found}
