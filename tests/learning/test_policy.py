"""From controllers to stop probabilities, and tables of premises by step."""

import numpy as np
import pytest

from fuzzybounds.fuzzy.controller import Controller
from fuzzybounds.fuzzy.rules import RuleBase
from fuzzybounds.learning.policy import (
    Decisions,
    paper_memberships,
    position_degrees,
    stop_probabilities,
    time_degrees,
)
from fuzzybounds.learning.steps import step_decisions, step_row, tabulate


@pytest.fixture
def controller():
    memberships = paper_memberships(3)
    consequents = np.random.default_rng(1).random((3, 3))
    return Controller(memberships, memberships, RuleBase.from_consequents(consequents))


def test_probabilities_are_the_output_over_o_at_decisions(controller):
    policy = stop_probabilities(controller, Decisions(o=4.0, frames=10))
    assert policy.shape == (900, 281)
    # Frame 120 is 2 s, distance 40 is 60 px.
    assert policy[120, 40] == pytest.approx(controller.output(2 / 15, 60 / 420) / 4)
    assert not policy[121:130].any()
    assert not policy[0].any()
    at_start = stop_probabilities(controller, Decisions(o=4.0, frames=10, at_start=True))
    assert at_start[0, 0] == pytest.approx(controller.output(0, 0) / 4)


def test_probabilities_stay_within_0_and_1(controller):
    rules = RuleBase.from_consequents(np.array([[-1, 3, 3], [-1, 3, 3], [-1, 3, 3.0]]))
    wild = Controller(controller.time, controller.position, rules)
    policy = stop_probabilities(wild, Decisions())
    assert policy.min() == 0
    assert policy.max() == 1


def test_the_paper_s_memberships():
    memberships = paper_memberships(3)
    assert memberships.centers.tolist() == [0, 0.5, 1]
    assert memberships.widths**2 == pytest.approx([0.04] * 3)


@pytest.mark.parametrize(("frames", "o"), [(7, 1.0), (0, 1.0), (30, 0.0)])
def test_impossible_decisions_are_refused(frames, o):
    with pytest.raises(ValueError, match="expected"):
        Decisions(o, frames)


def test_step_tables_are_sums_along_the_step(controller):
    decisions, leak = Decisions(frames=6), 0.7
    time, position = time_degrees(controller.time), position_degrees(controller.position)
    tables = tabulate(time, position, decisions, leak)
    assert tables.memory.shape == (930, 9)
    # After 11 steps, 10 of them correct, one step back from 270 frames of movement.
    n, k, toward = 11, 10, 0
    z, sided, timed, peak = (np.zeros((3, 3)) for _ in range(4))
    for moved in range(6, 31, 6):
        frame, walked = 30 * n + moved, 270 - moved
        y = controller.premises(frame / 900, min(walked, 280) / 280, normalised=True)
        z, sided, timed = leak * z + y, leak * sided + y, leak * timed + y * frame / 60
        peak = np.maximum(peak, y)
    row = step_row(n, k, toward)
    for table, expected in ((tables.memory, z), (tables.sided, sided), (tables.timed, timed)):
        assert table[row] == pytest.approx(expected.ravel())
    assert tables.peak[row] == pytest.approx(peak.ravel())


def test_nobody_decides_at_the_deadline(controller):
    time, position = time_degrees(controller.time), position_degrees(controller.position)
    decided = step_decisions(time, position, 15)
    last = decided.premises[decided.frame == 900]
    assert last.size
    assert not last.any()
    assert decided.premises[decided.frame < 900].sum(axis=-1) == pytest.approx(1)
