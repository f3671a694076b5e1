"""Plain enumerations of short trials, to check the fast code against."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

from fuzzybounds.canoe.task import FRAME, FRAME_PIXELS, FRAMES_PER_STEP, OVERHEAD, free_walk


def directions(steps: int) -> list[tuple[int, ...]]:
    return list(product((1, -1), repeat=steps))


def probability(path: tuple[int, ...], p0: float, heading: int) -> float:
    toward = sum(direction == heading for direction in path)
    return p0**toward * (1 - p0) ** (len(path) - toward)


def outcome(condition, frame, side, heading: int, deadline):
    """Reward and time of a response on a side (0 is a guess), or of none."""
    wrong = np.where(deadline, 1.0, (1 - side * heading) / 2)
    reward = condition.payoff * (1 - 2 * wrong)
    return reward, frame * FRAME + OVERHEAD + condition.penalty * wrong


def evaluate(policy: np.ndarray, design) -> tuple[float, float]:
    """Mean reward and time of a policy table, path by path."""
    reward = time = 0.0
    frames = np.arange(design.deadline_steps * FRAMES_PER_STEP + 1)
    for condition, path in product(design.conditions, directions(design.deadline_steps)):
        place = np.round(free_walk(np.array([path]))[0] / FRAME_PIXELS).astype(int)
        hazard = np.append(policy[frames[:-1], np.abs(place[:-1])], 1.0)
        stop = hazard * np.cumprod(np.append(1.0, 1 - hazard[:-1]))
        stop *= probability(path, condition.p0, 1) / len(design.conditions)
        deadline = frames == frames[-1]
        r, d = outcome(condition, frames, np.sign(place), 1, deadline)
        reward, time = reward + stop @ r, time + stop @ d
    return reward, time


@pytest.fixture(scope="session")
def brute_force() -> SimpleNamespace:
    return SimpleNamespace(
        directions=directions, probability=probability, outcome=outcome, evaluate=evaluate
    )
