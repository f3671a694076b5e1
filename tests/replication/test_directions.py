"""The direction of the canoe at responses: of people, and of the simulated cohort."""

from __future__ import annotations

import pytest

import fuzzybounds as fb
from fuzzybounds.stopping.outward import count_outward


def share(trials):
    outward, responses = count_outward(trials[trials["condition"] == "easy"])
    return outward / responses


def test_simulated_subjects_respond_on_outward_movement_as_people_do(trials):
    """Those of one session meet their boundaries; by phase of a step, in tenths of a second."""
    people = share(trials)
    assert people == pytest.approx([0.62, 0.60, 0.75, 0.94, 0.96], abs=0.01)
    cohort = fb.simulate_cohort(one_session=26, three_session=0)
    assert share(cohort.trials) == pytest.approx(people, abs=0.06)
