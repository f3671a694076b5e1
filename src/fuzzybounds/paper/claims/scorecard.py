"""The scorecard: what the paper claims, what we find, and whether the two agree."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping

import pandas as pd

from fuzzybounds.paper.claims.claim import (
    ANYONE,
    ELSEWHERE,
    EXPERIMENT_A,
    FEW,
    UNPUBLISHED,
    UNTESTABLE,
    WITHHELD,
    Claim,
    Found,
    Tables,
)
from fuzzybounds.paper.claims.elsewhere import TRUTH, Evidence, evidence
from fuzzybounds.storage.errors import TooFew
from fuzzybounds.storage.first_look import first_look_note


def score(claims: Mapping[str, Claim], tables: Tables, dataset: str, kind: str) -> pd.DataFrame:
    """Judge every claim on a data set.

    Parameters
    ----------
    claims : mapping
        From id to claim.
    tables : mapping
        Result tables by name; ``experiment_a`` has what Experiment A gave.
    dataset, kind : str
        Name and kind of the data set.

    Returns
    -------
    DataFrame
        The table ``claims``.
    """
    rows = [_row(claim, tables, dataset, kind) for claim in claims.values()]
    return pd.DataFrame(rows)


def _row(claim: Claim, tables: Tables, dataset: str, kind: str) -> dict[str, str]:
    reference = tables.get(EXPERIMENT_A, {}) if dataset != EXPERIMENT_A else {}
    sure = Evidence()
    try:
        found = claim.find(tables)
        if claim.about == EXPERIMENT_A:
            sure = evidence(claim.id, tables, reference.get("effects", {}))
    except TooFew as reason:
        found = Found("cannot be computed", UNTESTABLE, f"Insufficient data: {reason}.")
    described = tables.get("dataset", {})
    verdict, note = judged(claim, found, dataset, kind, sure.few, described.get("follow", ""))
    looked = first_look_note(described)
    if looked and claim.about != ANYONE:
        verdict, note = WITHHELD, f"{looked}: no verdict, because it rests on subjects. {note}"
    there = reference.get("claims", {}).get(claim.id, {})
    printed = ", ".join(f"{key} {value:g}" for key, value in claim.printed.items())
    return {
        "id": claim.id,
        "claim": claim.text,
        "where": claim.where,
        "paper": printed or "holds",
        "experiment_a": f"{there['ours']} ({there['verdict']})" if there else "",
        "ours": found.ours,
        "interval": sure.interval,
        "verdict": verdict,
        "note": note,
        "tolerance": claim.explain(),
        "dataset": dataset,
        "computed_by": f"{claim.judge.__module__}.{claim.judge.__name__}",
    }


def judged(
    claim: Claim, found: Found, dataset: str, kind: str, few: str = "", follow: str = ""
) -> tuple[str, str]:
    """Return the verdict and the note of a claim on one data set.

    On data sets other than Experiment A, a verdict says whether the claim holds for *these*
    subjects, or that there are too few of them to decide.

    Parameters
    ----------
    claim : Claim
    found : Found
    dataset, kind : str
        Name and kind of the data set.
    few : str
        Why an interval leaves the claim undecided; empty where it does not.
    follow : str
        What simulated subjects follow: boundaries or rules.
    """
    if claim.about in (dataset, ANYONE) or found.verdict == UNTESTABLE:
        return found.verdict, found.note
    note = f"The paper is about {ABOUT[claim.about]}; these are other subjects. {found.note}"
    if kind == SIMULATED:
        known = TRUTH.get(follow, {})
        truth = f" In truth {known[claim.id]}." if claim.id in known else ""
        note = f"The paper is about {ABOUT[claim.about]}; these are simulated.{truth} {found.note}"
    if reason := found.few or few:
        return FEW, f"{note} {reason}"
    return ELSEWHERE[found.verdict], note


SIMULATED = "simulated"
ABOUT = {EXPERIMENT_A: "Experiment A", UNPUBLISHED: "subjects whose data are unpublished"}


def as_text(
    scores: pd.DataFrame, warnings: Iterable[str] = (), first_look: str = "", width: int = 100
) -> str:
    """Format the scorecard for a terminal.

    Parameters
    ----------
    scores : DataFrame
        The table ``claims``.
    warnings : iterable of str
        Limitations of the data set.
    first_look : str
        What marks the results of a first look; empty for a whole run.
    width : int
        Characters of a line.
    """
    lines = [f"Scorecard of {scores['dataset'].iloc[0]}", *filter(None, [first_look]), "=" * width]
    for row in scores.itertuples():
        lines.append(f"{row.id}  {row.verdict.upper()}")
        said = {"paper": row.claim, "A": row.experiment_a, "ours": row.ours, "": row.interval}
        for name, text in [*said.items(), ("", row.note)]:
            head = f"     {name:6s}"
            lines += textwrap.wrap(text, width, initial_indent=head, subsequent_indent=" " * 11)
    lines += _warnings(list(warnings), width)
    counts = scores["verdict"].value_counts()
    lines += ["=" * width, "; ".join(f"{verdict}: {count}" for verdict, count in counts.items())]
    return "\n".join(lines) + "\n"


def _warnings(warnings: list[str], width: int) -> Iterator[str]:
    if warnings:
        yield "=" * width
        yield "Limitations of these data:"
    for warning in warnings:
        yield from textwrap.wrap(warning, width, initial_indent="  - ", subsequent_indent=" " * 4)
