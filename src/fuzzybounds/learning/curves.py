"""Performance of a learning rule: reward rates over trials, and what the paper's figures need.

The paper shows one run's reward rate in a moving window of 1000 trials (Fig. 17).  Here are that
window, the exact reward rate of the consequents at any trial (no window, no noise), and the noise
of the window itself.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from fuzzybounds.fuzzy.controller import Controller
from fuzzybounds.learning.design import Design
from fuzzybounds.learning.policy import Decisions, stop_probabilities
from fuzzybounds.learning.policy_value import evaluate
from fuzzybounds.learning.update_rules import Learning

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


def rate_of(controller: Controller, decisions: Decisions, design: Design) -> float:
    """Return the exact reward rate of a controller."""
    policy = stop_probabilities(controller, decisions)
    return evaluate(policy, design, every=decisions.frames).reward_rate


def exact_rates(
    learning: Learning, controller: Controller, decisions: Decisions, design: Design
) -> np.ndarray:
    """Return the exact reward rate of every snapshot, of shape (replicates, snapshots)."""
    rates = np.empty(learning.consequents.shape[:2])
    for at in np.ndindex(*rates.shape):
        rules = replace(controller.rules, consequents=learning.consequents[at])
        rates[at] = rate_of(replace(controller, rules=rules), decisions, design)
    return rates


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


def window_noise(reward: np.ndarray, time: np.ndarray, window: int = WINDOW) -> tuple[float, float]:
    """Return mean and standard deviation of the reward rate over a window of a fixed policy.

    The rate of a window is a ratio of two means; to first order its deviation is that of
    r - rho d, over the mean time and the root of the window.

    Parameters
    ----------
    reward, time : array
        Of many trials.
    """
    rate = reward.sum(dtype=float) / time.sum(dtype=float)
    net = reward - rate * time.astype(float)
    return float(rate), float(np.std(net) / time.mean(dtype=float) / np.sqrt(window))


def curve_table(
    name: str, learning: Learning, window: int = WINDOW, every: int = 50
) -> pd.DataFrame:
    """Return the moving reward rate of every replicate as ``learning_curves.parquet`` has it."""
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
