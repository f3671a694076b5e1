import numpy as np
import pytest

from fuzzybounds.canoe.task import FRAME_PIXELS
from fuzzybounds.core.seeds import generator
from fuzzybounds.paper.boundaries.models import CUED, UNCUED, Model, all_models
from fuzzybounds.paper.boundaries.recursion import course_of
from fuzzybounds.paper.boundaries.simulate import boundary_after, generate
from fuzzybounds.paper.boundaries.trials import trials_of

from .conftest import some_parameters

MODELS = [*all_models(CUED), *all_models(UNCUED)]
CONDITIONS = ["easy", "hard"] * 30


def named(model, **values):
    return np.array([values[name.split("_easy")[0].split("_hard")[0]] for name in model.names])


def test_generated_responses_lie_on_the_boundary():
    model = Model("constant", "none")
    theta = named(model, m=120, sigma=0)  # σ is kept at 5 px at least
    data = generate(model, theta, ["easy"] * 300, generator(2, "generate"))
    sizes = np.abs(data["position"][data["responded"]])
    assert abs(sizes.mean() - 120) < 1.5
    # Noise of 5 px, and at most one frame beyond the boundary.
    assert 4 < sizes.std() < 6.5
    np.testing.assert_allclose(sizes / FRAME_PIXELS, np.round(sizes / FRAME_PIXELS))


def test_a_boundary_out_of_reach_is_a_missed_deadline():
    model = Model("constant", "none")
    theta = named(model, m=300, sigma=5)
    data = generate(model, theta, ["hard"] * 100, generator(4, "generate"))
    missed = ~data["responded"]
    assert missed.mean() > 0.5
    assert np.isnan(data["rt"][missed]).all()
    assert not data["correct"][missed].any()
    np.testing.assert_allclose(data["total"][missed], 19.05)
    np.testing.assert_allclose(data["reward"][missed], -1)


@pytest.mark.parametrize("model", MODELS, ids=lambda m: f"{m.name}-{len(m.conditions)}")
def test_the_boundary_after_some_trials_is_that_of_the_next(model, table):
    trials = trials_of(table, model.conditions)
    theta = some_parameters(model, generator(5, "truth", model.name))
    course = course_of(model, theta, trials)
    for k in (0, 1, 20, 89):
        boundary, sigma = boundary_after(model, theta, trials, k, trials.condition[k])
        assert boundary(trials.time[k]) == pytest.approx(course.boundary[k], rel=1e-12)
        assert sigma == course.sigma[k]
