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
    RESPONSE,
    SHORT_CENTERS,
    TIME,
    WEIBULL,
    WIDTHS,
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
