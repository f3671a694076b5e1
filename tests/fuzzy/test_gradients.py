"""C08: the appendix's formulas are the gradients of Eq. cross_entropy, and the kernel's too."""

import itertools

import numpy as np
import pytest

from fuzzybounds.fuzzy.backpropagation import backward_pass, forward_pass
from fuzzybounds.fuzzy.kernel import BLOCK, loss_and_gradient
from fuzzybounds.fuzzy.likelihood import cross_entropy
from fuzzybounds.fuzzy.network import Network, flatten
from fuzzybounds.fuzzy.tuning import unflatten

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


def fused(network, centers, widths, consequents, inputs, y, weights=None):
    """The kernel for one fit: loss, and the gradients by centres and by log widths."""
    weights = np.ones(y.shape) if weights is None else weights
    loss, gradient, worst = loss_and_gradient(
        np.array([0]),
        np.ascontiguousarray(inputs)[None],
        np.asarray(y, dtype=bool)[None],
        weights[None],
        ~np.isnan(consequents)[None],
        consequents[None],
        network.inputs,
        network.premises,
        network.exponent,
        np.concatenate([centers, np.log(widths)])[None],
    )
    return loss[0], *np.split(gradient[0], 2), worst[0]


def finite_difference(function, at):
    """Central differences, extrapolated once to the fourth order."""

    def central(h):
        steps = h * np.eye(at.size)
        return np.array([(function(at + e) - function(at - e)) / (2 * h) for e in steps])

    return (4 * central(5e-4) - central(1e-3)) / 3


def test_reference_and_kernel_agree(case):
    controller, (t, x, y) = case
    network, centers, widths, consequents = flatten(controller)
    log_l, by_center, by_width = backward_pass(
        network, centers, widths, consequents, np.stack([t, x], axis=1), y
    )
    loss, fused_center, fused_log_width, _ = fused(
        network, centers, widths, consequents, np.stack([t, x]), y
    )
    assert loss == pytest.approx(-log_l, rel=1e-10)
    size = np.abs(by_center).max()
    np.testing.assert_allclose(-fused_center, by_center, rtol=1e-10, atol=1e-10 * size)
    np.testing.assert_allclose(-fused_log_width, widths * by_width, rtol=1e-10, atol=1e-10 * size)


