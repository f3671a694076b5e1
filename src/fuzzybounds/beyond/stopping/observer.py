"""What an observer who knows the design can infer: the condition of a trial, and when to respond.

Both follow from how many of the n directions so far were right, by the belief of the optimal
observer (:func:`beyond.learners.optimum.belief`).  At the edge of the screen several walks
look alike: a state has the mean over the walks that lead to it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fuzzybounds.beyond.learners.optimum import belief, solve
from fuzzybounds.beyond.stopping.lattice import States
from fuzzybounds.canoe.lattice import edges_of
from fuzzybounds.canoe.task import DEADLINE, DEADLINE_STEPS, FRAME, OVERHEAD, STEP, Condition
from fuzzybounds.paper.reinforcement.design import Design

CERTAIN = 1e-9
"""P0 is kept this far from 0 and 1, which few trials may suggest."""


def beliefs(conditions: tuple[Condition, ...], where: States) -> dict[str, np.ndarray]:
    """Return the probability of every condition at every state.

    Parameters
    ----------
    conditions : tuple of Condition
        What is possible on a trial: one condition after a cue, or all.
    where : States
    """
    doubted = tuple(replace(c, p0=min(max(c.p0, CERTAIN), 1 - CERTAIN)) for c in conditions)
    known = [belief(doubted, n, np.arange(n + 1)).sum(axis=1) for n in range(where.steps + 1)]
    by_edge = np.array([known[n][:, k] for n, k in _seen(where)])
    return {own.name: _mean(where, by_edge[:, i]) for i, own in enumerate(conditions)}


def advantages(conditions: tuple[Condition, ...], design: Design, where: States) -> np.ndarray:
    """Return the advantage in coins of responding now over going on optimally, at every state.

    It is the expected pay-off of the better response now, minus that of waiting for the next
    direction and then acting optimally.

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
    by_edge = [
        _stop(conditions, n, np.array([k]), where.time[states], rate) - going_on[n][k]
        for (n, k), states in zip(_seen(where), where.of_edge, strict=True)
    ]
    return _mean(where, np.array(by_edge))


def _seen(where: States) -> np.ndarray:
    """Return for every edge the number of directions seen on it, and how many were right."""
    step, net, way = edges_of(where.steps).T
    return np.stack([step + 1, (step + net + way + 1) // 2], axis=1)


def _mean(where: States, by_edge: np.ndarray) -> np.ndarray:
    """Return the mean over the edges of every state, of values by edge, or by edge and decision."""
    values = np.broadcast_to(by_edge.reshape(len(by_edge), -1), where.of_edge.shape)
    state = where.of_edge.ravel()
    return np.bincount(state, values.ravel()) / np.bincount(state)


def _values_of_going_on(conditions: tuple[Condition, ...], rate: float) -> list[np.ndarray]:
    """Return the value of continuing after k of n directions were right, for n = 0, 1, ..."""
    paid, penalty = _terms(conditions)
    of_condition = belief(conditions, DEADLINE_STEPS, np.arange(DEADLINE_STEPS + 1)).sum(axis=1)
    missed = -(paid @ of_condition) - rate * (DEADLINE + OVERHEAD + penalty @ of_condition)
    values = [missed]
    p0 = np.array([condition.p0 for condition in conditions])[:, None]
    for n in range(DEADLINE_STEPS - 1, -1, -1):
        now = _stop(conditions, n + 1, np.arange(n + 2), n * STEP + FRAME, rate)
        best = np.maximum(now, values[0])
        right, left = np.moveaxis(belief(conditions, n, np.arange(n + 1)), 1, 0)
        to_right = (right * p0 + left * (1 - p0)).sum(axis=0)
        values.insert(0, to_right * best[1:] + (1 - to_right) * best[:-1])
    return values


def _stop(conditions, n, k, time, rate) -> np.ndarray:
    """Return the expected pay-off of the better response, minus the cost of the trial's time."""
    paid, penalty = _terms(conditions)
    right, left = np.moveaxis(belief(conditions, n, k), 1, 0)
    sides = [
        paid @ (good - bad) - rate * (time + OVERHEAD + penalty @ bad)
        for good, bad in ((right, left), (left, right))
    ]
    return np.maximum(*sides)


def _terms(conditions: tuple[Condition, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Return what a response pays in each condition, and how long an error delays."""
    paid = np.array([condition.payoff for condition in conditions], dtype=float)
    return paid, np.array([condition.penalty for condition in conditions])
