"""The control of boundary shapes: responses to constant boundaries that a walking canoe meets."""

from __future__ import annotations

import numpy as np
import pandas as pd

from fuzzybounds.canoe import task
from fuzzybounds.checks.controls.boundary_direction import (
    compare_direction,
    constant_boundary,
    draw,
    fit_constant,
)
from fuzzybounds.core.words import BETWEEN, WITHIN
from fuzzybounds.stopping.predictions import Prediction


def test_a_constant_boundary_is_not_called_falling_and_a_falling_one_is():
    rng = np.random.default_rng(2)
    time, size = constant_boundary(90, 30, 300, task.EASY, rng)
    part = pd.DataFrame({"rt": time, "position": size}).assign(
        subject="a", session=1, condition="easy", responded=True
    )
    # The same responses at other times: far ones come early.
    falling = part.assign(subject="b", rt=falling_times(part))
    few = part.assign(subject="c")[:19]
    table = compare_direction(
        pd.concat([part, falling, few]), {"easy": 0.65}, seed=1, dataset="test"
    ).set_index(["subject", "noise"])
    assert set(table.index.unique("subject")) == {"a", "b"}
    assert table.loc[("a", BETWEEN), "correlation"] > 0.3
    assert abs(table.loc[("a", BETWEEN), "z"]) < 3
    for noise in (BETWEEN, WITHIN):
        assert table.loc[("b", noise), "z"] < -3
    # The boundary with noise within trials predicts less, and is harder to reject.
    for name in "ab":
        assert table.loc[(name, WITHIN), "simulated"] < table.loc[(name, BETWEEN), "simulated"]


def falling_times(trials: pd.DataFrame) -> np.ndarray:
    """Return times at which a canoe that turns back and forth can be at the same positions."""
    far = trials["position"].rank(ascending=False).to_numpy()
    late = np.floor(10 * far / len(far))
    return trials["position"].to_numpy() / task.SPEED + late * 2 * task.STEP


def test_a_drawn_response_has_the_predicted_chance():
    predicted = Prediction(
        np.array([1.0, 2.0]),
        np.array([-45.0, 90.0]),
        np.array([0.2, 0.6]),
        missed=0.2,
        step=np.array([1, 2]),
        phase=np.zeros(2),
        outward=np.ones(2, dtype=bool),
    )
    time, distance = draw(predicted, 4000, np.random.default_rng(0))
    assert set(zip(time.tolist(), distance.tolist(), strict=True)) == {(1.0, 45.0), (2.0, 90.0)}
    assert abs((time == 2).mean() - 0.75) < 0.03


def test_a_constant_boundary_is_fitted_where_it_is():
    rng = np.random.default_rng(3)
    time, size = constant_boundary(90, 1, 300, task.EASY, rng)
    trials = pd.DataFrame({"rt": time, "position": size, "responded": True})
    model, theta = fit_constant(trials, task.EASY)
    assert abs(model.natural(theta)["level"] - 90) < 10
