import numpy as np
import pytest

from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.likelihood import mean_loss
from fuzzybounds.paper.fuzzy.membership import Memberships, equidistant
from fuzzybounds.paper.fuzzy.network import Network, backward_pass
from fuzzybounds.paper.fuzzy.rules import RuleBase
from fuzzybounds.paper.fuzzy.tuning import (
    BOUND,
    CROSSED,
    EXTREME_WIDTH,
    ONE_CONSEQUENT,
    PENALTY,
    SEPARABLE,
    Loss,
    Points,
    penalised,
    tune,
)

RULES = RuleBase.from_table({"L": "SSS", "M": "CSS", "S": "CCS"})


def tune_to(controller, t, x, y, **options):
    """Tune a controller to points (t, x) with y = 1 where the subject responded, else 0."""
    variables, rules = (controller.time, controller.position), controller.rules
    result = tune(
        Network.grid(rules.consequents.shape, variables[0].convention),
        Points(np.stack([t, x])[None], np.asarray(y)[None] == 1),
        rules.consequents.reshape(1, -1),
        np.concatenate([rows.centers for rows in variables]),
        np.concatenate([rows.widths for rows in variables]),
        **options,
    )
    parts = zip(np.split(result.centers[0], 2), np.split(result.widths[0], 2), strict=True)
    moved = [
        Memberships(rows.labels, *part, rows.convention)
        for rows, part in zip(variables, parts, strict=True)
    ]
    return Controller(*moved, rules), result


@pytest.fixture
def start():
    variable = equidistant(3, convention="width")
    return Controller(variable, variable, RULES)


@pytest.fixture
def truth(random_controller):
    moved = random_controller(np.random.default_rng(20))
    return Controller(moved.time, moved.position, RULES)


def test_tuning_lowers_the_loss_towards_that_of_the_truth(start, truth, two_class_points):
    t, x, y = two_class_points(truth, 3000, np.random.default_rng(1))
    tuned, result = tune_to(start, t, x, y)
    assert result.converged[0]
    assert result.loss_before[0] == pytest.approx(mean_loss(start, t, x, y))
    assert result.loss_after[0] == pytest.approx(mean_loss(tuned, t, x, y))
    assert result.loss_after[0] < result.loss_before[0] - 0.01
    assert result.loss_after[0] < mean_loss(truth, t, x, y) + 0.005
    assert result.flags == [()]
    assert tuned.rules is start.rules


@pytest.mark.parametrize("penalty", [0.0, PENALTY])
def test_slopes_of_the_penalised_loss_are_those_of_finite_differences(
    penalty, start, truth, two_class_points, flatten
):
    rng = np.random.default_rng(5)
    t, x, y = two_class_points(truth, 50, rng)
    network, centers, widths, consequents = flatten(start)
    loss = Loss(network, consequents, np.stack([t, x]), y == 1, rng.uniform(0.5, 2.0, y.size))
    given = (loss, centers, widths, penalty)
    deviation, step = rng.normal(0, 0.3, 12), 1e-6
    _, slopes = penalised(deviation, *given)
    for part, by in zip(slopes, step * np.eye(12), strict=True):
        up, down = (penalised(deviation + sign * by, *given)[0] for sign in (1, -1))
        assert part == pytest.approx((up - down) / (2 * step), abs=1e-7)


def test_gradient_descent_of_the_paper_reaches_the_same_optimum(
    start, truth, two_class_points, flatten, unflatten
):
    """Theta <- theta + eta dL/dtheta with the gradients of the appendix, and the penalty's."""
    t, x, y = two_class_points(truth, 200, np.random.default_rng(2))
    tuned, result = tune_to(start, t, x, y)
    network, centers, widths, consequents = flatten(start)
    deviation = np.zeros(12)
    for _ in range(20_000):
        by_center, by_width = np.split(deviation, 2)
        moved = centers + widths * by_center, widths * np.exp(by_width)
        _, *gradient = backward_pass(network, *moved, consequents, np.stack([t, x], axis=1), y)
        slope = np.concatenate([widths * gradient[0], moved[1] * gradient[1]])
        slope -= 2 * PENALTY * deviation
        deviation += slope / len(t)
        if np.abs(slope).max() < 1e-4:
            break
    outcome = unflatten(start, *moved)
    assert mean_loss(outcome, t, x, y) == pytest.approx(result.loss_after[0], abs=1e-4)
    np.testing.assert_allclose(outcome.time.centers, tuned.time.centers, atol=2e-3)
    np.testing.assert_allclose(outcome.position.widths, tuned.position.widths, atol=2e-3)


@pytest.fixture
def separable():
    t, x = np.random.default_rng(6).random((2, 80))
    apart = np.abs(t + x - 1) > 0.15
    return t[apart], x[apart], (t + x > 1)[apart]


def test_separable_points_stay_finite_and_are_flagged(start, separable):
    tuned, result = tune_to(start, *separable)
    assert result.flags == [(SEPARABLE,)]
    assert result.converged[0]
    assert tuned.time.widths.min() > 0.01


def test_without_a_penalty_the_bound_keeps_them_finite(start, separable, flatten):
    held, _ = tune_to(start, *separable)
    free, result = tune_to(start, *separable, penalty=0)
    assert result.loss_after[0] < 1e-4
    assert SEPARABLE in result.flags[0]
    assert free.time.widths.min() < held.time.widths.min()
    _, centers, widths, _ = flatten(free)
    _, start_centers, start_widths, _ = flatten(start)
    assert (np.abs(np.log(widths / start_widths)) <= BOUND + 1e-9).all()
    assert (np.abs(centers - start_centers) <= (BOUND + 1e-9) * start_widths).all()


def test_crossed_centres_and_extreme_widths_are_flagged(start):
    # Stopping early and far, and going on late and near: the opposite of the rules.
    t, x = np.random.default_rng(7).random((2, 200))
    _, result = tune_to(start, t, x, t + x < 1, penalty=1e-4)
    assert CROSSED in result.flags[0]
    assert EXTREME_WIDTH in result.flags[0]


def test_rules_of_one_consequent_cannot_be_tuned_and_are_flagged():
    variable = equidistant(2, convention="width")
    stop = Controller(variable, variable, RuleBase.from_table({"L": "SS", "S": "SS"}))
    tuned, result = tune_to(stop, [0.1, 0.9], [0.1, 0.9], [0, 1])
    assert result.flags == [(ONE_CONSEQUENT,)]
    assert result.loss_before[0] == result.loss_after[0] == np.inf
    assert not result.converged[0]
    np.testing.assert_array_equal(tuned.time.centers, variable.centers)
    _, allowed = tune_to(stop, [0.1, 0.9], [0.1, 0.9], [1, 1])
    assert allowed.loss_after[0] == 0
