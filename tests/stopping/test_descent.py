"""The descent: it finds known minima within bounds, and its curvature learns."""

import numpy as np
import pytest

from fuzzybounds.stopping.catalogue import CATALOGUE
from fuzzybounds.stopping.descent import descend, information_of, learn_curvature
from fuzzybounds.stopping.search import fit, information, objective

SCALE = np.ones(2)


def valley(theta):
    """Rosenbrock's function, whose minimum is at (1, 1)."""
    x, y = theta
    value = (1 - x) ** 2 + 100 * (y - x**2) ** 2
    return value, np.array([-2 * (1 - x) - 400 * x * (y - x**2), 200 * (y - x**2)])


def test_a_curved_valley_is_followed_to_its_end():
    wide = np.full(2, -5.0), np.full(2, 5.0)
    found = descend(valley, np.array([-1.2, 1.0]), *wide, SCALE, np.diag([800.0, 200.0]))
    assert found.theta == pytest.approx([1.0, 1.0], abs=1e-3)
    assert found.evaluations < 80
    hessian = np.array([[802.0, -400.0], [-400.0, 200.0]])
    assert found.curvature == pytest.approx(hessian, rel=0.15)


def test_bounds_hold_the_minimum():
    low, high = np.array([-5.0, -5.0]), np.array([0.5, 5.0])
    found = descend(valley, np.array([-1.2, 1.0]), low, high, SCALE, np.diag([800.0, 200.0]))
    assert found.theta == pytest.approx([0.5, 0.25], abs=1e-4)


def test_a_wrong_curvature_is_corrected():
    hessian = np.array([[3.0, 1.0], [1.0, 2.0]])
    found = descend(
        lambda theta: (0.5 * theta @ hessian @ theta, hessian @ theta),
        np.array([3.0, -4.0]),
        np.full(2, -9.0),
        np.full(2, 9.0),
        SCALE,
        1000.0 * np.eye(2),
    )
    assert found.value < 1e-5


def test_the_curvature_explains_the_last_step():
    rng = np.random.default_rng(1)
    hessian, step = (
        np.array([[3.0, 1.0, 0.0], [1.0, 2.0, 0.5], [0.0, 0.5, 1.0]]),
        rng.normal(size=3),
    )
    own = np.eye(3)
    learn_curvature(own, step, hessian @ step)
    assert own @ step == pytest.approx(hessian @ step)
    # Where the slope falls along the step, the curvature stays positive.
    learn_curvature(own, step, -hessian @ step)
    assert np.linalg.eigvalsh(own).min() > 0


def test_information_sums_products_of_slopes():
    rng = np.random.default_rng(2)
    slopes, weights = rng.normal(size=(3, 40)), rng.random(40)
    kept = weights >= 0.3
    expected = (slopes[:, kept] * weights[kept]) @ slopes[:, kept].T
    assert information_of(slopes, weights, 0.3) == pytest.approx(expected)


@pytest.mark.parametrize("name", ["within_exponential", "graded_3", "quadratic"])
def test_information_is_near_the_second_derivatives(name, data):
    everything = np.ones(len(data.trials), dtype=bool)
    counts = data.outcomes.counts(everything)
    model = CATALOGUE[name].build(data.context(everything, 2.0))[0]
    best = fit([model], data.likelihood, counts)[0]
    given = (data.likelihood, counts, model.nodes(best.theta))
    size = best.theta.size
    hessian = np.empty((size, size))
    for number, step in enumerate(1e-4 * np.eye(size)):
        ends = [objective(model, best.theta + sign * step, *given)[1] for sign in (1, -1)]
        hessian[number] = (ends[0] - ends[1]) / 2e-4
    own = information(model, best.theta, *given)
    root = np.linalg.cholesky(np.linalg.inv(own))
    ratios = np.linalg.eigvalsh(root.T @ hessian @ root)
    assert 0.1 < ratios.min() <= ratios.max() < 5
    assert np.median(ratios) == pytest.approx(1, abs=0.35)
