"""The compiled sums over paths against their reference in NumPy."""

import numpy as np
import pytest

from fuzzybounds.stopping import reference
from fuzzybounds.stopping.lattice import Bins, outcomes, states
from fuzzybounds.stopping.likelihood import SURE, Likelihood

from .conftest import table

TRIALS = [(0.25, -22.5), (1.75, 22.5), (2.3, -63.0), (7.4, -126.0), (9.1, 81.0), (np.nan, 43.5)]
HAZARDS = {
    "mild": lambda t, x: 0.02 + 0.3 / (1 + np.exp(-(x - 60 + 8 * t) / 20)),
    "hopeless": lambda t, x: np.where(x > 30, 1.0 - SURE, SURE),
    "certain": lambda t, x: np.full(t.shape, 1.0 - SURE),
}


@pytest.mark.parametrize("bins", [Bins(), Bins(0.05), Bins(0.1, delay=0.3)], ids=str)
@pytest.mark.parametrize("kind", HAZARDS)
def test_outcomes_have_the_logs_of_the_reference(kind, bins):
    found, where = outcomes(table(TRIALS), bins), states(bins)
    hazard = HAZARDS[kind](where.time, where.position)
    logs = Likelihood(found, where).log_likelihoods(hazard[None], np.ones(1))
    expected = reference.log_likelihoods(hazard, where.of_edge, where.steps, found)
    assert logs == pytest.approx(expected, rel=1e-10)
