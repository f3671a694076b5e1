"""The scorecard: what the paper claims, what we find, and whether the two agree."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping

import pandas as pd

from fuzzybounds.core.errors import TooFew
from fuzzybounds.core.results import first_look_note
from fuzzybounds.scorecard.claims.claim import (
    ANYONE,
    EXPERIMENT_A,
    UNDECIDED,
    UNPRINTED,
    UNPUBLISHED,
    UNTESTABLE,
    WITHHELD,
    Claim,
    Found,
    Tables,
)
from fuzzybounds.scorecard.claims.truth import TRUTH

SIMULATED = "simulated"
ABOUT = {EXPERIMENT_A: "Experiment A", UNPUBLISHED: "subjects whose data are unpublished"}


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
    return pd.DataFrame([_row(claim, tables, dataset, kind) for claim in claims.values()])


def _row(claim: Claim, tables: Tables, dataset: str, kind: str) -> dict[str, str]:
    reference = tables.get(EXPERIMENT_A, {}).get("claims", {}) if dataset != EXPERIMENT_A else {}
    there = reference.get(claim.id, {})
    try:
        found = claim.find(tables)
    except TooFew as reason:
        found = Found("cannot be computed", UNDECIDED, f"Insufficient data: {reason}.")
    verdict, conclusion, note = judged(claim, found, tables.get("dataset", {}), dataset, kind)
    return {
        "id": claim.id,
        "group": claim.group,
        "claim": claim.text,
        "where": claim.where,
        "paper": claim.paper,
        "experiment_a": f"{there['ours']} ({there['verdict']})" if there else "",
        "ours": found.ours,
        "interval": found.interval,
        "verdict": verdict,
        "conclusion": conclusion,
        "note": note,
        "tolerance": claim.explain(),
        "control": claim.explain_control(),
        "dataset": dataset,
        "computed_by": f"{claim.judge.__module__}.{claim.judge.__name__}",
    }


def judged(
    claim: Claim, found: Found, described: Mapping[str, object], dataset: str, kind: str
) -> tuple[str, str, str]:
    """Return verdict, conclusion and note of a claim on one data set.

    On data sets other than Experiment A they say whether the claim holds for *these* subjects, or
    that there are too few of them to decide.

    Parameters
    ----------
    claim : Claim
    found : Found
    described : mapping
        Content of ``dataset.json``.
    dataset, kind : str
        Name and kind of the data set.
    """
    if claim.about == ANYONE:
        return found.verdict, found.conclusion, found.note
    note, results = found.note, (found.verdict, found.conclusion)
    if dataset != claim.about and found.verdict != UNTESTABLE:
        note = f"The paper is about {ABOUT[claim.about]}; these are other subjects. {note}"
        if kind == SIMULATED:
            known = TRUTH.get(str(described.get("follow", "")), {})
            truth = f" In truth {known[claim.id]}." if claim.id in known else ""
            note = f"The paper is about {ABOUT[claim.about]}; these are simulated.{truth} "
            note += found.note
        if found.few:
            verdict = UNPRINTED if found.verdict == UNPRINTED else UNDECIDED
            results, note = (verdict, UNDECIDED), f"{note} {found.few}"
    if looked := first_look_note(described):
        return WITHHELD, WITHHELD, f"{looked}: no verdict, because it rests on subjects. {note}"
    return *results, note


def totals(scores: pd.DataFrame) -> Iterator[str]:
    """Yield how many claims of each group have which verdict and conclusion."""
    for group, own in scores.groupby("group", sort=False):
        said = [
            ", ".join(f"{n} {name}" for name, n in own[column].value_counts().items())
            for column in ("verdict", "conclusion")
        ]
        yield f"{group}: {said[0]}; conclusions: {said[1]}"


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
    rule = "=" * width
    lines = [f"Scorecard of {scores['dataset'].iloc[0]}", *filter(None, [first_look]), rule]
    for row in scores.to_dict("records"):
        lines.append(f"{row['id']}  {row['verdict'].upper()}; conclusion: {row['conclusion']}")
        said = [("claim", "claim"), ("paper", "paper"), ("A", "experiment_a"), ("ours", "ours")]
        for name, column in [*said, ("", "interval"), ("", "note")]:
            head = f"     {name:6s}"
            text = row[column]
            lines += textwrap.wrap(text, width, initial_indent=head, subsequent_indent=" " * 11)
    limits = [
        textwrap.fill(warning, width, initial_indent="  - ", subsequent_indent=" " * 4)
        for warning in warnings
    ]
    lines += [rule, "Limitations of these data:", *limits, rule] if limits else [rule]
    for total in totals(scores):
        lines += textwrap.wrap(total, width, subsequent_indent=" " * 4)
    return "\n".join(lines) + "\n"
