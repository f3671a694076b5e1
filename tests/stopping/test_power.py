"""What cohorts with a known truth would be called."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.stopping.brief import compare_briefly
from fuzzybounds.stopping.recovery import called, tabulate

from .conftest import simulated_trials

TRUTHS = ("within_exponential", "graded_3")


def recovered(leads):
    """Fits of one fold: by how much boundaries lead, for every truth and simulated subject."""
    rows = [
        {
            **{"condition": "easy", "scheme": "interleaved", "delay": "fitted", "fold": 1},
            **{"true_model": truth, "subject": f"S{subject}", "model": model},
            **{"k": 3, "log_likelihood": -400.0},
            "log_density_left_out": -100.0 + (lead if model == "within_exponential" else 0.0),
        }
        for truth, values in leads.items()
        for subject, lead in enumerate(values)
        for model in TRUTHS
    ]
    return pd.DataFrame(rows)


def test_clear_leads_are_called_and_level_ones_are_not():
    comparison = pd.DataFrame({"condition": ["easy"], "subjects": [26]})
    leads = {"within_exponential": [2.0, 3.0, 2.5, 4.0], "graded_3": [-1.0, 1.0, -1.0, 1.0]}
    table = tabulate([recovered(leads)], comparison, seed=1, dataset="tests")
    assert TABLES["stopping_power"].problems(table) == []
    asked = table[table["question"] == "kind"].set_index("true_answer")
    assert set(asked["answer"]) == {"boundary"}
    assert asked["called_answer"]["boundary"] == 1.0
    assert asked["ahead"]["boundary"] == pytest.approx(26 * 2.875)
    assert asked["undecided"]["rules"] > 0.9
    assert set(asked["cohort"]) == {26}
    assert asked["best"].to_dict() == {"boundary": 1.0, "rules": 0.5}


def test_shares_of_cohorts_are_those_of_the_binomial_distribution():
    """Leads of +1 and -1, equally often: a cohort is called by how many of each it has."""
    size = 10
    shares = called(np.array([1.0, -1.0]), size, np.random.default_rng(2))
    ahead = np.arange(size + 1)
    total = 2 * ahead - size
    se = np.sqrt(size) * np.sqrt((size - total**2 / size) / (size - 1))
    expected = binom.pmf(ahead, size, 0.5)[total > 2 * se].sum()
    assert shares["called_answer"] == pytest.approx(expected, abs=0.01)
    assert shares["called_other"] == pytest.approx(expected, abs=0.01)
    assert shares["se"] == pytest.approx(np.sqrt(size), rel=0.05)


DESIGN = pd.DataFrame({"quantity": "p0", "condition": ["easy", "hard"], "value": [0.65, 0.55]})
DESIGN = DESIGN.assign(subject="", low=0.5, high=0.7)


KINDS = ("boundary", "rules", "directed boundary", "directed rules")


@pytest.fixture
def compared(subject):
    """Compare models on two simulated subjects; their conditions may be told or not."""
    first, points = subject
    second = simulated_trials(seed=6).assign(subject="S02", trial=np.arange(120) + 121)
    trials = pd.concat([first, second], ignore_index=True)
    samples = pd.concat([points, points.assign(subject="S02", trial=points["trial"] + 120)])

    def compare(models, *, cued):
        relabelled = (
            trials if cued else trials.assign(condition=np.resize(["easy", "hard"], len(trials)))
        )
        return compare_briefly(
            relabelled, samples, DESIGN, cued=cued, models=models, seed=1,
            recovery_subjects=dict.fromkeys(KINDS, 2),
            dataset="tests", bin_width=0.1, delays=(0.0, 0.2), fold_number=2,
        )  # fmt: skip

    return compare


def test_a_brief_comparison_comes_with_its_power(compared):
    tables = compared([*TRUTHS, *(f"{name}_directed" for name in TRUTHS)], cued=True)
    for name, table in zip(("", "_models", "_power"), tables, strict=True):
        assert TABLES[f"stopping_brief{name}"].problems(table) == []
    for question in ("kind", "kind with direction", "direction"):
        asked = tables.power[tables.power["question"] == question]
        # Two schemes, with a fitted delay.
        assert (asked.groupby("true_answer").size() == 2).all()
        assert set(asked["delay"]) == {"fitted"}
        assert set(asked["true_answer"]) == set(KINDS)
    assert set(tables.power["simulated"]) == {2}


def test_without_cues_one_hazard_serves_all_trials(compared):
    tables = compared(TRUTHS, cued=False)
    assert set(tables.brief["condition"]) == {"all"}
    asked = tables.power[tables.power["question"] == "kind"]
    assert asked.groupby("true_answer")["true_model"].nunique().tolist() == [1, 1]
