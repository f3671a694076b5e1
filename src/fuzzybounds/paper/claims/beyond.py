"""B01: what the paper concludes without a test, tested: rules rather than a boundary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fuzzybounds.analysis.stopping_answers import BOUNDARY, CLEAR, RULES, WITHIN_TRIALS
from fuzzybounds.paper.claims.claim import (
    EXPERIMENT_A,
    INCONCLUSIVE,
    Claim,
    Found,
    Numbers,
    Tables,
    verdict,
)
from fuzzybounds.storage.errors import TooFew

if TYPE_CHECKING:
    import pandas as pd

OTHER = {BOUNDARY: RULES, RULES: BOUNDARY}


def rules_or_boundary(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge B01 by the density of left-out trials, and by what simulated cohorts are called."""
    brief, power = tables["stopping_brief"], tables["stopping_brief_power"]
    own = brief[brief["question"] == WITHIN_TRIALS].set_index("answer")
    if own.empty or own["subjects"].iloc[0] < tolerance["subjects"]:
        raise TooFew("too few subjects for a comparison of stopping models")
    best, other = own.sort_values("elpd", ascending=False).index[:2]
    difference, se = -own["elpd_difference"][other], own["se"][other]
    words = f"{best} ahead of {other} by {difference:.0f} nats (standard error {se:.0f})"
    subjects = int(own["subjects"].iloc[0])
    cohorts = power[power["question"] == WITHIN_TRIALS].set_index("true_answer")
    few = ""
    if difference <= tolerance["se"] * se:
        few = f"The difference is less than {tolerance['se']:g} standard errors."
    elif not {BOUNDARY, RULES} <= set(cohorts.index):
        few = "It is not known what cohorts with a known truth would be called."
    elif (mistaken := cohorts[f"called_{best}"][other]) > tolerance["mistaken"]:
        few = f"If {other} were true, {mistaken:.0%} of cohorts would give the same answer."
    return Found(
        f"{words}; best for {own['n_best'][best]:.0f} of {subjects} subjects",
        INCONCLUSIVE if few else verdict(best == RULES),
        f"Log density of left-out trials ({own['condition'].iloc[0]}) under all hazards with rules "
        f"({own['models'][RULES]:.0f} models) and with boundaries ({own['models'][BOUNDARY]:.0f}), "
        f"both with noise within trials; protected exceedance of {best} "
        f"{own['protected_exceedance'][best]:.2f}. {_power(cohorts)}Better rules would show that "
        "one noisy boundary is too simple, not that people use labels. make verdict compares all "
        "models.",
        few,
    )


def _power(cohorts: pd.DataFrame) -> str:
    """Say what simulated cohorts would be called."""
    said = [
        f"If {truth} were true ({row['true_model']}), {row['called_rules']:.0%} of "
        f"{row['cohort']:.0f}-subject cohorts "
        f"would be called rules, {row['called_boundary']:.0%} boundary; boundary would be ahead by "
        f"{row['boundary_ahead']:.0f} ± {row['se']:.0f} nats. "
        for truth, row in cohorts.iterrows()
    ]
    return "".join(said) or "Its power is not known. "


CLAIMS = (
    Claim(
        "B01",
        "beyond the paper: people use fuzzy rules rather than an explicit boundary",
        where="Discussion; not tested there",
        about=EXPERIMENT_A,
        rule="rules predict left-out trials better than boundaries with the same noise, by more "
        "than {se:g} standard errors over subjects, of whom there are at least {subjects:g}; and "
        "if the other were true, at most {mistaken:.0%} of simulated cohorts would say the same",
        judge=rules_or_boundary,
        tables=("stopping_brief", "stopping_brief_power"),
        tolerance={"se": CLEAR, "subjects": 5, "mistaken": 0.05},
    ),
)
"""B01: rules rather than a boundary."""
