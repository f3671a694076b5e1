"""Exact policy evaluation."""

import numpy as np
import pytest

from fuzzybounds.canoe.task import EASY, HARD, simulate_trials
from fuzzybounds.paper.reinforcement.design import PAPER_UNCUED, POLICY_SHAPE, Design
from fuzzybounds.paper.reinforcement.policy_value import evaluate


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def test_equals_the_sum_over_all_paths(rng, brute_force):
    short = Design("short", deadline_steps=4)
    policy = rng.random((120, 281)) * 0.03
    reward, time = brute_force.evaluate(policy, short)
    result = evaluate(policy, short)
    assert result.reward.mean() == pytest.approx(reward, rel=1e-12)
    assert result.time.mean() == pytest.approx(time, rel=1e-12)


def test_the_canoe_that_is_clipped_at_the_edge_is_followed_exactly(brute_force):
    # Responds at the edge only, and only when the walk is back there from beyond it.
    task = Design("edge", deadline_steps=12)
    policy = np.zeros((360, 281))
    policy[330:, 280] = 0.2
    reward, time = brute_force.evaluate(policy, task)
    assert evaluate(policy, task).reward_rate == pytest.approx(reward / time, rel=1e-12)


def test_agrees_with_the_simulator_of_the_task(rng):
    def stop(time, distance):
        return 0.01 + 0.04 * (distance > 60) + 0 * time

    policy = stop(0.0, np.arange(281) * 1.5) * np.ones((900, 1))
    policy[0] = 0
    result = evaluate(policy, PAPER_UNCUED)
    for index, condition in enumerate((EASY, HARD)):
        trials = simulate_trials(stop, condition, 8000, rng)
        total = condition.total_time(trials.decision_time, trials.correct)
        for values, expected in (
            (trials.correct, result.correct[index]),
            (condition.reward(trials.correct), result.reward[index]),
            (total, result.time[index]),
        ):
            assert abs(values.mean() - expected) < 4 * values.std() / np.sqrt(8000)


@pytest.mark.parametrize("every", [1, 6, 30])
def test_frames_without_a_decision_can_be_skipped(rng, every):
    policy = np.zeros(POLICY_SHAPE)
    policy[::every] = rng.random(policy[::every].shape) ** 4
    policy[5 * every] = 1.0  # nobody is left after this one
    plain, short = evaluate(policy, PAPER_UNCUED), evaluate(policy, PAPER_UNCUED, every=every)
    for name in ("reward", "time", "correct", "missed"):
        assert getattr(short, name) == pytest.approx(getattr(plain, name), rel=1e-12)
