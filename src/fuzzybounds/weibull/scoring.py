"""Fisher scoring of the boundary models, compiled.

A Levenberg-Marquardt step within the bounds needs the gradient and the expected information of the
likelihood, but no second derivatives.  Many members of a population are moved downhill at a time,
each in a lane of :mod:`~fuzzybounds.weibull.derivatives`; a lane whose member has ended takes the
next one.  Lanes that nobody waits for try other dampings of the members that are still moving.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fuzzybounds.storage.compilation import njit
from fuzzybounds.storage.damped_step import damped_step
from fuzzybounds.weibull.derivatives import LANES, acting, assess, lanes_of, normal_equations
from fuzzybounds.weibull.likelihood import form_of
from fuzzybounds.weibull.models import Model
from fuzzybounds.weibull.trials import Trials

HOPE = 3.0
"""Steps to come are hoped to gain at most this many times as much as the last one."""
FIRST_DAMPING = 1.0
LEAST_DAMPING, LARGEST_DAMPING = 1e-6, 1e6
SHRINK = 0.15
"""By how much damping falls at most after a step."""
FASTER = 4.0
"""By how much damping grows after a first step that gains nothing."""
SPACING = 10.0
"""Ratio of the dampings that idle lanes try."""
NEGLIGIBLE = 0.1
"""A step that promises less than this share of the tolerance is not tried."""


@njit
def promise(theta, new, gradient, information):
    """Return the gain that the quadratic model promises of a step."""
    gain = 0.0
    for i in range(len(theta)):
        step = new[i] - theta[i]
        if step != 0:
            gain -= step * (gradient[i] + 0.5 * step * information[i, i])
            for j in range(i):
                gain -= step * (new[j] - theta[j]) * information[i, j]
    return gain


def polish_all(
    model: Model,
    population: np.ndarray,
    trials: Trials,
    *,
    steps: int,
    tolerance: float,
    targets: np.ndarray | float = np.inf,
    stiffness: float = 0.0,
) -> tuple[np.ndarray, np.ndarray]:
    """Move members downhill; return them and their NLL.

    Damping follows Nielsen: it falls by as much as a step kept its promise, and grows faster the
    more steps in a row fail.  A member ends after `steps` steps, when a step gains less than
    `tolerance` twice in a row or promises next to nothing, or when its target would not be reached
    even if every step to come gained :data:`HOPE` times as much as the last one did, or as the next
    one promises.

    Parameters
    ----------
    model : Model
    population : numpy.ndarray, (member, k)
    trials : Trials
    steps : int
    tolerance : float
    targets : numpy.ndarray, (member,), or float
    stiffness : float
        Weight of the penalty that keeps stable models stable.
    """
    population, k = population.copy(), model.k
    values = np.full(len(population), np.inf)
    acts = acting(model)
    moves = Moves(
        member=np.full(LANES, -1),
        left=np.zeros(LANES, np.int64),
        idle=np.zeros(LANES, np.int64),
        information=np.empty((LANES, k, k)),
        gradient=np.empty((LANES, k)),
        damping=np.zeros(LANES),
        growth=np.zeros(LANES),
        leader=np.full(LANES, -1),
        new=np.empty((LANES, k)),
        tried=np.zeros(LANES),
        promised=np.zeros(LANES),
    )
    _polish(
        population,
        values,
        np.broadcast_to(targets, len(population)).astype(float),
        Bounds(model.lower, model.upper, 1e-10 / (model.upper - model.lower) ** 2),
        form_of(model, stiffness),
        trials,
        acts,
        lanes_of(model, trials),
        moves,
        steps,
        tolerance,
    )
    return population, values


class Bounds(NamedTuple):
    """Bounds of the parameters, and what is added to the diagonal of the information."""

    lower: np.ndarray
    upper: np.ndarray
    ridge: np.ndarray


class Moves(NamedTuple):
    """What the lanes are doing.

    Attributes
    ----------
    member : int
        Which member a lane leads, or -1.
    left, idle : int
        Of this member: steps to come, and steps in a row that gained next to nothing.
    information, gradient, damping, growth
        Of this member; damping is 0 before its start has been assessed.
    leader : int
        The lane that leads the member for which this lane tries a step, or -1.
    new, tried, promised
        The parameters after that step, its damping, and the gain that it promises.
    """

    member: np.ndarray
    left: np.ndarray
    idle: np.ndarray
    information: np.ndarray
    gradient: np.ndarray
    damping: np.ndarray
    growth: np.ndarray
    leader: np.ndarray
    new: np.ndarray
    tried: np.ndarray
    promised: np.ndarray


@njit
def _polish(
    population, values, targets, bounds, form, trials, acts, lanes, moves, steps, tolerance
):
    """Move all members downhill in place, and fill in their NLL."""
    members = len(population)
    member, left, idle, leader = moves.member, moves.left, moves.idle, moves.leader
    damping, growth, promised = moves.damping, moves.growth, moves.promised
    waiting, active = 0, 0
    for q in range(LANES):
        _copy(population, min(q, members - 1), moves.new, q)
        if waiting < members:
            member[q], leader[q], waiting, active = waiting, q, waiting + 1, active + 1
    while active > 0:
        assess(moves.new, form, trials, acts, lanes)
        for q in range(LANES):
            i = member[q]
            if i < 0:
                continue
            going, best = True, q
            for other in range(LANES):
                if leader[other] == q and lanes.nll[other] < lanes.nll[best]:
                    best = other
            gain = values[i] - lanes.nll[best]
            if damping[q] == 0:
                # The member's start.
                values[i], damping[q], growth[q] = lanes.nll[q], FIRST_DAMPING, FASTER
                left[q], idle[q], going = steps, 0, steps > 0
            elif gain > 0:
                _copy(moves.new, best, population, i)
                values[i] = lanes.nll[best]
                kept = min(2 * gain / promised[best] - 1, 1.0)
                damping[q] = max(moves.tried[best] * max(SHRINK, 1 - kept**3), LEAST_DAMPING)
                growth[q] = FASTER
                left[q] -= 1
                idle[q] = idle[q] + 1 if gain < tolerance else 0
                hopeless = values[i] - HOPE * gain * left[q] > targets[i]
                going = left[q] > 0 and idle[q] < 2 and not hopeless
            else:
                for other in range(LANES):
                    if leader[other] == q:
                        damping[q] = max(damping[q], moves.tried[other])
                damping[q] *= growth[q]
                growth[q] *= 2
                best = -1
            if going and best >= 0:
                normal_equations(best, form, acts, lanes, moves.gradient[q], moves.information[q])
            while going:
                if _try(q, q, damping[q], population[i], bounds, moves):
                    hopeless = values[i] - HOPE * promised[q] * left[q] > targets[i]
                    going = promised[q] > NEGLIGIBLE * tolerance and not hopeless
                    break
                damping[q] *= growth[q]
                growth[q] *= 2
                going = damping[q] < LARGEST_DAMPING
            if not going:
                member[q], leader[q], damping[q] = -1, -1, 0.0
                if waiting < members:
                    _copy(population, waiting, moves.new, q)
                    member[q], leader[q], waiting = waiting, q, waiting + 1
                else:
                    active -= 1
        if 0 < active < LANES:
            _spread_dampings(population, bounds, moves)


@njit
def _copy(source, i, target, j):
    """Copy a row; an assignment of rows would take seconds to compile."""
    for k in range(source.shape[1]):
        target[j, k] = source[i, k]


@njit
def _try(q, host, damping, theta, bounds, moves):
    """Prepare a step of the member that lane `host` leads, in lane q; False if there is none."""
    gradient, information = moves.gradient[host], moves.information[host]
    moves.tried[q], new = damping, moves.new[q]
    found = damped_step(
        theta, bounds.lower, bounds.upper, information, gradient, damping, bounds.ridge, new
    )
    if found:
        moves.promised[q] = promise(theta, new, gradient, information)
    return found


@njit
def _spread_dampings(population, bounds, moves):
    """Let idle lanes try weaker and stronger dampings of the members that are still moving."""
    host, further = -1, 2
    for q in range(LANES):
        if moves.member[q] >= 0:
            continue
        moves.leader[q] = -1
        # The next lane that leads a member; after a round each tries what lies further away.
        for _ in range(LANES):
            host += 1
            if host == LANES:
                host, further = 0, further + 1
            if moves.member[host] >= 0:
                break
        if moves.damping[host] == 0:
            continue
        # Stronger, weaker, even stronger and so on.
        power = (further // 2) * (1 if further % 2 == 0 else -1)
        theta = population[moves.member[host]]
        if _try(q, host, moves.damping[host] * SPACING**power, theta, bounds, moves):
            moves.leader[q] = host
