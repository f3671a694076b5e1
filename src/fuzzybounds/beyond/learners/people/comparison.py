"""Comparison of the learning models fitted to people, and its control."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import pandas as pd
from scipy import stats

from fuzzybounds.beyond.learners.people.likelihood import FROM_OUTCOMES, MODELS
from fuzzybounds.core.model_selection import select

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

    Drift and serial dependence have as many parameters (serial_error one more), so that negative
    log-likelihoods are compared as they are.
    """
    nll = fits.pivot_table("nll", "subject", ["model", "shuffle"])
    drift, serial = nll["drift", 0], nll["serial", 0]
    rows = []
    for model, shuffle in product(FROM_OUTCOMES, range(1, int(fits["shuffle"].max()) + 1)):
        own, shuffled = nll[model, 0], nll[model, shuffle]
        differ = (own != shuffled).any()
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
                "p": float(stats.wilcoxon(own - shuffled).pvalue) if differ else 1.0,
            }
        )
    return pd.DataFrame(rows)
