"""C16 and C17: rates and boundaries, on either side of their tolerances."""

from __future__ import annotations

import pandas as pd
import pytest

from fuzzybounds.scorecard.claims.claim import (
    DIRECTION,
    NOT,
    REPRODUCED,
    SUPPORTED,
    UNSUPPORTED,
)


def curves(printed, reversed_, initial=-0.2, last=0.0):
    rows = [("as printed", 4000, printed), ("sign reversed", 4000, reversed_)]
    rows += [("as printed", 6000, last), ("sign reversed", 6000, 0.5)]
    first = pd.DataFrame([{"exact": initial, "sd_of_a_window": 0.02}])
    table = pd.DataFrame(rows, columns=["rule", "trial", "reward_rate"])
    return {"learning_curves": table, "learning_initial": first}


@pytest.mark.parametrize(
    ("values", "verdict"),
    [
        ((0.501, 0.0), REPRODUCED),
        ((0.699, 0.0), REPRODUCED),
        ((0.499, 0.501), DIRECTION),
        ((0.701, 0.699), DIRECTION),
        ((0.499, 0.499), NOT),
        ((0.6, 0.6, -0.301), NOT),
        ((0.6, 0.6, -0.299), REPRODUCED),
        ((0.6, 0.6, -0.099), NOT),
        ((0.6, 0.6, -0.101), REPRODUCED),
        ((0.0, 0.6, -0.301), NOT),
        ((0.0, 0.699), DIRECTION),
        ((0.0, 0.701), NOT),
    ],
)
def test_reward_rates_have_their_tolerance(judge, values, verdict):
    assert judge("C16", curves(*values)).verdict == verdict


@pytest.mark.parametrize(("last", "conclusion"), [(0.001, SUPPORTED), (-0.001, UNSUPPORTED)])
def test_the_printed_update_must_learn(judge, last, conclusion):
    assert judge("C16", curves(0.0, 0.6, last=last)).conclusion == conclusion


def optimum(rate=0.8942, boundary=(180, 180, 135, 90), logs=()):
    rows = [("paper_uncued", "steps", rate), ("paper_uncued", "frames", 0.95)]
    rows += [("paper_cued", "steps", 1.16), ("paper_cued", "frames", 1.25)]
    points = [("paper_uncued", "steps", "all", 1.0 + n, own) for n, own in enumerate(boundary)]
    columns = ["design", "respond_at", "condition", "time", "boundary"]
    if logs:
        rows += [("logs_b_uncued", "steps", 1.3), ("logs_b_uncued", "frames", 1.4)]
        points += [("logs_b_uncued", "steps", "all", 1.0 + n, own) for n, own in enumerate(logs)]
    earned = {"quantity": ["reward_rate_coins_per_s"], "subject": [""], "value": [0.7]}
    return {
        "design_check": pd.DataFrame({**earned, "low": [0.35], "high": [1.05]}),
        "optimum": pd.DataFrame(rows, columns=["design", "respond_at", "reward_rate"]),
        "optimal_boundary": pd.DataFrame(points, columns=columns),
    }


@pytest.mark.parametrize(
    ("values", "verdict"),
    [
        ({}, REPRODUCED),
        ({"rate": 0.851}, REPRODUCED),
        ({"rate": 0.849}, NOT),
        ({"rate": 0.949}, REPRODUCED),
        ({"rate": 0.951}, NOT),
        ({"boundary": (180, 225, 135, 90)}, REPRODUCED),
        ({"boundary": (180, 226, 135, 90)}, DIRECTION),
        ({"boundary": (180, 135, 135, 180)}, DIRECTION),
        ({"boundary": (180, 135, 135, 179)}, REPRODUCED),
        ({"rate": 0.849, "boundary": (180, 226, 135, 90)}, NOT),
    ],
)
def test_the_optimum_is_near_and_its_boundary_falls(judge, values, verdict):
    assert judge("C17", optimum(**values)).verdict == verdict


def test_efficiency_is_over_the_optimum_of_the_own_design(judge):
    assert "0.70 of 1.25 coins/s, an efficiency of 0.56" in judge("C17", optimum()).ours
    own = judge("C17", optimum(logs=(135, 90, 45)))
    assert "0.70 of 1.40 coins/s, an efficiency of 0.50 (0.25 to 0.75)" in own.ours
    assert own.conclusion == SUPPORTED
    rising = judge("C17", optimum(logs=(45, 90, 135)))
    assert (rising.verdict, rising.conclusion) == (REPRODUCED, UNSUPPORTED)
