"""Subjects whose canoe moved by another design than the paper's."""

from __future__ import annotations

import pandas as pd
from scipy.stats import norm

from fuzzybounds.canoe.task import EASY


def subjects_of_other_p0(check: pd.DataFrame) -> list[str]:
    """Return the subjects whose canoe had another P0 on easy trials than the paper's design.

    The 99.9 % intervals from their own trials exclude it.  One subject of Experiment A is such, and
    most of Experiment B.
    """
    easy = check[(check["quantity"] == "p0_of_subject") & (check["condition"] == EASY.name)]
    # The table has 95 % intervals.
    error = (easy["high"] - easy["low"]) / 2 * norm.isf(0.0005) / norm.isf(0.025)
    return easy.loc[(easy["value"] - EASY.p0).abs() > error, "subject"].astype(str).tolist()
