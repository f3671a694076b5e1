import numpy as np
import pytest

from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.membership import equidistant
from fuzzybounds.paper.fuzzy.rules import RuleBase

SHAPES = [(3, 3), (5, 5), (2, 4), (1, 3)]


def brute_force(controller, t, x):
    """Eq. fuzzy_O with plain loops."""
    top = bottom = 0.0
    for i, (mu, sigma) in enumerate(
        zip(controller.time.centers, controller.time.widths, strict=True)
    ):
        for j, (nu, tau) in enumerate(
            zip(controller.position.centers, controller.position.widths, strict=True)
        ):
            c = controller.rules.consequents[i, j]
            if not np.isnan(c):
                factor = 1.0 if controller.time.convention == "width" else 0.5
                y2 = np.exp(-factor * ((t - mu) / sigma) ** 2) * np.exp(
                    -factor * ((abs(x) - nu) / tau) ** 2
                )
                top, bottom = top + c * y2, bottom + y2
    return top / bottom


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("convention", ["width", "deviation"])
@pytest.mark.parametrize("empty", [0.0, 0.4])
def test_output_is_the_centre_average(random_controller, shape, convention, empty):
    rng = np.random.default_rng([*shape, int(10 * empty)])
    controller = random_controller(rng, shape, convention, empty, graded=True)
    t, x = rng.random(20), rng.uniform(-1, 1, 20)
    expected = [brute_force(controller, *point) for point in zip(t, x, strict=True)]
    np.testing.assert_allclose(controller.output(t, x), expected, rtol=1e-12)
    np.testing.assert_allclose(controller.output_grid(t, x).diagonal(), expected, rtol=1e-12)
    log_p, log_q = controller.log_output(t, x)
    np.testing.assert_allclose(np.exp(log_p), expected, rtol=1e-12)
    np.testing.assert_allclose(np.exp(log_q), 1 - np.array(expected), atol=1e-13)
    premises = controller.premises(t, x)[:, controller.rules.given]
    weighed = premises @ controller.rules.consequents[controller.rules.given]
    np.testing.assert_allclose(weighed / premises.sum(axis=1), expected, rtol=1e-12)
    scaled = controller.scaled(time=15, position=420)
    np.testing.assert_allclose(scaled.output(15 * t, 420 * x), expected, rtol=1e-9)


def test_far_from_every_rule_the_nearest_decides():
    rules = RuleBase.from_table({"L": "S--", "M": "---", "S": "C--"})
    variable = equidistant(3, width=0.01, convention="width")
    controller = Controller(variable, variable, rules)
    # Products of degrees are exp(-10000) here; the position still decides.
    np.testing.assert_allclose(controller.output(1.0, [0.0, 0.5, 1.0]), [0, 0.5, 1], atol=1e-12)
    np.testing.assert_allclose(
        controller.output_grid([1.0], [0.0, 0.5, 1.0]), [[0, 0.5, 1]], atol=1e-12
    )
    log_p, log_q = controller.log_output(1.0, 0.4)
    assert log_p == pytest.approx(-2000.0)
    assert log_q == pytest.approx(0, abs=1e-12)


def test_rules_of_one_consequent_give_an_exact_zero():
    rules = RuleBase.from_table({"L": "S", "S": "S"})
    variable = equidistant(2, convention="width")
    controller = Controller(equidistant(1, convention="width"), variable, rules)
    log_p, log_q = controller.log_output(0.5, [0.1, 0.9])
    np.testing.assert_allclose(log_p, 0, atol=1e-12)
    np.testing.assert_array_equal(log_q, -np.inf)


def test_boundary_is_where_the_output_crosses(paper_controller):
    times = np.linspace(0, 12, 49)
    boundary = paper_controller.boundary(times)
    inside = (boundary > 0) & np.isfinite(boundary)
    assert inside.sum() > 20
    at = paper_controller.output(times[inside], boundary[inside])
    np.testing.assert_allclose(at, 0.5, atol=1e-9)
    just_below = paper_controller.output(times[inside], boundary[inside] - 0.01)
    assert (just_below < 0.5).all()
    # The rule base of Fig. 5 gives a boundary that falls with time.
    assert (np.diff(boundary) <= 1e-9).all()


def test_an_output_equal_to_the_threshold_is_a_crossing():
    variable = equidistant(2, convention="width")
    stop = Controller(variable, variable, RuleBase.from_table({"L": "SS", "S": "SS"}))
    np.testing.assert_array_equal(stop.boundary([0.0, 1.0], threshold=1.0), 0)
    # With narrow labels the output is 1 to the last bit before the largest centre.
    narrow = equidistant(2, width=0.1, convention="width")
    late = Controller(narrow, narrow, RuleBase.from_table({"L": "SS", "S": "CC"}))
    (at,) = late.boundary([0.0], threshold=1.0)
    assert late.output(0.0, at) == 1.0
    assert late.output(0.0, at - 1e-6) < 1.0


def test_boundary_looks_as_far_as_it_is_told(paper_controller):
    assert 200 < paper_controller.boundary([0.0])[0] < 400
    np.testing.assert_array_equal(paper_controller.boundary([0.0], reach=200), np.inf)


def test_boundary_without_a_crossing_is_zero_or_infinite():
    variable = equidistant(2, convention="width")
    for letters, expected in (("SS", 0.0), ("CC", np.inf)):
        rules = RuleBase.from_table({"L": letters, "S": letters})
        controller = Controller(variable, variable, rules)
        np.testing.assert_array_equal(controller.boundary([0.0, 1.0]), expected)
