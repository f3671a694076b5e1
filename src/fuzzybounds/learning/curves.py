"""Performance of a learning rule: reward rates over trials, and what the paper's figures need.

The paper shows one run's reward rate in a moving window of 1000 trials (Fig. 17).  Here are that
window, the exact reward rate of the consequents at any trial (no window, no noise), and the noise
of the window itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from fuzzybounds.fuzzy.controller import Controller
from fuzzybounds.learning.design import POLICY_SHAPE, Design
from fuzzybounds.learning.policy import Decisions, position_degrees, time_degrees
from fuzzybounds.learning.policy_value import evaluate
from fuzzybounds.learning.simulator import simulate
from fuzzybounds.learning.update_rules import Learning

if TYPE_CHECKING:
    import pandas as pd

WINDOW = 1000
"""Trials in the paper's moving window."""


def moving_rate(reward: np.ndarray, time: np.ndarray, window: int = WINDOW) -> np.ndarray:
    """Return the reward rate over the last `window` trials, total reward over total time.

    Parameters
    ----------
    reward, time : array, shape (..., trials)

    Returns
    -------
    array, shape (..., trials - window + 1)
        The first value belongs to trial `window`: all values use whole windows.
    """
    if not 1 <= window <= reward.shape[-1]:
        raise ValueError(f"window = {window}: expected 1 to {reward.shape[-1]} trials")

    def total(values: np.ndarray) -> np.ndarray:
        sums = np.cumsum(values, axis=-1, dtype=float)
        sums = np.concatenate([np.zeros((*sums.shape[:-1], 1)), sums], axis=-1)
        return sums[..., window:] - sums[..., :-window]

    return total(reward) / total(time)


def exact_rates(
    learning: Learning, controller: Controller, decisions: Decisions, design: Design
) -> np.ndarray:
    """Return the exact reward rate of every snapshot, of shape (replicates, snapshots)."""
    shape = learning.consequents.shape[:2]
    tables = learning.consequents.reshape(-1, *learning.consequents.shape[2:])
    return rates_of(tables, controller, decisions, design).reshape(shape)


def rates_of(
    consequents: Iterable[np.ndarray], controller: Controller, decisions: Decisions, design: Design
) -> np.ndarray:
    """Return the exact reward rate of each of many tables of consequents on a controller's labels.

    Parameters
    ----------
    consequents : iterable of array, shape (n_time, n_position)
    controller : Controller
    decisions : Decisions
    design : Design
    """
    # Only decisions have a probability: at steps that is a thirtieth of all frames.
    rows = decisions.rows
    time = time_degrees(controller.time)[np.flatnonzero(decisions.mask)]
    position = position_degrees(controller.position)
    policy, rates = np.zeros(POLICY_SHAPE), []
    for table in consequents:
        np.clip(time @ table @ position.T / decisions.o, 0.0, 1.0, out=policy[rows])
        rates.append(evaluate(policy, design, every=decisions.frames).reward_rate)
    return np.array(rates)


def rate_of(
    consequents: np.ndarray, controller: Controller, decisions: Decisions, design: Design
) -> float:
    """Return the exact reward rate of other consequents on a controller's labels."""
    return float(rates_of([consequents], controller, decisions, design)[0])


def trials_needed(trials: np.ndarray, rates: np.ndarray, target: float) -> np.ndarray:
    """Return after how many trials each replicate stays at `target` or above; inf if never.

    Parameters
    ----------
    trials : array, shape (snapshots,)
    rates : array, shape (replicates, snapshots)
    target : float
    """
    below = rates < target
    last_below = np.where(below.any(axis=1), rates.shape[1] - below[:, ::-1].argmax(axis=1), 0)
    return np.append(trials, np.inf)[last_below]


def window_noise(
    policy: np.ndarray,
    design: Design,
    rng: np.random.Generator,
    *,
    window: int = WINDOW,
    trials: int = 1_000_000,
) -> tuple[float, float]:
    """Return mean and standard deviation of the reward rate over a window of a fixed policy.

    The rate of a window is a ratio of two means; to first order its deviation is that of
    r - rho d, over the mean time and the root of the window.
    """
    simulation = simulate(policy, design, trials, rng)
    reward, time = simulation.reward, simulation.total_time
    rate = reward.sum() / time.sum()
    return float(rate), float(np.std(reward - rate * time) / time.mean() / np.sqrt(window))


def curve_table(
    name: str, learning: Learning, window: int = WINDOW, every: int = 50
) -> pd.DataFrame:
    """Return the moving reward rate of every replicate as ``learning_curves.parquet`` has it."""
    import pandas as pd

    rates = moving_rate(learning.reward, learning.time, window)[:, ::every]
    replicates, points = rates.shape
    return pd.DataFrame(
        {
            "rule": name,
            "replicate": np.repeat(np.arange(replicates), points),
            "trial": np.tile(window + every * np.arange(points), replicates),
            "reward_rate": rates.ravel(),
        }
    )
