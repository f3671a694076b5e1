import numpy as np
import pytest

from fuzzybounds.fuzzy.optimisers import (
    FLAT,
    LIMIT,
    STUCK,
    UNBOUNDED,
    gradient_descent,
    lbfgs,
)


def bowls(curvatures, minima):
    """One quadratic bowl a problem."""

    def objective(rows, at):
        offset = at - minima[rows]
        return (curvatures[rows] * offset**2).sum(axis=1) / 2, curvatures[rows] * offset

    return objective


def rosenbrock(rows, at):
    x, y = at.T
    value = (1 - x) ** 2 + 100 * (y - x**2) ** 2
    gradient = np.stack([-2 * (1 - x) - 400 * x * (y - x**2), 200 * (y - x**2)], axis=1)
    return value, gradient


@pytest.fixture
def problems():
    rng = np.random.default_rng(0)
    curvatures, minima = 10 ** rng.uniform(-1, 3, (20, 6)), rng.normal(size=(20, 6))
    return bowls(curvatures, minima), minima


def test_lbfgs_finds_every_minimum_of_a_batch(problems):
    objective, minima = problems
    optimum = lbfgs(objective, np.zeros((20, 6)), gradient_tolerance=1e-9, loss_tolerance=0)
    assert (optimum.reason == FLAT).all()
    assert optimum.converged.all()
    np.testing.assert_allclose(optimum.parameters, minima, atol=1e-7)


def test_lbfgs_follows_the_banana_from_many_starts():
    start = np.array([[-1.2, 1.0], [2.0, 2.0], [0.0, -3.0], [1.0, 1.0]])
    optimum = lbfgs(rosenbrock, start, gradient_tolerance=1e-8, loss_tolerance=0)
    np.testing.assert_allclose(optimum.parameters, 1.0, atol=1e-6)
    assert optimum.iterations[3] == 0
    assert optimum.iterations.max() < 100


def test_problems_of_a_batch_do_not_know_of_each_other(problems):
    objective, _ = problems
    together = lbfgs(objective, np.zeros((20, 6)))
    for row in (0, 7, 19):
        alone = lbfgs(lambda rows, at, row=row: objective(rows + row, at), np.zeros((1, 6)))
        np.testing.assert_array_equal(alone.parameters[0], together.parameters[row])
        assert alone.iterations[0] == together.iterations[row]


def test_lbfgs_says_when_it_had_to_stop():
    optimum = lbfgs(rosenbrock, np.array([[-1.2, 1.0]]), max_iterations=3)
    assert optimum.reason[0] == LIMIT
    assert optimum.iterations[0] == 3
    assert not optimum.converged[0]


def test_lbfgs_leaves_alone_what_has_no_finite_value():
    def objective(rows, at):
        value = np.where(rows == 0, np.inf, (at**2).sum(axis=1))
        return value, np.where(rows[:, None] == 0, 0.0, 2 * at)

    optimum = lbfgs(objective, np.ones((2, 3)))
    assert optimum.reason[0] == UNBOUNDED
    np.testing.assert_array_equal(optimum.parameters[0], 1)
    assert optimum.converged.tolist() == [False, True]


def test_lbfgs_steps_back_from_where_the_value_is_infinite():
    def objective(rows, at):
        with np.errstate(invalid="ignore", divide="ignore"):
            value = np.where(at[:, 0] > 0, at[:, 0] - np.log(at[:, 0]), np.inf)
        return value, np.where(at > 0, 1 - 1 / at, 0.0)

    optimum = lbfgs(objective, np.array([[0.01], [50.0]]), gradient_tolerance=1e-9)
    np.testing.assert_allclose(optimum.parameters, 1, atol=1e-4)


def test_lbfgs_gives_up_where_the_gradient_lies():
    optimum = lbfgs(lambda rows, at: ((at**2).sum(axis=1), -2 * at), np.ones((1, 2)))
    assert optimum.reason[0] == STUCK
    assert not optimum.converged[0]


def test_gradient_descent_is_the_rule_of_the_paper(problems):
    objective, _ = problems
    at = np.zeros((20, 6))
    for _ in range(10):
        at = at - 1e-3 * objective(np.arange(20), at)[1]
    optimum = gradient_descent(objective, np.zeros((20, 6)), learning_rate=1e-3, max_iterations=10)
    np.testing.assert_array_equal(optimum.parameters, at)
    assert (optimum.reason == LIMIT).all()
    assert (optimum.iterations == 10).all()


def test_gradient_descent_stops_at_a_minimum():
    objective = bowls(np.ones((2, 3)), np.zeros((2, 3)))
    start = np.array([[1.0, 1.0, 1.0], [0.0, 0.0, 0.0]])
    optimum = gradient_descent(objective, start, learning_rate=0.5, gradient_tolerance=1e-6)
    assert optimum.converged.all()
    assert optimum.iterations.tolist() == [20, 0]