def test_both_agree_with_finite_differences_of_the_likelihood(case):
    controller, (t, x, y) = case
    network, centers, widths, consequents = flatten(controller)
    _, by_center, by_width = backward_pass(
        network, centers, widths, consequents, np.stack([t, x], axis=1), y
    )
    _, fused_center, fused_log_width, _ = fused(
        network, centers, widths, consequents, np.stack([t, x]), y
    )

    def by_centers(at):
        return cross_entropy(unflatten(controller, at, widths), t, x, y)

    def by_widths(at):
        return cross_entropy(unflatten(controller, centers, at), t, x, y)

    expected = finite_difference(by_centers, centers)
    np.testing.assert_allclose(by_center, expected, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(-fused_center, expected, rtol=1e-5, atol=1e-5)
    expected = finite_difference(by_widths, widths)
    np.testing.assert_allclose(by_width, expected, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(-fused_log_width / widths, expected, rtol=1e-5, atol=1e-5)


def test_forward_pass_is_the_controller(case):
    controller, (t, x, _) = case
    network, *parameters = flatten(controller)
    layers = forward_pass(network, *parameters, np.stack([t, x], axis=1))
    np.testing.assert_allclose(layers.y4, controller.output(t, x), rtol=1e-12)
    premises = controller.premises(t, x).reshape(t.size, -1)
    given = controller.rules.given.ravel()
    np.testing.assert_allclose(layers.y2[:, given], premises[:, given], rtol=1e-12)


def test_neurons_are_numbered_as_in_the_appendix():
    network = Network.grid((3, 3), "width")
    # y_(2,1) = y_(1,1) y_(1,4), Eq. A12, counted from 1 there and from 0 here.
    assert network.premises[0].tolist() == [0, 3]
    assert network.premises[-1].tolist() == [2, 5]
    assert network.inputs.tolist() == [0, 0, 0, 1, 1, 1]


@pytest.mark.parametrize("n_inputs", [1, 3])
def test_kernel_takes_any_number_of_inputs(n_inputs):
    rng = np.random.default_rng(n_inputs)
    network = Network.grid((3,) * n_inputs, "width")
    centers = np.tile([0.0, 0.5, 1.0], n_inputs) + rng.normal(0, 0.05, 3 * n_inputs)
    widths = rng.uniform(0.2, 0.4, 3 * n_inputs)
    consequents = rng.random(3**n_inputs)
    inputs, y = rng.random((n_inputs, 70)), rng.integers(0, 2, 70)
    log_l, by_center, by_width = backward_pass(network, centers, widths, consequents, inputs.T, y)
    loss, fused_center, fused_log_width, _ = fused(network, centers, widths, consequents, inputs, y)
    assert loss == pytest.approx(-log_l)
    np.testing.assert_allclose(-fused_center, by_center, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(-fused_log_width / widths, by_width, rtol=1e-9, atol=1e-9)


def test_kernel_is_exact_where_products_underflow(random_controller, two_class_points):
    rng = np.random.default_rng(7)
    controller = random_controller(rng, (3, 3), empty=0.3)
    t, x, y = two_class_points(controller, 60, rng)
    network, centers, widths, consequents = flatten(controller)
    widths = widths / 60  # premises of exp(-1000)
    narrow = unflatten(controller, centers, widths)
    loss, by_center, by_log_width, worst = fused(
        network, centers, widths, consequents, np.stack([t, x]), y
    )
    assert worst > 460
    assert loss == pytest.approx(-cross_entropy(narrow, t, x, y), rel=1e-10)

    def by_centers(at):
        return -cross_entropy(unflatten(controller, at, widths), t, x, y)

    def by_log_widths(at):
        return -cross_entropy(unflatten(controller, centers, np.exp(at)), t, x, y)

    step = 1e-6 * np.eye(centers.size)
    expected = [(by_centers(centers + e) - by_centers(centers - e)) / 2e-6 for e in step]
    np.testing.assert_allclose(by_center, expected, rtol=1e-4, atol=1)
    log_widths = np.log(widths)
    expected = [
        (by_log_widths(log_widths + e) - by_log_widths(log_widths - e)) / 2e-6 for e in step
    ]
    np.testing.assert_allclose(by_log_width, expected, rtol=1e-4, atol=1)


def test_a_point_that_no_rule_allows_costs_infinitely_much():
    network = Network.grid((2, 2), "width")
    centers, widths = np.tile([0.0, 1.0], 2), np.full(4, 0.3)
    loss, *_ = fused(network, centers, widths, np.ones(4), np.full((2, 1), 0.5), np.array([0]))
    assert loss == np.inf
    loss, *_ = fused(network, centers, widths, np.ones(4), np.full((2, 1), 0.5), np.array([1]))
    assert loss == 0


def test_weights_are_repetitions_and_zero_is_padding(random_controller, two_class_points):
    rng = np.random.default_rng(8)
    controller = random_controller(rng)
    t, x, y = two_class_points(controller, 40, rng)
    model = flatten(controller)
    weights = rng.integers(0, 4, 40)
    weighted = fused(*model, np.stack([t, x]), y, weights.astype(float))
    repeated = fused(*model, np.repeat([t, x], weights, axis=1), np.repeat(y, weights))
    for one, other in zip(weighted, repeated, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)
    padded = fused(
        *model,
        np.concatenate([[t, x], np.full((2, 3 * BLOCK), 0.7)], axis=1),
        np.r_[y, np.zeros(3 * BLOCK)],
        np.r_[weights, np.zeros(3 * BLOCK)],
    )
    assert padded[0] == pytest.approx(weighted[0], rel=1e-14)
