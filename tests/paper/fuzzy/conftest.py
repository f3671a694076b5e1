"""Random controllers, and points that one of them generated."""

import numpy as np
import pytest

from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.membership import Memberships, labels
from fuzzybounds.paper.fuzzy.network import Network
from fuzzybounds.paper.fuzzy.rules import RuleBase


def _random_controller(rng, shape=(3, 3), convention="width", empty=0.0, graded=False):
    """A controller off the equidistant grid, with both consequents among its rules."""
    variables = [
        Memberships(
            labels(n),
            np.linspace(0, 1, n) + rng.normal(0, 0.05, n),
            rng.uniform(0.15, 0.4, n),
            convention,
        )
        for n in shape
    ]
    consequents = rng.random(shape) if graded else rng.integers(0, 2, shape).astype(float)
    consequents[rng.random(shape) < empty] = np.nan
    consequents.flat[0], consequents.flat[-1] = 0.0, 1.0
    rules = RuleBase(variables[0].labels, variables[1].labels, consequents)
    return Controller(*variables, rules)


@pytest.fixture
def random_controller():
    return _random_controller


@pytest.fixture
def two_class_points():
    def draw(controller, n, rng):
        t, x = rng.random((2, n))
        return t, x, (rng.random(n) < controller.output(t, x)).astype(int)

    return draw


@pytest.fixture
def paper_controller():
    """Five seconds, two hundred pixels: a controller in the units of Figs. 4 and 5."""
    return Controller(
        Memberships(labels(3), [0.0, 5.0, 10.0], [2.0, 2.0, 2.0], "deviation"),
        Memberships(labels(3), [0.0, 200.0, 400.0], [80.0, 80.0, 80.0], "deviation"),
        RuleBase.from_table({"L": "S S S", "M": "C S S", "S": "C C S"}),
    )


def _flatten(controller):
    """The network, and centres, widths and consequents as vectors."""
    time, position = controller.time, controller.position
    return (
        Network.grid(controller.rules.consequents.shape, time.convention),
        np.concatenate([time.centers, position.centers]),
        np.concatenate([time.widths, position.widths]),
        controller.rules.consequents.ravel(),
    )


def _unflatten(controller, centers, widths):
    split = len(controller.time.labels)
    return Controller(
        *(
            Memberships(rows.labels, centers[part], widths[part], rows.convention)
            for rows, part in (
                (controller.time, slice(split)),
                (controller.position, slice(split, None)),
            )
        ),
        controller.rules,
    )


@pytest.fixture
def flatten():
    return _flatten


@pytest.fixture
def unflatten():
    return _unflatten
