"""The best reward rate within reach of the fuzzy model."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from fuzzybounds.checks.learning import reach
from fuzzybounds.checks.learning.optimum import solve
from fuzzybounds.checks.learning.sweep import monotone_rule_bases
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.membership import Memberships
from fuzzybounds.paper.fuzzy.rules import RuleBase
from fuzzybounds.paper.reinforcement.design import PAPER_UNCUED
from fuzzybounds.paper.reinforcement.policy import Decisions, paper_memberships, stop_probabilities
from fuzzybounds.paper.reinforcement.policy_value import evaluate

STEP = 1e-5


def rate(controller, decisions):
    return evaluate(stop_probabilities(controller, decisions), PAPER_UNCUED).reward_rate


def slope(change, decisions):
    """Central difference of the reward rate by what `change` changes."""
    return (rate(change(STEP), decisions) - rate(change(-STEP), decisions)) / (2 * STEP)


@pytest.fixture
def controller():
    rng = np.random.default_rng(4)
    return Controller(
        Memberships(("S", "M", "L"), [0.05, 0.3, 0.9], [0.1, 0.2, 0.4], "width"),
        Memberships(("S", "L"), [0.1, 0.4], [0.15, 0.3], "width"),
        RuleBase.from_consequents(0.1 + 0.5 * rng.random((3, 2))),
    )


@pytest.mark.parametrize("decisions", [Decisions(3.0, 6), Decisions(frames=30)])
def test_gradient_is_that_of_finite_differences(controller, decisions):
    value, gradient = reach.controller_gradient(controller, decisions)
    assert value == pytest.approx(rate(controller, decisions), rel=1e-12)

    def changed(index, step):
        table = controller.rules.consequents.copy()
        table[index] += step
        return replace(controller, rules=replace(controller.rules, consequents=table))

    expected = [slope(partial(changed, index), decisions) for index in np.ndindex(3, 2)]
    assert gradient.ravel() == pytest.approx(expected, rel=1e-5, abs=1e-9)


def test_best_consequents_beat_every_rule_base_and_not_the_optimum():
    memberships, decisions = paper_memberships(3), Decisions()
    result, controller = reach.climb(reach.starts(3), decisions)
    assert result == pytest.approx(rate(controller, decisions), abs=1e-12)
    assert result < solve(PAPER_UNCUED, "steps").reward_rate
    for rules in monotone_rule_bases(3):
        assert rate(Controller(memberships, memberships, rules), decisions) < result
    # No small change within [0, 1] improves them: the projected gradient vanishes.
    _, gradient = reach.controller_gradient(controller, decisions)
    table = controller.rules.consequents.ravel()
    assert (gradient.ravel()[table < 0.999] < 1e-4).all()
    assert (gradient.ravel()[table > 0.001] > -1e-4).all()
