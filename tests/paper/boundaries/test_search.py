"""Derivatives against finite differences, and the steps that use them."""

from dataclasses import replace

import numpy as np
import pytest

from fuzzybounds.core.seeds import generator
from fuzzybounds.paper.boundaries.models import CUED, UNCUED, Model, all_models
from fuzzybounds.paper.boundaries.recursion import (
    NO_SUMS,
    course_of,
    follow,
    form_of,
    new_course,
    nll,
)
from fuzzybounds.paper.boundaries.search import Budget, Search, best_first, polish
from fuzzybounds.paper.boundaries.trials import trials_of

from .conftest import some_parameters

MODELS = [*all_models(CUED), *all_models(UNCUED)]


def derivatives(model, theta, trials, stiffness=0.0):
    """NLL, gradient and the lower triangle of the expected information."""
    sums = np.empty((model.k + 2, model.k + 1))
    value = follow(theta, form_of(model), trials, stiffness, new_course(len(trials.time)), sums)
    return value, sums[-1, :-1], sums[: model.k, : model.k]


def penalised(model, theta, trials, stiffness):
    return follow(theta, form_of(model), trials, stiffness, new_course(len(trials.time)), NO_SUMS)


def differences(model, theta, function):
    """Central differences of a function of the parameters."""
    columns = []
    for j, width in enumerate(model.upper - model.lower):
        step = np.zeros(model.k)
        step[j] = 1e-6 * width
        columns.append((function(theta + step) - function(theta - step)) / (2 * step[j]))
    return np.array(columns)


@pytest.mark.parametrize("model", MODELS, ids=lambda m: f"{m.name}-{len(m.conditions)}")
def test_derivatives_are_those_of_finite_differences(model, table):
    trials = trials_of(table, model.conditions)
    rng = generator(1, "slopes", model.name)
    scale = model.upper - model.lower
    for theta in [some_parameters(model, rng) for _ in range(3)]:
        value, gradient, information = derivatives(model, theta, trials)
        assert value == pytest.approx(nll(model, theta, trials), rel=1e-12)
        numeric = differences(model, theta, lambda x: nll(model, x, trials))
        size = np.abs(numeric * scale).max()
        np.testing.assert_allclose(gradient * scale, numeric * scale, atol=2e-6 * size)
        # Fisher's information of Normal(b, σ²): b'b'/σ² + 2 σ'σ'/σ², summed over the responses.
        sigma = course_of(model, theta, trials).sigma
        by_mean, by_noise = (
            differences(model, theta, lambda x, of=of: getattr(course_of(model, x, trials), of))
            * scale[:, None]
            / sigma
            * trials.responded
            for of in ("boundary", "sigma")
        )
        expected = by_mean @ by_mean.T + 2 * by_noise @ by_noise.T
        scaled = np.tril(information * np.outer(scale, scale))
        np.testing.assert_allclose(scaled, np.tril(expected), atol=3e-6 * np.abs(expected).max())


@pytest.mark.parametrize("conditions", [CUED, UNCUED], ids=["cued", "uncued"])
@pytest.mark.parametrize("shape", ["constant", "weibull"])
def test_penalty_of_growing_errors_has_the_gradient_of_finite_differences(shape, conditions, table):
    model = Model(shape, "rl", conditions, stable=True)
    trials, stiffness = trials_of(table, conditions), 1e3
    rng = generator(1, "penalty", shape)
    gain = 0.0
    while not 11 < gain < 1e4:
        theta = some_parameters(model, rng)
        rates = model.part_names == "alpha_m"
        theta[rates] = rng.uniform(-0.02, 0.02, size=rates.sum())
        gain = course_of(model, theta, trials).gain.max()
    free = nll(replace(model, stable=False), theta, trials)
    assert penalised(model, theta, trials, stiffness) > free + 1
    assert nll(model, theta, trials) == np.inf
    value, gradient, _ = derivatives(model, theta, trials, stiffness)
    assert value == pytest.approx(penalised(model, theta, trials, stiffness), rel=1e-12)
    numeric = differences(model, theta, lambda x: penalised(model, x, trials, stiffness))
    scale = model.upper - model.lower
    size = np.abs(numeric * scale).max()
    np.testing.assert_allclose(gradient * scale, numeric * scale, atol=2e-5 * size)


def test_polish_reaches_the_closed_form_of_a_gaussian(table):
    model, trials = Model("constant", "none"), trials_of(table)
    theta = np.array([50.0, 90.0, 250.0, 20.0])
    value = polish(theta, form_of(model), trials, 0.0, 100, 1e-12, np.inf)
    for c in (0, 1):
        part = trials.size[(trials.condition == c) & trials.responded]
        np.testing.assert_allclose(theta[2 * c : 2 * c + 2], [part.mean(), part.std()], rtol=1e-5)
    assert value == pytest.approx(nll(model, theta, trials), rel=1e-12)


def test_evolution_finds_better_optima_than_its_first_members(table):
    search = Search(Model("weibull", "utility"), trials_of(table), Budget(generations=8), (1,))
    population, values = best_first(*search.polished(search.starts(24, generator(1, "starts"))))
    _, unevolved = search.best_of(population[:3])
    best, value = search.evolve(population[:8], values[:8], generator(1, "evolve"))
    assert value < unevolved - 0.1
    assert value == pytest.approx(nll(search.model, best, search.trials), rel=1e-12)


def test_slopes_of_utility_are_continuous_where_it_is_linear(table):
    model, trials = Model("constant", "utility"), trials_of(table)
    theta = some_parameters(model, generator(4, "linear"))
    beta = np.char.startswith(model.names, "beta")
    _, linear, _ = derivatives(model, np.where(beta, 0.0, theta), trials)
    _, nearly, _ = derivatives(model, np.where(beta, 1e-7, theta), trials)
    np.testing.assert_allclose(linear, nearly, rtol=1e-4)
    assert (linear[beta] != 0).all()


def test_every_other_length_of_a_window_is_tried(table):
    model = Model("constant", "window")
    theta = (model.lower + model.upper) / 2
    search = Search(model, trials_of(table), Budget(), (1,))
    changed = search.other_lengths(theta) - theta
    for part in ("w_r", "w_t"):
        rows = changed[:, model.part_names == part].ravel() + theta[model.part_names == part]
        assert set(range(1, 51)) <= set(rows)
    assert not changed[:, ~model.whole].any()
