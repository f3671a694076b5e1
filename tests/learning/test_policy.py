"""From controllers to stop probabilities, and the decisions of every step."""

import numpy as np
import pytest

from fuzzybounds.canoe.lattice import edge_row
from fuzzybounds.fuzzy.controller import Controller
from fuzzybounds.fuzzy.rules import RuleBase
from fuzzybounds.learning.policy import (
    Decisions,
    paper_memberships,
    position_degrees,
    step_decisions,
    stop_probabilities,
    time_degrees,
)


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


def test_probabilities_stay_within_0_and_1(controller):
    rules = RuleBase.from_consequents(np.array([[-1, 3, 3], [-1, 3, 3], [-1, 3, 3.0]]))
    wild = Controller(controller.time, controller.position, rules)
    policy = stop_probabilities(wild, Decisions())
    assert policy.min() == 0
    assert policy.max() == 1


@pytest.mark.parametrize(("frames", "o"), [(7, 1.0), (0, 1.0), (30, 0.0)])
def test_impossible_decisions_are_refused(frames, o):
    with pytest.raises(ValueError, match="expected"):
        Decisions(o, frames)


def test_premises_are_those_of_the_controller_along_a_step(controller):
    time, position = time_degrees(controller.time), position_degrees(controller.position)
    decided = step_decisions(time, position, 6)
    # After 11 steps, 10 of them correct, one step back from 270 frames of movement.
    row = edge_row(11, 10, 0)
    assert decided.frame[row].tolist() == [336, 342, 348, 354, 360]
    assert decided.walked[row].tolist() == [264, 258, 252, 246, 240]
    expected = controller.premises(decided.frame[row] / 900, decided.walked[row] / 280, True)
    assert decided.premises[row] == pytest.approx(expected.reshape(5, 9))


def test_nobody_decides_at_the_deadline(controller):
    time, position = time_degrees(controller.time), position_degrees(controller.position)
    decided = step_decisions(time, position, 15)
    last = decided.premises[decided.frame == 900]
    assert last.size
    assert not last.any()
    assert decided.premises[decided.frame < 900].sum(axis=-1) == pytest.approx(1)
