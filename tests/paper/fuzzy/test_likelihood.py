import numpy as np
import pytest

from fuzzybounds.paper.fuzzy.likelihood import (
    cross_entropy,
    mean_loss,
    path_log_likelihood,
)

DT, SCALE = 0.05, 0.4


@pytest.fixture
def controller(random_controller):
    return random_controller(np.random.default_rng(11))


def probability(controller, t, x):
    return controller.output(t, x) * DT / SCALE


def test_cross_entropy_is_the_log_likelihood_of_the_paper(controller, two_class_points):
    t, x, y = two_class_points(controller, 100, np.random.default_rng(0))
    p = controller.output(t, x)
    expected = np.sum(y * np.log(p) + (1 - y) * np.log(1 - p))
    assert cross_entropy(controller, t, x, y) == pytest.approx(expected)
    assert expected < 0  # a06: a log-likelihood, so that -L is what falls
    assert mean_loss(controller, t, x, y) == pytest.approx(-expected / 100)


def test_path_likelihood_is_the_product_of_the_paper(controller):
    rng = np.random.default_rng(1)
    positions = rng.random((3, 8))
    positions[0, 5:] = np.nan
    positions[2, 1:] = np.nan
    got = path_log_likelihood(controller, positions, [True, True, True], dt=DT, scale=SCALE)
    for path, value in zip(positions, got, strict=True):
        path = path[~np.isnan(path)]
        p = probability(controller, DT * np.arange(1, path.size + 1), path)
        assert value == pytest.approx(np.log(p[-1] * np.prod(1 - p[:-1])))


def test_responses_and_survival_exhaust_all_that_can_happen(controller):
    positions = np.random.default_rng(3).random(12)
    stopped_after = np.where(np.tri(12, dtype=bool), positions, np.nan)
    responses = path_log_likelihood(controller, stopped_after, np.ones(12), dt=DT, scale=SCALE)
    survival = path_log_likelihood(controller, positions, False, dt=DT, scale=SCALE)
    assert np.exp(responses).sum() + np.exp(survival) == pytest.approx(1)
