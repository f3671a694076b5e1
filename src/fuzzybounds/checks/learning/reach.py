"""The best reward rate that the fuzzy model can earn, by its number of labels (Fig. S5).

The reward rate of a controller is known exactly, and so is its derivative by every consequent and
by the centre and width of every membership function (:mod:`rate_gradient` and the chain rule).  The
best controller is found by L-BFGS-B from many rule bases.  Since p = O / o with consequents up to
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
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.membership import EXPONENT, Memberships, equidistant
from fuzzybounds.paper.fuzzy.rules import RuleBase
from fuzzybounds.paper.reinforcement.design import PAPER_UNCUED
from fuzzybounds.paper.reinforcement.policy import (
    POSITIONS,
    TIMES,
    Decisions,
    paper_memberships,
    position_degrees,
    stop_probabilities,
    time_degrees,
)

ROOT = 6
"""Consequents are searched as powers of numbers from 0 to 1: the small differ, and 0 is reached."""
CENTERS, WIDTHS = (0.0, 1.0), (0.02, 1.0)
"""Bounds of tuned memberships; time and position run from 0 to 1."""
COVERS = list(product((1.0, 0.6, 0.3), (1.0, 0.6, 0.4, 0.25)))
"""Shares of the trial and of the screen that the labels cover at the start of a search."""
REMEMBERED = 50
"""Steps from which L-BFGS-B learns the curvature: with few it stops short of the maximum."""
REACHED = 1e-6
"""A rate this near to its upper bound, as a share of it, ends a search."""
FRAMES: dict[RespondAt, int] = {"steps": 30, "frames": 1}
SCREENED, FIXED, TUNED = 15, 1, 6
"""Steps of every search before the best go on; how many go on with memberships fixed and tuned.
Searches in the consequents alone end at one rate."""


def measure_reach(*, labels: Collection[int]) -> pd.DataFrame:
    """Find the largest reward rate of the model, with memberships fixed and tuned.

    The optimal observer earns at least as much.  At steps the fewest labels earn the same, to six
    digits, once their memberships are tuned: so that is the largest rate, not only the largest
    found, and more labels cannot earn more.

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
        decisions, bound = Decisions(frames=frames), solve(PAPER_UNCUED, respond_at).reward_rate
        best = {"fixed": climb(fixed_starts(count), decisions, tune=False)}
        if respond_at == "steps" and count == min(labels):
            best["tuned"] = climb(tuned_starts(count), decisions, tune=True, bound=bound)
        for kind, (rate, _) in best.items():
            named = {"labels": count, "memberships": kind, "respond_at": respond_at}
            rows.append({**named, "reward_rate": rate, "share_of_optimum": rate / bound})
    return pd.DataFrame(rows)


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


def fixed_starts(n_labels: int) -> list[Controller]:
    """Return controllers with the paper's memberships, one for each of :func:`staircases`."""
    memberships = paper_memberships(n_labels)
    return [Controller(memberships, memberships, rules) for rules in staircases(n_labels, n_labels)]


def tuned_starts(n_labels: int) -> list[Controller]:
    """Return controllers whose labels cover the whole trial and screen, or a part from 0 on."""
    return [
        Controller(
            equidistant(n_labels, high=time, convention="width"),
            equidistant(n_labels, high=position, convention="width"),
            rules,
        )
        for (time, position), rules in product(COVERS, staircases(n_labels, n_labels))
    ]


def climb(
    starts: Sequence[Controller], decisions: Decisions, *, tune: bool, bound: float = np.inf
) -> tuple[float, Controller]:
    """Return the best rate and controller of searches from many controllers, the likeliest first.

    The search ends where it reaches `bound`, the rate of the optimal observer.
    """
    best = ascend(starts[0], decisions, tune=tune)
    if best[0] >= bound * (1 - REACHED):
        return best
    brief = [ascend(start, decisions, tune=tune, iterations=SCREENED) for start in starts[1:]]
    for _, start in sorted(brief, key=lambda scored: -scored[0])[: TUNED if tune else FIXED]:
        best = max(best, ascend(start, decisions, tune=tune), key=lambda scored: scored[0])
        if best[0] >= bound * (1 - REACHED):
            break
    return best


