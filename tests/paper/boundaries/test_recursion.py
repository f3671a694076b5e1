"""The compiled likelihood against plain Python, closed forms, and what may influence what."""

import numpy as np
import pytest

from fuzzybounds.core.seeds import generator
from fuzzybounds.paper.boundaries.models import CUED, UNCUED, Model, all_models
from fuzzybounds.paper.boundaries.recursion import course_of, nll
from fuzzybounds.paper.boundaries.trials import trials_of

from .conftest import some_parameters
from .plain import Learner, plain_nll

MODELS = [*all_models(CUED), *all_models(UNCUED)]


def label(model):
    return f"{model.name}-{len(model.conditions)}"


def parameters(model, **changes):
    """Parameters by name, the same in both conditions, the rest in the middle of their range."""
    theta = (model.lower + model.upper) / 2
    for name, value in changes.items():
        for j, part in enumerate(model.names):
            if part == name or part in (f"{name}_easy", f"{name}_hard"):
                theta[j] = value
    return theta


@pytest.mark.parametrize("model", MODELS, ids=label)
@pytest.mark.parametrize("boundary_time", ["decision", "total"])
def test_agrees_with_plain_python(model, boundary_time, table):
    trials = trials_of(table, model.conditions, boundary_time)
    rng = generator(3, "parameters", model.name)
    theta = np.array([some_parameters(model, rng) for _ in range(4)])
    plain = [plain_nll(model, vector, trials) for vector in theta]
    np.testing.assert_allclose(nll(model, theta, trials), plain, rtol=1e-10)


@pytest.mark.parametrize("model", all_models(), ids=label)
def test_missed_deadlines_teach_but_are_not_predicted(model, table):
    theta = some_parameters(model, generator(7, model.name))
    missed = int(np.flatnonzero(~table["responded"])[0])
    value = nll(model, theta, trials_of(table))
    moved = {**table, "position": table["position"].copy()}
    moved["position"][missed] += 100
    assert nll(model, theta, trials_of(moved)) == value
    cheaper = {**table, "reward": table["reward"].copy()}
    cheaper["reward"][missed] *= -1
    teaches = model.learning in ("utility", "rl")
    assert (nll(model, theta, trials_of(cheaper)) != value) == teaches


def test_gain_is_how_far_an_error_in_the_level_spreads(table):
    # One condition, level moved by hand after the first trial: brute force against the gain.
    model = Model("weibull", "rl", UNCUED)
    trials = trials_of(table, UNCUED)
    theta = parameters(model, psi=150, alpha_m=-2e-4, kappa=1.0)
    course = course_of(model, theta, trials)
    assert course.gain.max() > 1
    learner, perturbed = Learner(model, theta), Learner(model, theta)
    perturbed.level[0] += 1e-6
    gains = []
    for k in range(60):
        for part in (learner, perturbed):
            part.learn_from(trials, k)
        gains.append((perturbed.level[0] - learner.level[0]) / 1e-6)
    # The gain is that of the worst trial at which an error may have entered, so at least this.
    assert course.gain[:60].max() >= max(map(abs, gains)) - 1e-4


def test_stable_models_rule_out_runaway_parameters(table):
    # Every response lies on the boundary, so the level rests; but an error in it would grow.
    model = Model("constant", "rl")
    trials = trials_of({**table, "position": np.full(90, 150.0)})
    theta = parameters(model, m=150, alpha_m=-2e-3, kappa=-10, V=0, alpha_V=0)
    assert course_of(model, theta, trials).gain.max() > 10
    assert np.isfinite(nll(model, theta, trials))
    assert nll(Model("constant", "rl", stable=True), theta, trials) == np.inf
    # With the other sign of the rate errors die out.
    calm = parameters(model, m=150, alpha_m=2e-3, kappa=-10, V=0, alpha_V=0)
    assert course_of(model, calm, trials).gain.max() < 1
    stable = nll(Model("constant", "rl", stable=True), calm, trials)
    assert stable == nll(model, calm, trials)


def test_an_error_in_the_level_ends_where_the_level_is_clipped(table):
    model, trials = Model("constant", "rl", UNCUED), trials_of(table, UNCUED)
    course = course_of(model, parameters(model, m=150, alpha_m=0.1, kappa=0), trials)
    clipped = (course.level == 0) | (course.level == 300)
    assert (course.gain[trials.responded & clipped] == 0).all()
    assert (course.gain[trials.responded & ~clipped][1:-1] > 0).all()
    assert (trials.responded & clipped).sum() > 5
    assert (trials.responded & ~clipped).sum() > 5
