from dataclasses import replace

import numpy as np
import pytest

from fuzzybounds.canoe import task
from fuzzybounds.canoe.paths import draw_bridges, locate, positions_at
from fuzzybounds.cohort.fuzzy_subjects import one_session_subject
from fuzzybounds.fuzzy.bridges import (
    draw_candidates,
    exposure,
    fit_candidates,
    resample,
    response_scale,
    reweight,
    survival_weights,
    weighted_points,
)
from fuzzybounds.fuzzy.likelihood import path_log_likelihood
from fuzzybounds.fuzzy.membership import equidistant
from fuzzybounds.storage.seeds import generator

START = (equidistant(5, convention="width"),) * 2
DATASET = "bridges"


def simulate(name, n_trials=90):
    """Easy trials that a simulated subject responded to, with their true paths."""
    subject = one_session_subject(1, DATASET, name)
    controller = subject.controller("easy", block=1)

    def policy(time, distance):
        return controller.output(time, distance) / subject.policies["easy"].frames

    rng = generator(1, DATASET, name, "trials")
    done = task.simulate_trials(policy, task.EASY, n_trials, rng)
    fits = done.responded & locate(done.decision_time, done.position).fits
    return controller, task.SimulatedTrials(*(value[fits] for value in vars(done).values()))


def draw(trials, n_candidates=30, seed=42, **options):
    lattice = locate(trials.decision_time, trials.position)
    rng = np.random.default_rng(seed)
    return draw_candidates(
        lattice, trials.decision_time, trials.position, n_candidates, rng, **options
    )


@pytest.fixture(scope="module")
def subject():
    return simulate("S01")


@pytest.fixture
def controller(subject):
    """The truth, on [0, 1]."""
    return subject[0].scaled(time=1 / task.DEADLINE, position=1 / task.EDGE)


@pytest.fixture(scope="module")
def trials(subject):
    return subject[1]


@pytest.fixture(scope="module")
def candidates(trials):
    return draw(trials)


def test_candidates_lie_on_the_bridges_of_the_library(trials):
    got = draw(trials, n_candidates=7, seed=43, step=0.25)
    lattice = locate(trials.decision_time, trials.position)
    directions = draw_bridges(lattice, 7, np.random.default_rng(43))
    for k in (0, 3, 8):
        time = np.full(directions.shape[:2], 0.25 * (k + 1))
        seen = ~np.isnan(got.positions[:, :, k])
        expected = np.abs(positions_at(directions, time)) / task.EDGE
        np.testing.assert_allclose(got.positions[:, :, k][seen], expected[seen], atol=1e-12)
        np.testing.assert_array_equal(seen, time < trials.decision_time)
    earlier = np.abs(positions_at(directions, got.earlier_time * task.DEADLINE)) / task.EDGE
    np.testing.assert_allclose(got.earlier_position, earlier, atol=1e-12)
    assert (got.earlier_time < got.response_time).all()


def test_weights_are_survivals(controller, candidates):
    scale = 60 * candidates.step
    weights = survival_weights(exposure(controller, candidates), scale)
    np.testing.assert_allclose(weights.sum(axis=0), 1)
    some = candidates.positions[:, :20]
    survival = np.exp(path_log_likelihood(controller, some, False, dt=candidates.step, scale=scale))
    np.testing.assert_allclose(weights[:, :20], survival / survival.sum(axis=0), rtol=0.05)


def test_exposure_is_the_sum_of_the_output_along_each_path(controller, candidates):
    seen = ~np.isnan(candidates.positions)
    times = candidates.step * np.arange(1, seen.shape[-1] + 1)
    output = np.zeros(seen.shape)
    points = np.broadcast_to(times, seen.shape)[seen], candidates.positions[seen]
    output[seen] = controller.output(*points)
    expected = candidates.step * output.sum(axis=-1)
    np.testing.assert_allclose(exposure(controller, candidates), expected, rtol=1e-13)
    assert candidates.places.time.size < seen.sum() / 3


