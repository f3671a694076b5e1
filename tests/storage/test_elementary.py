"""exp and log by arithmetic alone, against those of the mathematical library."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fuzzybounds.storage import elementary
from fuzzybounds.storage.seeds import generator

UNIT = np.finfo(float).eps


def test_exp_is_exact_to_two_units():
    x = generator(1, "exp").uniform(-690, 690, size=20_000)
    expected = np.exp(x)
    values = x.copy()
    elementary.exp_all(values, np.empty(x.size, np.int64))
    np.testing.assert_allclose(values, expected, rtol=2 * UNIT)
    scalars = [elementary.exp(value) for value in x[:2000]]
    np.testing.assert_allclose(scalars, expected[:2000], rtol=2 * UNIT)


def test_exp_is_kept_finite():
    values = np.array([-1e9, -701.0, 701.0, np.inf])
    elementary.exp_all(values, np.empty(4, np.int64))
    edge = math.exp(elementary.LARGEST)
    np.testing.assert_allclose(values, [1 / edge, 1 / edge, edge, edge], rtol=1e-12)
    assert elementary.exp(0.0) == 1.0


def test_expm1_is_exact_where_it_is_small():
    x = generator(2, "expm1").uniform(-1, 1, size=5000) ** 7
    values = [elementary.expm1(value) for value in x]
    np.testing.assert_allclose(values, np.expm1(x), rtol=4 * UNIT)


def test_log_is_exact_to_two_units():
    rng = generator(3, "log")
    for x in (10 ** rng.uniform(-300, 300, size=5000), 1 + rng.uniform(-0.2, 0.2, size=5000)):
        np.testing.assert_allclose(elementary.log_all(x), np.log(x), rtol=3 * UNIT)
    assert elementary.log(1.0) == 0.0
    assert elementary.log(0.0) == -np.inf
    assert elementary.log(np.inf) == np.inf
    assert np.isnan(elementary.log(-1.0))


def test_both_ways_to_the_logarithm_give_the_same_bits():
    rng = generator(4, "log")
    whole = 2.0 ** np.arange(-1000, 1000)
    x = np.concatenate([10 ** rng.uniform(-300, 300, 5000), 1 + rng.random(5000), whole])
    values = x.copy()
    elementary.log_positive(values, np.empty((2, x.size + 3), np.int64))
    np.testing.assert_array_equal(values, elementary.log_all(x))


def test_cube_roots_have_signs():
    x = np.array([[-8.0, 0.0], [27.0, 1e-30]])
    np.testing.assert_allclose(elementary.cube_roots(x), np.cbrt(x), rtol=1e-14)


@pytest.mark.parametrize("x", [0.35, -0.35, 0.3499999, 0.3500001])
def test_both_ways_to_expm1_meet(x):
    assert elementary.expm1(x) == pytest.approx(math.expm1(x), rel=4 * UNIT)
