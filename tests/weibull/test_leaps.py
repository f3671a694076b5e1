"""Leaps lead to other places within the bounds, and keep what they say they keep."""

from __future__ import annotations

import numpy as np
import pytest

from fuzzybounds.storage.seeds import generator
from fuzzybounds.weibull.leaps import leaps
from fuzzybounds.weibull.likelihood import form_of, nll
from fuzzybounds.weibull.models import LARGEST_WINDOW, UNCUED, Model, all_models
from fuzzybounds.weibull.noise import with_best_noise
from fuzzybounds.weibull.search import GAIN, Budget, Search
from fuzzybounds.weibull.trials import trials_of

from .conftest import some_parameters

LEARNING = [
    model
    for conditions in (("easy", "hard"), UNCUED)
    for model in all_models(conditions, stable=True)
    if model.learning != "none"
]


def identify(model: Model) -> str:
    return f"{model.name}-{len(model.conditions)}"


@pytest.mark.parametrize("model", LEARNING, ids=identify)
def test_leaps_stay_within_the_bounds_and_leave_most_parameters_alone(model, table):
    trials = trials_of(table, model.conditions)
    theta = some_parameters(model, generator(1, "leaps", model.name))
    others = leaps(model, theta, trials)
    assert len(others) > 0
    assert (others >= model.lower).all()
    assert (others <= model.upper).all()
    noise = np.isin(model.part_names, ("psi", "psi_prime", "m", "sigma", "alpha_s"))
    assert (others[:, noise] == theta[noise]).all()


def test_every_length_of_each_window_is_tried(table):
    model = Model("constant", "window")
    theta = some_parameters(model, generator(2, "leaps"))
    others = leaps(model, theta, trials_of(table))
    for name in ("w_r", "w_t"):
        at = model.names.index(name)
        lengths = set(np.floor(others[:, at]).astype(int)) | {int(theta[at])}
        assert lengths == set(range(1, LARGEST_WINDOW + 1))


def test_a_bent_utility_keeps_that_of_one_reward(table):
    model, trials = Model("constant", "utility", UNCUED), trials_of(table, UNCUED)
    theta = np.array([150.0, 30.0, 0.0, 0.02, 0.01, 0.03, 0.02])

    def utility(alpha, beta, reward):
        return alpha * (-np.expm1(-beta * reward) / beta if beta else reward)

    names = list(model.names)
    for kind, sign in (("gain", 1), ("loss", -1)):
        at = [names.index(f"alpha_{kind}"), names.index(f"beta_{kind}")]
        rewards = trials.rewards[trials.rewards * sign > 0]
        bent = [row for row in leaps(model, theta, trials) if row[at[1]] != theta[at[1]]]
        inside = [row for row in bent if model.lower[at[0]] < row[at[0]] < model.upper[at[0]]]
        assert len(inside) > len(rewards)
        for row in inside:
            kept = [utility(*row[at], r) / utility(*theta[at], r) for r in rewards]
            assert np.isclose(kept, 1, rtol=1e-9).any()


@pytest.mark.parametrize("model", LEARNING, ids=identify)
def test_the_best_noise_is_no_worse(model, table):
    trials = trials_of(table, model.conditions)
    theta = some_parameters(model, generator(3, "noise", model.name))
    quiet = with_best_noise(theta[None], form_of(model, 1.0), trials)
    noise = np.isin(model.part_names, ("sigma", "alpha_s"))
    assert (quiet[0, ~noise] == theta[~noise]).all()
    free = Model(model.shape, model.learning, model.conditions)
    assert nll(free, quiet[0], trials) <= nll(free, theta, trials)


def test_noise_beyond_its_range_comes_back(table):
    # Growing noise that begins at the upper limit is 100 px throughout: no slope leads away.
    model, trials = Model("constant", "utility", UNCUED), trials_of(table, UNCUED)
    theta = np.array([140.0, 100.0, -1.0, 0.0, 0.0, 0.0, 0.0])
    search = Search(model, trials, Budget())
    stuck, value = search.finish(theta[None])
    assert stuck[0, 1] == 100
    _, better = search.after_leap(stuck[0], float(value[0]))
    assert better < value[0] - GAIN


def test_kicks_only_gain(table):
    model, trials = Model("weibull", "utility", UNCUED), trials_of(table, UNCUED)
    search = Search(model, trials, Budget(kicks=1))
    theta = some_parameters(model, generator(4, "kicks"))
    start, values = search.finish(theta[None])
    kicked, value = search.kicked(start[0], float(values[0]), generator(5, "kicks"))
    assert value <= values[0]
    assert value == pytest.approx(nll(model, kicked, trials), rel=1e-12)
    still = Search(model, trials, Budget(kicks=0)).kicked(start[0], float(values[0]), generator(5))
    np.testing.assert_array_equal(still[0], start[0])
