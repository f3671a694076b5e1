import itertools

import numpy as np
import pytest

from fuzzybounds.analysis.comparisons import PAIRED_TESTS, UNPAIRED_TESTS, compare, p_value
from fuzzybounds.storage.seeds import generator

A = np.array([3.1, 4.7, 5.0, 6.6, 7.2])
B = np.array([1.2, 2.9, 3.3, 4.4, 8.0])


@pytest.fixture
def rng():
    return generator(1, "test")


def test_students_t_by_hand(rng):
    found = compare(A, B, "student_t", rng)
    pooled = (A.var(ddof=1) + B.var(ddof=1)) / 2
    assert found.statistic == pytest.approx((A.mean() - B.mean()) / np.sqrt(pooled * 2 / 5))
    assert found.effect_size == pytest.approx((A.mean() - B.mean()) / np.sqrt(pooled))
    assert found.low < A.mean() - B.mean() < found.high


def test_permutation_test_is_the_enumeration_of_all_splits(rng):
    found = compare(A, B, "permutation", rng)
    pool = np.concatenate([A, B])
    means = [
        2 * pool[list(chosen)].mean() - 2 * pool.mean()
        for chosen in itertools.combinations(range(10), 5)
    ]
    observed = A.mean() - B.mean()
    expected = np.mean(np.abs(means) >= abs(observed) - 1e-9)
    assert found.p == pytest.approx(expected)


def test_sign_flips_are_the_enumeration_of_all_signs(rng):
    found = compare(A, B, "sign_flip", rng)
    flips = np.array(list(itertools.product((-1, 1), repeat=5)))
    means = (flips * (A - B)).mean(axis=1)
    expected = np.mean(np.abs(means) >= abs((A - B).mean()) - 1e-9)
    assert found.p == pytest.approx(expected)


@pytest.mark.parametrize("test", [*UNPAIRED_TESTS, *PAIRED_TESTS])
def test_swapping_the_sides_turns_the_sign_and_keeps_p(test):
    one, other = (compare(*pair, test, generator(1, test)) for pair in ((A, B), (B, A)))
    assert one.p == pytest.approx(other.p)
    assert one.effect_size == pytest.approx(-other.effect_size)
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low))


@pytest.mark.parametrize("test", [*UNPAIRED_TESTS, *PAIRED_TESTS])
def test_one_subject_cannot_be_tested(test, rng):
    assert np.isnan(compare(A[:1], B[:1], test, rng).p)


@pytest.mark.parametrize("test", [*UNPAIRED_TESTS, *PAIRED_TESTS])
@pytest.mark.parametrize("size", [1, 2, 9])
def test_p_alone_is_that_of_the_whole_comparison(test, size):
    values = generator(5, "p").normal(size=(2, size))
    whole = compare(*values, test, generator(6))
    np.testing.assert_equal(p_value(*values, test, generator(6)), whole.p)
