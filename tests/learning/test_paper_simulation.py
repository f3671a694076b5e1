"""The paper's simulation: its tables have what it was computed with."""

from __future__ import annotations

from fuzzybounds.fuzzy.rules import RuleBase
from fuzzybounds.learning.paper_simulation import initial_rules, simulate_learning


def test_the_initial_rules_are_in_the_table_of_consequents():
    rules = {"L": "SSC", "M": "CCS", "S": "CCC"}
    options = {"o": 3.0, "frames": 30, "learning_rate": 1e-3, "leak": 0.9, "range": "free"}
    tables = simulate_learning(rule_base=rules, **options, trials=1100, replicates=2, seed=1)
    found = initial_rules(tables.consequents).consequents
    assert (found == RuleBase.from_table(rules).consequents).all()
