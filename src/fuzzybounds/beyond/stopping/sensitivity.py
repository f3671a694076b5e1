"""Whether the order of the stopping models depends on the width of the bins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from fuzzybounds.beyond.stopping.comparison import elpd_by_subject
from fuzzybounds.beyond.stopping.fits import fit_stopping
from fuzzybounds.core.dictionary import TABLES


def vary_bins(
    trials: pd.DataFrame,
    samples: pd.DataFrame,
    design: pd.DataFrame,
    *,
    bin_widths: Sequence[float],
    subjects: int,
    **options: Any,
) -> pd.DataFrame:
    """Fit some models to some subjects with bins of several widths.

    Parameters
    ----------
    trials, samples, design : DataFrame
        Result tables.
    bin_widths : sequence of float
        In s.
    subjects : int
        How many subjects are fitted.
    **options
        See :func:`fuzzybounds.beyond.stopping.fits.fit_stopping`.

    Returns
    -------
    DataFrame
        The table ``stopping_sensitivity``.
    """
    some = trials["subject"].unique()
    some = some[:: max(len(some) // subjects, 1)][:subjects]
    trials, samples = (table[table["subject"].isin(some)] for table in (trials, samples))
    parts = []
    for width in bin_widths:
        fits = fit_stopping(trials, samples, design, bin_width=width, **options)
        left_out = fits[fits["fold"] > 0]
        for (condition, scheme, delay), own in left_out.groupby(["condition", "scheme", "delay"]):
            elpd = elpd_by_subject(own).sum().sort_values(ascending=False)
            found = {
                "condition": condition, "scheme": scheme, "delay": delay, "bin_width": width,
                "model": elpd.index, "elpd": elpd.to_numpy(),
                "elpd_difference": elpd.to_numpy() - elpd.max(), "rank": range(1, len(elpd) + 1),
                "subjects": len(some),
            }  # fmt: skip
            parts.append(pd.DataFrame(found))
    table = TABLES["stopping_sensitivity"]
    return pd.concat(parts, ignore_index=True)[table.names] if parts else table.empty()
