"""B01 and B02: what the paper concludes without a test, on the density of left-out trials."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fuzzybounds.core.errors import counted
from fuzzybounds.scorecard.judges.judge import Judged
from fuzzybounds.scorecard.judges.rules_or_boundary import MISTAKEN, SMALL, UNKNOWN
from fuzzybounds.scorecard.words.words import Words, words
from fuzzybounds.stopping.answers import IGNORED, USED

HAZARD = {IGNORED: "time and distance alone", USED: "time, distance and direction"}
WAYS = {
    "interleaved": "every fifth block left out",
    "contiguous": "a fifth of the session left out",
}
"""How blocks are left out, by the name of the scheme."""
SOURCES = {
    "data": "subjects",
    "within_exponential": "boundary with noise within trials",
    "graded_3": "rules",
    "met_exponential": "boundary that is met",
    "within_exponential_directed": "boundary, with direction",
    "graded_3_directed": "rules, with direction",
}
"""Sources of shares of outward responses that are named."""


@words("B01")
def rules_or_boundary(n: Judged) -> Words:
    """Which answer is ahead, by how much, and whether that is clear."""
    rules, boundaries = n.models
    return Words(
        _leads(n.schemes, {}),
        f"Log density of left-out trials ({n.condition}) under hazards with rules "
        f"({counted(int(rules), 'model')}) and with boundaries ({boundaries:.0f}), both with noise "
        "within trials, a motor delay that is fitted to each subject, and a smaller hazard where "
        "the canoe moves inward. "
        f"Without the direction: {_leads(n.plain, {})}. "
        f"{_power(n.cohorts)}{_without(n.without)}"
        "Rules have graded consequents and tuned labels, so they can do more than the paper's. "
        "fuzzybounds run --only verdict compares all models.",
        _doubts(n),
    )


@words("B02")
def time_and_position_alone(n: Judged) -> Words:
    """Whether the direction of the canoe matters, by left-out trials and by responses."""
    shares = "; ".join(
        f"{SOURCES[source]} {share:.0%}"
        for source, (share, _, _) in n.outward.items()
        if source in SOURCES
    )
    return Words(
        _leads(n.schemes, HAZARD),
        f"Share of responses ({n.condition}) that are made while the canoe moves away from the "
        f"centre, {n.late:g} s or more after its direction was drawn: {shares}. No model was "
        "fitted to these shares. A desire to respond that depends on time and position alone, as "
        "the paper writes it, follows where the canoe spends its time; a boundary that is met, or "
        "a desire that acts while the canoe moves outward, does not. This was found in Experiment "
        f"A and repeated on B. {_power(n.cohorts)}",
        _doubts(n),
    )


def _leads(schemes: Mapping[str, Mapping[str, Any]], names: Mapping[str, str]) -> str:
    """Say which answer is ahead, and by how much, for every way to leave out blocks."""
    parts, named = [], ""
    for scheme, row in schemes.items():
        best, other = (names.get(row[side], row[side]) for side in ("best", "other"))
        leader = f"{best} ahead of {other} "
        parts.append(
            f"{leader if leader != named else ''}by {row['ahead']:.0f} nats "
            f"(standard error {row['se']:.0f}, best for {row['n_best']:.0f} of "
            f"{row['subjects']:.0f} subjects) with {WAYS[scheme]}"
        )
        named = leader
    return "; ".join(parts)


def _doubts(n: Judged) -> str:
    doubts = [f"{_doubt(n, row)} ({WAYS[name]})" for name, row in n.schemes.items() if row["doubt"]]
    if not n.agree:
        doubts.append("the two ways to leave out blocks disagree")
    return f"A difference counts only if it is clear in both ways: {'; '.join(doubts)}."


def _doubt(n: Judged, row: dict[str, Any]) -> str:
    """Say which rule keeps an answer from being clear."""
    return {
        SMALL: f"{row['ahead']:.0f} nats are less than {n.clear:g} standard errors",
        UNKNOWN: "it is not known what cohorts with a known truth would give",
        MISTAKEN: f"so large a lead must be rare, at most {n.rare:.1%} of cohorts, if "
        f"{row['other']} were true, and {row['mistaken']:.1%} would give it",
    }[row["doubt"]]


def _without(rows: list[dict[str, Any]]) -> str:
    """Say how the answers compare without the subjects of another P0."""
    parts = [
        f"{row['answer']} behind by {-row['elpd_difference_without']:.0f} nats (standard error "
        f"{row['se_without']:.0f}, {row['scheme']})"
        for row in rows
    ]
    return (
        f"Without subject {rows[0]['without']}, whose P0 on easy trials was another: "
        f"{'; '.join(parts)}. "
        if parts
        else ""
    )


def _power(cohorts: list[dict[str, Any]]) -> str:
    """Say what simulated cohorts would be called."""
    parts = [
        f"If {row['true_answer']} were true ({row['true_model']}, {row['scheme']}), "
        f"{row['called_answer']:.1%} of {row['cohort']:.0f}-subject cohorts would be called "
        f"{row['answer']}, {row['called_other']:.1%} {row['other']}; {row['answer']} would be "
        f"ahead by {row['ahead']:.0f} ± {row['se']:.0f} nats. "
        for row in cohorts
    ]
    return "".join(parts) or "Its power is not known. "
