"""The numbers that the paper works out in its text, from the functions that fit the subjects."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.canoe.task import STEP, STEP_PIXELS
from fuzzybounds.core.statistics import prints_as
from fuzzybounds.paper.boundaries.boundary import weibull
from fuzzybounds.paper.fuzzy.likelihood import path_log_likelihood
from fuzzybounds.paper.fuzzy.membership import Memberships, equidistant, structure_width
from fuzzybounds.paper.fuzzy.wang_mendel import learn_structure
from fuzzybounds.paper.groups.fast_and_slow import assign
from fuzzybounds.paper.worked_example import (
    CONTROLLER,
    CROSSING_STEPS,
    LONG_CENTERS,
    OUTPUT_RESPONSE,
    OUTPUT_STEPS,
    POSITION,
    RESPONSE,
    SHORT_CENTERS,
    TIME,
    WEIBULL,
    WIDTHS,
    readings,
    steps_to_path,
)

THREE = equidistant(3, convention="width")


class TestZeroLikelihood:
    """C05: the response at 8 s and 90 px, and a path to it that crosses the boundary."""

    def test_the_response_lies_under_the_mean_boundary(self):
        # psi - (1 - exp(-(8/5)^2)) (psi/2 - psi'), written out with the standard library.
        expected = 200 - (1 - math.exp(-((8 / 5) ** 2))) * (200 / 2 - 50)
        time, position = RESPONSE
        assert weibull(time, **WEIBULL) == pytest.approx(expected, rel=1e-14)
        assert expected - position == pytest.approx(63.87, abs=0.005)

    def test_the_path_crosses_the_boundary_before_its_end(self):
        times, path = steps_to_path(CROSSING_STEPS)
        assert (times[-1], path[-1]) == RESPONSE
        boundary = weibull(times, **WEIBULL)
        assert (path[:-1] >= boundary[:-1]).any()
        assert path[-1] < boundary[-1]

    def test_the_fuzzy_model_gives_the_same_path_a_likelihood(self):
        _, path = steps_to_path(CROSSING_STEPS)
        value = path_log_likelihood(CONTROLLER, path[1:], True, dt=STEP, scale=STEP)
        output = CONTROLLER.output(np.arange(1, 17) * STEP, path[1:])
        assert value == pytest.approx(np.log(output[-1]) + np.log1p(-output[:-1]).sum())
        assert np.isfinite(value)


class TestFuzzyModel:
    """C06: 1.5 s is short to 0.76 and medium to 0.22; the product is 0.17."""

    def test_the_printed_degrees_by_equation_2(self):
        """Normalised, by Eq. 2, with the medium that the text prints; digits are cut."""
        bells = [math.exp(-((1.5 - c) ** 2) / w**2) for c, w in ((0, 1.1), (5, 2), (10, 3.4))]
        degrees = TIME.degrees(1.5, normalised=True)
        assert degrees == pytest.approx(np.array(bells) / sum(bells), rel=1e-14)
        assert (math.floor(100 * degrees[0]), math.floor(100 * degrees[1])) == (76, 22)

    @pytest.mark.parametrize(
        ("convention", "short", "long"), [("width", 1.1, 3.4), ("deviation", 2.0, 3.0)]
    )
    def test_a01_the_printed_degrees_do_not_decide(self, convention, short, long):
        """One setting of each form; the deviation's rounds where that of Eq. 2 is cut."""
        widths = np.array([short, 2.0, long])
        example = Memberships(TIME.labels, np.array([0.0, 5.0, 10.0]), widths, convention)
        degrees = pd.Series(example.degrees(1.5, normalised=True)[:2])
        assert prints_as(degrees[:1], 0.76).all()
        assert prints_as(degrees[1:], 0.22).all()
        assert readings(convention).agree > 0

    @pytest.mark.parametrize("convention", ["width", "deviation"])
    def test_a02_without_normalisation_no_setting_gives_the_digits(self, convention):
        assert readings(convention, normalised=False).agree == 0

    def test_settings_are_counted_one_by_one(self):
        """The same search with the memberships of the model, in loops over a part of the grid."""
        short = [(c, w) for c in SHORT_CENTERS for w in WIDTHS if 1.0 <= w <= 1.2]
        long = [(c, w) for c in LONG_CENTERS for w in WIDTHS]
        agree = 0
        for (a, v), (b, w) in itertools.product(short, long):
            setting = Memberships(TIME.labels, np.array([a, 5, b]), np.array([v, 2, w]), "width")
            degrees = setting.degrees(1.5, normalised=True)
            first, second = ({math.floor(100 * d), round(100 * d)} for d in degrees[:2])
            agree += 76 in first and 22 in second
        assert agree == readings("width").agree
        assert readings("width").tried == len(SHORT_CENTERS) * len(WIDTHS) * len(long)

    def test_a04_the_text_swaps_labels(self):
        """At 1.5 s and 200 px: POS medium is 0.76, and 0.22 is T medium, not T long."""
        assert math.floor(100 * POSITION.degrees(200.0, normalised=True)[1]) == 76
        premises = CONTROLLER.premises(1.5, 200.0, normalised=True)
        assert math.floor(100 * premises[1, 1]) == 17
        assert premises[2, 1] < 0.01

    def test_the_canoe_cannot_be_at_the_response_of_figure_6(self):
        time, position = OUTPUT_RESPONSE
        steps = round(time / STEP)
        assert (position / STEP_PIXELS - steps) % 2 == 1
        times, path = steps_to_path(OUTPUT_STEPS)
        assert path[-1] == position
        assert time - times[-1] == STEP