def ascend(
    start: Controller, decisions: Decisions, *, tune: bool, iterations: int = 3000
) -> tuple[float, Controller]:
    """Climb from a controller to a local maximum of the reward rate.

    The ascent is in the consequents and, to `tune`, in the memberships as well.
    """
    rules = start.rules.consequents.size
    first = [np.clip(start.rules.consequents, 0.0, 1.0).ravel() ** (1 / ROOT)]
    bounds = [(0.0, 1.0)] * rules
    if tune:
        for sets in (start.time, start.position):
            first += [sets.centers, np.log(sets.widths)]
            bounds += [CENTERS] * sets.centers.size + [tuple(np.log(WIDTHS))] * sets.centers.size

    def descend(parameters: np.ndarray) -> tuple[float, np.ndarray]:
        rate, gradient = controller_gradient(_controller(parameters, start), decisions)
        gradient[:rules] *= ROOT * parameters[:rules] ** (ROOT - 1)
        return -rate, -gradient[: parameters.size]

    limits = {"maxiter": iterations, "maxfun": 2 * iterations, "maxcor": REMEMBERED}
    result = minimize(
        descend,
        np.concatenate(first),
        jac=True,
        method="L-BFGS-B",
        bounds=bounds,
        options={**limits, "ftol": 1e-12, "gtol": 1e-9},
    )
    return -float(result.fun), _controller(result.x, start)


def _controller(parameters: np.ndarray, like: Controller) -> Controller:
    """Return a controller from roots of consequents and, if given, centres and log widths."""
    shape = like.rules.consequents.shape
    table, time, position = np.split(parameters, np.cumsum([shape[0] * shape[1], 2 * shape[0]]))
    rules = replace(like.rules, consequents=(table**ROOT).reshape(shape))

    def moved(sets: Memberships, to: np.ndarray) -> Memberships:
        centers, log_widths = to.reshape(2, -1)
        return replace(sets, centers=centers, widths=np.exp(log_widths)) if to.size else sets

    return Controller(moved(like.time, time), moved(like.position, position), rules)


def controller_gradient(controller: Controller, decisions: Decisions) -> tuple[float, np.ndarray]:
    """Return the reward rate of a controller and its derivatives.

    The derivatives are by the consequents, the centres and log widths of time, and those of
    position.  Consequents are in [0, 1] and o is at least 1, so that no stop probability is
    clipped.
    """
    rows, consequents = decisions.rows, controller.rules.consequents
    policy = stop_probabilities(controller, decisions)
    rate, by_p = rate_gradient(policy, PAPER_UNCUED, every=decisions.frames)
    by_output = by_p[rows] / decisions.o
    time = time_degrees(controller.time, rows)
    position = position_degrees(controller.position)
    toward_time = by_output @ position
    toward_position = by_output.T @ time @ consequents
    parts = [
        time.T @ toward_time,
        _by_memberships(controller.time, TIMES[rows], time, toward_time @ consequents.T),
        _by_memberships(controller.position, POSITIONS, position, toward_position),
    ]
    return rate, np.concatenate([part.ravel() for part in parts])


def _by_memberships(
    memberships: Memberships, x: np.ndarray, degrees: np.ndarray, gradient: np.ndarray
) -> np.ndarray:
    """Return derivatives by centres and log widths from those by normalised degrees."""
    by_log = degrees * (gradient - (gradient * degrees).sum(axis=1, keepdims=True))
    distance = (x[:, None] - memberships.centers) / memberships.widths
    factor = 2 * EXPONENT[memberships.convention]
    by_center = (by_log * factor * distance / memberships.widths).sum(axis=0)
    by_log_width = (by_log * factor * distance**2).sum(axis=0)
    return np.array([by_center, by_log_width])
