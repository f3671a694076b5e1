"""The best reward rate within reach of the fuzzy model: of its labels, whatever the consequents.

The reward rate of a controller is known exactly, and so is its derivative by every consequent and
by the centre and width of every membership function (:mod:`policy_value` and the chain rule); the
best controller is found by ascending it from many rule bases (L-BFGS-B).  Since p = O / o with
consequents up to 1, a larger o takes policies away and adds none: the model reaches most with
o = 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from fuzzybounds.fuzzy.controller import Controller
from fuzzybounds.fuzzy.membership import EXPONENT, Memberships, equidistant, labels
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
ROUNDS = ((72, 6), (16, 40), (6, 400))
"""How many ascents go on, and for how many steps, round by round.  The best rate is a lower bound
of what can be reached, as the rate of the optimal observer is an upper bound."""
REMEMBERED = 50
"""Steps from which an ascent learns the curvature: with few it stops short of the maximum."""
REACHED = 1e-4
"""A rate this near to its upper bound, as a share of it, ends a search."""


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
) -> tuple[float, np.ndarray]:
    """Return the reward rate of a controller and its derivatives.

    The stop probabilities must be below 1 before they are clipped: consequents in [0, 1], o >= 1.

    Returns
    -------
    rate : float
    gradient : array
        By the consequents, the centres and log widths of time, and those of position.
    """
    rows, consequents = decisions.rows, controller.rules.consequents
    time = time_degrees(controller.time, rows)
    position = position_degrees(controller.position)
    policy = np.zeros(POLICY_SHAPE)
    policy[rows] = np.clip(time @ consequents @ position.T / decisions.o, 0.0, 1.0)
    rate, by_p = rate_gradient(policy, design, every=decisions.frames)
    by_output = by_p[rows] / decisions.o
    toward_time = by_output @ position
    toward_position = by_output.T @ time @ consequents
    parts = [
        time.T @ toward_time,
        _by_memberships(controller.time, TIMES[rows], time, toward_time @ consequents.T),
        _by_memberships(controller.position, POSITIONS, position, toward_position),
    ]
    return rate, np.concatenate([part.ravel() for part in parts])


def best_consequents(
    memberships: Memberships, decisions: Decisions, design: Design, *, starts: int | None = None
) -> Reach:
    """Find the consequents in [0, 1] with the largest reward rate on given memberships.

    Parameters
    ----------
    memberships : Memberships
        Of time and of position.
    decisions : Decisions
    design : Design
    starts : int, optional
        From how many rule bases to ascend, those that earn most; by default from all of
        :func:`staircases`.
    """
    count = len(memberships.labels)
    controllers = [Controller(memberships, memberships, own) for own in staircases(count, count)]
    controllers.sort(key=lambda own: -controller_gradient(own, decisions, design)[0])
    return _best_of([ascend(own, decisions, design, tune=False) for own in controllers[:starts]])


def best_controller(
    n_labels: int,
    decisions: Decisions,
    design: Design,
    *,
    rounds: Sequence[tuple[int, int]] = ROUNDS,
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
    decisions : Decisions
    design : Design
    rounds : sequence of (int, int)
        How many ascents go on, and for how many steps.
    first : sequence of Controller
        Where to start first: the best with fewer labels (more labels reach no less).
    bound : float
        What no controller can exceed: the reward rate of the optimal observer.
    """
    ahead = [ascend(start, decisions, design, tune=True) for start in first]
    if any(rate >= bound * (1 - REACHED) for rate, _ in ahead):
        return _best_of(ahead)
    covers = product((1.0, 0.6, 0.3), (1.0, 0.6, 0.4, 0.25), staircases(n_labels, n_labels))
    starts = [
        Controller(
            equidistant(n_labels, high=time, convention="width"),
            equidistant(n_labels, high=position, convention="width"),
            rules,
        )
        for time, position, rules in covers
    ]
    count = min(rounds[0][0], len(starts))
    starts = [starts[(2 * i + 1) * len(starts) // (2 * count)] for i in range(count)]
    for kept, iterations in rounds:
        ascents = [
            ascend(start, decisions, design, tune=True, iterations=iterations)
            for start in starts[:kept]
        ]
        ascents.sort(key=lambda found: -found[0])
        starts = [start for _, start in ascents]
    return _best_of([*ahead, *ascents])


def padded(controller: Controller, n_labels: int) -> Controller:
    """Add labels to a controller that hardly change it: narrow ones at the far end, alike."""
    added = n_labels - controller.rules.consequents.shape[0]

    def more(own: Memberships) -> Memberships:
        centers = np.append(own.centers, np.full(added, CENTERS[1]))
        widths = np.append(own.widths, np.full(added, WIDTHS[0]))
        return Memberships(labels(n_labels), centers, widths, own.convention)

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
    rules = start.rules.consequents.size
    first = [np.clip(start.rules.consequents, 0.0, 1.0).ravel() ** (1 / ROOT)]
    bounds = [(0.0, 1.0)] * rules
    if tune:
        for own in (start.time, start.position):
            first += [own.centers, np.log(own.widths)]
            bounds += [CENTERS] * own.centers.size + [tuple(np.log(WIDTHS))] * own.centers.size

    def descend(parameters: np.ndarray) -> tuple[float, np.ndarray]:
        controller = _controller(parameters, start)
        rate, gradient = controller_gradient(controller, decisions, design)
        gradient[:rules] *= ROOT * parameters[:rules] ** (ROOT - 1)
        return -rate, -gradient[: parameters.size]

    options = {"maxiter": iterations, "maxfun": 2 * iterations, "maxcor": REMEMBERED}
    result = minimize(
        descend,
        np.concatenate(first),
        jac=True,
        method="L-BFGS-B",
        bounds=bounds,
        options={**options, "ftol": 1e-12, "gtol": 1e-9},
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
    time, position = controller.time, controller.position
    rows, columns = np.argsort(time.centers), np.argsort(position.centers)
    table = controller.rules.consequents[np.ix_(rows, columns)]
    return Controller(
        replace(time, centers=time.centers[rows], widths=time.widths[rows]),
        replace(position, centers=position.centers[columns], widths=position.widths[columns]),
        replace(controller.rules, consequents=table),
    )


def _best_of(ascents: list[tuple[float, Controller]]) -> Reach:
    rates = np.array([rate for rate, _ in ascents])
    rate, controller = ascents[int(rates.argmax())]
    return Reach(rate, controller, np.sort(rates)[::-1])


def _controller(parameters: np.ndarray, like: Controller) -> Controller:
    """Return a controller from roots of consequents and, if given, centres and log widths."""
    shape = like.rules.consequents.shape
    table, time, position = np.split(parameters, np.cumsum([shape[0] * shape[1], 2 * shape[0]]))
    rules = replace(like.rules, consequents=(table**ROOT).reshape(shape))

    def moved(own: Memberships, to: np.ndarray) -> Memberships:
        centers, log_widths = to.reshape(2, -1)
        return replace(own, centers=centers, widths=np.exp(log_widths)) if to.size else own

    return Controller(moved(like.time, time), moved(like.position, position), rules)
