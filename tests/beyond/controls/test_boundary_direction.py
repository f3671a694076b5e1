"""The control of boundary shapes: responses to constant boundaries that a walking canoe meets."""

from __future__ import annotations

import numpy as np
import pandas as pd

from fuzzybounds.beyond.controls.boundary_direction import constant_boundary, measure_direction
from fuzzybounds.canoe import task


def test_a_constant_boundary_is_not_called_falling_and_a_falling_one_is():
    rng = np.random.default_rng(2)
    time, size = constant_boundary(90, 30, 300, task.EASY, rng)
    own = pd.DataFrame({"rt": time, "position": size}).assign(
        subject="a", session=1, condition="easy", responded=True
    )
    falling = own.assign(subject="b", position=200 - 10 * own["rt"])
    few = own.assign(subject="c")[:19]
    trials = pd.concat([own, falling, few])
    found = measure_direction(trials, seed=1, dataset="test").set_index("subject")
    assert found.index.tolist() == ["a", "b"]
    assert found.loc["a", "correlation"] > 0.3
    assert abs(found.loc["a", "z"]) < 3
    assert found.loc["b", "z"] < -3
