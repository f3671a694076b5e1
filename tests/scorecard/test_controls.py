"""Controls of the judges: what is simulated is true, and a judge that errs is found."""

from __future__ import annotations

import pytest

from fuzzybounds.checks.controls.simulated_groups import simulate_groups
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.scorecard import controls
from fuzzybounds.scorecard.claims import CLAIMS, EMPIRICAL


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
    table = controls.check_claims(*known, seed=1, most=3)
    assert list(table) == TABLES["claim_controls"].names
    assert not table.duplicated(["claim", "control"]).any()
    assert set(table["cohorts"]) == {3}
    # Boundary models and stopping models have controls of their own, and some judges only tests.
    elsewhere = {"C02", "C03", "C04", "C22", "B01", "B02"}
    elsewhere |= {"C10", "C15", "C18", "C19", "C25", "C26"}
    of_people = {name for name, claim in CLAIMS.items() if claim.group == EMPIRICAL}
    assert set(table["claim"]) == of_people - elsewhere


@pytest.mark.parametrize(
    ("conclusion", "control"), [("supported", "negative"), ("not supported", "positive")]
)
def test_a_judge_that_always_says_the_same_is_found(monkeypatch, conclusion, control):
    monkeypatch.setattr(controls, "_judge", lambda name, tables: conclusion)
    (kind,) = [part for part in controls.CONTROLS if part.claims == ("C24",)]
    rows = {row["control"]: row for row in controls._check(kind, {}, 1, 4)}
    assert not rows[control]["as_expected"]
    assert rows[control]["mistaken"] == 1.0
