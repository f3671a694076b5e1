"""B01: what the paper concludes without a test, tested: rules rather than a boundary."""

from __future__ import annotations

from fuzzybounds.core.errors import TooFew
from fuzzybounds.scorecard.judges.judge import (
    Judged,
    Numbers,
    Tables,
    judge,
    supported,
)
from fuzzybounds.scorecard.verdicts import (
    UNDECIDED,
    UNPRINTED,
)
from fuzzybounds.stopping.answers import BOUNDARY, CLEAR, RULES, WITHIN_TRIALS

FITTED = "fitted"
SMALL, UNKNOWN, MISTAKEN = "small", "unknown", "mistaken"
"""Why an answer is not clear: the difference is small, it is not known what cohorts with a known
truth would be called, or too many would be called by the wrong answer."""


@judge("B01", se=CLEAR, subjects=5, mistaken=0.05)
def rules_or_boundary(tables: Tables, printed: Numbers, tolerance: Numbers) -> Judged:
    """Judge B01 by the density of left-out trials, however blocks are left out."""
    brief, power = (
        tables[name][
            (tables[name]["question"] == WITHIN_TRIALS) & (tables[name]["delay"] == FITTED)
        ]
        for name in ("stopping_brief", "stopping_brief_power")
    )
    if brief.empty or brief["subjects"].iloc[0] < tolerance["subjects"]:
        raise TooFew("too few subjects for a comparison of stopping models")
    schemes = {}
    for scheme, rows in brief.groupby("scheme", sort=False):
        own = rows.set_index("answer").sort_values("elpd", ascending=False)
        best, other = own.index[:2]
        cohorts = power[power["scheme"] == scheme].set_index("true_answer")
        mistaken = cohorts[f"called_{best}"].get(other, 0.0)
        schemes[scheme] = {
            "best": best,
            "other": other,
            "ahead": -own["elpd_difference"][other],
            "se": own["se"][other],
            "n_best": own["n_best"][best],
            "subjects": own["subjects"][best],
            "mistaken": mistaken,
            "doubt": SMALL
            if -own["elpd_difference"][other] <= tolerance["se"] * own["se"][other]
            else UNKNOWN
            if not {BOUNDARY, RULES} <= set(cohorts.index)
            else MISTAKEN
            if mistaken > tolerance["mistaken"]
            else "",
        }
    ahead = {own["best"] for own in schemes.values()}
    few = len(ahead) > 1 or any(own["doubt"] for own in schemes.values())
    return Judged(
        UNPRINTED,
        UNDECIDED if few else supported(ahead == {RULES}),
        few,
        schemes=schemes,
        agree=len(ahead) == 1,
        condition=brief["condition"].iloc[0],
        models=brief.groupby("answer")["models"].first()[[RULES, BOUNDARY]].tolist(),
        without=brief[
            (brief["without"].fillna("") != "") & (brief["elpd_difference_without"] < 0)
        ].to_dict("records"),
        cohorts=power.to_dict("records"),
        clear=tolerance["se"],
    )
