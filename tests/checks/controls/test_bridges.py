"""Survival-weighted bridges against the likelihood of paths, and against recorded paths."""

import numpy as np
import pytest

from fuzzybounds.canoe import task
from fuzzybounds.canoe.paths import draw_bridges, locate, positions_along
from fuzzybounds.checks.controls.bridges import weigh_by_survival
from fuzzybounds.cohort.fuzzy_subjects import one_session_subject
from fuzzybounds.core.seeds import generator
from fuzzybounds.paper.fuzzy.likelihood import path_log_likelihood

DATASET = "bridges"
STEP = 0.1
"""Time in s between the points of a path."""


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


def test_weights_are_survivals_at_the_scale_of_the_mean_exposure():
    controller, trials = simulate("S01")
    long = trials.decision_time > 4.0
    where = locate(trials.decision_time[long], trials.position[long])
    times = STEP * np.arange(1, 41)
    along = positions_along(draw_bridges(where, 30, np.random.default_rng(1)), times)
    exposures = STEP * controller.output(times, along).sum(axis=-1)
    responses = 5  # So few that the scale is long, and the step short beside it.
    weights, scale = weigh_by_survival(exposures, responses)
    np.testing.assert_allclose(weights.sum(axis=0), 1)
    assert scale == pytest.approx((weights * exposures).sum() / responses)
    survival = np.exp(path_log_likelihood(controller, along, False, dt=STEP, scale=scale))
    np.testing.assert_allclose(weights, survival / survival.sum(axis=0), rtol=0.05)