def test_the_scale_is_the_exposure_a_response_takes():
    exposures = np.array([[1.0, 2.0], [3.0, 6.0]])
    assert response_scale(exposures, np.full((2, 2), 0.5)) == 3.0
    assert response_scale(exposures, np.array([[1.0, 1.0], [0.0, 0.0]])) == 1.5


def test_weighted_points_hold_every_response_once(candidates):
    n, k = candidates.response_time.size, candidates.n_candidates
    points = weighted_points(candidates, np.full((k, n), 1 / k))
    assert points.weights[points.responded].sum() == n
    assert points.weights[~points.responded].sum() == pytest.approx(n)


def test_resampled_points_follow_the_weights(candidates):
    n, k = candidates.response_time.size, candidates.n_candidates
    weights = np.random.default_rng(0).dirichlet(np.full(k, 0.3), size=n).T
    time, position = resample(candidates, weights, 4000, np.random.default_rng(1))
    assert time.shape == position.shape == (4000, n)
    expected = (weights * candidates.earlier_position).sum(axis=0)
    # The mean of 4000 positions that spread over at most 1 lies within 5 standard errors.
    np.testing.assert_allclose(position.mean(axis=0), expected, atol=5 * 0.5 / np.sqrt(4000))
    certain = np.zeros((k, n))
    certain[3] = 1.0
    time, position = resample(candidates, certain, 5, np.random.default_rng(2))
    np.testing.assert_array_equal(time, np.tile(candidates.earlier_time[3], (5, 1)))
    np.testing.assert_array_equal(position, np.tile(candidates.earlier_position[3], (5, 1)))


def test_the_weights_come_to_a_fixed_point(candidates):
    fitted = reweight(candidates, START)
    assert fitted.converged
    assert fitted.rounds < 15
    again = survival_weights(exposure(fitted.controller, candidates), fitted.scale)
    assert np.abs(again - fitted.weights).sum(axis=0).mean() / 2 < 2e-3


def test_survival_weights_bring_estimates_nearer_those_of_the_true_paths():
    # The truth here is what recorded paths would have given: the same fit on points of theirs.
    output_error, position_error = [], []
    for name in (f"S{number:02d}" for number in range(1, 11)):
        _, trials = simulate(name)
        candidates = draw(trials, n_candidates=20, step=0.2)
        n, k = trials.frame.size, candidates.n_candidates
        frame = generator(1, DATASET, name, "frames").integers(0, trials.frame, size=(k, n))
        recorded = replace(
            candidates,
            earlier_time=frame * task.FRAME / task.DEADLINE,
            earlier_position=np.abs(trials.paths[np.arange(n), frame]) / task.EDGE,
        )
        uniform = np.full((k, n), 1 / k)
        truth = fit_candidates(recorded, uniform, START)
        fitted = reweight(candidates, START)
        t, x = weighted_points(recorded, uniform).inputs[0]
        output_error.append(
            [
                np.sqrt(np.mean((one.output(t, x) - truth.output(t, x)) ** 2))
                for one in (fit_candidates(candidates, uniform, START), fitted.controller)
            ]
        )
        true_mean = recorded.earlier_position.mean()
        position_error.append(
            [
                task.EDGE * abs((candidates.earlier_position * own).sum() / n - true_mean)
                for own in (uniform, fitted.weights)
            ]
        )
    by_uniform, by_survival = np.transpose(output_error)
    assert by_survival.mean() < 0.9 * by_uniform.mean()
    assert (by_survival < by_uniform).sum() >= 7
    by_uniform, by_survival = np.mean(position_error, axis=0)
    assert by_uniform > 5  # px: uniform bridges stray too far out
    assert by_survival < 0.5 * by_uniform


def test_paths_that_are_not_exposed_weigh_alike():
    weights = survival_weights(np.zeros((4, 3)), 0.0)
    np.testing.assert_allclose(weights, 0.25)
