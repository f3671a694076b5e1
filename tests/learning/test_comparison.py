"""Learning rules side by side."""

import numpy as np
import pytest

from fuzzybounds.fuzzy.controller import Controller
from fuzzybounds.fuzzy.rules import RuleBase
from fuzzybounds.learning import comparison
from fuzzybounds.learning.curves import rate_of
from fuzzybounds.learning.design import PAPER_UNCUED
from fuzzybounds.learning.policy import Decisions, paper_memberships
from fuzzybounds.learning.update_rules import soften

SLOW = RuleBase.from_table({"L": "CCS", "M": "CCS", "S": "CCC"})
BEST = 0.8666  # of any consequents on these labels
RATES = {"outcome": (1e-4,), "hindsight": (1e-9, 2e-3)}


@pytest.fixture(scope="module")
def small():
    memberships = paper_memberships(3)
    starts = {"slow": Controller(memberships, memberships, SLOW)}
    return comparison.Contest(
        {name: soften(start, 0.02) for name, start in starts.items()},
        Decisions(),
        PAPER_UNCUED,
        3000,
        5,
        500,
        seed=1,
    )


def test_the_learning_rate_that_earns_more_is_taken(small):
    assert comparison.best_learning_rate(small, "hindsight", RATES["hindsight"]) == 2e-3
    assert comparison.best_learning_rate(small, "hindsight", (1e-9,)) == 1e-9


def test_what_is_reported_comes_from_other_trials_than_the_choice(small):
    tuning, report = (
        comparison.run(small, "hindsight", "slow", 2e-3, stage) for stage in ("tuning", "report")
    )
    assert (tuning.consequents[:, 0] == report.consequents[:, 0]).all()
    assert (tuning.consequents[:, 1:] != report.consequents[:, 1:]).all()


def test_hindsight_gets_near_the_best_and_the_paper_s_rule_does_not(small):
    curves, summary = comparison.compare(small, RATES, BEST)
    summary = summary.set_index("rule")
    assert summary.loc["hindsight", "learning_rate"] == 2e-3
    assert summary.loc["hindsight", "share_of_best"] > 0.95
    assert summary.loc["hindsight", "trials_needed"] <= 3000
    assert summary.loc["hindsight", "reached"] > 0.5
    assert summary.loc["paper, as printed", "share_of_best"] < 0.8
    assert np.isinf(summary.loc["paper, as printed", "trials_needed"])
    start = small.starts["slow"]
    initial = rate_of(start.rules.consequents, start, Decisions(), PAPER_UNCUED)
    first = curves[curves["trial"] == 0]
    assert first[["low", "median", "high"]].to_numpy() == pytest.approx(initial)
    assert len(curves) == 3 * 7
