"""C16: the learning rule, in all readings of what the paper leaves open."""

from __future__ import annotations

import pandas as pd

from fuzzybounds.checks.learning.sweep import TOLERANCE, TRIALS
from fuzzybounds.checks.learning.sweep_summary import RISE
from fuzzybounds.scorecard.judges.judge import Judged, Numbers, Tables, judge
from fuzzybounds.scorecard.verdicts import (
    AS_PRINTED,
    CHANGED,
    DEPENDS,
    NOT,
    SUPPORTED,
    UNIDENTIFIED,
    UNSUPPORTED,
)


@judge("C16", rate=TOLERANCE, learnt=RISE)
def reward_rates(tables: Tables, printed: Numbers, tolerance: Numbers) -> Judged:
    """Judge C16 by all readings of the learning rule, each beside its control."""
    counts = tables["learning_sweep_summary"].groupby("rule").sum(numeric_only=True).astype(int)
    rule, reverse = counts.loc["as printed"], counts.loc["sign reversed"]
    curves = tables["learning_curves"]
    by_leak = by_control(tables["learning_sweep_summary"], "as printed")
    learns = by_leak["better"] > by_leak["worse"]
    return Judged(
        depends_on_reading(rule, reverse),
        SUPPORTED if learns.all() else UNIDENTIFIED if learns.any() else UNSUPPORTED,
        rule=rule,
        reverse=reverse,
        by_leak=by_leak,
        initial=tables["learning_initial"]["exact"].iloc[0],
        after=curves[curves["trial"] == TRIALS].groupby("rule")["reward_rate"].median(),
        rate=tolerance["rate"],
    )


def depends_on_reading(rule: pd.Series, reverse: pd.Series) -> str:
    """Return the verdict on a rate that should rise, by how many readings it rises in."""
    if not rule["rises"]:
        return CHANGED if reverse["rises"] else NOT
    return AS_PRINTED if rule["rises"] == rule["simulated"] else DEPENDS


def by_control(summary: pd.DataFrame, rule: str) -> pd.DataFrame:
    """Count by leak the readings with a sign of the update that end better or worse than theirs."""
    of_rule = summary[summary["rule"] == rule]
    return of_rule.groupby("leak", sort=True)[["better", "worse", "simulated"]].sum()