class TestStructureLearning:
    """C07: 0.2 and 0.4 make the rule (S, M) -> stop with certainty 0.72."""

    def test_the_printed_degrees(self):
        np.testing.assert_array_equal(THREE.degrees(0.2, True).round(2), [0.75, 0.25, 0.0])
        np.testing.assert_array_equal(THREE.degrees(0.4, True).round(2), [0.04, 0.96, 0.0])

    @pytest.mark.parametrize(
        ("square", "fits"), [(0.0445, 0), (0.0453, 1), (0.0466, 1), (0.0475, 0)]
    )
    def test_a03_the_degrees_pin_the_width(self, square, fits):
        variable = equidistant(3, width=np.sqrt(square), convention="width")
        degrees = np.r_[variable.degrees(0.2, True), variable.degrees(0.4, True)].round(2)
        assert (degrees.tolist() == [0.75, 0.25, 0.0, 0.04, 0.96, 0.0]) == bool(fits)
        assert 0.0452 <= structure_width(3, convention="width") ** 2 <= 0.0466

    def test_the_rule_and_its_certainty(self):
        found = learn_structure(np.array([[[0.2], [0.4]]]), np.array([[True]]), (THREE, THREE))
        assert found.consequents[0, 0, 1] == 1
        assert found.certainty[0, 0, 1].round(2) == 0.72
        assert np.isnan(found.consequents).sum() == 8


@pytest.mark.parametrize(
    ("quantile", "fast", "slow", "sizes"),
    [
        ("hazen", "<=", ">", (7, 6)),  # printed (C09): Matlab's quantile, and <= for the fast
        ("hazen", "<", ">", (6, 6)),  # as the paper writes it
        ("linear", "<", ">", (7, 7)),
        ("linear", "<=", ">=", (7, 7)),
    ],
)
def test_a12_which_quantiles_make_seven_and_six_of_26_subjects(quantile, fast, slow, sizes):
    medians = pd.Series(np.arange(1.0, 27.0))
    counts = assign(medians, quantile=quantile, fast=fast, slow=slow).value_counts()
    assert (counts["fast"], counts["slow"]) == sizes


@pytest.mark.parametrize(
    ("consequents", "printed"), [([1, 0, 1, 0, 0, 0], 0.33), ([1, 0, 0, 0, 0, 0], 0.16)]
)
def test_a22_averaged_consequents_are_cut_and_not_rounded(consequents, printed):
    """C11: six slow subjects; 1/6 rounds to 0.17 and is printed as 0.16."""
    assert np.floor(100 * np.mean(consequents)) / 100 == printed
