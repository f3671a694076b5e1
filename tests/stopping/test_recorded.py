"""Recorded paths: products along the path, alone and beside summed paths."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.stopping.data import likelihoods
from fuzzybounds.stopping.lattice import Bins, outcomes, states
from fuzzybounds.stopping.likelihood import Likelihood
from fuzzybounds.stopping.recorded import Watched, on_recorded_paths, states_of

from .conftest import table
from .test_likelihood import hazard

BINS, WHERE = Bins(), states(Bins())
VALUES = hazard(WHERE.time, WHERE.position, WHERE.outward)[None]


def path(ways, trial):
    """A recorded path from the directions of its steps, a row a frame."""
    position = np.append(0, np.cumsum(np.repeat(ways, 30))) * 1.5
    time = (np.arange(position.size) / 60).round(5)
    return pd.DataFrame({"trial": trial, "time": time, "position": np.clip(position, -420, 420)})


@pytest.mark.parametrize("delay", [0.0, 0.2, 0.3])
def test_the_mean_over_recorded_paths_is_the_likelihood_of_the_summed_ones(delay):
    """Every path that leads to a response at 1.9 s and 81 px, each recorded once."""
    ways = [
        directions
        for directions in product((-1, 1), repeat=4)
        if 45 * sum(directions[:3]) + 36 * directions[3] == 81
    ]
    assert len(ways) == 3
    trials = table([(1.9, 81.0)] * 3).assign(trial=[1, 2, 3])
    paths = pd.concat(path(directions, number) for number, directions in enumerate(ways, start=1))
    watched = Likelihood(None, WHERE, on_recorded_paths(trials, paths, WHERE, delay))
    each = watched.forward(VALUES).logs[0]
    summed = Likelihood(outcomes(trials[:1], BINS, delay), WHERE).forward(VALUES).logs[0, 0]
    assert np.log(np.exp(each).mean()) == pytest.approx(summed, abs=1e-10)
    assert np.ptp(each) > 0.01


def test_a_product_along_the_path_by_hand():
    trials = table([(0.75, 22.5), (np.nan, 43.5)]).assign(trial=[1, 2])
    # Outward for a step, back for half of one; and back and forth until the deadline.
    paths = pd.concat([path((1, -1), 1), path((1, -1) * 15, 2)])
    likelihood = Likelihood(None, WHERE, on_recorded_paths(trials, paths, WHERE, 0.0))
    logs = likelihood.forward(VALUES).logs[0]
    steps = [(0.1 * n, 9.0 * n, 1.0) for n in range(1, 6)]
    back = [(0.6, 36.0, 0.0), (0.7, 27.0, 0.0), (0.8, 18.0, 0.0)]
    chances = np.array([hazard(*place) for place in (*steps, *back)])
    assert logs[0] == pytest.approx(np.log1p(-chances[:-1]).sum() + np.log(chances[-1]))
    waves = [9.0 * n for n in (1, 2, 3, 4, 5, 4, 3, 2, 1, 0)]
    everything = [hazard(0.1 * (n + 1), waves[n % 10], float(n % 10 < 5)) for n in range(150)]
    assert logs[1] == pytest.approx(np.log1p(-np.array(everything)).sum())


def test_a_canoe_that_comes_back_from_the_edge_is_where_it_is_seen():
    """Twelve steps out, of which the last three wait at the edge, and eight steps back."""
    seen = path((1,) * 12 + (-1,) * 8 + (1, -1) * 5, 1)
    trials = table([(np.nan, 0.0)]).assign(trial=1)
    watched = on_recorded_paths(trials, seen, WHERE, 0.0)
    states_seen = watched.went_on.indices
    order = np.argsort(WHERE.time[states_seen])
    frame = 6 * np.arange(1, 151)
    assert WHERE.position[states_seen][order] == pytest.approx(seen["position"].abs()[frame])
    outward = WHERE.outward[states_seen][order]
    assert outward[:60].all()
    # The walk is 120 px beyond the edge: it waits for more than two steps on its way back.
    moving = seen["position"].abs().diff()[frame].to_numpy()
    assert not outward[moving < 0].any()
    assert outward[moving > 0].all()


def test_recorded_and_summed_paths_go_together():
    """Some trials recorded, in any order: the sum, and slopes by finite differences."""
    trials = table([(0.75, 22.5), (1.75, 22.5), (0.95, 4.5)]).assign(trial=[1, 2, 3])
    paths = pd.concat([path((1, -1), 1), path((1, -1), 3)])
    both = likelihoods(trials, BINS, (0.0,), paths)[0.0]
    counts = both.counts(np.ones(3, dtype=bool))
    hidden = Likelihood(outcomes(trials[1:2], BINS), both.states)
    seen = on_recorded_paths(trials[::2], paths, both.states, 0.0)
    values = hazard(both.states.time, both.states.position, both.states.outward)[None]
    alone = [each.forward(values).logs[0] for each in (hidden, Likelihood(None, both.states, seen))]
    by_trial = both.forward(values).logs[0, both.of_trial]
    assert by_trial == pytest.approx([alone[1][0], alone[0][0], alone[1][1]])
    _, slopes, _ = both.slopes(values, np.ones(1), counts)
    way = np.random.default_rng(3).normal(size=values.shape) * values
    ends = [both.log_likelihoods(values + s * 1e-6 * way, np.ones(1)) @ counts for s in (-1, 1)]
    assert (slopes * way).sum() == pytest.approx((ends[1] - ends[0]) / 2e-6, rel=1e-6)


def test_any_task_whose_evidence_is_known():
    """Cards, not a canoe: the states are whatever there was to see."""
    t, x, outward = np.array([[1.0, 2, 1, 2, 3], [1, 2, 1, 0, 1], [1, 1, 1, 0, 1]])
    where, number = states_of(t, x, outward)
    assert where.time.size == 4  # Both trials begin alike.
    watched = Watched.from_sequences([number[:2], number[2:]], [True, False], where.time.size)
    likelihood = Likelihood(None, where, watched)
    chance = 0.1 * where.position + 0.05
    logs = likelihood.forward(chance[None]).logs[0]
    assert logs == pytest.approx(np.log([0.85 * 0.25, 0.85 * 0.95 * 0.85]))
