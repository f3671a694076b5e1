"""B01: what the paper concludes without a test, tested: rules rather than a boundary."""

from __future__ import annotations

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

QUESTION = "kind, noise within trials"


def rules_or_boundary(tables: Tables, printed: Numbers, tolerance: Numbers) -> Found:
    """Judge B01 by the density of left-out trials."""
    brief = tables["stopping_brief"]
    own = brief[brief["question"] == QUESTION].set_index("answer")
    if own.empty or own["subjects"].iloc[0] < tolerance["subjects"]:
        raise TooFew("too few subjects for a comparison of stopping models")
    best, other = own.sort_values("elpd", ascending=False).index[:2]
    difference, se = -own["elpd_difference"][other], own["se"][other]
    clear = difference > tolerance["se"] * se
    words = f"{best} ahead of {other} by {difference:.0f} nats (standard error {se:.0f})"
    subjects = int(own["subjects"].iloc[0])
    return Found(
        f"{words}; best for {own['n_best'][best]:.0f} of {subjects} subjects",
        verdict(best == "rules") if clear else INCONCLUSIVE,
        f"Log density of left-out trials ({own['condition'].iloc[0]}) under hazards with rules and "
        f"with boundaries, both with noise within trials; protected exceedance of {best} "
        f"{own['protected_exceedance'][best]:.3f}. Better rules would show that one noisy boundary "
        "is too simple, not that people use labels. make verdict compares all models.",
        "" if clear else f"The difference is less than {tolerance['se']:g} standard errors.",
    )


CLAIMS = (
    Claim(
        "B01",
        "beyond the paper: people use fuzzy rules rather than an explicit boundary",
        where="Discussion; not tested there",
        about=EXPERIMENT_A,
        rule="rules predict left-out trials better than boundaries with the same noise, by more "
        "than {se:g} standard errors over subjects, of whom there are at least {subjects:g}",
        judge=rules_or_boundary,
        tables=("stopping_brief",),
        tolerance={"se": 2, "subjects": 5},
    ),
)
