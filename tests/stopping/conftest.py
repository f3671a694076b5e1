"""Trials, states and two-class points for the tests of stopping models."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.canoe.samples import draw_points
from fuzzybounds.canoe.task import EASY, simulate_trials
from fuzzybounds.paper.reinforcement.design import PAPER_CUED
from fuzzybounds.stopping.data import prepare
from fuzzybounds.stopping.lattice import Bins


def table(rows):
    """Trials from pairs of time (s; NaN: missed) and position (px)."""
    rt, position = np.array(rows, dtype=float).T
    return pd.DataFrame({"rt": rt, "position": position, "responded": ~np.isnan(rt)})


def simulated_trials(trials=120, blocks=20, seed=5):
    """Trials of a subject with a boundary that falls, as the result table has them."""
    rng = np.random.default_rng(seed)

    def policy(time, distance):
        return 0.002 + 0.05 / (1 + np.exp(-(distance - 160 + 12 * time) / 15))

    done = simulate_trials(policy, EASY, trials, rng)
    return pd.DataFrame(
        {
            "subject": "S01",
            "session": 1,
            "block": np.sort(np.arange(trials) % blocks) + 1,
            "trial": np.arange(trials) + 1,
            "rt": np.where(done.responded, done.decision_time, np.nan),
            "condition": "easy",
            "correct": done.correct,
            "position": done.position,
            "responded": done.responded,
        }
    )


@pytest.fixture(scope="session")
def subject():
    """Trials and two-class points of one simulated subject."""
    trials = simulated_trials()
    none = pd.DataFrame(columns=["subject", "trial", "time", "position"])
    return trials, draw_points(trials, none, 5, 1, "tests")


@pytest.fixture(scope="session")
def data(subject):
    """The same, ready for every model."""
    (prepared,) = prepare(*subject, Bins(), PAPER_CUED, ["easy"], (0.0, 0.2))
    return prepared
