"""Controls of the judges: what is simulated is true, and a judge that errs is found."""

from __future__ import annotations

import pytest

from fuzzybounds.checks.controls.simulated_groups import simulate_groups
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.scorecard import controls


@pytest.fixture(scope="module")
def known():
    return simulate_groups(seed=1, most=3)


def test_simulated_subjects_are_what_the_controls_say(known):
    first = known.groups[known.groups["cohort"] == 0].set_index("kind")
    sd = first.groupby(level=0)[["median_boundary", "first", "last"]].std()
    assert sd.loc["stay", "median_boundary"] > 3 * sd.loc["alike", "median_boundary"]
    assert sd.loc["approach", "last"] < 0.7 * sd.loc["approach", "first"]
    assert abs(sd.loc["stay", "last"] / sd.loc["stay", "first"] - 1) < 0.3
    for name, table in known._asdict().items():
        assert not TABLES[f"control_{name}"].problems(table)


def test_cohorts_are_judged_and_counted(known):
    table = controls.check_claims(*known)
    assert list(table) == TABLES["claim_controls"].names
    assert not table.duplicated(["claim", "control"]).any()
    assert set(table["cohorts"]) == {3}
    assert set(table["claim"]) == {"C09", "C13", "C14"}


@pytest.mark.parametrize(
    ("conclusion", "control"), [("supported", "negative"), ("not supported", "positive")]
)
def test_a_judge_that_always_says_the_same_is_found(monkeypatch, known, conclusion, control):
    monkeypatch.setattr(controls, "_judge", lambda name, tables: conclusion)
    rows = controls.check_claims(*known)
    of_control = rows[rows["control"] == control]
    assert not of_control["as_expected"].any()
    assert (of_control["mistaken"] == 1.0).all()
