import numpy as np

from fuzzybounds.storage.damped_step import damped_step, solve
from fuzzybounds.storage.seeds import generator


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
