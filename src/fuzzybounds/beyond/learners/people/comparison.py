"""Comparison of the learning models fitted to people, and its control."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.beyond.learners.people.likelihood import FROM_OUTCOMES, MODELS
from fuzzybounds.paper.boundaries.model_selection import select

CRITERIA = ("aic", "bic")
REFERENCES = ("none", "drift", "serial")
"""The models that the others are counted against: none of them uses outcomes."""


class LearningTables(NamedTuple):
    """What :func:`compare_learning` returns: one table per output of the stage."""

    selection: pd.DataFrame
    control: pd.DataFrame


def compare_learning(fits: pd.DataFrame) -> LearningTables:
    """Compare the models over all subjects, and each with itself on shuffled outcomes.

    Parameters
    ----------
    fits : DataFrame
        The table ``learning_people``.
    """
    logged = fits[fits["shuffle"] == 0]
    selection = [_selection(logged, name) for name in CRITERIA]
    return LearningTables(pd.concat(selection, ignore_index=True), _control(fits))


def _selection(fits: pd.DataFrame, criterion: str) -> pd.DataFrame:
    values = fits.pivot_table(criterion, "subject", "model")[list(MODELS)]
    chosen = select(-values.to_numpy() / 2)
    best = values.idxmin(axis=1).value_counts().reindex(MODELS, fill_value=0)
    counts = {
        f"better_than_{name}": values.lt(values[name], axis=0).sum().to_numpy()
        for name in REFERENCES
    }
    return pd.DataFrame(
        {
            "criterion": criterion,
            "model": MODELS,
            "subjects": len(values),
            "total": values.sum().to_numpy(),
            "n_best": best.to_numpy(),
            **counts,
            "frequency": chosen.frequency,
            "exceedance": chosen.exceedance,
            "protected_exceedance": chosen.protected_exceedance,
        }
    )


def _control(fits: pd.DataFrame) -> pd.DataFrame:
    """Compare each model that learns from outcomes with itself on shuffled outcomes.

    All of these models have as many parameters as drift and serial dependence, so that negative
    log-likelihoods can be compared as they are.
    """
    nll = fits.pivot_table("nll", "subject", ["model", "shuffle"])
    drift, serial = nll["drift", 0], nll["serial", 0]
    rows = []
    for model in FROM_OUTCOMES:
        own = nll[model, 0]
        for shuffle in sorted(fits.loc[fits["shuffle"] > 0, "shuffle"].unique()):
            shuffled = nll[model, shuffle]
            rows.append(
                {
                    "model": model,
                    "shuffle": shuffle,
                    "subjects": len(nll),
                    "nll": own.sum(),
                    "nll_shuffled": shuffled.sum(),
                    "nll_drift": drift.sum(),
                    "nll_serial": serial.sum(),
                    "better_than_drift": (own < drift).sum(),
                    "shuffled_better_than_drift": (shuffled < drift).sum(),
                    "better_than_shuffled": (own < shuffled).sum(),
                    "p": _signed_rank(own, shuffled),
                }
            )
    return pd.DataFrame(rows)


def _signed_rank(a: pd.Series, b: pd.Series) -> float:
    """Return the p-value of Wilcoxon's signed-rank test; 1 where no pair differs."""
    from scipy import stats

    difference = (a - b).to_numpy()
    return float(stats.wilcoxon(difference).pvalue) if np.any(difference) else 1.0
