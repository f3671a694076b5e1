"""B01: what the paper concludes without a test, tested: rules rather than a boundary."""

from __future__ import annotations

import pandas as pd

from fuzzybounds.core.errors import TooFew
from fuzzybounds.scorecard.claims.claim import (
    UNDECIDED,
    UNPRINTED,
    Found,
    Numbers,
    Tables,
    claim,
    supported,
)
from fuzzybounds.stopping.answers import BOUNDARY, CLEAR, RULES, WITHIN_TRIALS

FITTED = "fitted"


@claim(
    "B01",
    "people use fuzzy rules rather than an explicit boundary",
    where="Abstract; Introduction; not tested there",
    paper="no comparison of the two",
    rule="the paper prints no such comparison",
    control="boundaries with the same noise predict left-out trials as well or better; a "
    "difference counts beyond {se:g} standard errors over at least {subjects:g} subjects, if "
    "at most {mistaken:.0%} of cohorts simulated by the other would say the same, and whether "
    "every fifth block or a fifth of the session is left out",
    tables=("stopping_brief", "stopping_brief_power"),
    tolerance={"se": CLEAR, "subjects": 5, "mistaken": 0.05},
)
def rules_or_boundary(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge B01 by the density of left-out trials, however blocks are left out."""
    brief, power = (
        tables[name][
            (tables[name]["question"] == WITHIN_TRIALS) & (tables[name]["delay"] == FITTED)
        ]
        for name in ("stopping_brief", "stopping_brief_power")
    )
    if brief.empty or brief["subjects"].iloc[0] < tolerance["subjects"]:
        raise TooFew("too few subjects for a comparison of stopping models")
    words, doubts, ahead = [], [], []
    for scheme, rows in brief.groupby("scheme", sort=False):
        own = rows.set_index("answer").sort_values("elpd", ascending=False)
        cohorts = power[power["scheme"] == scheme].set_index("true_answer")
        best, other = own.index[:2]
        words.append(
            f"{scheme} blocks left out: {best} ahead of {other} by "
            f"{-own['elpd_difference'][other]:.0f} nats (standard error {own['se'][other]:.0f}), "
            f"best for {own['n_best'][best]:.0f} of {own['subjects'][best]:.0f} subjects"
        )
        ahead.append(best)
        if doubt := _doubt(own, cohorts, tolerance):
            doubts.append(f"{scheme}: {doubt}")
    if len(set(ahead)) > 1:
        doubts.append("The two ways to leave out blocks disagree.")
    counts = brief.groupby("answer")["models"].first()
    return Found(
        "; ".join(words),
        UNPRINTED,
        f"Log density of left-out trials ({brief['condition'].iloc[0]}) under hazards with rules "
        f"({counts[RULES]:.0f} models) and with boundaries ({counts[BOUNDARY]:.0f}), both with "
        f"noise within trials and a motor delay that is fitted to each subject. {_without(brief)}"
        f"{_power(power)}"
        "Better rules would show that one noisy boundary is too simple, not that people use "
        "labels. fuzzybounds run --only verdict compares all models.",
        " ".join(doubts),
        conclusion=UNDECIDED if doubts else supported(ahead[0] == RULES),
    )


def _without(brief: pd.DataFrame) -> str:
    """Say how the answers compare without the subjects of another P0."""
    rows = brief[(brief["without"].fillna("") != "") & (brief["elpd_difference_without"] < 0)]
    said = [
        f"{row['answer']} behind by {-row['elpd_difference_without']:.0f} nats (standard error "
        f"{row['se_without']:.0f}, {row['scheme']})"
        for row in rows.to_dict("records")
    ]
    return (
        f"Without subject {rows['without'].iloc[0]}, whose P0 on easy trials was another: "
        f"{'; '.join(said)}. "
        if said
        else ""
    )


def _doubt(own: pd.DataFrame, cohorts: pd.DataFrame, tolerance: Numbers) -> str:
    """Say why an answer is not clear, or nothing."""
    best, other = own.index[:2]
    if -own["elpd_difference"][other] <= tolerance["se"] * own["se"][other]:
        return f"the difference is less than {tolerance['se']:g} standard errors."
    if not {BOUNDARY, RULES} <= set(cohorts.index):
        return "it is not known what cohorts with a known truth would be called."
    if (mistaken := cohorts[f"called_{best}"][other]) > tolerance["mistaken"]:
        return f"if {other} were true, {mistaken:.0%} of cohorts would give the same answer."
    return ""


def _power(cohorts: pd.DataFrame) -> str:
    """Say what simulated cohorts would be called."""
    said = [
        f"If {row['true_answer']} were true ({row['true_model']}, {row['scheme']}), "
        f"{row['called_rules']:.0%} of {row['cohort']:.0f}-subject cohorts would be called rules, "
        f"{row['called_boundary']:.0%} boundary; boundary would be ahead by "
        f"{row['boundary_ahead']:.0f} ± {row['se']:.0f} nats. "
        for row in cohorts.to_dict("records")
    ]
    return "".join(said) or "Its power is not known. "
