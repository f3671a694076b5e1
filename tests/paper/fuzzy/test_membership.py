import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzzybounds.paper.fuzzy.membership import (
    Memberships,
    equidistant,
    labels,
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


@given(st.integers(1, 12))
def test_labels_are_distinct_and_symmetric(n_labels):
    names = labels(n_labels)
    assert len(set(names)) == n_labels
    mirrored = [name.replace("S", "l").replace("L", "S").replace("l", "L") for name in names]
    assert mirrored == list(reversed(names))


@given(st.floats(-1e3, 1e3))
def test_normalised_degrees_sum_to_one_even_far_away(x):
    degrees = equidistant(5, convention="width").degrees(x, normalised=True)
    assert degrees.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"centers": [0.0, 1.0]}, "one finite number for each"),
        ({"centers": [0.0, np.nan, 1.0]}, "finite"),
        ({"widths": [0.1, 0.0, 0.1]}, "positive"),
        ({"convention": "variance"}, "'variance'"),
    ],
)
def test_bad_memberships_are_named(change, message):
    good = {"centers": [0.0, 0.5, 1.0], "widths": [0.1, 0.1, 0.1], "convention": "width"}
    with pytest.raises(ValueError, match=message):
        Memberships(labels(3), **{**good, **change})
