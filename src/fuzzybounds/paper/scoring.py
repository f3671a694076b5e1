"""Scorecard and errata of a data set, from all its tables."""

from __future__ import annotations

from typing import Any, NamedTuple

import pandas as pd

from fuzzybounds.paper import errata
from fuzzybounds.paper.claims import CLAIMS
from fuzzybounds.paper.claims.scorecard import as_text, score


class Scores(NamedTuple):
    """What :func:`score_claims` returns: one table or text per output of the stage."""

    claims: pd.DataFrame
    text: str
    errata: pd.DataFrame


def score_claims(**tables: Any) -> Scores:
    """Judge every claim, and compute the evidence of every erratum.

    Parameters
    ----------
    **tables
        Result tables by name; ``dataset`` describes the data set.
    """
    described = tables["dataset"]
    scores = score(CLAIMS, tables, described["name"], described["kind"])
    return Scores(scores, as_text(scores, described["remarks"]), errata.table(tables))
