"""The scorecard and the errata of a data set, from all its tables: the stage `score_claims`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pandas as pd

from fuzzybounds.core.errors import TooFew
from fuzzybounds.core.results import first_look_note
from fuzzybounds.scorecard import errata
from fuzzybounds.scorecard.claims import ANYONE, CLAIMS, EXPERIMENT_A, UNPUBLISHED, Claim
from fuzzybounds.scorecard.findings import Finding, find
from fuzzybounds.scorecard.judges.judge import JUDGES, Tables
from fuzzybounds.scorecard.verdicts import CANNOT, UNDECIDED, UNPRINTED, UNTESTABLE, WITHHELD
from fuzzybounds.scorecard.words.policy import REASONS
from fuzzybounds.scorecard.words.posterior import by_posterior

SIMULATED = "simulated"
ABOUT = {EXPERIMENT_A: "Experiment A", UNPUBLISHED: "subjects whose data are unpublished"}


class Scores(NamedTuple):
    """What :func:`score_claims` returns: one table per output of the stage."""

    claims: pd.DataFrame
    errata: pd.DataFrame


def score_claims(**tables: Any) -> Scores:
    """Judge every claim, and compute the evidence of every erratum.

    Parameters
    ----------
    **tables
        Result tables by name; ``dataset`` describes the data set, and ``experiment_a`` has what
        Experiment A gave.
    """
    rows = [score(claim, tables) for claim in CLAIMS.values()]
    return Scores(pd.DataFrame(rows), errata.table(tables))


def score(claim: Claim, tables: Tables) -> dict[str, str]:
    """Judge one claim on a data set: its row of the table ``claims``."""
    described = tables["dataset"]
    dataset = described["name"]
    there = {} if dataset == EXPERIMENT_A else tables[EXPERIMENT_A]["claims"].get(claim.id, {})
    try:
        finding = find(claim.id, tables)
    except TooFew as reason:
        finding = Finding(CANNOT, UNDECIDED, f"Insufficient data: {reason}.")
    verdict, conclusion, note = judged(claim, finding, described)
    judge = JUDGES[claim.id]
    return {
        "id": claim.id,
        "group": claim.group,
        "claim": claim.text,
        "where": claim.where,
        "paper": claim.paper,
        "experiment_a": "{ours} ({verdict}; {conclusion})".format(**there) if there else "",
        "ours": finding.ours,
        "interval": finding.interval,
        "verdict": verdict,
        "conclusion": conclusion,
        "note": note + by_posterior(claim.id, tables.get("rule_claims")),
        "tolerance": claim.rule.format(**judge.tolerance),
        "control": claim.control.format(**judge.tolerance),
        "dataset": dataset,
        "computed_by": f"{judge.function.__module__}.{judge.function.__name__}",
        "reason": finding.reason or REASONS.get(verdict, ""),
        "doubt": doubt(claim, finding) if UNDECIDED in (verdict, conclusion) else "",
    }


def doubt(claim: Claim, finding: Finding) -> str:
    """Say why a claim is undecided."""
    if finding.ours == CANNOT:
        return finding.note
    control = claim.control.format(**JUDGES[claim.id].tolerance)
    return finding.few or finding.interval or f"It would be refuted by: {control}."


def judged(claim: Claim, finding: Finding, described: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return verdict, conclusion and note of a claim on one data set.

    On data sets other than Experiment A they say whether the claim holds for *these* subjects, or
    that there are too few of them to decide.  `described` is the content of ``dataset.json``.
    """
    if claim.about == ANYONE:
        return finding.verdict, finding.conclusion, finding.note
    note, results = finding.note, (finding.verdict, finding.conclusion)
    if described["name"] != claim.about and finding.verdict != UNTESTABLE:
        note = f"The paper is about {ABOUT[claim.about]}; these are other subjects. {note}"
        if described["kind"] == SIMULATED:
            truth = claim.truth
            if not isinstance(truth, str):
                truth = truth.get(str(described.get("follow", "")), "")
            truth = f" By construction {truth}." if truth else ""
            note = f"The paper is about {ABOUT[claim.about]}; these are simulated.{truth} "
            note += finding.note
        if finding.few:
            verdict = UNPRINTED if finding.verdict == UNPRINTED else UNDECIDED
            results = (verdict, UNDECIDED)
    if looked := first_look_note(described):
        return WITHHELD, WITHHELD, f"{looked}: no verdict, because it rests on subjects. {note}"
    return *results, note
