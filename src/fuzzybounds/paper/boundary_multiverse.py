"""C02 to C04 under every combination of the choices that they depend on.

The scorecard judges them on stable fits and on the authors' time axis.  This table repeats each
verdict with the other criterion, the other time axis, the authors' bounds (within which most fits
of class rl are unstable), and with the first or the second restart of every fit alone, as another
seed might have given.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

import numpy as np
import pandas as pd

from fuzzybounds.analysis.boundary_models import BOTH, CRITERIA, scores_of, shape_evidence
from fuzzybounds.paper.claims.boundaries import CLAIMS, judge_best, judge_classes, judge_variation
from fuzzybounds.storage.registry import TABLES
from fuzzybounds.weibull.results import ten_models

SEARCHES = {"fit": "nll", "first restart": "restart_1", "second restart": "restart_2"}
RL = ("weibull", "rl")
NO_CRITERION = "-"
"""C02 compares no models."""
BOUNDS = {"stable": True, "authors": False}
RULES = {claim.id: {**claim.printed, **claim.tolerance} for claim in CLAIMS}


def vary_choices(
    fits: pd.DataFrame,
    variation: pd.DataFrame,
    conditions: pd.DataFrame,
    *,
    criterion: str,
) -> pd.DataFrame:
    """Judge C02 to C04 under every combination of choices.

    Parameters
    ----------
    fits, variation, conditions : DataFrame
        Result tables ``model_fits``, ``boundary_variation`` and ``shape_by_condition``.
    criterion : {"aic", "bic"}
        The criterion by which the scorecard judges.

    Returns
    -------
    DataFrame
        The table ``boundary_multiverse``.
    """
    if fits.empty:
        return TABLES["boundary_multiverse"].empty()
    axis = "total" if (fits["boundary_time"] == "total").any() else fits["boundary_time"].iloc[0]
    rows = [*_variations(variation), *_shapes(fits), *_later_shapes(conditions), *_best(fits)]
    table = pd.DataFrame(rows)
    usual = (table["boundary_time"] == axis) & (table["bounds"] == "stable")
    usual &= (table["search"] == "fit") & table["criterion"].isin([criterion, NO_CRITERION])
    # Responses within the first step say nothing about a boundary: C03 is judged without them.
    usual &= (table["claim"] != "C03") | (table["responses"] == "later")
    return table.assign(default=usual)[TABLES["boundary_multiverse"].names]


def as_searched(fits: pd.DataFrame, search: str) -> pd.DataFrame:
    """Return fits with the likelihood that a single restart reached."""
    nll = fits[SEARCHES[search]]
    bic = 2 * nll + fits["k"] * np.log(fits["n"])
    return fits.assign(nll=nll, aic=2 * nll + 2 * fits["k"], bic=bic)


def _row(claim: str, criterion: str, time: str, bounds: str, **found) -> Mapping[str, object]:
    choices = {"claim": claim, "criterion": criterion, "boundary_time": time, "bounds": bounds}
    return {**choices, "search": "fit", "responses": "all", **found}


def _variations(variation: pd.DataFrame) -> Iterator[Mapping[str, object]]:
    rule = RULES["C02"]
    easy = variation[(variation["condition"] == "easy") & (variation["unit"] == "noise")]
    for (time, stable), own in easy.groupby(["boundary_time", "stable"]):
        counts = own.set_index("threshold")["n_varying"]
        n, of = int(counts[rule["effect"]]), int(own["n_subjects"].iloc[0])
        yield _row(
            "C02",
            NO_CRITERION,
            time,
            "stable" if stable else "authors",
            value=n,
            out_of=of,
            compared=int(counts[1.0]),
            verdict=judge_variation(n, of, rule["share"]),
        )


def _shapes(fits: pd.DataFrame) -> Iterator[Mapping[str, object]]:
    for search in SEARCHES:
        varied = as_searched(fits, search)
        if varied["nll"].isna().any():
            continue
        evidence = shape_evidence(varied)
        for (criterion, time, stable), own in evidence.groupby(
            ["criterion", "boundary_time", "stable"]
        ):
            bounds = "stable" if stable else "authors"
            yield _row("C03", criterion, time, bounds, **_classes(own), search=search)


def _later_shapes(conditions: pd.DataFrame) -> Iterator[Mapping[str, object]]:
    later = conditions[(conditions["responses"] == "later") & (conditions["condition"] == BOTH)]
    for (criterion, time), own in later.groupby(["criterion", "boundary_time"]):
        yield _row("C03", criterion, time, "stable", **_classes(own), responses="later")


def _classes(evidence: pd.DataFrame) -> Mapping[str, object]:
    rule = RULES["C03"]
    strong = int((evidence["protected_exceedance"] > rule["exceedance"]).sum())
    most = int((evidence["n_weibull"] > evidence["n_subjects"] / 2).sum())
    found = judge_classes(strong, most, rule["classes"])
    return {"value": strong, "out_of": len(evidence), "compared": most, "verdict": found}


def _best(fits: pd.DataFrame) -> Iterator[Mapping[str, object]]:
    for search, criterion, (bounds, stable) in product(SEARCHES, CRITERIA, BOUNDS.items()):
        varied = as_searched(fits, search)
        if varied["nll"].isna().any():
            continue
        for time, own in ten_models(varied, stable).groupby("boundary_time"):
            scores = scores_of(own, criterion)
            if RL not in scores:
                continue
            best = scores.idxmin(axis=1).value_counts()
            ours = int(best.get(RL, 0))
            most = int(best.drop(RL, errors="ignore").max()) if ours < len(scores) else 0
            verdict = judge_best(ours, most, len(scores), RULES["C04"]["share"])
            found = {"value": ours, "out_of": len(scores), "compared": most, "verdict": verdict}
            yield _row("C04", criterion, time, bounds, **found, search=search)
