"""C16 and C17: rates and boundaries, on either side of their tolerances."""

from __future__ import annotations

import pandas as pd
import pytest

from fuzzybounds.paper.claims.claim import DIRECTION, NOT, REPRODUCED


def curves(printed, reversed_, initial=-0.2):
    rows = [("as printed", 4000, printed), ("sign reversed", 4000, reversed_)]
    rows += [("as printed", 6000, 0.0), ("sign reversed", 6000, 0.0)]
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


def optimum(rate=0.8942, boundary=(180, 180, 135, 90)):
    rows = [("paper_uncued", "steps", rate), ("paper_uncued", "frames", 0.95)]
    rows += [("paper_cued", "steps", 1.16)]
    points = [("paper_uncued", "steps", 1.0 + n, value) for n, value in enumerate(boundary)]
    columns = ["design", "respond_at", "time", "boundary"]
    return {
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
