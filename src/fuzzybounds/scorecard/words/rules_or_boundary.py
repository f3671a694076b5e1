"""B01: what the paper concludes without a test, tested: rules rather than a boundary."""

from __future__ import annotations

from typing import Any

from fuzzybounds.scorecard.judges.judge import Judged
from fuzzybounds.scorecard.judges.rules_or_boundary import MISTAKEN, SMALL, UNKNOWN
from fuzzybounds.scorecard.words.words import Words, words


@words("B01")
def rules_or_boundary(n: Judged) -> Words:
    """Which answer is ahead, by how much, and whether that is clear."""
    doubts = [f"{scheme}: {_doubt(n, own)}" for scheme, own in n.schemes.items() if own["doubt"]]
    if not n.agree:
        doubts.append("The two ways to leave out blocks disagree.")
    rules, boundaries = n.models
    return Words(
        "; ".join(
            f"{scheme} blocks left out: {own['best']} ahead of {own['other']} by "
            f"{own['ahead']:.0f} nats (standard error {own['se']:.0f}), "
            f"best for {own['n_best']:.0f} of {own['subjects']:.0f} subjects"
            for scheme, own in n.schemes.items()
        ),
        f"Log density of left-out trials ({n.condition}) under hazards with rules ({rules:.0f} "
        f"models) and with boundaries ({boundaries:.0f}), both with noise within trials and a "
        f"motor delay that is fitted to each subject. {_without(n.without)}{_power(n.cohorts)}"
        "Better rules would show that one noisy boundary is too simple, not that people use "
        "labels. fuzzybounds run --only verdict compares all models.",
        " ".join(doubts),
    )


def _doubt(n: Judged, own: dict[str, Any]) -> str:
    """Say why an answer is not clear."""
    return {
        SMALL: f"the difference is less than {n.clear:g} standard errors.",
        UNKNOWN: "it is not known what cohorts with a known truth would be called.",
        MISTAKEN: f"if {own['other']} were true, {own['mistaken']:.0%} of cohorts would give the "
        "same answer.",
    }[own["doubt"]]


def _without(rows: list[dict[str, Any]]) -> str:
    """Say how the answers compare without the subjects of another P0."""
    said = [
        f"{row['answer']} behind by {-row['elpd_difference_without']:.0f} nats (standard error "
        f"{row['se_without']:.0f}, {row['scheme']})"
        for row in rows
    ]
    return (
        f"Without subject {rows[0]['without']}, whose P0 on easy trials was another: "
        f"{'; '.join(said)}. "
        if said
        else ""
    )


def _power(cohorts: list[dict[str, Any]]) -> str:
    """Say what simulated cohorts would be called."""
    said = [
        f"If {row['true_answer']} were true ({row['true_model']}, {row['scheme']}), "
        f"{row['called_rules']:.0%} of {row['cohort']:.0f}-subject cohorts would be called rules, "
        f"{row['called_boundary']:.0%} boundary; boundary would be ahead by "
        f"{row['boundary_ahead']:.0f} ± {row['se']:.0f} nats. "
        for row in cohorts
    ]
    return "".join(said) or "Its power is not known. "
