"""C05 to C08: the worked example holds, and another printed number would not."""

from __future__ import annotations

import numpy as np
import pytest

from fuzzybounds.fuzzy.controller import Controller
from fuzzybounds.fuzzy.rules import RuleBase
from fuzzybounds.paper import worked_example
from fuzzybounds.paper.claims import CLAIMS, worked
from fuzzybounds.paper.claims.claim import NOT, REPRODUCED


@pytest.mark.parametrize("name", ["C05", "C06", "C07", "C08"])
def test_the_worked_example_holds(judge, name):
    assert judge(name).verdict == REPRODUCED


@pytest.mark.parametrize(
    ("name", "number", "ours"),
    [
        ("C06", "short", 0.754840),
        ("C06", "medium", 0.216265),
        ("C06", "product", 0.163246),
        ("C07", "s_of_02", 0.748171),
        ("C07", "m_of_02", 0.251827),
        ("C07", "s_of_04", 0.036715),
        ("C07", "m_of_04", 0.962813),
        ("C07", "certainty", 0.720349),
    ],
)
def test_both_sides_of_the_tolerance(judge, name, number, ours):
    """Ours worked out by hand from the Gaussians; the tolerance is the last printed digit."""
    unit = {"C06": 0.01, "C07": 0.005}[name]
    for side in (-1, 1):
        assert judge(name, **{number: ours + side * (unit - 2e-5)}).verdict == REPRODUCED
        assert judge(name, **{number: ours + side * (unit + 2e-5)}).verdict == NOT


def test_a_path_below_the_boundary_does_not_contradict_it(judge, monkeypatch):
    zigzag = np.tile([1, -1], 7)
    monkeypatch.setattr(worked_example, "CROSSING_STEPS", np.append(zigzag, [1, 1]))
    assert judge("C05").verdict == NOT


def test_an_impossible_response_would_be_found(judge, monkeypatch):
    """With rules that always stop, a path that lasts has likelihood zero."""
    example = worked_example.CONTROLLER
    stops = RuleBase.from_consequents(np.ones((3, 3)))
    always = Controller(example.time, example.position, stops)
    monkeypatch.setattr(worked_example, "CONTROLLER", always)
    assert judge("C05").verdict == NOT


def test_the_path_must_cross_before_the_response(judge, monkeypatch):
    monkeypatch.setattr(worked_example, "RESPONSE", (2.0, 180.0))
    assert judge("C05").verdict == NOT


@pytest.mark.parametrize(("error", "verdict"), [(0.99e-6, REPRODUCED), (1.01e-6, NOT)])
def test_gradients_are_held_to_their_tolerance(judge, monkeypatch, error, verdict):
    monkeypatch.setattr(worked, "largest_gradient_error", lambda: error)
    assert judge("C08").verdict == verdict


def test_a_wrong_gradient_would_be_found(monkeypatch):
    from fuzzybounds.fuzzy import backpropagation

    right = backpropagation.backward_pass

    def wrong(*arguments):
        loss, centers, widths = right(*arguments)
        return loss, centers, 1.001 * widths

    monkeypatch.setattr(backpropagation, "backward_pass", wrong)
    assert worked.largest_gradient_error() > CLAIMS["C08"].tolerance["relative"]
