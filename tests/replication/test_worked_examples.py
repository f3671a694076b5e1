"""The numbers that the paper works out in its text, from the functions that fit the subjects."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.paper.boundaries.boundary import weibull
from fuzzybounds.paper.fuzzy.membership import Memberships, equidistant
from fuzzybounds.paper.fuzzy.wang_mendel import learn_structure
from fuzzybounds.paper.groups.fast_and_slow import assign
from fuzzybounds.paper.worked_example import (
    CROSSING_STEPS,
    LONG_CENTERS,
    LONG_WIDTHS,
    RESPONSE,
    SHORT_CENTERS,
    SHORT_WIDTHS,
    TIME,
    WEIBULL,
    readings,
    steps_to_path,
)

THREE = equidistant(3, convention="width")


def test_the_path_of_c05_crosses_the_boundary_before_its_end():
    times, path = steps_to_path(CROSSING_STEPS)
    assert (times[-1], path[-1]) == RESPONSE
    boundary = weibull(times, **WEIBULL)
    assert (path[:-1] >= boundary[:-1]).any()
    assert path[-1] < boundary[-1]


class TestFuzzyModel:
    """C06: 1.5 s is short to 0.76 and medium to 0.22; the product is 0.17."""

    def test_settings_are_counted_one_by_one(self):
        """The same search with the memberships of the model, in loops over a part of the grid."""
        short = [(c, w) for c in SHORT_CENTERS for w in (0.73, 0.74, 0.75, 1.1, 1.11, 1.12)]
        long = [(c, w) for c in LONG_CENTERS for w in LONG_WIDTHS]
        agree = 0
        for (a, v), (b, w) in itertools.product(short, long):
            setting = Memberships(TIME.labels, np.array([a, 5, b]), np.array([v, 2, w]), "width")
            degrees = setting.degrees(1.5, normalised=True)
            agree += [math.floor(100 * degree + 0.5) for degree in degrees[:2]] == [76, 22]
        assert agree == readings("width").agree > 0
        assert readings("width").tried == len(SHORT_CENTERS) * len(SHORT_WIDTHS) * len(long)

    def test_the_worked_example_rounds_to_the_printed_digits(self):
        """By hand: 1.5 s is short to exp(-(1.5 / 1.11)²), and so on, over their sum."""
        parts = [math.exp(-(((1.5 - c) / w) ** 2)) for c, w in ((0, 1.11), (5, 2), (10, 3.5))]
        short, medium, _ = TIME.degrees(1.5, normalised=True)
        assert (short, medium) == pytest.approx((parts[0] / sum(parts), parts[1] / sum(parts)))
        assert (f"{short:.2f}", f"{medium:.2f}", f"{0.76 * medium:.2f}") == ("0.76", "0.22", "0.17")


class TestStructureLearning:
    """C07: 0.2 and 0.4 make the rule (S, M) -> stop with certainty 0.72."""

    def test_the_rule_and_its_certainty(self):
        structure = learn_structure(np.array([[[0.2], [0.4]]]), np.array([[True]]), (THREE, THREE))
        assert structure.consequents[0, 0, 1] == 1
        assert structure.certainty[0, 0, 1].round(2) == 0.72
        assert np.isnan(structure.consequents).sum() == 8


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
