"""Where the level of a boundary is clipped, its parameters do not move the boundary."""

import numpy as np
import pytest

from fuzzybounds.paper.boundaries.models import UNCUED, Model
from fuzzybounds.paper.boundaries.recursion import course_of, nll
from fuzzybounds.paper.boundaries.trials import trials_of

from .test_recursion import parameters
from .test_search import derivatives, differences


@pytest.mark.parametrize("gain", [15, 0])
def test_the_gradient_knows_that_a_clipped_level_rests(table, gain):
    model, trials = Model("constant", "utility", UNCUED), trials_of(table, UNCUED)
    changes = {"alpha_gain": gain, "alpha_loss": 15 - gain, "beta_gain": 0, "beta_loss": 0}
    theta = parameters(model, m=150, sigma=40, alpha_s=0, **changes)
    level = course_of(model, theta, trials).level
    assert ((level < 0) | (level > 300))[trials.responded].sum() > 5
    _, gradient, _ = derivatives(model, theta, trials)
    numeric = differences(model, theta, lambda x: nll(model, x, trials))
    scale = model.upper - model.lower
    size = np.abs(numeric * scale).max()
    np.testing.assert_allclose(gradient * scale, numeric * scale, atol=1e-5 * size)
