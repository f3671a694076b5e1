"""Comparison of the learning models fitted to people."""

from __future__ import annotations

import pandas as pd

from fuzzybounds.analysis.model_selection import select
from fuzzybounds.learning.people.likelihood import MODELS

CRITERIA = ("aic", "bic")


def compare_learning(fits: pd.DataFrame) -> pd.DataFrame:
    """Compare the models over all subjects, by AIC and by BIC.

    Returns
    -------
    DataFrame
        The table ``learning_people_selection``.
    """
    return pd.concat([_selection(fits, name) for name in CRITERIA], ignore_index=True)


def _selection(fits: pd.DataFrame, criterion: str) -> pd.DataFrame:
    values = fits.pivot_table(criterion, "subject", "model")[list(MODELS)]
    chosen = select(-values.to_numpy() / 2)
    best = values.idxmin(axis=1).value_counts().reindex(MODELS, fill_value=0)
    return pd.DataFrame(
        {
            "criterion": criterion,
            "model": MODELS,
            "subjects": len(values),
            "total": values.sum().to_numpy(),
            "n_best": best.to_numpy(),
            "better_than_none": values.lt(values["none"], axis=0).sum().to_numpy(),
            "better_than_drift": values.lt(values["drift"], axis=0).sum().to_numpy(),
            "frequency": chosen.frequency,
            "exceedance": chosen.exceedance,
            "protected_exceedance": chosen.protected_exceedance,
        }
    )
