"""How well the boundaries of simulated subjects are recovered from their sessions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from fuzzybounds.cohort.boundary_subjects import BOUNDARIES, PARAMETERS, Boundary
from fuzzybounds.core.dictionary import TABLES

MOMENTS = (1.0, 3.0, 6.0)
"""Times in s at which true and fitted boundaries are compared."""


def compare_with_truth(fits: pd.DataFrame, truth: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Compare fits to simulated subjects with what was simulated.

    Parameters
    ----------
    fits : DataFrame
        The table ``session_fits``.
    truth : sequence of mappings
        Content of ``truth.json``; only subjects who follow boundaries are compared.

    Returns
    -------
    DataFrame
        The table ``session_recovery``: one row per condition and quantity.
    """
    true = {own["subject"]: own["policies"] for own in truth if own["follows"] == BOUNDARIES}
    rows = []
    for condition, chosen in fits[fits["subject"].isin(true)].groupby("condition", sort=False):
        pairs = [
            (
                Boundary(**true[row["subject"]][condition]),
                Boundary(**{p: row[p] for p in PARAMETERS}),
            )
            for row in chosen.to_dict("records")
        ]
        for quantity in (*PARAMETERS, *(f"boundary at {t:g} s" for t in MOMENTS)):
            known, found = (
                np.array([_value(own, quantity) for own in side])
                for side in zip(*pairs, strict=True)
            )
            error = found - known
            rows.append(
                {
                    "condition": condition,
                    "quantity": quantity,
                    "n": len(pairs),
                    "true_mean": known.mean(),
                    "fitted_mean": found.mean(),
                    "median_error": float(np.median(error)),
                    "median_absolute_error": float(np.median(np.abs(error))),
                    "rank_correlation": _ranks(known, found),
                }
            )
    columns = TABLES["session_recovery"].names
    return pd.DataFrame(rows, columns=columns)


def _value(boundary: Boundary, quantity: str) -> float:
    if quantity in PARAMETERS:
        return float(getattr(boundary, quantity))
    return float(boundary.curve(np.array([float(quantity.split()[2])]))[0])


def _ranks(known: np.ndarray, found: np.ndarray) -> float:
    """Return Spearman's correlation, or NaN where it has no meaning."""
    if known.size < 3 or np.ptp(known) == 0 or np.ptp(found) == 0:
        return float("nan")
    return float(pd.Series(known).corr(pd.Series(found), method="spearman"))
