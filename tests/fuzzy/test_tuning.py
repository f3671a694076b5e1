import numpy as np
import pytest

from fuzzybounds.fuzzy.controller import Controller
from fuzzybounds.fuzzy.likelihood import cross_entropy, mean_loss
from fuzzybounds.fuzzy.membership import equidistant
from fuzzybounds.fuzzy.network import Network, flatten
from fuzzybounds.fuzzy.rules import RuleBase
from fuzzybounds.fuzzy.tuning import (
    BOUND,
    CROSSED,
    EXTREME_WIDTH,
    ONE_CONSEQUENT,
    SEPARABLE,
    Points,
    tune,
    tune_controller,
)

RULES = RuleBase.from_table({"L": "SSS", "M": "CSS", "S": "CCS"})


def tune_to(controller, t, x, y, **options):
    """Tune a controller to points (t, x) with y = 1 where the subject responded, else 0."""
    points = Points(np.stack([t, np.abs(x)])[None], np.asarray(y)[None] == 1)
    return tune_controller(controller, points, **options)


@pytest.fixture
def start():
    variable = equidistant(3, convention="width")
    return Controller(variable, variable, RULES)


@pytest.fixture
def truth(random_controller):
    moved = random_controller(np.random.default_rng(20))
    return Controller(moved.time, moved.position, RULES)


@pytest.mark.parametrize(
    "options",
    [{}, {"optimiser": "gradient_descent", "learning_rate": 1.0, "max_iterations": 500}],
    ids=["lbfgs", "gradient descent"],
)
def test_tuning_lowers_the_loss_towards_that_of_the_truth(start, truth, two_class_points, options):
    t, x, y = two_class_points(truth, 3000, np.random.default_rng(1))
    tuned, result = tune_to(start, t, x, y, **options)
    true_loss = mean_loss(truth, t, x, y)
    assert result.loss_before[0] == pytest.approx(mean_loss(start, t, x, y))
    assert result.loss_after[0] == pytest.approx(mean_loss(tuned, t, x, y))
    assert result.loss_after[0] < result.loss_before[0] - 0.01
    assert result.loss_after[0] < true_loss + 0.005
    assert result.flags == ((),)
    assert tuned.rules is start.rules


def test_both_optimisers_find_the_same_minimum(start, truth, two_class_points):
    t, x, y = two_class_points(truth, 200, np.random.default_rng(2))
    one, result = tune_to(start, t, x, y, gradient_tolerance=1e-8, loss_tolerance=0)
    assert result.converged[0]
    other, result = tune_to(
        start,
        t,
        x,
        y,
        optimiser="gradient_descent",
        learning_rate=1.0,
        max_iterations=20000,
        gradient_tolerance=1e-8,
    )
    assert result.converged[0]
    np.testing.assert_allclose(one.time.centers, other.time.centers, atol=1e-5)
    np.testing.assert_allclose(one.position.widths, other.position.widths, atol=1e-5)


def test_lbfgs_agrees_with_scipy(start, truth, two_class_points):
    from scipy.optimize import minimize

    from fuzzybounds.fuzzy.tuning import unflatten

    t, x, y = two_class_points(truth, 150, np.random.default_rng(3))
    penalty = 2.0
    tuned, _ = tune_to(start, t, x, y, penalty=penalty, gradient_tolerance=1e-8)
    _, centers, widths, _ = flatten(start)

    def objective(deviation):
        d_center, d_width = np.split(deviation, 2)
        moved = unflatten(start, centers + widths * d_center, widths * np.exp(d_width))
        return -cross_entropy(moved, t, x, y) + penalty * (deviation**2).sum()

    # Gradients by differences of the public likelihood: nothing shared but the model.
    best = minimize(objective, np.zeros(12), method="BFGS", options={"gtol": 1e-5})
    _, tuned_centers, tuned_widths, _ = flatten(tuned)
    reached = objective(
        np.concatenate([(tuned_centers - centers) / widths, np.log(tuned_widths / widths)])
    )
    assert reached == pytest.approx(best.fun, abs=1e-4)


