"""The paper's simulation: reward rates over trials, the noise of a window, and one trial."""

from __future__ import annotations

import numpy as np
import pytest

from fuzzybounds.core.documents import read_yaml
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.rules import RuleBase
from fuzzybounds.paper.reinforcement import paper_simulation as simulation
from fuzzybounds.paper.reinforcement.design import PAPER_UNCUED
from fuzzybounds.paper.reinforcement.policy import Decisions, paper_memberships
from fuzzybounds.paper.reinforcement.update_rules import Rule, learn


def test_tables_have_the_initial_rules_and_a_trial_rule_by_rule():
    letters = {"L": "SSC", "M": "CCS", "S": "CCC"}
    options = {"o": 3.0, "frames": 30, "learning_rate": 1e-3, "leak": 0.9, "range": "free"}
    tables = simulation.simulate_learning(
        rule_base=letters, **options, trials=1100, replicates=2, seed=1
    )
    rules = RuleBase.from_table(letters)
    assert (simulation.initial_rules(tables.consequents).consequents == rules.consequents).all()
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


def test_the_drawn_trial_ends_at_the_nearest_point_that_the_canoe_can_reach(project_root):
    """After n steps it is a multiple of 45 px of the parity of n from the centre."""
    config = read_yaml(project_root / "config.yaml")
    options = {**config["learning"], "trials": 1000, "replicates": 2}
    for name in ("sweep", "post_error_permutations"):
        del options[name]
    tables = simulation.simulate_learning(**options, seed=config["seed"])
    end = tables.trial.iloc[-1]
    drawn = np.hypot(end["time"] / 15 - 0.9, end["position"] / 420 - 0.4)
    lattice = [(n / 30, 45 * k / 420) for n in range(30) for k in range(n % 2, 10, 2)]
    assert drawn == pytest.approx(min(np.hypot(t - 0.9, x - 0.4) for t, x in lattice))
    assert set(tables.curves["rule"]) == {*simulation.SIGNS, simulation.CONTROL}
    assert tables.curves["trial"].min() == 50


def test_moving_rate_is_total_reward_over_total_time():
    rng = np.random.default_rng(0)
    reward, time = rng.choice((-20, 20), (2, 30)), rng.random((2, 30)) + 4
    rates = simulation.moving_rate(reward, time, window=10)
    assert rates.shape == (2, 30)
    assert rates[1, 13] == pytest.approx(reward[1, 4:14].sum() / time[1, 4:14].sum())
    assert rates[0, 6] == pytest.approx(reward[0, :7].sum() / time[0, :7].sum())


def test_noise_of_the_window_is_the_spread_of_its_rates():
    rules = RuleBase.from_table({"L": "CSS", "M": "CCS", "S": "CCS"})
    controller = Controller(paper_memberships(3), paper_memberships(3), rules)
    run = (Rule(learning_rate=0.0), controller, Decisions(), PAPER_UNCUED)
    learning = learn(*run, trials=40_000, replicates=1, rng=np.random.default_rng(2))
    rate, noise = simulation.window_noise(learning.reward, learning.time, window=100)
    rates = simulation.moving_rate(learning.reward, learning.time, 100)[0, 99::100]
    assert abs(rates.mean() - rate) < noise / 10
    assert rates.std() == pytest.approx(noise, rel=0.15)
