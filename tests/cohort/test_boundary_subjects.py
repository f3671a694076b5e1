"""Simulated subjects with the parameters of people: do they do as people do?"""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.canoe import task
from fuzzybounds.cohort.boundary_subjects import (
    TAU,
    Boundary,
    BoundarySubject,
    simulate_trials,
)
from fuzzybounds.datasets import load, simulate_cohort
from fuzzybounds.logs.design_check import summarise_cohort
from fuzzybounds.stopping.boundaries import met
from fuzzybounds.stopping.lattice import Bins, states

BOUNDARY = Boundary(250.0, 80.0, 4.0, 0.001, 30.0, 0.8, 40.0, 0.1)
SUMMARY = Path(__file__).with_name("experiment_a_summary.csv")
"""``cohort_summary.csv`` of Experiment A."""


@pytest.fixture(scope="module")
def cohort():
    return simulate_cohort(one_session=26)


@pytest.fixture(scope="module")
def summary(cohort):
    return summarise_cohort(cohort.trials).set_index("quantity")


@pytest.fixture(scope="module")
def experiment_a():
    return pd.read_csv(SUMMARY, keep_default_na=False).set_index("quantity")


def test_the_hazard_is_that_of_the_stopping_models():
    where = states(Bins(), 6)
    hazard, _ = met("exponential", TAU)
    for shift in (-20.0, 0.0, 35.0):
        theta = np.array([250.0 + shift, 80.0 + shift, 4.0, 0.001])
        theirs = hazard(where.time, where.position, where.outward, theta)
        ours = BOUNDARY.hazard(where.time, where.position[None], np.array([shift]))[0]
        np.testing.assert_allclose(ours, theirs, atol=2e-6)


def test_nobody_responds_without_a_reason_and_everybody_with_one():
    rng = np.random.default_rng(1)
    never = dataclasses.replace(BOUNDARY, lapse=0.0, level=1e3, asymptote=1e3)
    assert not simulate_trials(never, np.zeros(50), task.EASY, rng).responded.any()
    always = dataclasses.replace(BOUNDARY, lapse=1.0)
    at_once = simulate_trials(always, np.zeros(500), task.EASY, rng)
    assert at_once.responded.all()
    # The first bin has six frames, and the motor delay of 0.1 s as many.
    assert set(at_once.frame) == set(range(1, 13))
    early = dataclasses.replace(always, motor_delay=0.0)
    assert set(simulate_trials(early, np.zeros(500), task.EASY, rng).frame) == set(range(1, 7))
    met_late = dataclasses.replace(BOUNDARY, lapse=0.0, level=90.0, asymptote=90.0)
    seen = simulate_trials(met_late, np.zeros(500), task.EASY, rng)
    assert np.median(np.abs(seen.position)) == pytest.approx(90.0, abs=20.0)


def test_shifts_have_their_spread_correlation_and_drift():
    both = dict.fromkeys(task.CONDITIONS, BOUNDARY)
    rng = np.random.default_rng(3)
    player = BoundarySubject("S", 1, 40, 40, both).player(rng)
    used = np.ones(4000, dtype=bool)
    player.play(task.EASY, 20, used, rng)
    result = np.array(player.disturbances["easy"])
    assert result.std() == pytest.approx(1.0, abs=0.15)
    assert np.corrcoef(result[1:], result[:-1])[0, 1] == pytest.approx(0.8, abs=0.05)
    player.play(task.HARD, 20, np.arange(10) % 2 == 0, rng)
    part = player.disturbances["hard"]
    assert part[0] == part[1] != part[2]
    player.stop(3)
    assert len(player.disturbances["hard"]) == 3


MEANS = {
    "easy: median boundary, first 20 blocks": 15,
    "easy: SD of boundary": 8,
    "easy: median reaction time": 0.6,
    "hard: median boundary": 20,
    "share of missed deadlines": 0.012,
    "correlation of time and boundary, easy": 0.15,
    "hard: correlation of boundary with the one before": 0.15,
}
"""How far the cohort's mean may lie from that of Experiment A."""


@pytest.mark.parametrize("quantity", MEANS)
def test_the_cohort_is_near_experiment_a(summary, experiment_a, quantity):
    ours, theirs = summary.loc[quantity], experiment_a.loc[quantity]
    assert abs(ours["mean"] - theirs["mean"]) <= MEANS[quantity]
    assert theirs["q00"] <= ours["q50"] <= theirs["q100"]
    width = theirs["q100"] - theirs["q00"]
    assert (
        theirs["q00"] - 0.25 * width <= ours["q10"] <= ours["q90"] <= theirs["q100"] + 0.25 * width
    )


def test_the_summary_of_experiment_a_is_that_of_the_logs(shared_data, experiment_a):
    trials = load(shared_data / "Canoe_A.csv", layout="published").trials
    result = summarise_cohort(trials).set_index("quantity")
    pd.testing.assert_frame_equal(result, experiment_a, rtol=1e-6, check_dtype=False)


def test_fast_and_slow_subjects_differ_and_practice_changes_them(cohort):
    easy = cohort.trials.query("condition == 'easy' and responded")
    easy = easy.assign(distance=easy["position"].abs(), late=easy["block"] > 20)
    medians = easy.pivot_table("distance", "subject", "late", aggfunc="median")
    low, high = medians[False].quantile([0.25, 0.75])
    fast, slow = medians[medians[False] <= low], medians[medians[False] > high]
    assert slow[False].mean() > 1.5 * fast[False].mean()
    assert slow[True].mean() > 1.3 * fast[True].mean()
    assert (medians[True] - medians[False]).abs().mean() > 12
