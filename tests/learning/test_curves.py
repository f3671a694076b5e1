"""Reward rates over trials."""

import numpy as np
import pytest

from fuzzybounds.fuzzy.controller import Controller
from fuzzybounds.learning import curves
from fuzzybounds.learning.design import PAPER_UNCUED
from fuzzybounds.learning.policy import Decisions, paper_memberships, stop_probabilities
from fuzzybounds.learning.policy_value import evaluate
from fuzzybounds.learning.sweep import monotone_rule_bases
from fuzzybounds.learning.update_rules import Learning, Rule, learn


@pytest.fixture
def controller():
    rules = monotone_rule_bases(3)[9]
    return Controller(paper_memberships(3), paper_memberships(3), rules)


def test_moving_rate_is_total_reward_over_total_time():
    rng = np.random.default_rng(0)
    reward, time = rng.choice((-20, 20), (2, 30)), rng.random((2, 30)) + 4
    rates = curves.moving_rate(reward, time, window=10)
    assert rates.shape == (2, 21)
    assert rates[1, 4] == pytest.approx(reward[1, 4:14].sum() / time[1, 4:14].sum())
    with pytest.raises(ValueError, match="window = 31"):
        curves.moving_rate(reward, time, window=31)


def test_trials_needed_counts_until_the_target_is_kept():
    trials = np.array([0, 10, 20, 30])
    rates = np.array([[0.9, 0.9, 0.9, 0.9], [0, 0.9, 0.1, 0.9], [0, 0, 0, 0.1], [0, 0.9, 0.9, 0.9]])
    assert curves.trials_needed(trials, rates, 0.8).tolist() == [0, 30, np.inf, 10]


def test_exact_rates_are_those_of_the_snapshots(controller):
    decisions = Decisions()
    learning = learn(
        Rule(learning_rate=1e-3),
        controller,
        decisions,
        PAPER_UNCUED,
        trials=40,
        replicates=2,
        rng=np.random.default_rng(0),
        every=20,
    )
    rates = curves.exact_rates(learning, controller, decisions, PAPER_UNCUED)
    assert rates.shape == (2, 3)
    start = curves.rate_of(controller, decisions, PAPER_UNCUED)
    assert rates[:, 0] == pytest.approx(start)
    assert (rates[:, 1:] != start).all()


def test_noise_of_the_window_is_the_spread_of_its_rates(controller):
    learning = learn(
        Rule(learning_rate=0.0),
        controller,
        Decisions(),
        PAPER_UNCUED,
        trials=40_000,
        replicates=1,
        rng=np.random.default_rng(2),
    )
    rate, noise = curves.window_noise(learning.reward, learning.time, window=100)
    rates = curves.moving_rate(learning.reward, learning.time, 100)[0, ::100]
    assert abs(rates.mean() - rate) < noise / 10
    assert rates.std() == pytest.approx(noise, rel=0.15)


def test_curve_table_has_the_promised_columns():
    reward, time = np.ones((2, 12)), np.full((2, 12), 2.0)
    learning = Learning(reward, time, np.array([0, 12]), np.zeros((2, 2, 3, 3)))
    table = curves.curve_table("paper", learning, window=4, every=3)
    assert list(table.columns) == ["rule", "replicate", "trial", "reward_rate"]
    assert table["trial"].tolist() == [4, 7, 10] * 2
    assert (table["reward_rate"] == 0.5).all()


def test_rates_are_those_of_the_whole_policy(controller):
    for decisions in (Decisions(2.0, 30), Decisions(5.0, 6)):
        expected = evaluate(stop_probabilities(controller, decisions), PAPER_UNCUED).reward_rate
        rate = curves.rate_of(controller, decisions, PAPER_UNCUED)
        assert rate == pytest.approx(expected, rel=1e-12)
