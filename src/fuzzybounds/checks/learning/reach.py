"""The best reward rate that the fuzzy model can earn, by its number of labels (Fig. S5).

Labels are the paper's.  The reward rate of a controller is known exactly, and so is its derivative
by every consequent (:mod:`rate_gradient` and the chain rule).  The best controller is found by
L-BFGS-B from many rule bases.  Since p = O / o with consequents up to
1, a larger o takes policies away and adds none: the model earns most with o = 1.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
from scipy.optimize import minimize

from fuzzybounds.checks.learning.optimum import RespondAt, solve
from fuzzybounds.checks.learning.rate_gradient import rate_gradient
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.rules import RuleBase
from fuzzybounds.paper.reinforcement.design import PAPER_UNCUED
from fuzzybounds.paper.reinforcement.policy import (
    Decisions,
    paper_memberships,
    position_degrees,
    stop_probabilities,
    time_degrees,
)

ROOT = 6
"""Consequents are searched as powers of numbers from 0 to 1: the small differ, and 0 is reached."""
REMEMBERED = 50
"""Steps from which L-BFGS-B learns the curvature: with few it stops short of the maximum."""
FRAMES: dict[RespondAt, int] = {"steps": 30, "frames": 1}
SCREENED = 15
"""Steps of every search before the best goes on: searches end at one rate."""


def measure_reach(*, labels: Collection[int]) -> pd.DataFrame:
    """Find the largest reward rate of the model with the paper's memberships.

    The optimal observer earns at least as much.

    Parameters
    ----------
    labels : collection of int
        Numbers of labels.

    Returns
    -------
    DataFrame
        The table ``learning_reach``.
    """
    rows = []
    for (respond_at, frames), count in product(FRAMES.items(), sorted(labels)):
        rate, _ = climb(starts(count), Decisions(frames=frames))
        optimum = solve(PAPER_UNCUED, respond_at).reward_rate
        rows.append((count, respond_at, rate, rate / optimum))
    return pd.DataFrame(rows, columns=TABLES["learning_reach"].names)


def staircases(n_time: int, n_position: int) -> list[RuleBase]:
    """Return rule bases that stop beyond a line in time and position, from steep to flat.

    "Stop" and "continue" are softened to 0.3 and 1e-5, from where an ascent can go both ways.
    """
    time, position = np.linspace(0, 1, n_time)[:, None], np.linspace(0, 1, n_position)
    tables = [
        np.where(slope * time + position >= line, 0.3, 1e-5)
        for slope in (0.0, 0.5, 1.0)
        for line in (0.1, 0.2, 0.4, 0.6)
    ]
    once = {table.tobytes(): RuleBase.from_consequents(table) for table in tables}
    return list(once.values())


def starts(n_labels: int) -> list[Controller]:
    """Return controllers with the paper's memberships, one for each of :func:`staircases`."""
    memberships = paper_memberships(n_labels)
    return [Controller(memberships, memberships, rules) for rules in staircases(n_labels, n_labels)]


def climb(starts: Sequence[Controller], decisions: Decisions) -> tuple[float, Controller]:
    """Return the best rate and controller of searches from many controllers.

    The first goes to its end, and so does the best of the others.
    """
    brief = [ascend(start, decisions, iterations=SCREENED) for start in starts[1:]]
    _, promising = max(brief, key=lambda scored: scored[0])
    ends = [ascend(start, decisions) for start in (starts[0], promising)]
    return max(ends, key=lambda scored: scored[0])


def ascend(
    start: Controller, decisions: Decisions, *, iterations: int = 3000
) -> tuple[float, Controller]:
    """Climb in the consequents from a controller to a local maximum of the reward rate."""

    def descend(roots: np.ndarray) -> tuple[float, np.ndarray]:
        rate, gradient = controller_gradient(_with_roots(start, roots), decisions)
        return -rate, -gradient.ravel() * ROOT * roots ** (ROOT - 1)

    limits = {"maxiter": iterations, "maxfun": 2 * iterations, "maxcor": REMEMBERED}
    result = minimize(
        descend,
        np.clip(start.rules.consequents, 0.0, 1.0).ravel() ** (1 / ROOT),
        jac=True,
        method="L-BFGS-B",
        bounds=[(0.0, 1.0)] * start.rules.consequents.size,
        options={**limits, "ftol": 1e-12, "gtol": 1e-9},
    )
    return -float(result.fun), _with_roots(start, result.x)


def _with_roots(controller: Controller, roots: np.ndarray) -> Controller:
    """Return a controller with other consequents, given as roots."""
    consequents = (roots**ROOT).reshape(controller.rules.consequents.shape)
    return replace(controller, rules=replace(controller.rules, consequents=consequents))


def controller_gradient(controller: Controller, decisions: Decisions) -> tuple[float, np.ndarray]:
    """Return the reward rate of a controller and its derivatives by the consequents.

    Consequents are in [0, 1] and o is at least 1, so that no stop probability is clipped.
    """
    policy = stop_probabilities(controller, decisions)
    rate, by_p = rate_gradient(policy, PAPER_UNCUED, every=decisions.frames)
    by_output = by_p[decisions.rows] / decisions.o
    time = time_degrees(controller.time, decisions.rows)
    return rate, time.T @ by_output @ position_degrees(controller.position)
