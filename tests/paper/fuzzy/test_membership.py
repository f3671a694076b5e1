import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzzybounds.paper.fuzzy.membership import (
    Memberships,
    equidistant,
    label_words,
    labels,
    structure_width,
)


def seconds(convention):
    return Memberships(labels(3), [0.0, 5.0, 10.0], [2.0, 2.0, 2.0], convention)


def test_c06_worked_degrees_need_the_deviation_convention():
    # To three digits 1.5 s is short to 0.755 and medium to 0.216; the paper prints 0.76 and 0.22.
    short, medium, long = seconds("deviation").degrees(1.5, normalised=False)
    assert short == pytest.approx(0.76, abs=0.006)
    assert medium == pytest.approx(0.22, abs=0.005)
    assert long < 0.001
    # Its 0.17 is the product of the two rounded numbers.
    assert short * medium == pytest.approx(0.17, abs=0.007)
    assert round(0.76 * 0.22, 2) == 0.17


def test_c06_worked_degrees_contradict_equation_2():
    short, medium, _ = seconds("width").degrees(1.5, normalised=False)
    assert short == pytest.approx(np.exp(-(1.5**2) / 4))
    assert abs(short - 0.76) > 0.15
    assert abs(medium - 0.22) > 0.15


def test_c06_worked_degrees_are_not_normalised():
    short, medium, _ = seconds("deviation").degrees(1.5, normalised=True)
    assert short > 0.77
    assert short + medium == pytest.approx(1, abs=1e-3)


def test_c07_worked_degrees_of_structure_learning():
    variable = equidistant(3, convention="width")
    np.testing.assert_array_equal(variable.degrees(0.2, True).round(2), [0.75, 0.25, 0.0])
    np.testing.assert_array_equal(variable.degrees(0.4, True).round(2), [0.04, 0.96, 0.0])


def test_a03_width_of_structure_learning_is_where_c07_pins_it():
    assert 0.0452 <= structure_width(3, convention="width") ** 2 <= 0.0466
    for bad in (0.0445, 0.0475):
        variable = equidistant(3, width=np.sqrt(bad), convention="width")
        worked = np.r_[variable.degrees(0.2, True), variable.degrees(0.4, True)].round(2)
        assert worked.tolist() != [0.75, 0.25, 0.0, 0.04, 0.96, 0.0]


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


def test_equidistant_centres_cover_the_range():
    variable = equidistant(5, low=0, high=420, width=40, convention="width")
    np.testing.assert_array_equal(variable.centers, [0, 105, 210, 315, 420])
    np.testing.assert_array_equal(variable.widths, 40)


@given(st.integers(1, 12))
def test_labels_are_distinct_and_symmetric(n_labels):
    names = labels(n_labels)
    assert len(set(names)) == n_labels
    mirrored = [name.replace("S", "l").replace("L", "S").replace("l", "L") for name in names]
    assert mirrored == list(reversed(names))


def test_labels_have_the_names_of_the_paper():
    assert labels(2) == ("S", "L")
    assert labels(3) == ("S", "M", "L")
    assert labels(5) == ("VS", "S", "M", "L", "VL")
    assert label_words("time", "VS") == "very short"
    assert label_words("position", "VL") == "very large"
    assert label_words("time", "M") == "medium"


@given(st.floats(-1e3, 1e3))
def test_normalised_degrees_sum_to_one_even_far_away(x):
    degrees = equidistant(5, convention="width").degrees(x, normalised=True)
    assert degrees.sum() == pytest.approx(1)


def test_scaling_changes_units_and_nothing_else():
    variable = equidistant(3, convention="width")
    x = np.linspace(0, 1, 7)
    np.testing.assert_allclose(
        variable.scaled(15.0).degrees(15.0 * x, False), variable.degrees(x, False)
    )


def test_json_gives_the_same_memberships():
    variable = Memberships(labels(3), [0.1, 1 / 3, 0.9], [0.1, 0.2, 0.3], "deviation")
    again = Memberships(**variable.to_json())
    assert again.labels == variable.labels
    assert again.convention == "deviation"
    np.testing.assert_array_equal(again.centers, variable.centers)
    np.testing.assert_array_equal(again.widths, variable.widths)


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
    good = {
        "labels": labels(3),
        "centers": [0.0, 0.5, 1.0],
        "widths": [0.1, 0.1, 0.1],
        "convention": "width",
    }
    with pytest.raises(ValueError, match=message):
        Memberships(**{**good, **change})


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="n_labels = 0"):
        labels(0)
    with pytest.raises(ValueError, match="'Q'"):
        label_words("time", "Q")
    with pytest.raises(ValueError, match="low < high"):
        equidistant(3, low=1, high=1, convention="width")
