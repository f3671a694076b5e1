"""Tests of a difference between two sets of subjects' boundaries, with effect sizes (C13, C14).

The paper names no test.  The candidates are here, together with a permutation test that assumes
only exchangeability, and a confidence interval for every p.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from fuzzybounds.core.words import (
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


class Comparison(NamedTuple):
    """The outcome of one test of a against b.

    `p` is two-sided.  `effect_size` is the mean difference over the pooled standard deviation, or
    in paired tests over that of the differences.  `low` and `high` are the 95 % confidence interval
    of the mean difference (px).
    """

    test: str
    statistic: float
    p: float
    effect_size: float
    low: float
    high: float


def compare(a: ArrayLike, b: ArrayLike, test: str, rng: np.random.Generator) -> Comparison:
    """Test whether two sets of subjects differ, by one of the tests named above.

    `a` and `b` have one number per subject; in paired tests the same subjects in the same order.
    Permutations are drawn with `rng`; if there are few enough, all are enumerated.
    """
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    if min(a.size, b.size) < 2:
        return Comparison(test, *[np.nan] * 5)
    result = _TESTS[test](a, b, rng)
    if test in PAIRED_TESTS:
        interval, spread = stats.ttest_rel(a, b), (a - b).std(ddof=1)
    else:
        interval = stats.ttest_ind(a, b, equal_var=test != WELCH)
        squares = a.var(ddof=1) * (a.size - 1) + b.var(ddof=1) * (b.size - 1)
        spread = np.sqrt(squares / (a.size + b.size - 2))
    with np.errstate(divide="ignore", invalid="ignore"):  # all subjects may be alike
        effect = float(np.divide(a.mean() - b.mean(), spread))
    low, high = map(float, interval.confidence_interval())
    return Comparison(test, float(result.statistic), float(result.pvalue), effect, low, high)


def p_value(a: ArrayLike, b: ArrayLike, test: str, rng: np.random.Generator) -> float:
    """Return p of :func:`compare` alone, where neither effect size nor interval is wanted."""
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    return float(_TESTS[test](a, b, rng).pvalue) if min(a.size, b.size) >= 2 else np.nan


def _permutation(kind: str):
    def test(a, b, rng):
        return stats.permutation_test(
            (a, b),
            lambda a, b, axis: np.mean(a, axis=axis) - np.mean(b, axis=axis),
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
