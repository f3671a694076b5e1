"""The decisions of every step."""

import numpy as np
import pytest

from fuzzybounds.beyond.learners.people.step_decisions import step_decisions
from fuzzybounds.canoe.lattice import edge_row
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.rules import RuleBase
from fuzzybounds.paper.reinforcement.policy import paper_memberships, position_degrees, time_degrees


@pytest.fixture
def controller():
    memberships = paper_memberships(3)
    consequents = np.random.default_rng(1).random((3, 3))
    return Controller(memberships, memberships, RuleBase.from_consequents(consequents))


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
