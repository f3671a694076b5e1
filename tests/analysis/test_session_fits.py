"""Sessions as sequences: is the likelihood right, and are parameters recovered?"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.analysis.session_fits import (
    CHANGE,
    SHIFTS,
    Sequence,
    anonymous,
    change_of,
    filtered,
    fit_sessions,
    smooth,
)
from fuzzybounds.analysis.session_recovery import compare_with_truth
from fuzzybounds.cohort.boundary_subjects import PARAMETERS
from fuzzybounds.datasets import simulate_cohort


@pytest.fixture(scope="module")
def data():
    return simulate_cohort(one_session=1)


@pytest.fixture(scope="module")
def sequence(data):
    return Sequence(data.trials[data.trials["condition"] == "easy"])


THETA = np.array([2.2, 0.9, 1.3, -6.0, -0.8, 3.2, np.log(30.0)])


def test_independent_shifts_are_the_stopping_model(sequence):
    model, _ = sequence.independent()
    counts = sequence.outcomes.counts(np.ones(len(sequence.outcomes.of_trial), dtype=bool))
    theirs = counts @ model.log_likelihoods(THETA, sequence.likelihood)
    ours = sequence.log_likelihood(np.append(THETA, [-30.0, 0.0]))[0]
    assert ours == pytest.approx(theirs, abs=0.02)


def test_slopes_are_those_of_the_likelihood(sequence):
    theta = np.append(THETA, [1.0, 0.3])
    slopes = sequence.log_likelihood(theta)[1]
    for place in range(theta.size):
        moved = [theta.copy(), theta.copy()]
        moved[0][place] += 1e-5
        moved[1][place] -= 1e-5
        numeric = (
            sequence.log_likelihood(moved[0])[0] - sequence.log_likelihood(moved[1])[0]
        ) / 2e-5
        assert slopes[place] == pytest.approx(numeric, rel=2e-3, abs=2e-3)


def test_the_recursion_is_the_sum_over_all_shifts():
    rng = np.random.default_rng(1)
    given = rng.random((3, SHIFTS.size))
    session = np.zeros(3)
    total, posterior = smooth(given, session, 60.0, 0.7, 0.0)
    first = np.exp(-0.5 * (SHIFTS / 60.0) ** 2)
    move = np.exp(-0.5 * ((SHIFTS[None] - 0.7 * SHIFTS[:, None]) / 60.0) ** 2 / (1 - 0.49))
    move /= move.sum(axis=1, keepdims=True)
    joint = np.einsum(
        "i,ij,jk->ijk", first / first.sum() * given[0], move * given[1], move * given[2]
    )
    assert total == pytest.approx(np.log(joint.sum()))
    assert filtered(given, session, 60.0, 0.7, 0.0) == pytest.approx(total)
    np.testing.assert_allclose(posterior[1], joint.sum(axis=(0, 2)) / joint.sum(), atol=1e-12)


def test_drift_moves_the_shift():
    given = np.tile(np.exp(-0.5 * ((SHIFTS - 30.0) / 20.0) ** 2), (2, 1))
    given[1] = given[0][::-1]
    session = np.array([-0.5, 0.5])
    falling, rising = (filtered(given, session, 10.0, 0.5, drift) for drift in (-60.0, 60.0))
    assert falling > rising + 5
    assert change_of(np.zeros(CHANGE)) == (1.0, 0.49, 0.0)


def test_fits_are_rounded_and_compared_with_the_truth(data):
    fits = fit_sessions(data.trials)
    assert list(fits["condition"].unique()) in (["easy", "hard"], ["hard", "easy"])
    assert (fits["gain_by_dependence"] > -1).all()
    truth = [own.to_json() for own in data.truth.values()]
    table = compare_with_truth(fits, truth).set_index(["condition", "quantity"])
    assert table.loc[("easy", "boundary at 3 s"), "median_absolute_error"] < 60
    again = pd.DataFrame(
        {**truth[0]["policies"][c], "subject": "S01", "condition": c} for c in ("easy", "hard")
    )
    perfect = compare_with_truth(again, truth)
    assert (perfect["median_absolute_error"] == 0).all()
    people = anonymous(fits, np.random.default_rng(1))
    assert list(people) == ["person", "condition", *PARAMETERS]
    assert set(people["person"]) == {1}
