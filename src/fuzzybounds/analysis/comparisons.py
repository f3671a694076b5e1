"""Tests of a difference between two sets of subjects' boundaries, with effect sizes (C13, C14).

The paper names no test.  The candidates are here, together with a permutation test that assumes
only exchangeability, and a confidence interval for every p.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from fuzzybounds.storage.registry.vocabulary import (
    MANN_WHITNEY,
    PAIRED,
    PERMUTATION,
    SIGN_FLIP,
    STUDENT,
    WELCH,
    WILCOXON,
)

UNPAIRED_TESTS = (STUDENT, WELCH, MANN_WHITNEY, PERMUTATION)
PAIRED_TESTS = (PAIRED, WILCOXON, SIGN_FLIP)
RESAMPLES = 9999
BATCH_VALUES = 10**6
"""How many permuted values are in memory at a time."""


@dataclass(frozen=True)
class Comparison:
    """The outcome of one test of a against b.

    Attributes
    ----------
    test : str
    statistic, p : float
        p is two-sided.
    effect_size : float
        Mean difference over the pooled standard deviation (paired: over that of the differences).
    low, high : float
        95 % confidence interval of the mean difference, in px.
    """

    test: str
    statistic: float
    p: float
    effect_size: float
    low: float
    high: float


def compare(a: np.ndarray, b: np.ndarray, test: str, rng: np.random.Generator) -> Comparison:
    """Test whether two sets of subjects differ.

    Parameters
    ----------
    a, b : array of float
        One number per subject; in paired tests the same subjects in the same order.
    test : str
        One of :data:`UNPAIRED_TESTS` and :data:`PAIRED_TESTS`.
    rng : numpy.random.Generator
        For permutations; if there are few enough, all are enumerated.
    """
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    paired = test in PAIRED_TESTS
    if min(a.size, b.size) < 2:
        return Comparison(test, np.nan, np.nan, np.nan, np.nan, np.nan)
    result = _TESTS[test](a, b, rng)
    interval = stats.ttest_rel(a, b) if paired else stats.ttest_ind(a, b, equal_var=test != WELCH)
    low, high = interval.confidence_interval()
    return Comparison(
        test=test,
        statistic=float(result.statistic),
        p=float(result.pvalue),
        effect_size=_paired_effect(a, b) if paired else _pooled_effect(a, b),
        low=float(low),
        high=float(high),
    )


def p_value(a: np.ndarray, b: np.ndarray, test: str, rng: np.random.Generator) -> float:
    """Return p of :func:`compare` alone, where neither effect size nor interval is wanted."""
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    return float(_TESTS[test](a, b, rng).pvalue) if min(a.size, b.size) >= 2 else np.nan


def _pooled_effect(a: np.ndarray, b: np.ndarray) -> float:
    """Cohen's d."""
    squares = a.var(ddof=1) * (a.size - 1) + b.var(ddof=1) * (b.size - 1)
    return _ratio(a.mean() - b.mean(), np.sqrt(squares / (a.size + b.size - 2)))


def _paired_effect(a: np.ndarray, b: np.ndarray) -> float:
    """Mean over standard deviation of the differences."""
    return _ratio((a - b).mean(), (a - b).std(ddof=1))


def _ratio(difference: float, spread: float) -> float:
    """A standardised difference; infinite or NaN where all subjects are alike."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.divide(difference, spread))


def _difference(a, b, axis=-1):
    return np.mean(a, axis=axis) - np.mean(b, axis=axis)


def _permutation(kind: str):
    def test(a, b, rng):
        return stats.permutation_test(
            (a, b),
            _difference,
            permutation_type=kind,
            n_resamples=RESAMPLES,
            batch=max(1, BATCH_VALUES // (a.size + b.size)),
            vectorized=True,
            rng=rng,
        )

    return test


_TESTS = {
    STUDENT: lambda a, b, rng: stats.ttest_ind(a, b),
    WELCH: lambda a, b, rng: stats.ttest_ind(a, b, equal_var=False),
    MANN_WHITNEY: lambda a, b, rng: stats.mannwhitneyu(a, b),
    PERMUTATION: _permutation("independent"),
    PAIRED: lambda a, b, rng: stats.ttest_rel(a, b),
    WILCOXON: lambda a, b, rng: stats.wilcoxon(a, b),
    SIGN_FLIP: _permutation("samples"),
}
