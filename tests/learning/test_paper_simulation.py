"""The paper's simulation, and one trial of it in plain steps."""

from __future__ import annotations

import numpy as np
import pytest

from fuzzybounds.canoe.task import EASY
from fuzzybounds.fuzzy.controller import Controller
from fuzzybounds.fuzzy.rules import RuleBase
from fuzzybounds.learning.design import Design
from fuzzybounds.learning.paper_simulation import initial_rules, simulate_learning, simulate_trial
from fuzzybounds.learning.policy import Decisions, paper_memberships, stop_probabilities
from fuzzybounds.learning.policy_value import evaluate


def test_tables_have_the_initial_rules_and_a_trial_rule_by_rule():
    letters = {"L": "SSC", "M": "CCS", "S": "CCC"}
    options = {"o": 3.0, "frames": 30, "learning_rate": 1e-3, "leak": 0.9, "range": "free"}
    tables = simulate_learning(rule_base=letters, **options, trials=1100, replicates=2, seed=1)
    rules = RuleBase.from_table(letters)
    assert (initial_rules(tables.consequents).consequents == rules.consequents).all()
    initial = tables.initial.iloc[0]
    error = initial["sd_of_a_window"] / np.sqrt(1000)  # a million trials are 1000 windows
    assert abs(initial["simulated"] - initial["exact"]) < 4 * error
    trial = tables.trial
    active = trial.iloc[:, 3:].to_numpy()
    assert active.sum(axis=1) == pytest.approx(1)
    assert trial["output"].to_numpy() == pytest.approx(active @ rules.consequents.ravel())
    assert trial["position"].diff().abs().iloc[1:].to_numpy() == pytest.approx(1.5)
    assert (len(trial) - 1) % 30 == 0
    assert trial["position"].iloc[-1] > 0


def test_trials_are_those_of_the_exact_evaluation():
    rules = RuleBase.from_table({"L": "SSS", "M": "CSS", "S": "CCC"})
    controller = Controller(paper_memberships(3), paper_memberships(3), rules)
    rng, decisions = np.random.default_rng(3), Decisions(o=5.0)
    trials = [simulate_trial(controller, decisions, EASY.p0, rng) for _ in range(600)]
    result = evaluate(stop_probabilities(controller, decisions), Design("easy", (EASY,)))
    for share, expected in (
        (np.mean([t.correct for t in trials]), result.correct[0]),
        (np.mean([~t.responded for t in trials]), result.missed[0]),
    ):
        assert 0 < expected < 1
        assert abs(share - expected) < 4 * np.sqrt(expected * (1 - expected) / 600)
