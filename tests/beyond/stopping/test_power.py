"""What cohorts with a known truth would be called."""

import numpy as np
import pandas as pd
import pytest
import yaml
from scipy.stats import binom

from fuzzybounds.beyond.recovery.stopping import called, tabulate
from fuzzybounds.beyond.stopping.catalogue import CATALOGUE, INFERRED, RULES, RULES_INFERRED, WITHIN
from fuzzybounds.core.dictionary import TABLES

TRUTHS = ("within_exponential", "graded_tuned_3")


def recovered(leads):
    """Fits of one fold: by how much boundaries lead, for every truth and simulated subject."""
    rows = [
        {
            "condition": "easy",
            "true_model": truth,
            "subject": f"S{subject}",
            "model": model,
            "scheme": "interleaved",
            "delay": "fitted",
            "fold": 1,
            "k": 3,
            "log_likelihood": -400.0,
            "log_density_left_out": -100.0 + (lead if model == "within_exponential" else 0.0),
        }
        for truth, values in leads.items()
        for subject, lead in enumerate(values)
        for model in TRUTHS
    ]
    return pd.DataFrame(rows)


def test_clear_leads_are_called_and_level_ones_are_not():
    comparison = pd.DataFrame({"condition": ["easy"], "subjects": [26]})
    leads = {"within_exponential": [2.0, 3.0, 2.5, 4.0], "graded_tuned_3": [-1.0, 1.0, -1.0, 1.0]}
    table = tabulate([recovered(leads)], comparison, seed=1, dataset="tests")
    assert TABLES["stopping_power"].problems(table) == []
    own = table[table["question"] == "kind, noise within trials"].set_index("true_answer")
    assert own["called_boundary"]["boundary"] == 1.0
    assert own["boundary_ahead"]["boundary"] == pytest.approx(26 * 2.875)
    assert own["undecided"]["rules"] > 0.9
    assert (own[["called_rules", "called_boundary", "undecided"]].sum(axis=1) == 1.0).all()
    assert set(own["cohort"]) == {26}
    assert own["boundary_best"].to_dict() == {"boundary": 1.0, "rules": 0.5}


def test_shares_of_cohorts_are_those_of_the_binomial_distribution():
    """Leads of +1 and -1, equally often: a cohort is called by how many of each it has."""
    size = 10
    found = called(np.array([1.0, -1.0]), size, np.random.default_rng(2))
    ahead = np.arange(size + 1)
    total = 2 * ahead - size
    se = np.sqrt(size) * np.sqrt((size - total**2 / size) / (size - 1))
    expected = binom.pmf(ahead, size, 0.5)[total > 2 * se].sum()
    assert found["called_boundary"] == pytest.approx(expected, abs=0.01)
    assert found["called_rules"] == pytest.approx(expected, abs=0.01)
    assert found["se"] == pytest.approx(np.sqrt(size), rel=0.05)


def test_nothing_simulated_gives_an_empty_table():
    empty = TABLES["stopping_recovery_fits"].empty()
    comparison = TABLES["stopping_comparison"].empty()
    assert tabulate([empty], comparison, seed=1, dataset="tests").empty


def test_every_run_compares_as_many_models_of_either_kind(project_root):
    """With cues and without, all with noise within trials."""
    config = yaml.safe_load((project_root / "config.yaml").read_text(encoding="utf-8"))
    families = [CATALOGUE[name].family for name in config["stopping"]["brief"]]
    assert families.count(WITHIN) == families.count(RULES) > 1
    assert families.count(INFERRED) == families.count(RULES_INFERRED) > 1
    assert set(families) == {WITHIN, INFERRED, RULES, RULES_INFERRED}