def test_gradient_descent_starts_with_the_step_of_the_paper(start, truth, two_class_points):
    from fuzzybounds.fuzzy.backpropagation import backward_pass

    t, x, y = two_class_points(truth, 100, np.random.default_rng(4))
    network, centers, widths, consequents = flatten(start)
    _, by_center, by_width = backward_pass(
        network, centers, widths, consequents, np.stack([t, x], axis=1), y
    )
    rate = 1e-4
    tuned, _ = tune_to(
        start,
        t,
        x,
        y,
        optimiser="gradient_descent",
        learning_rate=rate,
        max_iterations=1,
        penalty=0,
    )
    _, new_centers, new_widths, _ = flatten(tuned)
    # theta <- theta - eta dLoss/dtheta with Loss = -L / n and eta = rate * sigma².
    eta = rate * widths**2 / 100
    np.testing.assert_allclose(new_centers - centers, eta * by_center, rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(new_widths - widths, eta * by_width, rtol=1e-2, atol=1e-12)


def test_fits_of_a_batch_are_those_of_each_alone(truth, two_class_points):
    rng = np.random.default_rng(5)
    variable = equidistant(3, convention="width")
    network = Network.grid((3, 3), "width")
    centers, widths = np.tile(variable.centers, 2), np.tile(variable.widths, 2)
    inputs, responded = np.empty((5, 2, 128)), np.empty((5, 128), dtype=bool)
    for k in range(5):
        *inputs[k], responded[k] = two_class_points(truth, 128, rng)
    consequents = np.tile(RULES.consequents.ravel(), (5, 1))
    consequents[2, 4] = np.nan
    together = tune(network, Points(inputs, responded), consequents, centers, widths)
    for k in range(5):
        alone = tune(
            network, Points(inputs[[k]], responded[[k]]), consequents[[k]], centers, widths
        )
        np.testing.assert_array_equal(alone.centers[0], together.centers[k])
        np.testing.assert_array_equal(alone.widths[0], together.widths[k])


def test_separable_points_stay_finite_and_are_flagged(start):
    rng = np.random.default_rng(6)
    t, x = rng.random((2, 80))
    apart = np.abs(t + x - 1) > 0.15
    t, x = t[apart], x[apart]
    tuned, result = tune_to(start, t, x, t + x > 1)
    assert result.flags == ((SEPARABLE,),)
    assert result.converged[0]
    assert np.isfinite(tuned.time.widths).all()
    assert tuned.time.widths.min() > 0.01


def test_without_a_penalty_the_bound_keeps_them_finite(start):
    rng = np.random.default_rng(6)
    t, x = rng.random((2, 80))
    apart = np.abs(t + x - 1) > 0.15
    t, x = t[apart], x[apart]
    held, _ = tune_to(start, t, x, t + x > 1)
    free, result = tune_to(start, t, x, t + x > 1, penalty=0)
    assert result.loss_after[0] < 1e-4
    assert SEPARABLE in result.flags[0]
    assert free.time.widths.min() < held.time.widths.min()
    _, centers, widths, _ = flatten(free)
    _, start_centers, start_widths, _ = flatten(start)
    assert np.isfinite(centers).all()
    assert (np.abs(np.log(widths / start_widths)) <= BOUND).all()
    assert (np.abs(centers - start_centers) <= BOUND * start_widths).all()


def test_crossed_centres_and_extreme_widths_are_flagged(start):
    # Stopping early and far, and going on late and near: the opposite of the rules.
    rng = np.random.default_rng(7)
    t, x = rng.random((2, 200))
    _, result = tune_to(start, t, x, t + x < 1, penalty=1e-4)
    assert CROSSED in result.flags[0]
    assert EXTREME_WIDTH in result.flags[0]


def test_rules_of_one_consequent_cannot_be_tuned_and_are_flagged():
    variable = equidistant(2, convention="width")
    stop = Controller(variable, variable, RuleBase.from_table({"L": "SS", "S": "SS"}))
    tuned, result = tune_to(stop, [0.1, 0.9], [0.1, 0.9], [0, 1])
    assert result.flags == ((ONE_CONSEQUENT,),)
    assert result.loss_before[0] == result.loss_after[0] == np.inf
    assert not result.converged[0]
    np.testing.assert_array_equal(tuned.time.centers, variable.centers)


def test_labels_that_no_point_reaches_stay_where_they_were():
    variable = equidistant(5, convention="width")
    rules = RuleBase.from_table(
        {"VL": "-----", "L": "-----", "M": "SS---", "S": "CS---", "VS": "CC---"}
    )
    rng = np.random.default_rng(8)
    t, x = rng.uniform(0, 0.4, (2, 100))
    tuned, _ = tune_to(Controller(variable, variable, rules), t, x, t + x > 0.4)
    np.testing.assert_array_equal(tuned.time.centers[2:], variable.centers[2:])
    np.testing.assert_allclose(tuned.time.widths[2:], variable.widths[2:], rtol=1e-15)


def test_position_is_a_distance(start, truth, two_class_points):
    t, x, y = two_class_points(truth, 60, np.random.default_rng(9))
    sign = np.random.default_rng(10).choice([-1, 1], 60)
    one, _ = tune_to(start, t, x, y)
    other, _ = tune_to(start, t, sign * x, y)
    np.testing.assert_array_equal(one.position.centers, other.position.centers)


def test_bad_batches_are_named(start):
    network, centers, widths, consequents = flatten(start)
    points = Points(np.zeros((1, 2, 4)), np.zeros((1, 4)))
    with pytest.raises(ValueError, match="'adam'"):
        tune(network, points, consequents[None], centers, widths, optimiser="adam")
    with pytest.raises(ValueError, match="one for each fit and rule"):
        tune(network, points, consequents[None, :4], centers, widths)
    with pytest.raises(ValueError, match=r"within \[0, 1\]"):
        tune(network, points, 2 * consequents[None], centers, widths)
    with pytest.raises(ValueError, match="no rule"):
        tune(network, points, np.nan * consequents[None], centers, widths)
    with pytest.raises(ValueError, match=r"expected \(n_fits, n_inputs, n_points\)"):
        Points(np.zeros((1, 2, 4)), np.zeros((1, 5)), np.ones((1, 4)))
    with pytest.raises(ValueError, match=r"weights \(1, 5\)"):
        Points(np.zeros((1, 2, 4)), np.zeros((1, 4)), np.ones((1, 5)))
    with pytest.raises(ValueError, match="finite"):
        Points(np.full((1, 2, 4), np.nan), np.zeros((1, 4)))
    with pytest.raises(ValueError, match="no points"):
        Points(np.zeros((1, 2, 4)), np.zeros((1, 4)), np.zeros((1, 4)))


def test_conventions_cannot_be_mixed():
    time, position = equidistant(3, convention="width"), equidistant(3, convention="deviation")
    with pytest.raises(ValueError, match="expected the same"):
        flatten(Controller(time, position, RULES))
