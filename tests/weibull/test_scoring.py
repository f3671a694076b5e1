from dataclasses import replace

import numpy as np
import pytest

from fuzzybounds.storage.seeds import generator
from fuzzybounds.weibull.kernel import nll_population, spread
from fuzzybounds.weibull.likelihood import course_of, form_of, nll
from fuzzybounds.weibull.models import CUED, UNCUED, Model, all_models
from fuzzybounds.weibull.scoring import (
    _arrange,
    _boundary_slopes,
    _normal_equations,
    _owners,
    polish,
)
from fuzzybounds.weibull.trials import trials_of

from .conftest import some_parameters

MODELS = [*all_models(CUED), *all_models(UNCUED)]


def derivatives(model, theta, trials, stiffness=0.0):
    """Slopes of b_k, gradient of the NLL and expected information, without the spare column."""
    form, course = form_of(model, stiffness), course_of(model, theta, trials)
    slots, columns, conditions = spread(theta, form.layout), model.k + 1, len(model.conditions)
    slopes, growth = np.zeros((columns, len(trials.time))), np.empty((conditions, columns))
    information, gradient = np.empty((columns, columns)), np.empty(columns)
    owner, (place, begin) = _owners(form, columns), _arrange(trials, conditions)
    along = (slots, form, trials, course, owner, place)
    _boundary_slopes(*along, slopes, growth)
    own = slopes[:-1, place].copy()
    _normal_equations(*along, begin, slopes, growth, information, gradient)
    return own, gradient[:-1], information[:-1, :-1]


def differences(model, theta, function):
    """Central differences of a function of the parameters."""
    columns = []
    for j, width in enumerate(model.upper - model.lower):
        step = np.zeros(model.k)
        step[j] = 1e-6 * width
        columns.append((function(theta + step) - function(theta - step)) / (2 * step[j]))
    return np.array(columns)


@pytest.mark.parametrize("model", MODELS, ids=lambda m: f"{m.name}-{len(m.conditions)}")
def test_slopes_and_gradient_are_those_of_finite_differences(model, table):
    trials = trials_of(table, model.conditions)
    theta = some_parameters(model, generator(1, "slopes", model.name))
    slopes, gradient, _ = derivatives(model, theta, trials)
    scale = (model.upper - model.lower)[:, None]
    numeric = differences(model, theta, lambda x: course_of(model, x, trials).boundary)
    size = np.abs(numeric * scale).max()
    np.testing.assert_allclose(slopes * scale, numeric * scale, atol=2e-7 * max(size, 1.0))
    numeric = differences(model, theta, lambda x: nll(model, x, trials))
    scale = scale[:, 0]
    size = np.abs(numeric * scale).max()
    np.testing.assert_allclose(gradient * scale, numeric * scale, atol=2e-6 * size)


@pytest.mark.parametrize("conditions", [CUED, UNCUED], ids=["cued", "uncued"])
@pytest.mark.parametrize("shape", ["constant", "weibull"])
def test_penalty_of_growing_errors_has_the_gradient_of_finite_differences(shape, conditions, table):
    model = Model(shape, "rl", conditions, stable=True)
    trials, stiffness = trials_of(table, conditions), 1e3
    form = form_of(model, stiffness)
    rng = generator(1, "penalty", shape)
    gain = 0.0
    while not 11 < gain < 1e4:
        theta = some_parameters(model, rng)
        rates = model.part_names == "alpha_m"
        theta[rates] = rng.uniform(-0.02, 0.02, size=rates.sum())
        gain = course_of(model, theta, trials).gain.max()
    free = nll(replace(model, stable=False), theta, trials)
    assert nll_population(theta[None], form, trials)[0] > free + 1
    assert nll(model, theta, trials) == np.inf
    _, gradient, _ = derivatives(model, theta, trials, stiffness)
    numeric = differences(model, theta, lambda x: nll_population(x[None], form, trials)[0])
    scale = model.upper - model.lower
    size = np.abs(numeric * scale).max()
    np.testing.assert_allclose(gradient * scale, numeric * scale, atol=2e-5 * size)


def test_information_is_the_mean_of_squared_scores():
    # Fisher: the expected outer product of the gradient, here over responses drawn from the model.
    model = Model("weibull", "utility", UNCUED)
    rng = generator(2, "information")
    n = 60
    table = {
        "rt": rng.gamma(2.0, 1.5, size=n) + 0.1,
        "total": np.full(n, 6.0),
        "reward": rng.choice([-1.0, 1.0], size=n),
        "condition": np.full(n, "hard"),
        "correct": rng.random(n) < 0.5,
        "position": np.zeros(n),
        "responded": np.full(n, True),
    }
    trials = trials_of(table, UNCUED)
    theta = some_parameters(model, rng)
    course = course_of(model, theta, trials)
    scores = []
    for _ in range(4000):
        x = course.boundary + course.sigma * rng.standard_normal(n)
        _, score, information = derivatives(model, theta, trials._replace(size=x))
        scores.append(score)
    information = np.tril(information) + np.tril(information, -1).T
    scale = np.sqrt(np.diag(information))
    empirical = np.cov(np.array(scores).T, bias=True) / np.outer(scale, scale)
    np.testing.assert_allclose(empirical, information / np.outer(scale, scale), atol=0.12)


def test_polish_reaches_the_closed_form_of_a_gaussian(table):
    model, trials = Model("constant", "none"), trials_of(table)
    theta = np.array([50.0, 90.0, 250.0, 20.0])
    value = polish(theta, np.inf, model.lower, model.upper, form_of(model), trials, 100, 1e-12)
    for c in (0, 1):
        own = trials.size[(trials.condition == c) & trials.responded]
        np.testing.assert_allclose(theta[2 * c : 2 * c + 2], [own.mean(), own.std()], rtol=1e-5)
    assert value == pytest.approx(nll(model, theta, trials), rel=1e-12)


@pytest.mark.parametrize("model", all_models(), ids=lambda m: m.name)
def test_polish_goes_downhill_within_the_bounds(model, table):
    trials = trials_of(table)
    theta = some_parameters(model, generator(3, "start", model.name))
    start = nll(model, theta, trials)
    value = polish(theta, np.inf, model.lower, model.upper, form_of(model), trials, 30, 1e-6)
    assert value < start
    assert value == pytest.approx(nll(model, theta, trials), rel=1e-12)
    assert (theta >= model.lower).all()
    assert (theta <= model.upper).all()


def test_polish_gives_up_where_the_target_is_out_of_reach(table):
    model, trials = Model("weibull", "accuracy"), trials_of(table)
    start = some_parameters(model, generator(4, "start"))
    arguments = (model.lower, model.upper, form_of(model), trials, 50, 1e-9)
    patient, hasty = start.copy(), start.copy()
    best = polish(patient, np.inf, *arguments)
    assert polish(hasty, best - 1000, *arguments) > best
