"""Learning rules in simulation."""

from dataclasses import replace

import numpy as np
import pytest

from fuzzybounds.canoe.task import CONDITIONS, free_walk
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.rules import RuleBase
from fuzzybounds.paper.reinforcement.design import PAPER_UNCUED
from fuzzybounds.paper.reinforcement.policy import Decisions, paper_memberships, stop_probabilities
from fuzzybounds.paper.reinforcement.policy_value import evaluate
from fuzzybounds.paper.reinforcement.update_rules import Rule, learn

MEMBERSHIPS = paper_memberships(3)
TINY = 1e-12  # a learning rate that leaves the policy as it is


@pytest.fixture
def controller():
    consequents = [[0.02, 0.2, 0.6], [0.1, 0.4, 0.7], [0.3, 0.5, 0.9]]
    return Controller(MEMBERSHIPS, MEMBERSHIPS, RuleBase.from_consequents(consequents))


def mean_update(rule, controller, decisions, replicates=20, trials=20_000):
    """Mean update over trials of one policy, and its standard error."""
    learning = learn(
        rule,
        controller,
        decisions,
        PAPER_UNCUED,
        trials=trials,
        replicates=replicates,
        rng=np.random.default_rng(3),
        every=trials,
    )
    update = (learning.consequents[:, -1] - learning.consequents[:, 0]) / (TINY * trials)
    return update.mean(axis=0), update.std(axis=0, ddof=1) / np.sqrt(replicates)


def _net_and_trace(controller, o, leak, rho, trials):
    """(r - rho d) z of simulated trials, decision by decision, every 15 frames."""
    rng = np.random.default_rng(11)
    easy = rng.random(trials) < 0.5
    p0 = np.where(easy, 0.65, 0.51)[:, None]
    paths = free_walk(np.where(rng.random((trials, 30)) < p0, 1, -1))
    z, on = np.zeros((trials, 3, 3)), np.ones(trials, dtype=bool)
    end, side = np.full(trials, 900), np.full(trials, -1.0)
    for frame in range(15, 900, 15):
        y = controller.premises(frame / 900, paths[:, frame] / 420, normalised=True)
        z[on] = leak * z[on] + y[on]
        output = (y * controller.rules.consequents).sum(axis=(1, 2))
        stop = on & (rng.random(trials) < output / o)
        end[stop] = frame
        side[stop] = np.where(paths[:, frame] == 0, rng.choice((-1, 1), trials), paths[:, frame])[
            stop
        ]
        on &= ~stop
    correct = side > 0
    net = np.empty(trials)
    for condition, part in ((CONDITIONS["easy"], easy), (CONDITIONS["hard"], ~easy)):
        time = condition.total_time(end / 60, correct)
        net[part] = (condition.reward(correct) - rho * time)[part]
    # The trace of a missed trial leaks once more until the deadline.
    z[on] *= leak
    return net[:, None, None] * z


def test_the_paper_s_update_is_what_the_paper_says(controller):
    decisions, leak, rho = Decisions(o=2.0, frames=15), 0.8, 0.5
    rule = Rule(learning_rate=TINY, leak=leak, rho=rho, range="free")
    mean, error = mean_update(rule, controller, decisions)
    updates = -_net_and_trace(controller, 2.0, leak, rho, trials=6000)
    spread = np.hypot(error, updates.std(axis=0) / np.sqrt(6000))
    assert (np.abs(mean - updates.mean(axis=0)) < 4.5 * spread).all()
    assert (np.abs(mean) > 4.5 * spread).any()


def test_nothing_can_be_learnt_from_the_outcome_of_the_trial_before(controller):
    """Its mean update is 0 where rho is the reward rate; with the own outcome it is not."""
    rate = evaluate(stop_probabilities(controller, Decisions()), PAPER_UNCUED).reward_rate
    rule = Rule(learning_rate=TINY, rho=rate, range="free")
    mean, error = mean_update(rule, controller, Decisions())
    assert (np.abs(mean) > 6 * error).any()
    mean, error = mean_update(replace(rule, lagged=True), controller, Decisions())
    assert (np.abs(mean) < 4.5 * error).all()


@pytest.mark.parametrize("frames", [1, 6, 30])
def test_trials_earn_the_exact_rate_of_their_policy(controller, frames):
    decisions = Decisions(frames=frames)
    learning = learn(
        Rule(learning_rate=0.0),
        controller,
        decisions,
        PAPER_UNCUED,
        trials=50_000,
        replicates=2,
        rng=np.random.default_rng(0),
    )
    rate = evaluate(stop_probabilities(controller, decisions), PAPER_UNCUED).reward_rate
    net = learning.reward.astype(float) - rate * learning.time
    assert abs(net.mean()) < 4 * net.std() / np.sqrt(net.size)
    assert (learning.consequents == controller.rules.consequents).all()


def run(rule, controller, **changes):
    arguments = {"trials": 300, "replicates": 3, "rng": np.random.default_rng(5), "every": 50}
    return learn(rule, controller, Decisions(), PAPER_UNCUED, **{**arguments, **changes})


def test_the_other_sign_learns_the_opposite(controller):
    printed = run(Rule(learning_rate=TINY, range="free", sign=-1), controller, trials=1)
    reversed_ = run(Rule(learning_rate=TINY, range="free", sign=1), controller, trials=1)
    start = controller.rules.consequents
    change = printed.consequents[:, -1] - start
    assert change.any()
    assert change == pytest.approx(start - reversed_.consequents[:, -1])
    # A good trial lowers the weights of its rules, as printed.
    good = printed.reward[:, 0] > 0
    assert good.any()
    assert (change[good] <= 0).all()


def test_rho_is_the_reward_rate_so_far(controller):
    def last_update(rho):
        rule = Rule(learning_rate=TINY, range="free", rho=rho)
        learning = run(rule, controller, trials=3, every=1)
        return learning, np.diff(learning.consequents, axis=1)[:, 2]

    learning, estimated = last_update(None)
    for replicate in range(3):
        reward, time = learning.reward[replicate, :2], learning.time[replicate, :2]
        _, given = last_update(float(reward.sum() / time.sum()))
        assert estimated[replicate] == pytest.approx(given[replicate], rel=1e-4)


def test_consequents_stay_within_0_and_1(controller):
    learning = run(Rule(learning_rate=0.01), controller)
    assert learning.consequents.min() >= 0
    assert learning.consequents.max() <= 1
    assert (learning.consequents[:, -1] != controller.rules.consequents).any()


def test_other_replicates_change_nothing(controller):
    rule = Rule(learning_rate=1e-3)
    more, fewer = (run(rule, controller, replicates=count) for count in (5, 2))
    assert (more.consequents[:2] == fewer.consequents).all()
    assert (more.reward[0] != more.reward[1]).any()


def test_the_trace_of_a_missed_trial_leaks_until_the_deadline():
    """Premises sum to 1 at each of the 29 decisions, so the traces sum to a geometric series."""
    never = Controller(MEMBERSHIPS, MEMBERSHIPS, RuleBase.from_consequents(np.zeros((3, 3))))
    rule = Rule(learning_rate=1.0, leak=0.5, rho=0.0, range="free")
    learning = run(rule, never, trials=1)
    series = sum(0.5**count for count in range(1, 30))
    change = learning.consequents[:, -1].sum(axis=(1, 2))
    assert (learning.reward[:, 0] < 0).all()
    assert change == pytest.approx(-learning.reward[:, 0] * series)
