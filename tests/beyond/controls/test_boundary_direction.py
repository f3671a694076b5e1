"""The control of boundary shapes: responses to constant boundaries that a walking canoe meets."""

from __future__ import annotations

import numpy as np
import pytest

from fuzzybounds.beyond.controls.boundary_direction import constant_boundary, first_passage
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


def test_random_numbers_go_on_as_after_the_simulator():
    ours, theirs = np.random.default_rng(5), np.random.default_rng(5)
    constant_boundary(60, 20, 50, task.EASY, ours)
    simulated(60, 20, 50, task.EASY, theirs)
    assert ours.random() == theirs.random()


@pytest.mark.parametrize(
    ("height", "frame", "distance"),
    [
        (-3.0, 1, 1.5),
        (1.5, 1, 1.5),
        (1.6, 2, 3.0),
        (45.0, 30, 45.0),
        (np.nextafter(45.0, 99), 91, 46.5),
        (np.nextafter(45.0, 0), 30, 45.0),
        (90.0, 120, 90.0),
    ],
)
def test_a_walk_by_hand(height, frame, distance):
    # Right, left, right, right: at 45, 0, 45 and 90 px after 30, 60, 90 and 120 frames.
    found = first_passage(np.array([[1, -1, 1, 1]]), np.array([height]))
    assert [part.item() for part in found] == [frame, distance]
