"""The simulator of fixed policies."""

import numpy as np
import pytest

from fuzzybounds.learning.design import PAPER_CUED, PAPER_UNCUED, POLICY_SHAPE, Design
from fuzzybounds.learning.policy_value import evaluate
from fuzzybounds.learning.simulator import simulate

FIELDS = ("condition", "frame", "walked", "correct")


@pytest.fixture
def policy():
    table = np.random.default_rng(2).random(POLICY_SHAPE) * 0.02
    table[0] = 0.05
    return table


@pytest.mark.parametrize("cued", [False, True])
def test_agrees_with_exact_evaluation_in_every_condition(policy, cued):
    task, tables = (PAPER_CUED, np.stack([policy, policy * 3])) if cued else (PAPER_UNCUED, policy)
    result = evaluate(tables, task)
    trials = simulate(tables, task, 300_000, np.random.default_rng(4))
    assert abs(trials.condition.mean() - 0.5) < 4 * 0.5 / np.sqrt(300_000)
    for index in (0, 1):
        own = trials.condition == index
        for values, expected in (
            (trials.correct, result.correct[index]),
            (~trials.responded, result.missed[index]),
            (trials.reward, result.reward[index]),
            (trials.total_time, result.time[index]),
        ):
            values = values[own].astype(float)
            assert abs(values.mean() - expected) <= 4 * values.std() / np.sqrt(own.sum()) + 1e-9


def test_missed_deadlines_are_wrong_and_at_the_deadline(policy):
    trials = simulate(policy * 0.02, PAPER_UNCUED, 5000, np.random.default_rng(4))
    missed = ~trials.responded
    assert 0.3 < missed.mean() < 1
    assert (trials.frame[missed] == 900).all()
    assert not trials.correct[missed].any()
    assert trials.frame[~missed].max() < 900
    assert trials.distance.max() == 420


def test_response_frames_follow_the_hazard():
    # A constant hazard in a short trial: frames are geometric whatever the canoe does.
    short = Design("short", deadline_steps=2)
    p = 0.03
    policy = np.full((60, 281), p)
    policy[0] = 0
    frames = simulate(policy, short, 200_000, np.random.default_rng(8)).frame
    expected = 200_000 * np.append(p * (1 - p) ** np.arange(59), (1 - p) ** 59)
    counts = np.bincount(frames, minlength=61)[1:]
    assert ((counts - expected) ** 2 / expected).sum() < 98.3  # 99.9 % quantile, 59 degrees


def test_threads_and_chunks_change_nothing(policy):
    runs = [
        simulate(policy, PAPER_UNCUED, 10_001, np.random.default_rng(1), threads=threads)
        for threads in (1, 2, 7)
    ]
    for other in runs[1:]:
        assert all((getattr(runs[0], f) == getattr(other, f)).all() for f in FIELDS)
    shorter = simulate(policy, PAPER_UNCUED, 100, np.random.default_rng(1))
    assert all((getattr(runs[0], f)[:100] == getattr(shorter, f)).all() for f in FIELDS)


def test_another_seed_is_another_simulation(policy):
    one, other = (simulate(policy, PAPER_UNCUED, 100, np.random.default_rng(s)) for s in (1, 2))
    assert (one.frame != other.frame).any()
