"""B01 and B02: what the paper concludes without a test, on the density of left-out trials."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import norm

from fuzzybounds.core.errors import TooFew
from fuzzybounds.scorecard.judges.judge import Judged, Numbers, Tables, judge, supported
from fuzzybounds.scorecard.verdicts import UNDECIDED, UNPRINTED
from fuzzybounds.stopping.answers import (
    BOUNDARY,
    CLEAR,
    DIRECTION,
    IGNORED,
    KIND,
    KIND_DIRECTED,
    RULES,
    USED,
)

FITTED = "fitted"
SMALL, UNKNOWN, MISTAKEN = "small", "unknown", "mistaken"
"""Why an answer is not clear: the difference is small, it is not known what cohorts with a known
truth would give, or cohorts of the other truth would often give so large a difference."""
LATE = 0.3
"""Phase of a step in s from which directions at responses are compared: beyond motor delays."""


@judge("B01", se=CLEAR, subjects=5, mistaken=0.05)
def rules_or_boundary(tables: Tables, printed: Numbers, tolerance: Numbers) -> Judged:
    """Judge B01 by hazards that know the direction, however blocks are left out."""
    brief, power = _asked(tables, KIND_DIRECTED, tolerance)
    truths = {answer: [f"directed {answer}"] for answer in (BOUNDARY, RULES)}
    schemes = _schemes(brief, power, truths, tolerance)
    ahead = {scheme["best"] for scheme in schemes.values()}
    few = len(ahead) > 1 or any(scheme["doubt"] for scheme in schemes.values())
    plain, _ = _asked(tables, KIND, tolerance)
    return Judged(
        UNPRINTED,
        UNDECIDED if few else supported(ahead == {RULES}),
        few,
        schemes=schemes,
        plain=_schemes(plain, power, {}, tolerance),
        agree=len(ahead) == 1,
        condition=brief["condition"].iloc[0],
        models=brief.groupby("answer")["models"].first()[[RULES, BOUNDARY]].tolist(),
        without=brief[
            (brief["without"].fillna("") != "") & (brief["elpd_difference_without"] < 0)
        ].to_dict("records"),
        cohorts=power.to_dict("records"),
        clear=tolerance["se"],
        rare=tolerance["mistaken"],
    )


@judge("B02", se=CLEAR, subjects=5, mistaken=0.05)
def time_and_position_alone(tables: Tables, printed: Numbers, tolerance: Numbers) -> Judged:
    """Judge B02 by hazards that know the direction against the same that do not."""
    brief, power = _asked(tables, DIRECTION, tolerance)
    truths = {
        IGNORED: [BOUNDARY, RULES],
        USED: [f"directed {BOUNDARY}", f"directed {RULES}"],
    }
    schemes = _schemes(brief, power, truths, tolerance)
    ahead = {scheme["best"] for scheme in schemes.values()}
    few = len(ahead) > 1 or any(scheme["doubt"] for scheme in schemes.values())
    condition = brief["condition"].iloc[0]
    return Judged(
        UNPRINTED,
        UNDECIDED if few else supported(ahead == {IGNORED}),
        few,
        schemes=schemes,
        agree=len(ahead) == 1,
        condition=condition,
        outward=_late(tables["outward"], condition),
        late=LATE,
        cohorts=power.to_dict("records"),
        clear=tolerance["se"],
        rare=tolerance["mistaken"],
    )


def _asked(tables: Tables, question: str, tolerance: Numbers) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the answers to a question with a fitted delay, and their power."""
    brief, power = (
        tables[name][(tables[name]["question"] == question) & (tables[name]["delay"] == FITTED)]
        for name in ("stopping_brief", "stopping_brief_power")
    )
    if brief.empty or brief["subjects"].iloc[0] < tolerance["subjects"]:
        raise TooFew("too few subjects for a comparison of stopping models")
    return brief, power


def _schemes(
    brief: pd.DataFrame,
    power: pd.DataFrame,
    truths: Mapping[str, Sequence[str]],
    tolerance: Numbers,
) -> dict[str, dict[str, Any]]:
    """Return which of two answers is ahead, and whether that is clear, by scheme.

    `truths` are the kinds of simulated subjects for whom an answer is true.
    """
    schemes = {}
    for scheme, rows in brief.groupby("scheme", sort=False):
        answers = rows.set_index("answer").sort_values("elpd", ascending=False)
        best, other = answers.index[:2]
        known = power[power["scheme"] == scheme].set_index("true_answer")
        ahead, se = -answers["elpd_difference"][other], answers["se"][other]
        wrong = known[known.index.isin(truths.get(other, []))]
        mistaken = float(_chance(wrong, best, ahead).max()) if len(wrong) else 0.0
        simulated = {name for names in truths.values() for name in names}
        schemes[scheme] = {
            "best": best,
            "other": other,
            "ahead": ahead,
            "se": se,
            "n_best": answers["n_best"][best],
            "subjects": answers["subjects"][best],
            "mistaken": mistaken,
            "doubt": SMALL
            if ahead <= tolerance["se"] * se
            else UNKNOWN
            if not simulated <= set(known.index)
            else MISTAKEN
            if mistaken > tolerance["mistaken"]
            else "",
        }
    return schemes


def _chance(cohorts: pd.DataFrame, best: str, ahead: float) -> np.ndarray:
    """Return how probable so large a lead of the best answer is in cohorts of each truth.

    Their expected lead is known from some simulated subjects only, which widens its distribution.
    """
    expected = cohorts["ahead"].where(cohorts["answer"] == best, -cohorts["ahead"])
    sd = cohorts["se"] * np.sqrt(1 + cohorts["cohort"] / cohorts["simulated"])
    return norm.sf((ahead - expected) / sd)


def _late(outward: pd.DataFrame, condition: str) -> dict[str, tuple[float, float, float]]:
    """Return the share of outward responses late in a step, by source, with the mean interval."""
    late = outward[(outward["condition"] == condition) & (outward["phase_low"] >= LATE - 1e-9)]
    total = late.groupby("source", sort=False)["n"].sum()
    names = ("outward", "low", "high")
    weighted = [(late[name] * late["n"]).groupby(late["source"]).sum() / total for name in names]
    share, low, high = weighted
    return {
        source: (float(share[source]), float(low[source]), float(high[source]))
        for source in total.index
    }
