"""What a stopping policy earns, exactly.

A policy is a table of stop probabilities p(frame, distance).  The probability that a trial is
still on is carried forward over the free walk's lattice (n steps, k of them correct), along the 30
frames of both possible next steps.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzybounds.canoe.lattice import distance_of
from fuzzybounds.canoe.task import EDGE_FRAMES, FRAME, FRAMES_PER_STEP, OVERHEAD
from fuzzybounds.core.compilation import njit
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.reinforcement.design import Design
from fuzzybounds.paper.reinforcement.policy import Decisions, stop_probabilities

NEVER = 1e-60
"""Trials that are still running with less than this probability are neglected in all sums."""


@dataclass(frozen=True)
class Evaluation:
    """Expectations per trial under a policy, by condition.

    `reward` is in coins and `time` in s, with overhead and penalty.  `correct` and `missed` are the
    shares of trials with a correct response, and of those that reach the deadline.
    """

    reward: np.ndarray
    time: np.ndarray
    correct: np.ndarray
    missed: np.ndarray

    @property
    def reward_rate(self) -> float:
        """Coins per second."""
        return float(self.reward.sum() / self.time.sum())


def evaluate(policy: np.ndarray, design: Design, *, every: int = 1) -> Evaluation:
    """Evaluate a policy: stop probabilities (frame, distance), or such a table per condition.

    Row 0 is t = 0.  There are `every` frames between two decisions, a divisor of the frames of a
    step: in the rows between them all probabilities must be 0.
    """
    tables = _tables_of(policy, design, every)
    outcomes = [
        _forward(table, condition.p0, design.deadline_steps, every)
        for table, condition in zip(tables, design.conditions, strict=True)
    ]
    correct, wrong, missed, decision_time = np.array(outcomes).T
    payoff, penalty = np.array([(c.payoff, c.penalty) for c in design.conditions]).T
    time = decision_time + OVERHEAD + penalty * (wrong + missed)
    return Evaluation(payoff * (correct - wrong - missed), time, correct, missed)


def rate_of(controller: Controller, decisions: Decisions, design: Design) -> float:
    """Return the exact reward rate of a fuzzy controller."""
    policy = stop_probabilities(controller, decisions)
    return evaluate(policy, design, every=decisions.frames).reward_rate


def _tables_of(policy: np.ndarray, design: Design, every: int) -> list[np.ndarray]:
    """Check a policy, at its decisions, and return one table for each condition of the design."""
    policy = np.ascontiguousarray(policy, dtype=float)
    shape = (len(design.conditions), design.deadline_frames, EDGE_FRAMES + 1)
    if policy.shape not in (shape, shape[1:]):
        raise ValueError(f"policy of shape {policy.shape}: expected {shape[1:]} or {shape}")
    low, high = (extreme(policy[..., ::every, :]) for extreme in (np.min, np.max))
    if not (low >= 0 and high <= 1):
        raise ValueError(f"policy between {low} and {high}: expected probabilities")
    return list(policy) if policy.ndim == 3 else [policy] * shape[0]


@njit(nogil=True)
def _forward(table, p0, steps, every):
    """Return P(correct), P(wrong), P(missed) and E[decision time].

    Positions count toward the correct side; a response at the centre is a guess.
    """
    frames = steps * FRAMES_PER_STEP
    on = np.zeros((steps + 1, steps + 1))
    on[0, 0] = 1.0 - table[0, 0]
    correct = wrong = table[0, 0] / 2
    time = 0.0
    for n in range(steps):
        for k in range(n + 1):
            for toward in range(2):
                still = on[n, k] * (p0 if toward else 1.0 - p0)
                for j in range(every, FRAMES_PER_STEP + 1, every):
                    frame = n * FRAMES_PER_STEP + j
                    if frame == frames or still < NEVER:
                        break
                    walked = FRAMES_PER_STEP * (2 * k - n) + (j if toward else -j)
                    stop = still * table[frame, distance_of(walked)]
                    still -= stop
                    time += stop * frame
                    if walked > 0:
                        correct += stop
                    elif walked < 0:
                        wrong += stop
                    else:
                        correct += stop / 2
                        wrong += stop / 2
                on[n + 1, k + toward] += still
    missed = 0.0
    for k in range(steps + 1):
        missed += on[steps, k]
    return correct, wrong, missed, (time + missed * frames) * FRAME
