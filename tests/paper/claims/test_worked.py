"""C05 to C08: the worked example holds, and another printed number would not."""

from __future__ import annotations

import pytest

from fuzzybounds.paper.claims import CLAIMS, worked
from fuzzybounds.paper.claims.claim import NOT, REPRODUCED


@pytest.mark.parametrize("name", ["C05", "C06", "C07", "C08"])
def test_the_worked_example_holds(judge, name):
    assert judge(name).verdict == REPRODUCED


@pytest.mark.parametrize(
    ("name", "number", "nearest"),
    [
        # Ours: short 0.7548, medium 0.2163, product 0.1633; tolerance 0.01.
        ("C06", "short", (0.764, 0.766)),
        ("C06", "medium", (0.226, 0.228)),
        ("C06", "product", (0.173, 0.174)),
        # Ours: 0.748, 0.963, 0.720; tolerance 0.005.
        ("C07", "s_of_02", (0.752, 0.754)),
        ("C07", "m_of_04", (0.967, 0.969)),
        ("C07", "certainty", (0.725, 0.726)),
    ],
)
def test_both_sides_of_the_tolerance(judge, name, number, nearest):
    inside, outside = nearest
    assert judge(name, **{number: inside}).verdict == REPRODUCED
    assert judge(name, **{number: outside}).verdict == NOT


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
