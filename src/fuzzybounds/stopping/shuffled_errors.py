"""Errors permuted among responses that look alike: the control of what follows an error."""

from __future__ import annotations

import numpy as np
import pandas as pd


def strata(trials: pd.DataFrame) -> np.ndarray:
    """Number responses by condition, third of distance and third of time; -1 without a response."""
    done = trials[trials["responded"]]
    names = done["condition"].astype(str)
    for values in (done["rt"], done["position"].abs()):
        rank = values.groupby(done["condition"]).rank(pct=True, method="first")
        names = names + np.minimum((3 * rank).astype(int), 2).astype(str)
    codes = np.full(len(trials), -1)
    codes[trials["responded"].to_numpy(dtype=bool)] = np.unique(names, return_inverse=True)[1]
    return codes


def permute_within(values: np.ndarray, codes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Permute values among entries with the same code."""
    order, permuted = np.argsort(codes, kind="stable"), np.empty_like(values)
    permuted[order] = values[np.lexsort((rng.random(codes.size), codes))]
    return permuted


def shuffle_outcomes(trials: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Permute which responses were correct, among those that look alike (:func:`strata`).

    Everything else stays: times, positions, the order of trials and the accuracy in each condition.
    A model that learns from outcomes must thereby lose what it gained from them.  The trials are
    those of one subject; a missed deadline stays incorrect.
    """
    correct = trials["correct"].to_numpy(dtype=bool)
    return trials.assign(correct=permute_within(correct, strata(trials), rng))
