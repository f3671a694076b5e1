import itertools

import numpy as np
import pytest
from scipy import stats

from fuzzybounds.core.seeds import generator
from fuzzybounds.paper.groups.comparisons import PAIRED_TESTS, UNPAIRED_TESTS, compare, p_value

A = np.array([3.1, 4.7, 5.0, 6.6, 7.2])
B = np.array([1.2, 2.9, 3.3, 4.4, 8.0])


@pytest.fixture
def rng():
    return generator(1, "test")


def test_welchs_interval_by_hand(rng):
    """Groups of different sizes and spreads, for which Student's interval is another."""
    a, b = A, np.array([1.0, 9.0, 2.5])
    result = compare(a, b, "welch_t", rng)
    parts = a.var(ddof=1) / a.size, b.var(ddof=1) / b.size
    degrees = sum(parts) ** 2 / (parts[0] ** 2 / (a.size - 1) + parts[1] ** 2 / (b.size - 1))
    reach = stats.t.ppf(0.975, degrees) * np.sqrt(sum(parts))
    middle = a.mean() - b.mean()
    assert (result.low, result.high) == pytest.approx((middle - reach, middle + reach))
    deviations = np.concatenate([a - a.mean(), b - b.mean()])
    pooled = np.sqrt((deviations**2).sum() / (a.size + b.size - 2))
    assert result.effect_size == pytest.approx(middle / pooled)


@pytest.mark.parametrize("test", PAIRED_TESTS)
def test_a_paired_effect_is_over_the_spread_of_the_differences(test, rng):
    d = A - B
    spread = np.sqrt(((d - d.mean()) ** 2).sum() / (d.size - 1))
    assert compare(A, B, test, rng).effect_size == pytest.approx(d.mean() / spread)


def test_permutation_test_is_the_enumeration_of_all_splits(rng):
    result = compare(A, B, "permutation", rng)
    pool = np.concatenate([A, B])
    means = [
        2 * pool[list(chosen)].mean() - 2 * pool.mean()
        for chosen in itertools.combinations(range(10), 5)
    ]
    observed = A.mean() - B.mean()
    expected = np.mean(np.abs(means) >= abs(observed) - 1e-9)
    assert result.p == pytest.approx(expected)


def test_sign_flips_are_the_enumeration_of_all_signs(rng):
    result = compare(A, B, "sign_flip", rng)
    flips = np.array(list(itertools.product((-1, 1), repeat=5)))
    means = (flips * (A - B)).mean(axis=1)
    expected = np.mean(np.abs(means) >= abs((A - B).mean()) - 1e-9)
    assert result.p == pytest.approx(expected)
    # Wilcoxon's test flips the signs of ranks.
    ranks = stats.rankdata(np.abs(A - B))
    observed = abs((ranks * np.sign(A - B)).sum())
    expected = np.mean(np.abs((flips * ranks).sum(axis=1)) >= observed - 1e-9)
    assert compare(A, B, "wilcoxon", rng).p == pytest.approx(expected)


@pytest.mark.parametrize("test", [*UNPAIRED_TESTS, *PAIRED_TESTS])
@pytest.mark.parametrize("size", [1, 2, 9])
def test_p_alone_is_that_of_the_whole_comparison(test, size):
    values = generator(5, "p").normal(size=(2, size))
    whole = compare(*values, test, generator(6))
    np.testing.assert_equal(p_value(*values, test, generator(6)), whole.p)
    assert np.isnan(whole.p) == (size == 1)
