"""The numbers that the paper works out in its text, from the functions that fit the subjects."""

import math

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.canoe.task import EDGE, STEP, STEP_PIXELS
from fuzzybounds.paper.boundaries.boundary import weibull
from fuzzybounds.paper.fuzzy.likelihood import path_log_likelihood
from fuzzybounds.paper.fuzzy.membership import Memberships, equidistant, labels, structure_width
from fuzzybounds.paper.fuzzy.wang_mendel import learn_structure
from fuzzybounds.paper.groups.fast_and_slow import assign
from fuzzybounds.paper.worked_example import (
    CONTROLLER,
    CROSSING_STEPS,
    OUTPUT_RESPONSE,
    OUTPUT_STEPS,
    POSITION,
    RESPONSE,
    RULES,
    TIME,
    WEIBULL,
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

    def test_no_path_has_a_likelihood_of_zero(self):
        times, positions = np.linspace(0, 15, 61), np.linspace(0, EDGE, 57)
        for logs in CONTROLLER.log_output(times[:, None], positions):
            assert np.isfinite(logs).all()
            assert (logs < 0).all()


class TestFuzzyModel:
    """C06: 1.5 s is short to 0.76 and medium to 0.22; the product is 0.17."""

    def test_the_printed_degrees_need_the_deviation_convention(self):
        # To three digits they are 0.755 and 0.216.
        short, medium, long = TIME.degrees(1.5, normalised=False)
        assert short == pytest.approx(0.76, abs=0.006)
        assert medium == pytest.approx(0.22, abs=0.005)
        assert long < 0.001
        # Its 0.17 is the product of the two rounded numbers.
        assert short * medium == pytest.approx(0.17, abs=0.007)
        assert round(0.76 * 0.22, 2) == 0.17

    def test_the_printed_degrees_contradict_equation_2(self):
        by_eq2 = Memberships(TIME.labels, TIME.centers, TIME.widths, "width")
        short, medium, _ = by_eq2.degrees(1.5, normalised=False)
        assert short == pytest.approx(math.exp(-(1.5**2) / 4))
        assert abs(short - 0.76) > 0.15
        assert abs(medium - 0.22) > 0.15

    def test_the_printed_degrees_are_not_normalised(self):
        short, medium, _ = TIME.degrees(1.5, normalised=True)
        assert short > 0.77
        assert short + medium == pytest.approx(1, abs=1e-3)

    def test_a04_the_text_swaps_labels(self):
        """At 1.5 s and 200 px: POS medium is 0.76, and 0.22 is T medium, not T long."""
        assert POSITION.degrees(200.0, normalised=False)[1] == pytest.approx(0.76, abs=0.006)
        premises = CONTROLLER.premises(1.5, 200.0)
        assert premises[1, 1] == pytest.approx(0.17, abs=0.007)
        assert premises[2, 1] < 1e-3

    def test_the_rule_that_the_text_reads_out(self):
        assert "IF time is long AND position is medium THEN stop" in RULES.sentences()
        boundary = CONTROLLER.boundary(np.linspace(0, 12, 49), reach=EDGE)
        assert (np.diff(boundary) <= 1e-9).all()

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

    def test_labels_have_the_paper_s_names(self):
        assert labels(3) == ("S", "M", "L")
        assert labels(5) == ("VS", "S", "M", "L", "VL")


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
