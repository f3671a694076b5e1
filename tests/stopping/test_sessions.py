"""Sessions as sequences: is the likelihood right, and are parameters recovered?"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.cohort.boundary_subjects import PARAMETERS
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.datasets import simulate_cohort
from fuzzybounds.stopping import session_recovery
from fuzzybounds.stopping.answers import BOUNDARY, RULES
from fuzzybounds.stopping.hierarchy import fit_hierarchy, fit_population
from fuzzybounds.stopping.session_comparison import compare_sessions
from fuzzybounds.stopping.session_fits import compare_with_truth, describe_sessions
from fuzzybounds.stopping.session_recovery import _simulated, recover_sessions
from fuzzybounds.stopping.sessions import (
    CHANGE,
    FIRST_CHANGES,
    KINDS,
    SHIFTS,
    STEP,
    Given,
    interpolate,
    left_out,
    log_moves,
    read_session,
    session_model,
    smooth,
)

THETA = np.array([2.2, 0.9, 1.3, -6.0, -0.8, 3.2])
DESIGN = pd.DataFrame({"quantity": "p0", "condition": ["easy", "hard"], "value": [0.65, 0.51]})


@pytest.fixture(scope="module")
def cohort():
    return simulate_cohort(one_session=3, three_session=0)


@pytest.fixture(scope="module")
def session(cohort):
    trials = cohort.trials
    return read_session(trials[trials["subject"] == "S01"], "easy", (0.0, 0.2))


def given(session, used=None):
    return Given(session, 0.2, np.ones_like(session.known) if used is None else used)


@pytest.mark.parametrize("kind", KINDS)
def test_slopes_are_those_of_finite_differences(kind, session):
    model = session_model(kind, session)
    change = np.add(FIRST_CHANGES[0], [0.2, -0.3, 0.4, 0.15, -0.1])
    rng = np.random.default_rng(1)
    theta = np.append(model.starts[0][: -len(CHANGE)], change) + 0.05 * rng.normal(
        size=len(model.parameters)
    )
    data = given(session, rng.random(session.known.size) < 0.8)
    slopes = model.log_likelihood(theta, data)[1]
    for place, step in enumerate(1e-5 * np.eye(theta.size)):
        ends = [model.log_likelihood(theta + sign * step, data)[0] for sign in (1, -1)]
        assert slopes[place] == pytest.approx((ends[0] - ends[1]) / 2e-5, rel=1e-3, abs=1e-3)


def test_without_shifts_the_trials_are_those_of_the_stopping_model(session):
    """With sigma far below the grid, and errors that do not matter."""
    model, likelihood = session_model(BOUNDARY, session), session.likelihoods[0.2]
    theta = np.append(THETA, [np.log(6.0), -20.0, 0.0, 0.0, 0.0])
    ours = model.log_likelihood(theta, given(session))[0]
    shift = np.linspace(-40, 40, 201)
    weights = np.exp(-0.5 * (shift / 6.0) ** 2)
    hazard = model.model.shifted(THETA, likelihood.states, shift)
    logs = likelihood.log_likelihoods(hazard, weights / weights.sum())
    assert ours == pytest.approx(logs[likelihood.of_trial].sum(), abs=0.3)


def test_recorded_paths_are_used_as_they_are():
    """With independent shifts: the mean over shifts of a product along the path of every trial."""
    data = simulate_cohort(one_session=0, three_session=1)
    subject = data.trials["subject"].iloc[0]
    trials = data.trials[(data.trials["subject"] == subject) & (data.trials["session"] == 1)]
    recorded = read_session(trials, "easy", (0.0,), data.paths)
    model = session_model(BOUNDARY, recorded)
    theta = np.append(THETA, [np.log(30.0), -30.0, 0.0, 0.0, 0.0])
    everything = Given(recorded, 0.0, np.ones_like(recorded.known))
    weights = np.exp(-0.5 * (SHIFTS / 30.0) ** 2)
    total, values = 0.0, model.model.values(THETA)
    for trial in trials[trials["condition"] == "easy"].itertuples():
        path = data.paths[(data.paths["subject"] == subject) & (data.paths["trial"] == trial.trial)]
        last = np.ceil(trial.rt / 0.1 - 1e-6) if trial.responded else 150
        time = 0.1 * np.arange(1, int(last) + 1)
        # Within its bin the canoe goes on as it did.
        moved = np.diff(path["position"])[-1]
        at = np.append(path["time"], path["time"].iloc[-1] + 0.1)
        place = np.append(path["position"], path["position"].iloc[-1] + 6.0 * moved)
        x = np.abs(np.interp(time, at, place)) - SHIFTS[:, None]
        hazard = np.clip(model.model.hazard(time, x, np.ones(1), values), 1e-6, 1 - 1e-6)
        chance = np.prod(1 - hazard[:, : -1 if trial.responded else None], axis=1)
        chance *= hazard[:, -1] if trial.responded else 1.0
        total += np.log(weights @ chance / weights.sum())
    ours = model.log_likelihood(theta, everything)[0]
    assert ours == pytest.approx(total, abs=0.02)
    summed = Given(read_session(trials, "easy"), 0.0, everything.used)
    assert abs(model.log_likelihood(theta, summed)[0] - total) > 1.0


def test_the_recursion_is_the_sum_over_all_shifts():
    rng = np.random.default_rng(1)
    logs = np.log(rng.random((3, SHIFTS.size)))
    moves = log_moves(np.array([np.log(60.0), np.log(0.7 / 0.3)]))
    total, posterior, pairs = smooth(np.exp(logs), *map(np.exp, moves))
    first = np.exp(-0.5 * (SHIFTS / 60.0) ** 2)
    move = np.exp(-0.5 * ((SHIFTS[None] - 0.7 * SHIFTS[:, None]) / 60.0) ** 2 / (1 - 0.49))
    move /= move.sum(axis=1, keepdims=True)
    one, two, three = np.exp(logs)
    joint = np.einsum("i,ij,jk->ijk", first / first.sum() * one, move * two, move * three)
    assert total == pytest.approx(np.log(joint.sum()))
    np.testing.assert_allclose(posterior[1], joint.sum(axis=(0, 2)) / joint.sum(), atol=1e-6)
    both = (joint.sum(axis=2) + joint.sum(axis=0)) / joint.sum()
    np.testing.assert_allclose(pairs, both, atol=1e-6)


def test_a_parabola_is_interpolated_exactly_and_rests_beyond_its_ends():
    """Checked without compilation, which does not see a place beyond an array."""
    grid = np.arange(9.0)
    parabola = np.polynomial.Polynomial([0.0, -1.0, 0.1])
    logs = np.tile(parabola(grid), (2, 1))
    values, slopes = interpolate.py_func(logs, STEP * np.array([0.0, 0.4]))
    assert values[0] == pytest.approx(logs[0])
    inner = grid[1:7] + 0.4
    assert values[1, 1:7] == pytest.approx(parabola(inner))
    assert slopes[1, 1:7] == pytest.approx(parabola.deriv()(inner) / STEP)
    assert (values[1, -1], slopes[1, -1]) == (logs[1, -1], 0.0)


def test_what_is_left_out_is_predicted_from_the_rest(session):
    """The density of all trials is that of the used ones times that of the others, given them."""
    model = session_model(BOUNDARY, session)
    theta = np.append(THETA, FIRST_CHANGES[0])
    used = np.arange(session.known.size) % 3 > 0
    whole = model.log_likelihood(theta, given(session))[0]
    part = model.log_likelihood(theta, given(session, used))[0]
    assert left_out(model, theta, given(session, used)) == pytest.approx(whole - part)
    # Without dependence, it does not matter what the rest was.
    alone = np.append(THETA, [np.log(25.0), -30.0, 0.0, 0.0, 0.0])
    rest = model.log_likelihood(alone, given(session, ~used))[0]
    assert left_out(model, alone, given(session, used)) == pytest.approx(rest, abs=1e-6)


def test_errors_before_a_trial_are_those_of_the_same_session(cohort):
    trials = cohort.trials[cohort.trials["subject"] == "S01"].sort_values("trial").head(6)
    made = trials.assign(
        condition=["easy", "hard", "easy", "easy", "hard", "easy"],
        correct=[False, False, True, False, True, True],
        responded=True,
        session=[1, 1, 1, 1, 2, 2],
    )
    _, easy, hard = read_session(made, "all").covariates
    assert easy.tolist() == [0, 1, 0, 0, 0, 0]
    assert hard.tolist() == [0, 0, 1, 0, 0, 0]
    assert read_session(made, "easy").covariates[2].tolist() == [0, 1, 0, 0]


@pytest.mark.slow
def test_a_known_shift_after_errors_is_found_and_not_with_shuffled_errors(cohort):
    """Five simulated sessions with a shift of 60 px after an error on an easy trial."""
    trials = cohort.trials[cohort.trials["subject"] == "S01"]
    names = [
        parameter.name
        for parameter in session_model(BOUNDARY, read_session(trials, "easy")).parameters
    ]
    change = [np.log(15.0), 0.5, 0.0, 0.6, 0.0]
    truth = dict(zip(names, [*THETA[:4], 0.0, np.log(10.0), *change], strict=True))
    p0 = pd.Series({"easy": 0.65, "hard": 0.51})
    sessions = [
        _simulated(
            trials, {"kind": BOUNDARY, "motor_delay": 0.2, **truth}, "easy", p0, (0.1, 0.2, 0.3),
            np.random.default_rng(seed),
        )
        for seed in range(5)
    ]  # fmt: skip
    used = [np.ones_like(session.known) for session in sessions]
    members = fit_population(BOUNDARY, sessions, used)
    values = np.array([member.fit.theta for member in members]).mean(axis=0)
    place = names.index("after_easy_error")
    assert values[place] == pytest.approx(0.6, abs=0.25)
    assert values[place + 1] == pytest.approx(0.0, abs=0.2)
    assert np.mean([member.delay == 0.2 for member in members]) > 0.5
    rng = np.random.default_rng(9)
    moved = [
        replace(session, covariates=session.covariates[:, rng.permutation(session.known.size)])
        for session in sessions
    ]
    shuffled = fit_population(BOUNDARY, moved, used)
    assert abs(np.mean([member.fit.theta[place] for member in shuffled])) < 0.3


@pytest.mark.slow
def test_sessions_are_compared_described_and_recovered(cohort):
    trials = cohort.trials[cohort.trials["block"] <= 16]
    options = {"delays": (0.0, 0.1), "fold_number": 2, "seed": 1, "dataset": "tests"}
    how = {"cued": True, "conditions": ["easy"], "shuffles": 1, **options}
    fits = [fit_hierarchy(trials, kind=kind, **how) for kind in (BOUNDARY, RULES)]
    for table in fits:
        assert TABLES["session_models_boundary"].problems(table) == []
        assert len(table) == 3 * (1 + 2 + 1)
    compared = compare_sessions(fits, TABLES["stopping_fits"].empty())
    assert TABLES["session_comparison"].problems(compared.comparison) == []
    assert TABLES["session_population"].problems(compared.population) == []
    assert len(compared.population) == 2 * 2 * (len(CHANGE) + 1)
    power = recover_sessions(trials, fits, DESIGN, subjects=2, **options)
    assert TABLES["session_power"].problems(power) == []
    assert power["true_answer"].tolist() == [BOUNDARY, RULES]


def test_sessions_are_simulated_from_fits_to_all_trials_as_logged(cohort, session, monkeypatch):
    """Neither from the fits to all but a fold nor from those with permuted errors."""
    names = [parameter.name for parameter in session_model(BOUNDARY, session).parameters]
    logged = dict(zip(names, [*THETA, *FIRST_CHANGES[0]], strict=True))
    parts = {(0, 0): 0.0, (1, 0): 0.2, (0, 1): 0.5}
    table = pd.DataFrame(
        {"subject": subject, "condition": "easy", "kind": BOUNDARY, "fold": fold}
        | {"shuffle": shuffle, "motor_delay": 0.0, **logged, "sigma": logged["sigma"] + more}
        for subject in ("S01", "S02")
        for (fold, shuffle), more in parts.items()
    )

    def fit_folds(kind, sessions, fold_number):
        """Fit nothing: who was simulated, with an unlikely value of sigma in the first fold."""
        for each in sessions:
            density = -1.0 if kind == BOUNDARY else -2.0
            row = {"subject": each.subject, "kind": kind, "log_density_left_out": density}
            yield {**logged, **row, "fold": 0, "sigma": 3.5}, 0
            yield {**logged, **row, "fold": 1, "sigma": 9.0}, 1

    monkeypatch.setattr(session_recovery, "fit_folds", fit_folds)
    monkeypatch.setattr(session_recovery, "row_of", lambda row, fold, shuffle: row)
    options = {"delays": (0.0,), "fold_number": 1, "subjects": 2, "seed": 1, "dataset": "tests"}
    (power,) = recover_sessions(cohort.trials, [table], DESIGN, **options).to_dict("records")
    assert power["true_sigma"] == pytest.approx(logged["sigma"])
    assert power["fitted_sigma"] == 3.5
    assert (power["simulated"], power["cohort"], power["best"]) == (2, 2, 1.0)


@pytest.mark.slow
def test_fits_are_rounded_and_compared_with_the_truth(cohort):
    trials = cohort.trials[cohort.trials["subject"] == "S01"]
    fits, people = describe_sessions(trials, delays=[0.0, 0.1, 0.2, 0.3])
    assert sorted(fits["condition"]) == ["easy", "hard"]
    assert (fits["gain_by_dependence"] > -1).all()
    truth = [subject.to_json() for subject in cohort.truth.values()]
    table = compare_with_truth(fits, truth).set_index(["condition", "quantity"])
    assert table.loc[("easy", "boundary at 3 s"), "median_absolute_error"] < 60
    again = pd.DataFrame(
        {**truth[0]["policies"][c], "subject": "S01", "condition": c} for c in ("easy", "hard")
    )
    perfect = compare_with_truth(again, truth)
    assert (perfect["median_absolute_error"] == 0).all()
    assert list(people) == ["person", "condition", *PARAMETERS]
    assert set(people["person"]) == {1}
