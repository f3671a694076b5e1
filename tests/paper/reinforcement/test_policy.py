"""From controllers to stop probabilities."""

import numpy as np
import pytest

from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.rules import RuleBase
from fuzzybounds.paper.reinforcement.policy import (
    Decisions,
    paper_memberships,
    stop_probabilities,
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
