from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chisquare

from fuzzybounds.canoe.task import (
    DEADLINE_FRAMES,
    EASY,
    EDGE,
    HARD,
    Condition,
    free_walk,
    simulate_trials,
)


def stopping(probability):
    """The policy that stops with the same probability at every frame."""
    return lambda time, distance: np.broadcast_to(probability, distance.shape)


def bounded(boundary):
    """The policy that stops where the canoe reaches a boundary."""
    return lambda time, distance: (distance >= boundary).astype(float)


def within(share, expected, n, sds=4.5):
    return abs(share - expected) <= sds * np.sqrt(expected * (1 - expected) / n) + 1e-12


class TestFreeWalk:
    def test_agrees_with_a_plain_loop(self):
        rng = np.random.default_rng(1)
        directions = rng.choice((-1, 1), size=(20, 30), p=(0.2, 0.8))
        directions[:10] *= -1
        walks = free_walk(directions)
        assert walks.shape == (20, 901)
        for steps, walk in zip(directions, walks, strict=True):
            position = 0.0
            assert walk[0] == 0
            for frame in range(900):
                position += 1.5 * steps[frame // 30]
                assert walk[frame + 1] == min(max(position, -EDGE), EDGE)


class TestSimulateTrials:
    def test_a_constant_chance_gives_geometric_times(self):
        p, n = 0.01, 8000
        trials = simulate_trials(stopping(p), HARD, n, np.random.default_rng(1))
        edges = np.array([1, 2, 5, 20, 50, 100, 200, 400, 700, 900, 901])
        counts = np.histogram(trials.frame, edges)[0]
        # P(frame >= f) = (1 - p)^(f - 1); who has not stopped in 899 frames misses the deadline.
        survival = (1 - p) ** (np.minimum(edges, 900) - 1)
        survival[-1] = 0
        assert chisquare(counts, -np.diff(survival) * n).pvalue > 1e-5
        np.testing.assert_array_equal(trials.responded, trials.frame < DEADLINE_FRAMES)

    def test_a_policy_may_say_whether_a_subject_stops(self):
        height = np.random.default_rng(4).normal(150, 60, (200, 1))
        policies = (lambda time, far: far >= height, lambda time, far: 1.0 * (far >= height))
        sure, likely = (simulate_trials(p, EASY, 200, np.random.default_rng(3)) for p in policies)
        assert 0 < (~sure.responded).sum() < 200
        np.testing.assert_array_equal(sure.frame, likely.frame)
        np.testing.assert_array_equal(sure.correct, likely.correct)

    @pytest.mark.parametrize("condition", [EASY, HARD, Condition("certain", 1.0, 1, 0.0)])
    def test_steps_go_the_correct_way_with_probability_p0(self, condition):
        n = 1500
        trials = simulate_trials(stopping(1.0), condition, n, np.random.default_rng(2))
        # Who stops at once names the side of the first step: its outcome tells the heading.
        heading = np.sign(trials.position) * np.where(trials.correct, 1, -1)
        # Nine steps cannot lead to the edge.
        steps = np.diff(trials.paths[:, : 9 * 30 + 1 : 30], axis=1)
        np.testing.assert_array_equal(np.abs(steps), 45)
        toward = steps * heading[:, None] > 0
        assert within(toward.mean(), condition.p0, toward.size)
        # Whatever the steps before were.
        after = toward[:, 1:][toward[:, :-1]]
        assert within(after.mean(), condition.p0, after.size)

    @pytest.mark.parametrize("condition", [EASY, HARD])
    @pytest.mark.parametrize("steps", [1, 2, 3])
    def test_a_constant_boundary_agrees_with_the_absorbing_walk(self, condition, steps):
        """Times and accuracy at a boundary of whole steps, by powers of the chain's matrix."""
        n = 3000
        trials = simulate_trials(bounded(45.0 * steps), condition, n, np.random.default_rng(steps))
        states = 2 * steps + 1
        move = np.zeros((states, states))
        move[0, 0] = move[-1, -1] = 1
        for state in range(1, states - 1):
            move[state, state + 1], move[state, state - 1] = condition.p0, 1 - condition.p0
        at = np.eye(states)[steps]
        absorbed = []
        for _ in range(29):  # the thirtieth step ends with the deadline
            at = at @ move
            absorbed.append((at[-1], at[0]))
        correct, wrong = absorbed[-1]
        assert within(trials.correct.mean(), correct, n)
        assert within((trials.responded & ~trials.correct).mean(), wrong, n)
        np.testing.assert_array_equal(np.abs(trials.position[trials.responded]), 45 * steps)
        for number, (right, left) in enumerate(absorbed, 1):
            done = trials.responded & (trials.frame <= 30 * number)
            assert within(done.mean(), min(right + left, 1.0), n)
        # Gambler's ruin, once everybody has been absorbed.
        odds = (condition.p0 / (1 - condition.p0)) ** steps
        assert within(
            trials.correct[trials.responded].mean(), odds / (1 + odds), trials.responded.sum()
        )

    def test_who_responds_at_the_centre_guesses(self):
        n = 4000
        at_centre = lambda time, distance: (distance == 0).astype(float)  # noqa: E731
        trials = simulate_trials(
            at_centre, Condition("sure", 0.9, 1, 0.0), n, np.random.default_rng(3)
        )
        responded = trials.responded
        np.testing.assert_array_equal(trials.position[responded], 0)
        assert responded.sum() > 500
        assert within(trials.correct[responded].mean(), 0.5, responded.sum())
