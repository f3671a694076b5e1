"""Learning rules side by side."""

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.checks.learning.comparison import compare_rules, softened, trials_needed
from fuzzybounds.paper.reinforcement.design import PAPER_UNCUED
from fuzzybounds.paper.reinforcement.policy import Decisions
from fuzzybounds.paper.reinforcement.policy_value import rate_of

SLOW = {"L": "CCS", "M": "CCS", "S": "CCC"}
REACH = pd.DataFrame(
    [{"labels": 3, "memberships": "fixed", "respond_at": "steps", "reward_rate": 0.8666}]
)


def test_hindsight_gets_near_the_best_and_the_paper_s_rule_does_not():
    rates = {"outcome": (1e-4,), "hindsight": (1e-9, 2e-3)}
    length = {"trials": 3000, "replicates": 5, "every": 500, "seed": 1}
    curves, summary = compare_rules(
        REACH, starts={"slow": SLOW}, soften=0.02, learning_rates=rates, **length
    )
    summary = summary.set_index("rule")
    assert summary.loc["hindsight", "learning_rate"] == 2e-3
    assert summary.loc["hindsight", "share_of_best"] > 0.95
    assert summary.loc["hindsight", "trials_needed"] <= 3000
    assert summary.loc["hindsight", "reached"] > 0.5
    assert summary.loc["paper, as printed", "share_of_best"] < 0.8
    assert np.isinf(summary.loc["paper, as printed", "trials_needed"])
    initial = rate_of(softened(SLOW, 0.02), Decisions(), PAPER_UNCUED)
    first, later = curves[curves["trial"] == 0], curves[curves["trial"] == 500]
    assert first[["low", "median", "high"]].to_numpy() == pytest.approx(initial)
    assert (later[["low", "median", "high"]].to_numpy() != initial).all()
    assert len(curves) == 3 * 7


def test_trials_needed_counts_until_the_target_is_kept():
    trials = np.array([0, 10, 20, 30])
    rates = np.array([[0.9, 0.9, 0.9, 0.9], [0, 0.9, 0.1, 0.9], [0, 0, 0, 0.1], [0, 0.9, 0.9, 0.9]])
    assert trials_needed(trials, rates, 0.8).tolist() == [0, 30, np.inf, 10]
