"""What an observer infers about the condition."""

from dataclasses import replace

import numpy as np
import pytest

from fuzzybounds.beyond.stopping.lattice import Bins, states
from fuzzybounds.beyond.stopping.observer import beliefs
from fuzzybounds.canoe.task import EASY, HARD

WHERE = states(Bins(), 8)


def test_beliefs_are_those_of_counted_trials():
    """Bayes' rule by counting: of many trials at one place, the share that is easy."""
    rng = np.random.default_rng(4)
    n, walks = 4, 200_000
    net = {own.name: np.abs(2 * rng.binomial(n, own.p0, walks) - n) for own in (EASY, HARD)}
    found = beliefs((EASY, HARD), WHERE)
    for distance in (0, 2, 4):
        counts = {name: int((own == distance).sum()) for name, own in net.items()}
        at_end = np.isclose(WHERE.time, n * 0.5) & np.isclose(WHERE.position, 45.0 * distance)
        share = counts["easy"] / sum(counts.values())
        assert found["easy"][at_end] == pytest.approx(share, abs=0.01)


def test_a_canoe_that_never_turned_leaves_beliefs_finite():
    found = beliefs((replace(EASY, p0=1.0), HARD), WHERE)
    assert np.isfinite(list(found.values())).all()
    straight = np.isclose(WHERE.position, np.minimum(90 * WHERE.time, 420))
    assert (found["easy"][straight & (WHERE.time > 0.5)] > 0.6).all()
