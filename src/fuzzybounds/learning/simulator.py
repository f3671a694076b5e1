"""Simulated trials of a fixed stopping policy, at 60 Hz and by the million.

Between two draws of the direction the canoe moves straight, so the chance to last until each of
the 30 frames of a step is a function of (n, k, direction) alone and is tabulated once.  A trial
then costs one number for the time of its response (the trial lasts until the product of the
survivals falls below it) and one for each pair of steps.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from fuzzybounds.canoe.task import EDGE, FRAME, FRAME_PIXELS, FRAMES_PER_STEP
from fuzzybounds.learning.design import Design
from fuzzybounds.learning.policy_value import distance_of, policy_tables
from fuzzybounds.learning.random_numbers import DRAWS_PER_TRIAL, bits, keys, uniform
from fuzzybounds.storage.compilation import njit


@dataclass(frozen=True)
class Simulation:
    """Simulated trials, one entry per trial.

    Attributes
    ----------
    design : Design
    condition : array of int
        Index of the trial's condition.
    frame : array of int
        Frame of the response; the deadline's where there was none.
    walked : array of int
        Where the canoe's free walk was at that frame, in frames of movement toward the
        correct side.
    correct : array of bool
    """

    design: Design
    condition: np.ndarray
    frame: np.ndarray
    walked: np.ndarray
    correct: np.ndarray

    @property
    def responded(self) -> np.ndarray:
        """Whether the response came before the deadline."""
        return self.frame < self.design.deadline_frames

    @property
    def reward(self) -> np.ndarray:
        """Coins of each trial."""
        payoff = np.array([c.payoff for c in self.design.conditions])
        return np.where(self.correct, 1, -1) * payoff[self.condition]

    @property
    def total_time(self) -> np.ndarray:
        """Seconds of each trial, with overhead and penalty."""
        total = np.empty(self.frame.size)
        for index, condition in enumerate(self.design.conditions):
            own = self.condition == index
            total[own] = condition.total_time(self.frame[own] * FRAME, self.correct[own])
        return total

    @property
    def distance(self) -> np.ndarray:
        """Distance from the centre in px."""
        return np.minimum(np.abs(self.walked) * FRAME_PIXELS, EDGE)


def simulate(
    policy: np.ndarray,
    design: Design,
    trials: int,
    rng: np.random.Generator,
    *,
    threads: int = 1,
) -> Simulation:
    """Simulate trials.

    Parameters
    ----------
    policy : array, shape (frames, distances) or (conditions, frames, distances)
        Stop probabilities; row 0 is t = 0.
    design : Design
    trials : int
    rng : numpy.random.Generator
        Gives the key of the trials' random numbers.
    threads : int
        Does not change the result.
    """
    tables = policy_tables(policy, design)
    survival = np.stack([_survival(table, design.deadline_steps) for table in tables])
    chances = np.array([round(c.p0 * 2**32) for c in design.conditions], dtype=np.uint64)
    at_start = np.array([table[0, 0] for table in tables])
    key = keys(rng, 1)[0]
    out = (
        np.empty(trials, dtype=np.uint8),
        np.empty(trials, dtype=np.int16),
        np.empty(trials, dtype=np.int16),
        np.empty(trials, dtype=np.bool_),
    )
    edges = np.linspace(0, trials, threads + 1).astype(int)

    def part(index: int) -> None:
        start, stop = edges[index], edges[index + 1]
        _simulate(survival, at_start, chances, key, start, *(a[start:stop] for a in out))

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(part, range(threads)))
    return Simulation(design, *out)


@njit(nogil=True)
def _row(n, k, toward):
    """Row of the survival table of the step in direction `toward` from (n, k)."""
    return n * (n + 1) + 2 * k + toward


@njit(nogil=True)
def _survival(table, steps):
    """Return the chance to last from the start of every step until after each of its frames."""
    survival = np.empty((_row(steps, 0, 0), FRAMES_PER_STEP))
    for n in range(steps):
        for k in range(n + 1):
            for toward in range(2):
                row, left = _row(n, k, toward), 1.0
                for j in range(FRAMES_PER_STEP):
                    frame = n * FRAMES_PER_STEP + j + 1
                    walked = FRAMES_PER_STEP * (2 * k - n) + (2 * toward - 1) * (j + 1)
                    if frame < table.shape[0]:
                        left *= 1.0 - table[frame, distance_of(walked)]
                    survival[row, j] = left
    return survival


@njit(nogil=True)
def _response_frame(survival, needed):
    """Return the first index at which survival is no longer above `needed`."""
    low, high = 0, survival.size - 1
    while low < high:
        middle = (low + high) // 2
        if survival[middle] > needed:
            low = middle + 1
        else:
            high = middle
    return low


@njit(nogil=True)
def _simulate(survival, at_start, chances, key, first, condition, frame, walked, correct):
    conditions = np.uint64(chances.size)
    steps = int(np.sqrt(survival.shape[1]))  # there are n (n + 1) rows for n steps
    half, low = np.uint64(32), np.uint64(0xFFFFFFFF)
    for i in range(condition.size):
        base = (first + i) * DRAWS_PER_TRIAL
        word = bits(key, base)
        guess = word & np.uint64(1)
        c = ((word >> half) * conditions) >> half
        lasts_until = uniform(key, base + 1)
        left = 1.0 - at_start[c]
        stopped_at = 0 if lasts_until >= left else -1
        n = k = here = 0
        while stopped_at < 0 and n < steps:
            if n % 2 == 0:
                word = bits(key, base + 2 + n // 2)
            draw = word >> half if n % 2 == 0 else word & low
            toward = 1 if draw < chances[c] else 0
            step = survival[c, _row(n, k, toward)]
            start = FRAMES_PER_STEP * (2 * k - n)
            if lasts_until < left * step[-1]:
                left *= step[-1]
                n, k = n + 1, k + toward
                here = FRAMES_PER_STEP * (2 * k - n)
            else:
                j = _response_frame(step, lasts_until / left) + 1
                stopped_at = n * FRAMES_PER_STEP + j
                here = start + (2 * toward - 1) * j
        condition[i] = c
        frame[i] = stopped_at if stopped_at >= 0 else steps * FRAMES_PER_STEP
        walked[i] = here
        correct[i] = stopped_at >= 0 and (here > 0 or (here == 0 and guess == 1))
