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
    Claim,
    Found,
    Tables,
)
from fuzzybounds.storage.errors import TooFew


def score(claims: Mapping[str, Claim], tables: Tables, dataset: str, kind: str) -> pd.DataFrame:
    """Judge every claim on a data set.

    Parameters
    ----------
    claims : mapping
        From id to claim.
    tables : mapping
        Result tables by name.
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
    try:
        found = claim.find(tables)
    except TooFew as reason:
        found = Found("cannot be computed", UNTESTABLE, f"Insufficient data: {reason}.")
    verdict, note = judged(claim, found, dataset, kind)
    printed = ", ".join(f"{key} {value:g}" for key, value in claim.printed.items())
    return {
        "id": claim.id,
        "claim": claim.text,
        "where": claim.where,
        "paper": printed or "holds",
        "ours": found.ours,
        "verdict": verdict,
        "note": note,
        "tolerance": claim.explain(),
        "dataset": dataset,
        "computed_by": f"{claim.judge.__module__}.{claim.judge.__name__}",
    }


def judged(claim: Claim, found: Found, dataset: str, kind: str) -> tuple[str, str]:
    """Return the verdict and the note of a claim on one data set.

    On other data sets than Experiment A a verdict says whether the claim holds for *these*
    subjects, or that there are too few of them to tell.
    """
    if claim.about == UNPUBLISHED:
        return UNTESTABLE, found.note
    if claim.about in (dataset, ANYONE) or found.verdict == UNTESTABLE:
        return found.verdict, found.note
    whose = "simulated subjects, whose truth is known" if kind == "simulated" else "other subjects"
    note = f"The paper is about Experiment A; these are {whose}. {found.note}"
    if found.few and claim.about == EXPERIMENT_A:
        return FEW, f"{note} {found.few}"
    return ELSEWHERE[found.verdict], note


def as_text(scores: pd.DataFrame, warnings: Iterable[str] = (), width: int = 100) -> str:
    """The scorecard for a terminal; warnings say what the data set is too small for."""
    lines = [f"Scorecard of {scores['dataset'].iloc[0]}", "=" * width]
    for row in scores.itertuples():
        lines.append(f"{row.id}  {row.verdict.upper()}")
        for name, text in (("paper", row.claim), ("ours", row.ours), ("", row.note)):
            head = f"     {name:6s}"
            lines += textwrap.wrap(text, width, initial_indent=head, subsequent_indent=" " * 11)
    lines += _warnings(list(warnings), width)
    counts = scores["verdict"].value_counts()
    lines += ["=" * width, "; ".join(f"{verdict}: {count}" for verdict, count in counts.items())]
    return "\n".join(lines) + "\n"


def _warnings(warnings: list[str], width: int) -> Iterator[str]:
    if warnings:
        yield "=" * width
        yield "What these data are insufficient for:"
    for warning in warnings:
        yield from textwrap.wrap(warning, width, initial_indent="  - ", subsequent_indent=" " * 4)
