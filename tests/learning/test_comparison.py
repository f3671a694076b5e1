"""Learning rules side by side."""

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.fuzzy.controller import Controller
from fuzzybounds.fuzzy.rules import RuleBase
from fuzzybounds.learning.comparison import Contest, compare_rules
from fuzzybounds.learning.curves import rate_of
from fuzzybounds.learning.design import PAPER_UNCUED
from fuzzybounds.learning.policy import Decisions, paper_memberships
from fuzzybounds.learning.update_rules import soften

SLOW = {"L": "CCS", "M": "CCS", "S": "CCC"}
REACH = pd.DataFrame(
    [{"labels": 3, "memberships": "fixed", "respond_at": "steps", "reward_rate": 0.8666}]
)
RATES = {"outcome": (1e-4,), "hindsight": (1e-9, 2e-3)}
LENGTH = {"trials": 3000, "replicates": 5, "every": 500, "seed": 1}


@pytest.fixture(scope="module")
def start():
    memberships = paper_memberships(3)
    return soften(Controller(memberships, memberships, RuleBase.from_table(SLOW)), 0.02)


def test_the_learning_rate_that_earns_more_is_taken_on_trials_of_its_own(start):
    contest = Contest({"slow": start}, **LENGTH)
    assert contest.best_learning_rate("hindsight", RATES["hindsight"]) == 2e-3
    assert contest.best_learning_rate("hindsight", (1e-9,)) == 1e-9
    tuning, shown = (contest.run("hindsight", "slow", 2e-3, stage) for stage in ("tuning", "shown"))
    assert (tuning.consequents[:, 0] == shown.consequents[:, 0]).all()
    assert (tuning.consequents[:, 1:] != shown.consequents[:, 1:]).all()


def test_hindsight_gets_near_the_best_and_the_paper_s_rule_does_not(start):
    curves, summary = compare_rules(
        REACH, starts={"slow": SLOW}, soften=0.02, learning_rates=RATES, **LENGTH
    )
    summary = summary.set_index("rule")
    assert summary.loc["hindsight", "learning_rate"] == 2e-3
    assert summary.loc["hindsight", "share_of_best"] > 0.95
    assert summary.loc["hindsight", "trials_needed"] <= 3000
    assert summary.loc["hindsight", "reached"] > 0.5
    assert summary.loc["paper, as printed", "share_of_best"] < 0.8
    assert np.isinf(summary.loc["paper, as printed", "trials_needed"])
    initial = rate_of(start, Decisions(), PAPER_UNCUED)
    first = curves[curves["trial"] == 0]
    assert first[["low", "median", "high"]].to_numpy() == pytest.approx(initial)
    assert len(curves) == 3 * 7
