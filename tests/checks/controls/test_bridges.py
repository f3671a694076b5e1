import numpy as np
import pandas as pd
import pytest

from fuzzybounds.canoe import task
from fuzzybounds.canoe.block_windows import block_ranges, split
from fuzzybounds.canoe.paths import draw_bridges, locate, positions_at
from fuzzybounds.canoe.samples import draw_points, normalise
from fuzzybounds.checks.controls.bridges import (
    STEP,
    draw_candidates,
    exposure,
    fit_candidates,
    redraw,
    reweight,
    survival_weights,
)
from fuzzybounds.cohort.fuzzy_subjects import one_session_subject
from fuzzybounds.cohort.sessions import simulate_logs
from fuzzybounds.core.seeds import generator
from fuzzybounds.logs.recordings import empty
from fuzzybounds.paper.fuzzy.likelihood import path_log_likelihood
from fuzzybounds.paper.fuzzy.membership import equidistant

FIVE, THREE = equidistant(5, convention="width"), equidistant(3, convention="width")
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


def draw(trials, number=30, seed=42):
    rng = np.random.default_rng(seed)
    return draw_candidates(trials.decision_time, trials.position, number, rng)


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


def distances(candidates):
    """Normalised distance along every path, NaN from the response on."""
    seen = candidates.cells >= 0
    return np.where(seen, candidates.cells * task.FRAME_PIXELS / task.EDGE, np.nan)


def test_candidates_lie_on_the_bridges_of_the_library(trials):
    got = draw(trials, number=7, seed=43)
    lattice = locate(trials.decision_time, trials.position)
    directions = draw_bridges(lattice, 7, np.random.default_rng(43))
    for k in (0, 7, 20):
        time = np.full(directions.shape[:2], STEP * (k + 1))
        along = distances(got)[:, :, k]
        seen = ~np.isnan(along)
        expected = np.abs(positions_at(directions, time)) / task.EDGE
        np.testing.assert_allclose(along[seen], expected[seen], atol=1e-12)
        np.testing.assert_array_equal(seen, time < trials.decision_time)
    earlier = np.abs(positions_at(directions, got.earlier[0] * task.DEADLINE)) / task.EDGE
    np.testing.assert_allclose(got.earlier[1], earlier, atol=1e-12)
    assert (got.earlier[0] < got.response[0]).all()


def test_weights_are_survivals(controller, candidates):
    scale = 60 * STEP
    weights = survival_weights(exposure(controller, candidates), scale)
    np.testing.assert_allclose(weights.sum(axis=0), 1)
    some = distances(candidates)[:, :20]
    unit = task.DEADLINE
    logs = path_log_likelihood(controller, some, False, dt=STEP / unit, scale=scale / unit)
    survival = np.exp(logs)
    np.testing.assert_allclose(weights[:, :20], survival / survival.sum(axis=0), rtol=0.05)


def test_exposure_is_the_sum_of_the_output_along_each_path(controller, candidates):
    along = distances(candidates)
    times = STEP * np.arange(1, along.shape[-1] + 1) / task.DEADLINE
    output = np.where(np.isnan(along), 0.0, controller.output(times, np.nan_to_num(along)))
    expected = STEP * output.sum(axis=-1)
    np.testing.assert_allclose(exposure(controller, candidates), expected, rtol=1e-12)


def test_survival_weights_bring_estimates_nearer_those_of_the_true_paths():
    # The truth here is what recorded paths would have given: the same fit on points of theirs.
    output_error, position_error = [], []
    for name in (f"S{number:02d}" for number in range(1, 9)):
        _, trials = simulate(name)
        candidates = draw(trials, number=20)
        k, n = candidates.earlier.shape[1:]
        frame = generator(1, DATASET, name, "frames").integers(0, trials.frame, size=(k, n))
        place = np.abs(trials.paths[np.arange(n), frame]) / task.EDGE
        recorded = candidates._replace(
            earlier=np.stack([frame * task.FRAME / task.DEADLINE, place])
        )
        uniform = np.full((k, n), 1 / k)
        truth = fit_candidates(recorded, uniform, FIVE)
        weights, fitted = reweight(candidates, FIVE)
        t, x = np.concatenate([recorded.response, recorded.earlier.reshape(2, -1)], axis=1)
        output_error.append(
            [
                np.sqrt(np.mean((one.output(t, x) - truth.output(t, x)) ** 2))
                for one in (fit_candidates(candidates, uniform, FIVE), fitted)
            ]
        )
        position_error.append(
            [
                task.EDGE * abs((candidates.earlier[1] * own).sum() / n - place.mean())
                for own in (uniform, weights)
            ]
        )
    by_uniform, by_survival = np.transpose(output_error)
    assert by_survival.mean() < 0.9 * by_uniform.mean()
    assert (by_survival < by_uniform).sum() >= 5
    by_uniform, by_survival = np.mean(position_error, axis=0)
    assert by_uniform > 5  # px: uniform bridges stray too far out
    assert by_survival < 0.5 * by_uniform


@pytest.fixture(scope="module")
def points():
    logs, _ = simulate_logs(one_session_subject(1, "survival", "S01"), 1, "survival")
    trials = logs.assign(responded=logs["rt"] > 0)
    trials = trials[trials["condition"] == "easy"]
    drawn = split(draw_points(trials, empty(), 2, 1, "survival"), block_ranges(trials))
    return normalise(drawn, "subject")


def test_responses_stay_and_earlier_points_are_drawn_anew_nearer_the_centre(points):
    redrawn = redraw(points, THREE, 1, "survival")
    key = ["subject", "window", "draw", "trial", "responded"]
    old, new = (table.set_index(key).sort_index() for table in (points, redrawn))
    assert old.index.equals(new.index)
    responded = old.index.get_level_values("responded")
    pd.testing.assert_frame_equal(old[responded], new[responded])
    assert (old.loc[~responded, "time"] != new.loc[~responded, "time"]).mean() > 0.8
    response = new[responded].droplevel("responded")
    earlier = new[~responded].droplevel("responded")
    assert (earlier["time"] < response["time"]).all()
    # No point is further from the response than the canoe can go in between.
    gap = (response["time"] - earlier["time"]) * earlier["time_range"] * 90 + 3
    apart = (response["position"] - earlier["position"]).abs() * earlier["position_range"]
    assert (apart <= gap).all()
    # Who would have stopped far out cannot have been there.
    assert new.loc[~responded, "position"].mean() < old.loc[~responded, "position"].mean()
