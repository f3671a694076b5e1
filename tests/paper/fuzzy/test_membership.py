import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzzybounds.paper.fuzzy.membership import (
    equidistant,
)


@pytest.mark.parametrize("n_labels", [2, 3, 5, 7])
def test_structure_width_overlaps_neighbours_alike_for_any_number_of_labels(n_labels):
    variable = equidistant(n_labels, low=-3, high=7, convention="width")
    between = (variable.centers[0] + variable.centers[1]) / 2
    crossing = variable.degrees(between, normalised=False)[:2]
    np.testing.assert_allclose(crossing, np.exp(-((0.5 / (3 / 7)) ** 2)))


@pytest.mark.parametrize("n_labels", [1, 2, 3, 5, 6])
def test_both_conventions_start_from_the_same_curves(n_labels):
    x = np.linspace(-1, 2, 31)
    by_width = equidistant(n_labels, convention="width").log_degrees(x)
    by_deviation = equidistant(n_labels, convention="deviation").log_degrees(x)
    np.testing.assert_allclose(by_width, by_deviation, rtol=1e-12)


@given(st.floats(-1e3, 1e3))
def test_normalised_degrees_sum_to_one_even_far_away(x):
    degrees = equidistant(5, convention="width").degrees(x, normalised=True)
    assert degrees.sum() == pytest.approx(1)
