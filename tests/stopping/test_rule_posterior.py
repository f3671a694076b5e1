"""The posterior of rules: against brute force, with a group, and of known rules."""

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.stopping import rule_posterior
from fuzzybounds.stopping.rule_posterior import (
    Evidence,
    all_bases,
    check_rule_posterior,
    common_rules,
    infer_rules,
    posterior,
)

DESIGN = pd.DataFrame({"quantity": "p0", "condition": ["easy", "hard"], "value": [0.65, 0.51]})
WHERE = {"cued": True, "condition": "easy", "blocks": 20, "delays": (0.0, 0.2)}


@pytest.fixture
def small(monkeypatch):
    """A grid of one point beside the delays."""
    monkeypatch.setattr(rule_posterior, "SCALES", (1.0,))
    monkeypatch.setattr(rule_posterior, "GAINS", (0.2,))
    monkeypatch.setattr(rule_posterior, "LAPSES", (0.01,))


def test_every_base_is_there_once():
    bases = all_bases().reshape(512, 9)
    assert len(np.unique(bases, axis=0)) == 512
    assert bases.mean() == 0.5


def test_the_posterior_is_bayes_rule():
    """Two bases that differ in one rule, with odds of 3 to 1, and the prior odds of that rule."""
    logs = np.full((1, 512), -np.inf)
    logs[0, 0], logs[0, 1] = 0.0, np.log(3.0)
    (place,) = np.flatnonzero(all_bases().reshape(512, 9)[1])
    alone = posterior(logs)[0]
    assert alone[place] == pytest.approx(0.75)
    assert np.delete(alone, place) == pytest.approx(np.zeros(8))
    common = np.full(9, 0.5)
    common[place] = 0.1
    assert posterior(logs, common)[0, place] == pytest.approx(0.1 * 3 / (0.1 * 3 + 0.9))


def test_a_group_s_rules_are_as_common_as_they_are():
    """Subjects whose rules are known: with a prior of one subject of either kind."""
    logs = np.full((10, 512), -np.inf)
    logs[:7, 0] = 0.0
    logs[7:, 511] = 0.0
    assert common_rules(logs) == pytest.approx(np.full(9, (3 + 1) / (10 + 2)))


def test_settings_are_averaged_over():
    evidence = Evidence([None, None], np.log([[0.2, 0.1], [0.4, 0.5]]))
    assert evidence.of_bases == pytest.approx(np.log([0.3, 0.3]))
    assert evidence.best == (None, 1)


def test_rules_are_inferred_and_checked_from_the_tables_alone(subject, small):
    trials, samples = subject
    trials = trials[trials["block"] <= 20]
    groups = pd.DataFrame({"subject": ["S01"], "group": ["fast"]})
    table = infer_rules(trials, samples, DESIGN, groups, **WHERE)
    assert TABLES["rule_posterior"].problems(table) == []
    assert len(table) == 2 * 9 * 2  # windows, rules, priors
    # The subject's boundary falls: at once and near the centre nobody stops, late and far all do.
    alone = table[(table["prior"] == "independent") & (table["window"] == "first")]
    by_premise = alone.set_index(["time_label", "position_label"])["p_stop"]
    assert by_premise["S", "S"] < 0.05
    assert by_premise["M", "M"] > 0.9
    check = check_rule_posterior(
        trials, samples, DESIGN, **WHERE, subjects=1, seed=1, dataset="tests"
    )
    assert TABLES["rule_posterior_check"].problems(check) == []
    assert check["n"].iloc[0] == 9
    assert check["n"].iloc[1:].sum() == 9
    assert check["right"].iloc[0] >= 6 / 9
