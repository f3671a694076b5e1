"""C08: the appendix's formulas are the gradients of Eq. cross_entropy, and so are tuning's."""

import itertools

import numpy as np
import pytest

from fuzzybounds.paper.fuzzy.likelihood import cross_entropy
from fuzzybounds.paper.fuzzy.network import Network, backward_pass, forward_pass
from fuzzybounds.paper.fuzzy.tuning import Loss

CASES = list(
    itertools.product(
        [(3, 3), (5, 5), (2, 4), (1, 3)], ["width", "deviation"], [0.0, 0.4], [False, True]
    )
)


@pytest.fixture(params=range(len(CASES)))
def case(request, random_controller, two_class_points):
    """A random controller and points that it generated."""
    shape, convention, empty, graded = CASES[request.param]
    rng = np.random.default_rng([1, request.param])
    controller = random_controller(rng, shape, convention, empty, graded)
    return controller, two_class_points(controller, 90, rng)


def by_logs(network, centers, widths, consequents, inputs, y, weights=None):
    """Loss, and the gradients by centres and by log widths, as tuning computes them."""
    weights = np.ones(len(y)) if weights is None else weights
    loss = Loss(network, consequents, inputs, np.asarray(y, dtype=bool), weights)
    value, gradient = loss(centers, widths)
    return value, *np.split(gradient, 2)


def finite_difference(function, at, step=1e-3):
    """Central differences, extrapolated once to the fourth order."""

    def central(h):
        steps = h * np.eye(at.size)
        return np.array([(function(at + e) - function(at - e)) / (2 * h) for e in steps])

    return (4 * central(step / 2) - central(step)) / 3


def test_both_are_the_finite_differences_of_the_likelihood(case, flatten, unflatten):
    controller, (t, x, y) = case
    model = flatten(controller)
    _, centers, widths, _ = model
    log_l, by_center, by_width = backward_pass(*model, np.stack([t, x], axis=1), y)
    loss, center, log_width = by_logs(*model, np.stack([t, x]), y)
    assert loss == pytest.approx(-log_l, rel=1e-10)
    size = np.abs(by_center).max()
    np.testing.assert_allclose(-center, by_center, rtol=1e-9, atol=1e-10 * size)
    np.testing.assert_allclose(-log_width, widths * by_width, rtol=1e-9, atol=1e-10 * size)

    def likelihood(centers, widths):
        return cross_entropy(unflatten(controller, centers, widths), t, x, y)

    expected = finite_difference(lambda at: likelihood(at, widths), centers)
    np.testing.assert_allclose(by_center, expected, rtol=1e-5, atol=1e-5)
    expected = finite_difference(lambda at: likelihood(centers, at), widths)
    np.testing.assert_allclose(by_width, expected, rtol=1e-5, atol=1e-5)
    *_, output = forward_pass(*model, np.stack([t, x], axis=1))
    np.testing.assert_allclose(output, controller.output(t, x), rtol=1e-12)


@pytest.mark.parametrize("n_inputs", [1, 3])
def test_any_number_of_inputs(n_inputs):
    rng = np.random.default_rng(n_inputs)
    network = Network.grid((3,) * n_inputs, "width")
    centers = np.tile([0.0, 0.5, 1.0], n_inputs) + rng.normal(0, 0.05, 3 * n_inputs)
    widths = rng.uniform(0.2, 0.4, 3 * n_inputs)
    consequents = rng.random(3**n_inputs)
    inputs, y = rng.random((n_inputs, 70)), rng.integers(0, 2, 70)
    log_l, by_center, by_width = backward_pass(network, centers, widths, consequents, inputs.T, y)
    loss, center, log_width = by_logs(network, centers, widths, consequents, inputs, y)
    assert loss == pytest.approx(-log_l)
    np.testing.assert_allclose(-center, by_center, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(-log_width / widths, by_width, rtol=1e-9, atol=1e-9)


def test_exact_where_products_underflow(random_controller, two_class_points, flatten, unflatten):
    rng = np.random.default_rng(7)
    controller = random_controller(rng, (3, 3), empty=0.3)
    t, x, y = two_class_points(controller, 60, rng)
    network, centers, widths, consequents = flatten(controller)
    widths = widths / 60  # premises of exp(-1000)
    loss, by_center, by_log_width = by_logs(
        network, centers, widths, consequents, np.stack([t, x]), y
    )

    def objective(centers, widths):
        return -cross_entropy(unflatten(controller, centers, widths), t, x, y)

    assert loss == pytest.approx(objective(centers, widths), rel=1e-10)
    assert loss > 460
    expected = finite_difference(lambda at: objective(at, widths), centers, 1e-6)
    np.testing.assert_allclose(by_center, expected, rtol=1e-4, atol=1)
    expected = finite_difference(lambda at: objective(centers, np.exp(at)), np.log(widths), 1e-6)
    np.testing.assert_allclose(by_log_width, expected, rtol=1e-4, atol=1)
