"""Fits of any model: known minima within bounds, priors, and a curvature that learns."""

from dataclasses import dataclass

import numpy as np
import pytest

from fuzzybounds.core.fitting import (
    Parameter,
    Start,
    damped_step,
    descend,
    fit,
    natural,
    search_scale,
    solve,
)
from fuzzybounds.core.seeds import generator


def valley(theta):
    """Rosenbrock's function, whose minimum is at (1, 1)."""
    x, y = theta
    value = (1 - x) ** 2 + 100 * (y - x**2) ** 2
    return value, np.array([-2 * (1 - x) - 400 * x * (y - x**2), 200 * (y - x**2)])


@pytest.mark.parametrize(("most", "minimum"), [(5.0, [1.0, 1.0]), (0.5, [0.5, 0.25])])
def test_a_curved_valley_is_followed_to_its_end_or_to_a_bound(most, minimum):
    low, high, start = np.full(2, -5.0), np.array([most, 5.0]), np.array([-1.2, 1.0])
    result = descend(valley, start, low, high, np.ones(2), np.diag([800.0, 200.0]))
    assert result.theta == pytest.approx(minimum, abs=1e-3)
    assert result.flat(low, high)
    if most == 5.0:
        hessian = np.array([[802.0, -400.0], [-400.0, 200.0]])
        assert result.curvature == pytest.approx(hessian, rel=0.15)


@dataclass
class Normal:
    """Normal data with an unknown mean, and a parameter on which they do not depend."""

    parameters = (
        Parameter("level", "hundred", 1.0, 0.5, -3.0, 3.0),
        Parameter("width", "log", 0.7, 0.3, -2.0, 2.0),
    )
    starts = (np.array([0.0, 0.0]), np.array([2.0, 1.5]))

    def log_likelihood(self, theta, data):
        off = data - theta[0]
        return -(off @ off) / 2, np.array([off.sum(), 0.0])

    def information(self, theta, data):
        return np.diag([1.0, 0.0])


def test_a_fit_is_the_mode_of_the_posterior():
    data = np.random.default_rng(2).normal(1.6, 1.0, 30)
    result = fit(Normal(), data)
    mode = (data.sum() + 1.0 / 0.25) / (30 + 1 / 0.25)
    assert result.theta == pytest.approx([mode, 0.7], abs=1e-4)
    assert result.log_likelihood == pytest.approx(Normal().log_likelihood(result.theta, data)[0])
    prior = ((mode - 1.0) / 0.5) ** 2 / 2
    assert result.log_posterior == pytest.approx(result.log_likelihood - prior)
    assert (result.starts, result.agree, result.converged) == (2, 2, True)
    again = fit(Normal(), data, [Start(result.theta, result.curvature)])
    assert again.theta == pytest.approx(result.theta, abs=1e-4)
    values = natural(Normal.parameters, result.theta)
    assert values["level"] == pytest.approx(100 * mode, abs=0.01)
    assert search_scale(Normal.parameters, values) == pytest.approx(result.theta)


def test_solve_is_that_of_numpy():
    rng = generator(5, "solve")
    root = rng.normal(size=(6, 6))
    matrix, right, solution = root @ root.T, rng.normal(size=6), np.empty(6)
    expected = np.linalg.solve(matrix, right)
    assert solve(matrix.copy(), right, 6, solution)
    np.testing.assert_allclose(solution, expected, rtol=1e-8)
    assert not solve(-matrix, right, 6, solution)


def test_a_step_over_a_bound_ends_there_and_the_others_follow():
    rng = generator(6, "step")
    for _ in range(50):
        root = rng.normal(size=(5, 5))
        information, gradient = root @ root.T + 0.1 * np.eye(5), 3 * rng.normal(size=5)
        theta, lower, upper = np.zeros(5), np.full(5, -0.5), np.full(5, 0.5)
        new = np.empty(5)
        ridge = np.zeros(5)
        assert damped_step(theta, lower, upper, np.tril(information), gradient, 0.1, ridge, new)
        assert (new >= lower).all()
        assert (new <= upper).all()
        free = (new > lower) & (new < upper)
        damped = information + 0.1 * np.diag(np.diag(information))
        np.testing.assert_allclose((damped @ new)[free], -gradient[free], atol=1e-6)
