"""Controls of the judges: what is simulated is true, and a judge that errs is found."""

from __future__ import annotations

import pytest

from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.seeds import generator
from fuzzybounds.scorecard import controls
from fuzzybounds.scorecard.claims import CLAIMS, EMPIRICAL


def test_simulated_subjects_are_what_the_controls_say():
    rng = generator(1, "controls")
    stay, alike = controls.approaching(rng, False), controls.differing(rng, False)
    assert stay["groups"]["median_boundary"].std() > 3 * alike["groups"]["median_boundary"].std()
    near = controls.approaching(rng, True)["groups"]
    assert near["last"].std() < 0.7 * near["first"].std()
    assert abs(stay["groups"]["last"].std() / stay["groups"]["first"].std() - 1) < 0.3


def test_cohorts_are_judged_and_counted():
    table = controls.check_claims(seed=1, most=3)
    assert list(table) == TABLES["claim_controls"].names
    assert not table.duplicated(["claim", "control"]).any()
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
    rows = {row["control"]: row for row in controls._check(kind, 1, 4)}
    assert not rows[control]["as_expected"]
    assert rows[control]["mistaken"] == 1.0
