"""One trial, looked at closely."""

import numpy as np
import pytest

from fuzzybounds.canoe.task import EASY
from fuzzybounds.fuzzy.controller import Controller
from fuzzybounds.fuzzy.rules import RuleBase
from fuzzybounds.learning.design import Design
from fuzzybounds.learning.policy import Decisions, paper_memberships, stop_probabilities
from fuzzybounds.learning.policy_value import evaluate
from fuzzybounds.learning.single_trial import simulate_trial

RULES = RuleBase.from_table({"L": "SSS", "M": "CSS", "S": "CCC"})
CONTROLLER = Controller(paper_memberships(3), paper_memberships(3), RULES)


def test_a_trial_shows_path_output_and_every_rule():
    trial = simulate_trial(CONTROLLER, Decisions(), EASY, np.random.default_rng(1))
    frames = trial.time.size
    assert trial.activation.shape == (frames, 3, 3)
    assert trial.activation.sum(axis=(1, 2)) == pytest.approx(1)
    assert trial.output == pytest.approx((trial.activation * RULES.consequents).sum(axis=(1, 2)))
    assert np.abs(np.diff(trial.position)) == pytest.approx(1.5)
    assert (frames - 1) % 30 == 0
    assert trial.time[-1] == pytest.approx((frames - 1) / 60)


def test_trials_are_those_of_the_exact_evaluation():
    rng, decisions = np.random.default_rng(3), Decisions(o=5.0)
    trials = [simulate_trial(CONTROLLER, decisions, EASY, rng) for _ in range(600)]
    result = evaluate(stop_probabilities(CONTROLLER, decisions), Design("easy", (EASY,)))
    for share, expected in (
        (np.mean([t.correct for t in trials]), result.correct[0]),
        (np.mean([not t.responded for t in trials]), result.missed[0]),
    ):
        assert 0 < expected < 1
        assert abs(share - expected) < 4 * np.sqrt(expected * (1 - expected) / 600)
    assert all(t.time[-1] == 15 for t in trials if not t.responded)
