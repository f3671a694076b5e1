"""Claims on other subjects than Experiment A's: interval, power, truth."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from fuzzybounds.paper.claims import CLAIMS
from fuzzybounds.paper.claims.claim import EXPERIMENT_A, FEW
from fuzzybounds.paper.claims.elsewhere import EVIDENCE, TRUTH, evidence, power
from fuzzybounds.paper.claims.scorecard import score


def test_power_is_cohens():
    """The classic: 64 subjects in each group find d = 0.5 with probability 0.8."""
    assert power(0.5, 64, 64) == pytest.approx(0.8015, abs=1e-4)
    assert power(0.0, 10, 7, 0.005) == pytest.approx(0.005, abs=1e-5)
    assert power(5.9, 6, 5, 0.005) == pytest.approx(1.0, abs=1e-4)
    assert np.isnan(power(1.0, 1, 5))


def test_power_is_what_simulation_gives():
    rng = np.random.default_rng(1)
    a, b = rng.normal(1.2, 1, (6, 20_000)), rng.normal(0, 1, (7, 20_000))
    found = np.mean(stats.ttest_ind(a, b).pvalue < 0.05)
    assert power(1.2, 6, 7) == pytest.approx(found, abs=0.01)


def group_tests(low: float, high: float) -> dict:
    names = ["slow_vs_fast_first", "slow_vs_fast_last", "fast_last_vs_first", "slow_last_vs_first"]
    tests = pd.DataFrame(
        {
            "comparison": names,
            "test": "student_t",
            "p": 0.001,
            "mean_difference": (low + high) / 2,
            "low": low,
            "high": high,
        }
    )
    permuted = tests.assign(test="permutation")
    groups = pd.DataFrame({"group": ["fast"] * 5 + ["slow"] * 5 + ["middle"] * 10})
    return {"group_tests": pd.concat([tests, permuted]), "groups": groups}


def test_intervals_and_power_stand_beside_the_tests():
    effects = {"slow_vs_fast_first": 5.857, "slow_vs_fast_last": 2.159}
    found = evidence("C13", group_tests(20, 90), effects)
    assert found.interval == (
        "95 % intervals: first [20, 90] px, last [20, 90] px; power to find differences as large "
        "as Experiment A's at p < 0.005: 1.00 and 0.42"
    )


@pytest.mark.parametrize(
    ("varying", "n", "verdict"),
    [(18, 20, "holds here"), (12, 20, FEW), (1, 20, "does not hold here"), (3, 6, FEW)],
)
def test_a_share_near_its_threshold_is_undecided(varying, n, verdict):
    multiverse = pd.DataFrame(
        {
            "claim": ["C02"],
            "criterion": "",
            "boundary_time": "total",
            "bounds": "stable",
            "search": "fit",
            "responses": "all",
            "value": varying,
            "out_of": n,
            "compared": varying,
            "verdict": "",
            "default": True,
        }
    )
    tables = {"boundary_multiverse": multiverse}
    (row,) = score({"C02": CLAIMS["C02"]}, tables, "my_lab", "own").itertuples()
    assert row.verdict == verdict
    assert row.interval.startswith(f"Shares of subjects with 95 % intervals: {varying / n:.2f} [")
    if verdict == FEW:
        assert row.note.endswith("which contains 0.5.")


def test_experiment_a_stands_beside_other_data_sets_and_not_beside_itself():
    tables = {
        "groups": pd.DataFrame({"group": ["fast"] * 7 + ["slow"] * 6 + ["middle"] * 13}),
        "experiment_a": {"claims": {"C09": {"ours": "7 fast, 6 slow", "verdict": "reproduced"}}},
    }
    claims = {"C09": CLAIMS["C09"]}
    (row,) = score(claims, tables, "experiment_b", "published").itertuples()
    assert row.experiment_a == "7 fast, 6 slow (reproduced)"
    (row,) = score(claims, tables, EXPERIMENT_A, "published").itertuples()
    assert row.experiment_a == ""


def test_the_truth_of_simulated_subjects_is_told():
    groups = pd.DataFrame({"group": ["fast"] * 7 + ["slow"] * 7 + ["middle"] * 12})
    (row,) = score(
        {"C09": CLAIMS["C09"]}, {"groups": groups}, "simulated", "simulated"
    ).itertuples()
    assert row.note.startswith("The paper is about Experiment A; these are simulated. ")
    for follow, truth in TRUTH.items():
        tables = {**group_tests(20, 90), "experiment_a": {}, "dataset": {"follow": follow}}
        (row,) = score({"C13": CLAIMS["C13"]}, tables, "simulated", "simulated").itertuples()
        assert f"these are simulated. In truth {truth['C13']}. Student's" in row.note


def test_only_claims_about_subjects_have_an_interval():
    assert all(CLAIMS[name].about == EXPERIMENT_A for name in EVIDENCE)


def test_the_committed_values_of_experiment_a(project_root):
    """Every claim has one; where Experiment A's results are here, they are the same."""
    reference = json.loads((project_root / "workflow/experiment_a.json").read_text())
    assert {name for name in CLAIMS if name.startswith("C")} <= set(reference["claims"])
    path = project_root / "results/experiment_a/claims.csv"
    if not path.exists():
        pytest.skip("Experiment A's results are not in this folder")
    claims = pd.read_csv(path, keep_default_na=False, dtype=str).set_index("id")
    # Boundary models of class rl depend on the last digits of exp and log (C02 to C04).
    for name in set(CLAIMS) - {"C02", "C03", "C04"}:
        assert reference["claims"][name]["ours"] == claims.loc[name, "ours"], name
        assert reference["claims"][name]["verdict"] == claims.loc[name, "verdict"], name
