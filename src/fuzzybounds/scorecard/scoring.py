"""Scorecard and errata of a data set, from all its tables."""

from __future__ import annotations

from typing import Any, NamedTuple

import pandas as pd

from fuzzybounds.core.results import first_look_note
from fuzzybounds.scorecard import errata
from fuzzybounds.scorecard.claims import CLAIMS
from fuzzybounds.scorecard.claims.scorecard import as_text, score


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
    text = as_text(scores, described["remarks"], first_look_note(described))
    return Scores(scores, text, errata.table(tables))
