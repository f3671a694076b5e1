"""The optimal policy, against every policy there is."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from fuzzybounds.canoe.task import EASY, FRAME_RATE, HARD
from fuzzybounds.checks.learning.optimum import solve
from fuzzybounds.paper.reinforcement.design import PAPER_CUED, PAPER_UNCUED, Design, design
from fuzzybounds.paper.reinforcement.policy_value import evaluate

LOGS_B = design("logs_b_uncued", easy=0.745, hard=0.511)


def every_policy(brute_force, conditions, steps, respond_at):
    """Mean reward and time of every deterministic policy on (n, k), of shape (policies, 2)."""
    last = steps if respond_at == "frames" else steps - 1
    nodes = [(n, k) for n in range(1, last + 1) for k in range(n + 1)]
    results = []
    for actions in product((0, 1, -1), repeat=len(nodes)):
        action = dict(zip(nodes, actions, strict=True))
        total = np.zeros(2)
        for condition, heading, path in product(conditions, (1, -1), brute_force.directions(steps)):
            weight = brute_force.probability(path, condition.p0, heading) / (2 * len(conditions))
            for n in range(steps + 1):
                side = action.get((n, path[:n].count(1)), 0)
                if side:
                    frame = 30 * n if respond_at == "steps" else 30 * (n - 1) + 1
                    end = (frame, side, heading, False)
                    break
            else:
                end = (30 * steps, 0, heading, True)
            total += weight * np.array(brute_force.outcome(condition, *end))
        results.append(total)
    return np.array(results)


@pytest.mark.parametrize(("respond_at", "steps"), [("steps", 3), ("frames", 2)])
def test_no_policy_of_a_short_trial_beats_the_optimum(brute_force, respond_at, steps):
    short = Design("short", (replace(EASY, p0=0.8), HARD), deadline_steps=steps)
    results = every_policy(brute_force, short.conditions, steps, respond_at)
    best = solve(short, respond_at)
    assert best.reward_rate == pytest.approx((results[:, 0] / results[:, 1]).max(), rel=1e-12)


def policy_of(best, task, respond_at):
    """Stop probabilities of the optimal observer for each condition, frame and distance.

    At the edge of the screen several k look alike: respond there if any of them would.  Optimal
    observers respond long before.
    """
    cues = [0, 1] if task.cued else [0, 0]
    table = np.zeros((2, 900, 281))
    for c, cue in enumerate(cues):
        for n, k in zip(*np.nonzero(best.stops[cue]), strict=True):
            net = 2 * k - n
            lefts = [0] if respond_at == "steps" else range(30)
            for left, last in product(lefts, (1, -1)):
                frame, walked = 30 * n - left, 30 * net - last * left
                if n > 0 and abs(net - last) <= n - 1 and frame < 900:
                    table[c, frame, min(abs(walked), 280)] = 1.0
    return table


@pytest.mark.parametrize("task", [PAPER_UNCUED, PAPER_CUED, LOGS_B], ids=lambda d: d.name)
@pytest.mark.parametrize("respond_at", ["steps", "frames"])
def test_no_change_at_any_frame_improves_the_optimal_policy(task, respond_at):
    best = solve(task, respond_at)
    policy = policy_of(best, task, respond_at)
    assert evaluate(policy, task).reward_rate == pytest.approx(best.reward_rate, rel=1e-12)
    # One table for a design without cues: who does not know the condition cannot use it.
    policy = policy if task.cued else policy[0]
    rng, every = np.random.default_rng(5), 30 if respond_at == "steps" else 1
    costs = []
    for _ in range(150):
        # Within the first 4 s, later few trials are left; the canoe cannot be farther than its way.
        frame = every * rng.integers(1, 240 // every)
        place = (*rng.integers(0, policy.shape[:-2]), frame, rng.integers(0, min(frame, 280) + 1))
        changed = policy.copy()
        changed[place] = 1 - changed[place]
        costs.append(best.reward_rate - evaluate(changed, task).reward_rate)
    assert min(costs) >= -1e-12
    assert max(costs) > 1e-6


def test_the_boundary_without_cues_is_single_and_falls():
    best = solve(PAPER_UNCUED, "steps")
    boundary = best.boundary()
    assert boundary.shape == (1, 31)
    # Net steps have the parity of n: compare boundaries two steps apart, once they can be reached.
    reachable = boundary[0, 3:30]
    assert (reachable[2:] <= reachable[:-2]).all()
    assert reachable[0] > reachable[-1]
    assert np.isnan(best.times[[0, 30]]).all()
    assert best.times[1] == 0.5
    assert solve(PAPER_UNCUED, "frames").times[1] == pytest.approx(1 / FRAME_RATE)
