"""Learning the consequents of the rules from feedback, trial by trial (Fig. 17).

The paper's rule (Eq. update_theta_final) changes every consequent by its memory of the trial,

    theta_j <- theta_j - alpha (r - rho d) z_j,
    z_j = sum over decisions t of gamma^(T - t) y_j(t).

It credits a rule for having been active, whether it called for the response or delayed it.

A response at the first decision is a local maximum of the reward rate (two more steps must be seen
before accuracy grows).  A learning rate that is too large ends there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from fuzzybounds.canoe.task import DEADLINE_STEPS
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.reinforcement.design import Design
from fuzzybounds.paper.reinforcement.policy import Decisions, position_degrees, time_degrees
from fuzzybounds.paper.reinforcement.update_kernel import learn_replicate

Range = Literal["clipped", "free"]
Sign = Literal[-1, 1]


@dataclass(frozen=True)
class Rule:
    """A learning rule; the choices that the paper leaves open are named (A15 to A17).

    Parameters
    ----------
    learning_rate, leak : float
        alpha, and gamma from one decision to the next.
    sign : {-1, 1}
        Of the update; -1 as printed.  If the weights code "stop" as 0 (ambiguity A05) the printed
        rule is this one with sign 1: what is subtracted from 1 - theta is added to theta.
    rho : float, optional
        A fixed cost of time in coins/s; by default the reward rate of the trials so far.
    range : {"clipped", "free"}
        Whether consequents are kept within [0, 1].
    lagged : bool
        Whether to use the outcome of the trial before, and so to break the link between what the
        rules did and what came of it.  This is a control: nothing can be learnt.
    """

    learning_rate: float = 1e-3
    leak: float = 1.0
    sign: Sign = -1
    rho: float | None = None
    range: Range = "clipped"
    lagged: bool = False


@dataclass(frozen=True)
class Learning:
    """What happened in every replicate.

    `reward` in coins and `time` in s, with overhead and penalty, have the shape (replicate, trial).
    `trials` counts the trials before each snapshot of the consequents, from 0 to all, and
    `consequents` has the shape (replicate, snapshot, n_time, n_position).
    """

    reward: np.ndarray
    time: np.ndarray
    trials: np.ndarray
    consequents: np.ndarray


def learn(
    rule: Rule,
    controller: Controller,
    decisions: Decisions,
    design: Design,
    *,
    trials: int,
    replicates: int,
    rng: np.random.Generator,
    every: int = 100,
) -> Learning:
    """Let a fuzzy controller learn its consequents in simulated trials (Eq. update_theta_final).

    One rule base serves all conditions: the design has no cues.  With a learning rate of 0 the
    trials are those of a fixed policy.  Every replicate has a generator of its own, spawned from
    `rng`.  There are `every` trials between two snapshots of the consequents.
    """
    if design.cued or design.deadline_steps != DEADLINE_STEPS:
        raise ValueError(f"{design.name}: expected a design without cues and a deadline of 15 s")
    if not controller.rules.given.all():
        raise ValueError("consequents: expected a rule for every premise")
    degrees = (
        time_degrees(controller.time),
        position_degrees(controller.position),
        decisions.frames,
    )
    numbers = (
        rule.sign * float(rule.learning_rate),
        np.nan if rule.rho is None else float(rule.rho),
        float(rule.leak),
        float(decisions.o),
        get_args(Range).index(rule.range),
        rule.lagged,
    )
    conditions = np.array([(c.p0, c.payoff, c.penalty) for c in design.conditions])
    start = controller.rules.consequents
    snapshots = np.unique([*range(0, trials + 1, every), trials])
    consequents = np.empty((replicates, snapshots.size, start.size))
    consequents[:, 0] = start.ravel()
    reward, time = (np.empty((replicates, trials)) for _ in range(2))
    for i, stream in enumerate(rng.spawn(replicates)):
        filled = (consequents[i], reward[i], time[i])
        learn_replicate(degrees, conditions, numbers, stream, snapshots, *filled)
    return Learning(reward, time, snapshots, consequents.reshape(replicates, -1, *start.shape))
