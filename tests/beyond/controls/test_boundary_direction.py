"""The control of boundary shapes: responses to constant boundaries that a walking canoe meets."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.beyond.controls.boundary_direction import constant_boundary, measure_direction
from fuzzybounds.canoe import task


def simulated(mean, sd, n, condition, rng):
    """The same by the simulator of trials, frame by frame."""
    height = mean + sd * rng.standard_normal((n, 1))
    met = task.simulate_trials(lambda time, far: np.where(far >= height, 1.0, 0), condition, n, rng)
    return met.decision_time[met.responded], np.abs(met.position[met.responded])


@pytest.mark.parametrize("condition", [task.EASY, task.HARD])
@pytest.mark.parametrize(("mean", "sd"), [(60, 30), (5, 10), (300, 150), (90, 0), (420, 0)])
def test_passages_are_those_of_the_simulator(condition, mean, sd):
    found = constant_boundary(mean, sd, 400, condition, np.random.default_rng(3))
    wanted = simulated(mean, sd, 400, condition, np.random.default_rng(3))
    for own, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(own, other)


def test_a_constant_boundary_is_not_called_falling_and_a_falling_one_is():
    rng = np.random.default_rng(2)
    time, size = constant_boundary(90, 30, 300, task.EASY, rng)
    own = pd.DataFrame({"rt": time, "position": size}).assign(
        subject="a", session=1, condition="easy", responded=True
    )
    falling = own.assign(subject="b", position=200 - 10 * own["rt"])
    few = own.assign(subject="c")[:19]
    trials = pd.concat([own, falling, few])
    found = measure_direction(trials, seed=1, dataset="test").set_index("subject")
    assert found.index.tolist() == ["a", "b"]
    assert found.loc["a", "correlation"] > 0.3
    assert abs(found.loc["a", "z"]) < 3
    assert found.loc["b", "z"] < -3
