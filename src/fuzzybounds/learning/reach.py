"""The best reward rate within reach of the fuzzy model: of its labels, whatever the consequents.

The reward rate of a controller is known exactly, and so is its derivative by every consequent and
by the centre and width of every membership function (:mod:`policy_value` and the chain rule); the
best controller is found by ascending it from many rule bases.  Since p = O / o with consequents up
to 1, a larger o takes policies away and adds none: the model reaches most with o = 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from fuzzybounds.fuzzy.controller import Controller
from fuzzybounds.fuzzy.membership import EXPONENT, Convention, Memberships, equidistant, labels
from fuzzybounds.fuzzy.rules import RuleBase
from fuzzybounds.learning.design import POLICY_SHAPE, Design
from fuzzybounds.learning.policy import (
    POSITIONS,
    TIMES,
    Decisions,
    position_degrees,
    time_degrees,
)
from fuzzybounds.learning.policy_value import rate_gradient

ROOT = 6
"""Consequents are searched as powers of numbers from 0 to 1: the small differ, and 0 is reached."""
CENTERS = (0.0, 1.0)
WIDTHS = (0.02, 1.0)
"""Where tuned memberships are looked for; time and position run from 0 to 1."""
Rounds = Sequence[tuple[int, int]]
"""How many ascents go on, and for how many steps, round by round."""
THOROUGH: Rounds = ((1000, 60), (10, 3000))
QUICK: Rounds = ((72, 6), (16, 40), (6, 400))
"""Many long ascents, or fewer and shorter ones.  Either way the best rate is a lower bound of what
can be reached, as the rate of the optimal observer is an upper bound."""
REMEMBERED = 50
"""Steps from which an ascent learns the curvature: with few it stops short of the maximum."""
REACHED = 1e-4
"""A rate this near to its upper bound, as a share of it, ends a search."""


@dataclass(frozen=True)
class Gradient:
    """Derivative of the reward rate by everything in a controller.

    Attributes
    ----------
    consequents : array, shape (n_time, n_position)
    time, position : array, shape (2, n_labels)
        By the centres, and by the logs of the widths.
    """

    consequents: np.ndarray
    time: np.ndarray
    position: np.ndarray


@dataclass(frozen=True)
class Reach:
    """The best controller that was found.

    Attributes
    ----------
    reward_rate : float
    controller : Controller
    found : array
        Reward rate at the end of every ascent, the best first.
    """

    reward_rate: float
    controller: Controller
    found: np.ndarray


def controller_gradient(
    controller: Controller, decisions: Decisions, design: Design
) -> tuple[float, Gradient]:
    """Return the reward rate of a controller and its derivatives.

    The stop probabilities must be below 1 before they are clipped: consequents in [0, 1], o >= 1.
    """
    # Only decisions have a probability: at steps that is a thirtieth of all frames.
    rows = decisions.rows
    time = time_degrees(controller.time)[np.flatnonzero(decisions.mask)]
    position = position_degrees(controller.position)
    consequents = controller.rules.consequents
    policy = np.zeros(POLICY_SHAPE)
    np.minimum(time @ consequents @ position.T / decisions.o, 1.0, out=policy[rows])
    rate, by_p = rate_gradient(policy, design, every=decisions.frames)
    by_output = by_p[rows] / decisions.o
    toward_time = by_output @ position
    return rate, Gradient(
        time.T @ toward_time,
        _by_memberships(controller.time, TIMES[rows], time, toward_time @ consequents.T),
        _by_memberships(controller.position, POSITIONS, position, by_output.T @ time @ consequents),
    )


def best_consequents(
    time: Memberships,
    position: Memberships,
    decisions: Decisions,
    design: Design,
    *,
    starts: int | None = None,
) -> Reach:
    """Find the consequents in [0, 1] with the largest reward rate on given memberships.

    Parameters
    ----------
    time, position : Memberships
    decisions : Decisions
    design : Design
    starts : int, optional
        From how many rule bases to ascend, those that earn most; by default from all of
        :func:`staircases`.
    """
    rules = staircases(len(time.labels), len(position.labels))
    controllers = [Controller(time, position, own) for own in rules]
    controllers.sort(key=lambda own: -controller_gradient(own, decisions, design)[0])
    return _best_of([ascend(own, decisions, design, tune=False) for own in controllers[:starts]])


def best_controller(
    n_labels: int,
    convention: Convention,
    decisions: Decisions,
    design: Design,
    *,
    rounds: Rounds = THOROUGH,
    first: Sequence[Controller] = (),
    bound: float = np.inf,
) -> Reach:
    """Find consequents and memberships with the largest reward rate.

    Ascents from given controllers come first.  Where none gets to the upper bound, others start
    from labels that cover the whole screen and trial, or a part from 0 on; after each round of so
    many steps the most promising go on.

    Parameters
    ----------
    n_labels : int
    convention : {"width", "deviation"}
    decisions : Decisions
    design : Design
    rounds : sequence of (int, int)
        How many ascents go on, and for how many steps.
    first : sequence of Controller
        Where to start first: the best with fewer labels (more labels reach no less), or one that
        follows the optimal boundary.
    bound : float
        What no controller can exceed: the reward rate of the optimal observer.
    """
    ahead = [ascend(start, decisions, design, tune=True) for start in first]
    if any(rate >= bound * (1 - REACHED) for rate, _ in ahead):
        return _best_of(ahead)
    covers = product((1.0, 0.6, 0.3), (1.0, 0.6, 0.4, 0.25), staircases(n_labels, n_labels))
    starts = [
        Controller(
            equidistant(n_labels, high=time, convention=convention),
            equidistant(n_labels, high=position, convention=convention),
            rules,
        )
        for time, position, rules in covers
    ]
    starts = _spread(starts, rounds[0][0])
    for kept, iterations in rounds:
        ascents = [
            ascend(start, decisions, design, tune=True, iterations=iterations)
            for start in starts[:kept]
        ]
        ascents.sort(key=lambda found: -found[0])
        starts = [start for _, start in ascents]
    return _best_of([*ahead, *ascents])


def _spread(items: list, count: int | None) -> list:
    """Take `count` items, evenly spread over all; None takes all."""
    if count is None or count >= len(items):
        return items
    return [items[(2 * number + 1) * len(items) // (2 * count)] for number in range(count)]


def padded(controller: Controller, n_labels: int) -> Controller:
    """Add labels to a controller that hardly change it: narrow ones at the far end, alike."""

    def more(own: Memberships) -> Memberships:
        added = n_labels - len(own.labels)
        return Memberships(
            labels(n_labels),
            np.append(own.centers, np.full(added, CENTERS[1])),
            np.append(own.widths, np.full(added, WIDTHS[0])),
            own.convention,
        )

    added = n_labels - controller.rules.consequents.shape[0]
    table = np.pad(controller.rules.consequents, ((0, added), (0, added)), mode="edge")
    rules = RuleBase.from_consequents(table)
    return Controller(more(controller.time), more(controller.position), rules)


def staircases(n_time: int, n_position: int) -> list[RuleBase]:
    """Return rule bases that stop beyond a line in time and position, from steep to flat.

    "Stop" and "continue" are softened to 0.3 and 1e-5, from where an ascent can go both ways.
    """
    time, position = np.linspace(0, 1, n_time)[:, None], np.linspace(0, 1, n_position)
    tables = {
        np.where(slope * time + position >= line, 0.3, 1e-5).tobytes(): None
        for slope in (0.0, 0.5, 1.0)
        for line in (0.1, 0.2, 0.4, 0.6)
    }
    shape = (n_time, n_position)
    return [RuleBase.from_consequents(np.frombuffer(t).reshape(shape)) for t in tables]


def ascend(
    start: Controller, decisions: Decisions, design: Design, *, tune: bool, iterations: int = 3000
) -> tuple[float, Controller]:
    """Climb from a controller to a local maximum of the reward rate.

    Parameters
    ----------
    start : Controller
    decisions : Decisions
    design : Design
    tune : bool
        Whether to climb in the memberships too, or in the consequents alone.
    iterations : int
        After how many steps to stop at the latest.

    Returns
    -------
    rate : float
    controller : Controller
        Its labels in the order of their centres.
    """
    from scipy.optimize import minimize

    if decisions.o < 1:
        raise ValueError(f"o = {decisions.o}: expected at least 1")

    def descend(parameters: np.ndarray) -> tuple[float, np.ndarray]:
        controller = _controller(parameters, start)
        rate, gradient = controller_gradient(controller, decisions, design)
        roots = parameters[: gradient.consequents.size]
        by_root = gradient.consequents.ravel() * ROOT * roots ** (ROOT - 1)
        parts = [by_root, gradient.time.ravel(), gradient.position.ravel()]
        return -rate, -np.concatenate(parts)[: parameters.size]

    first = _parameters(start)
    bounds = _bounds(start)
    if not tune:
        first = first[: start.rules.consequents.size]
    result = minimize(
        descend,
        first,
        jac=True,
        method="L-BFGS-B",
        bounds=bounds[: first.size],
        options={
            "maxiter": iterations,
            "maxfun": 2 * iterations,
            "maxcor": REMEMBERED,
            "ftol": 1e-12,
            "gtol": 1e-9,
        },
    )
    return -float(result.fun), in_order(_controller(result.x, start))


def _by_memberships(
    memberships: Memberships, x: np.ndarray, degrees: np.ndarray, gradient: np.ndarray
) -> np.ndarray:
    """Carry the derivative by normalised degrees to centres and log widths."""
    by_log = degrees * (gradient - (gradient * degrees).sum(axis=1, keepdims=True))
    distance = (x[:, None] - memberships.centers) / memberships.widths
    factor = 2 * EXPONENT[memberships.convention]
    by_center = (by_log * factor * distance / memberships.widths).sum(axis=0)
    by_log_width = (by_log * factor * distance**2).sum(axis=0)
    return np.array([by_center, by_log_width])


def in_order(controller: Controller) -> Controller:
    """Name the labels by their centres, from the smallest: the same controller in other words."""
    time, position = np.argsort(controller.time.centers), np.argsort(controller.position.centers)
    rules = controller.rules.consequents[np.ix_(time, position)]

    def ordered(memberships: Memberships, order: np.ndarray) -> Memberships:
        return replace(
            memberships, centers=memberships.centers[order], widths=memberships.widths[order]
        )

    return Controller(
        ordered(controller.time, time),
        ordered(controller.position, position),
        replace(controller.rules, consequents=rules),
    )


def _best_of(ascents: list[tuple[float, Controller]]) -> Reach:
    rates = np.array([rate for rate, _ in ascents])
    rate, controller = ascents[int(rates.argmax())]
    return Reach(rate, controller, np.sort(rates)[::-1])


def _parameters(controller: Controller) -> np.ndarray:
    """Return roots of consequents, then centres and log widths of time and of position."""
    parts = [np.clip(controller.rules.consequents, 0.0, 1.0).ravel() ** (1 / ROOT)]
    for memberships in (controller.time, controller.position):
        parts += [memberships.centers, np.log(memberships.widths)]
    return np.concatenate(parts)


def _controller(parameters: np.ndarray, like: Controller) -> Controller:
    shape = like.rules.consequents.shape
    table, rest = np.split(parameters, [shape[0] * shape[1]])
    rules = RuleBase(like.time.labels, like.position.labels, (table**ROOT).reshape(shape))
    if not rest.size:
        return Controller(like.time, like.position, rules)
    time, position = np.split(rest, [2 * shape[0]])
    return Controller(_memberships(time, like.time), _memberships(position, like.position), rules)


def _memberships(parameters: np.ndarray, like: Memberships) -> Memberships:
    centers, log_widths = parameters.reshape(2, -1)
    return Memberships(like.labels, centers, np.exp(log_widths), like.convention)


def _bounds(controller: Controller) -> list[tuple[float, float]]:
    bounds = [(0.0, 1.0)] * controller.rules.consequents.size
    for memberships in (controller.time, controller.position):
        bounds += [CENTERS] * len(memberships.labels)
        bounds += [tuple(np.log(WIDTHS))] * len(memberships.labels)
    return bounds
