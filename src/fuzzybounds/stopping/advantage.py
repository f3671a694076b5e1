"""The advantage of responding now over continuing, for an observer who continues optimally.

The optimal observer of :mod:`fuzzybounds.learning.optimum` knows how many of the n directions drawn
so far were right, and pays rho coins for a second.  At a decision the advantage is the expected
pay-off of the better response now, minus that of waiting for the next direction and then acting
optimally.
"""

from __future__ import annotations

import numpy as np

from fuzzybounds.canoe.task import DEADLINE, DEADLINE_STEPS, FRAME, OVERHEAD, STEP, Condition
from fuzzybounds.learning.design import Design
from fuzzybounds.learning.optimum import belief, solve
from fuzzybounds.stopping.lattice import States


def advantages(conditions: tuple[Condition, ...], design: Design, where: States) -> np.ndarray:
    """Return the advantage in coins at every state.

    Parameters
    ----------
    conditions : tuple of Condition
        What the subject thinks possible on this trial: one condition after a cue, or all.
    design : Design
        The whole experiment, which decides the reward rate that time costs.
    where : States
    """
    rate = solve(design, "frames").reward_rate
    going_on = _values_of_going_on(conditions, rate)
    total, number = np.zeros(where.time.size), np.zeros(where.time.size)
    edge = 0
    for m in range(where.steps):
        for r in range(m + 1):
            for way in (0, 1):
                state = where.of_edge[edge]
                now = _stop(conditions, m + 1, np.array([r + way]), where.time[state], rate)
                # At the edge of the screen several walks look alike: their mean.
                total[state] += now - going_on[m + 1][r + way]
                number[state] += 1
                edge += 1
    return total / number


def _values_of_going_on(conditions: tuple[Condition, ...], rate: float) -> list[np.ndarray]:
    """Return the value of continuing after k of n directions were right, for n = 0, 1, ..."""
    k = np.arange(DEADLINE_STEPS + 1)
    paid = np.array([condition.payoff for condition in conditions], dtype=float)
    penalty = np.array([condition.penalty for condition in conditions])
    of_condition = belief(conditions, DEADLINE_STEPS, k).sum(axis=1)
    missed = -(paid @ of_condition) - rate * (DEADLINE + OVERHEAD + penalty @ of_condition)
    values = [missed]
    for n in range(DEADLINE_STEPS - 1, -1, -1):
        k = np.arange(n + 2)
        now = _stop(conditions, n + 1, k, n * STEP + FRAME, rate)
        best = np.maximum(now, values[0])
        to_right = _chance_of_right(conditions, n)
        values.insert(0, to_right * best[1:] + (1 - to_right) * best[:-1])
    return values


def _chance_of_right(conditions: tuple[Condition, ...], n: int) -> np.ndarray:
    p0 = np.array([condition.p0 for condition in conditions])[:, None]
    right, left = np.moveaxis(belief(conditions, n, np.arange(n + 1)), 1, 0)
    return (right * p0 + left * (1 - p0)).sum(axis=0)


def _stop(conditions, n, k, time, rate) -> np.ndarray:
    """Return the expected pay-off of the better response, minus the cost of the trial's time."""
    paid = np.array([condition.payoff for condition in conditions], dtype=float)
    penalty = np.array([condition.penalty for condition in conditions])
    right, left = np.moveaxis(belief(conditions, n, k), 1, 0)
    sides = [
        paid @ (good - bad) - rate * (time + OVERHEAD + penalty @ bad)
        for good, bad in ((right, left), (left, right))
    ]
    return np.maximum(*sides)
