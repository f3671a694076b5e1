"""C05 to C08: the worked example holds, and another printed number would not."""

from __future__ import annotations

import numpy as np
import pytest

from fuzzybounds.paper import worked_example
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.membership import Memberships
from fuzzybounds.paper.fuzzy.rules import RuleBase
from fuzzybounds.scorecard.judges import worked
from fuzzybounds.scorecard.judges.judge import JUDGES
from fuzzybounds.scorecard.verdicts import (
    AS_PRINTED,
    DIRECTION,
    NOT,
    READING,
    SUPPORTED,
    UNSUPPORTED,
)


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        *((name, AS_PRINTED) for name in ("C05", "C08")),
        ("C06", READING),
        ("C07", READING),
    ],
)
def test_the_worked_example(judge, name, verdict):
    result = judge(name)
    assert (result.verdict, result.conclusion) == (verdict, SUPPORTED)


@pytest.mark.parametrize(
    ("name", "number", "prints", "misses"),
    [
        ("C07", "s_of_02", (0.74, 0.75), (0.73, 0.76)),
        ("C07", "m_of_02", (0.25,), (0.24, 0.26)),
        ("C07", "s_of_04", (0.03, 0.04), (0.02, 0.05)),
        ("C07", "m_of_04", (0.96,), (0.95, 0.97)),
        ("C07", "certainty", (0.72,), (0.71, 0.73)),
    ],
)
def test_printed_digits_may_be_cut_or_rounded(judge, name, number, prints, misses):
    """Ours, by hand from the Gaussians: 0.7482, 0.2518, 0.0367, 0.9628 and 0.7203."""
    assert all(judge(name, **{number: value}).verdict == READING for value in prints)
    assert all(judge(name, **{number: value}).verdict == NOT for value in misses)


def test_the_worked_degrees_round_or_come_near(judge):
    """Ours, by hand: 0.7648, 0.2221 and 0.7618 * 0.2221 = 0.1692; 0.16 would be cut."""
    assert judge("C06", short=0.77).verdict == DIRECTION
    assert judge("C06", medium=0.23).verdict == DIRECTION
    assert judge("C06", product=0.16).verdict == DIRECTION
    assert judge("C06", short=0.78).verdict == NOT


def test_the_reason_counts_settings_of_the_printed_digits(judge):
    """With medium to 0.23 others agree; a pair that sums to more than 1 none gives normalised."""
    result, other, none = (
        judge("C06", **more).reason for more in ({}, {"medium": 0.23}, {"short": 0.9})
    )
    assert "56 round to the digits by Eq. 2, 1176 with 2σ² and 0 by Eq. 2 without" in result
    assert "56 round" not in other
    assert "0 round to the digits by Eq. 2, 0 with 2σ²" in none


def test_the_order_of_labels_must_hold_in_both_forms(judge, monkeypatch):
    """With short of width 0.8 s, 1.5 s is medium by Eq. 2 and short with 2σ²."""
    example = worked_example.TIME
    widths = np.array([0.8, 2.0, 3.5])
    narrow = Memberships(example.labels, example.centers, widths, "width")
    monkeypatch.setattr(worked_example, "TIME", narrow)
    assert (judge("C06").verdict, judge("C06").conclusion) == (NOT, UNSUPPORTED)


def test_a_path_below_the_boundary_does_not_contradict_it(judge, monkeypatch):
    zigzag = np.tile([1, -1], 7)
    monkeypatch.setattr(worked_example, "CROSSING_STEPS", np.append(zigzag, [1, 1]))
    assert judge("C05").verdict == NOT


@pytest.mark.parametrize("consequent", [0.0, 1.0])
def test_an_impossible_response_would_be_found(judge, monkeypatch, consequent):
    """With rules that always stop no path lasts, and with rules that never stop none ends."""
    example = worked_example.CONTROLLER
    rules = RuleBase.from_consequents(np.full((3, 3), consequent))
    same = Controller(example.time, example.position, rules)
    monkeypatch.setattr(worked_example, "CONTROLLER", same)
    assert (judge("C05").verdict, judge("C05").conclusion) == (NOT, UNSUPPORTED)


def test_the_output_is_told_wherever_the_canoe_can_be(judge):
    """After n steps of half a second it is at most 45 n px, and 420 px, from the centre."""
    places = [(0.5 * n, min(45.0 * k, 420.0)) for n in range(31) for k in range(n + 1)]
    outputs = [float(worked_example.CONTROLLER.output(*place)) for place in places]
    text = f"between {min(outputs):.1e} and 1 - {1 - max(outputs):.1e}"
    assert text in judge("C05").note


def test_the_path_must_cross_before_the_response(judge, monkeypatch):
    monkeypatch.setattr(worked_example, "RESPONSE", (2.0, 180.0))
    assert judge("C05").verdict == NOT


@pytest.mark.parametrize(("error", "verdict"), [(0.99e-6, AS_PRINTED), (1.01e-6, NOT)])
def test_gradients_are_held_to_their_tolerance(judge, monkeypatch, error, verdict):
    monkeypatch.setattr(worked, "largest_gradient_error", lambda: error)
    assert judge("C08").verdict == verdict


def test_a_wrong_gradient_would_be_found(monkeypatch):
    right = worked.backward_pass

    def wrong(*arguments):
        loss, centers, widths = right(*arguments)
        return loss, centers, 1.001 * widths

    monkeypatch.setattr(worked, "backward_pass", wrong)
    assert worked.largest_gradient_error() > JUDGES["C08"].tolerance["relative"]
