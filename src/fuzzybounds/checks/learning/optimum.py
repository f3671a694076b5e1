"""The best reward rate that any observer of the canoe can reach (claim C17).

The optimal policy maximises E[r] - rho E[d], the reward minus the cost of time, where rho is its
own reward rate.  Dinkelbach's iteration finds rho: solve for a given rho, replace rho by the rate
of the solution, until it no longer grows.

For a given rho the problem is one of optimal stopping, solved backwards.  Let w_h(n, k) be the
prior of a hypothesis h (condition and heading) times the probability under h of one path with k
steps to the right out of n.  Since w_h(n, k) = w_h(n + 1, k + 1) + w_h(n + 1, k), values weighted
by w need no division by the probability of the path:

    V(n, k) = max(stop(n, k), V(n + 1, k + 1) + V(n + 1, k)),

where stop(n, k) sums w_h times the pay-off of the better response.  The belief over difficulty and
direction is w_h / sum w_h.

A direction shows in the first frame of its step, and the rest of the step adds no information.  So
an observer who may respond at any frame does so at the first frame of a step, or waits for the next
step.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Literal, NamedTuple, get_args

import numpy as np
import pandas as pd

from fuzzybounds.canoe.belief import path_weights
from fuzzybounds.canoe.task import FRAME, OVERHEAD, STEP, STEP_PIXELS, Condition
from fuzzybounds.paper.reinforcement.design import PAPER_CUED, PAPER_UNCUED, Design
from fuzzybounds.paper.reinforcement.design import design as make_design

RespondAt = Literal["steps", "frames"]


class Optima(NamedTuple):
    """What :func:`solve_optimum` returns: one table per output of the stage."""

    optimum: pd.DataFrame
    boundary: pd.DataFrame


def solve_optimum(design: pd.DataFrame, *, cued: bool) -> Optima:
    """Find the largest reward rate of any observer in the paper's designs, and its boundary.

    Logs without cues add their own design: Experiment B, the only published one, has its own P0.

    Parameters
    ----------
    design : DataFrame
        Result table ``design_check`` of the logs.
    cued : bool
        Whether the subjects knew the condition of a trial.
    """
    designs = [PAPER_UNCUED, PAPER_CUED]
    if not cued:
        estimated = design[design["quantity"] == "p0"].set_index("condition")["value"]
        easy, hard = float(estimated["easy"]), float(estimated["hard"])
        designs.append(make_design("logs_b_uncued", easy=easy, hard=hard))
    rows, curves = [], []
    for task_design, respond_at in product(designs, get_args(RespondAt)):
        best = solve(task_design, respond_at)
        named = {"design": task_design.name, "respond_at": respond_at}
        earned = {"reward_rate": best.reward_rate, "reward": best.reward, "time": best.time}
        p0 = {f"p0_{condition.name}": condition.p0 for condition in task_design.conditions}
        spent = [f"decision_time_{condition.name}" for condition in task_design.conditions]
        times = best.decision_times if task_design.cued else np.full(len(spent), np.nan)
        rows.append({**named, **earned, **p0, **dict(zip(spent, times, strict=True))})
        cues = [condition.name for condition in task_design.conditions]
        for cue, net in zip(cues if task_design.cued else ["all"], best.boundary(), strict=True):
            shown = np.isfinite(best.times) & np.isfinite(net)
            curve = {"time": best.times[shown], "boundary": STEP_PIXELS * net[shown]}
            curves.append(pd.DataFrame({**named, "condition": cue, **curve}))
    return Optima(pd.DataFrame(rows), pd.concat(curves, ignore_index=True))


@dataclass(frozen=True, eq=False)
class Optimum:
    """The optimal policy and what it earns.

    Attributes
    ----------
    reward_rate, reward, time : float
        Coins per second; coins and seconds per trial.
    times : array, shape (epochs,)
        Time in s at which the first 0, 1, ... directions are known and a response is possible;
        NaN where none is.
    decision_times : array, shape (cues,)
        Mean seconds until the response, by cue.
    stops : array of bool, shape (cues, epochs, epochs)
        ``stops[c, n, k]``: respond when k of n directions were right.  One cue in a design
        without cues, else one per condition.
    """

    reward_rate: float
    reward: float
    time: float
    times: np.ndarray
    decision_times: np.ndarray
    stops: np.ndarray

    def boundary(self) -> np.ndarray:
        """Return the evidence at which the optimal observer responds, of shape (cues, epochs).

        It is the smallest net number of steps to one side at which to respond, with every larger
        one; inf where no reachable number is enough.  The canoe is then ``45 * net`` px from the
        centre, or will be at the end of its step.
        """
        cues, epochs, _ = self.stops.shape
        boundary = np.full((cues, epochs), np.inf)
        for cue, n in np.ndindex(cues, epochs):
            for k in range(n, (n - 1) // 2, -1):
                if not self.stops[cue, n, k]:
                    break
                boundary[cue, n] = 2 * k - n
        return boundary


def solve(design: Design, respond_at: RespondAt = "frames") -> Optimum:
    """Find the optimal policy of a design.

    Responses are possible at the end of a step only, or at any frame; never at t = 0, before the
    canoe moves (ambiguity A17).
    """
    known = np.arange(design.deadline_steps + 1)
    if respond_at == "steps":
        times = np.where(known < design.deadline_steps, known * STEP, np.nan)
    else:
        times = (known - 1) * STEP + FRAME
    times[0] = np.nan
    cues = [(condition,) for condition in design.conditions] if design.cued else [design.conditions]
    rate, previous = 0.0, -np.inf
    while rate > previous:
        solutions = [_stop_optimally(cue, times, design, rate) for cue in cues]
        reward, time = (float(np.mean([s[i] for s in solutions])) for i in (0, 1))
        previous, rate = rate, reward / time
    decision_times = np.array([solution[2] for solution in solutions])
    stops = np.array([solution[3] for solution in solutions])
    return Optimum(rate, reward, time, times, decision_times, stops)


def _stop_optimally(
    conditions: tuple[Condition, ...], times: np.ndarray, design: Design, rate: float
) -> tuple[float, float, float, np.ndarray]:
    """Return reward, time and decision time per trial, and where to stop, for one cost of time."""
    epochs = times.size
    stops = np.zeros((epochs, epochs), dtype=bool)
    # The deadline: incorrect, whatever the heading.
    outcome = _outcome(conditions, design.deadline_steps, design.deadline_steps * STEP)[2]
    for n in range(epochs - 1, -1, -1):
        if n < epochs - 1:
            outcome = outcome[:, 1:] + outcome[:, :-1]
        if np.isfinite(times[n]):
            right, left, _ = _outcome(conditions, n, times[n])
            better = right[0] - rate * right[1] >= left[0] - rate * left[1]
            response = np.where(better, right, left)
            stop = response[0] - rate * response[1] >= outcome[0] - rate * outcome[1]
            outcome = np.where(stop, response, outcome)
            stops[n, : n + 1] = stop
    reward, time, decision_time = outcome[:, 0]
    return float(reward), float(time), float(decision_time), stops


def _outcome(conditions: tuple[Condition, ...], n: int, time: float) -> np.ndarray:
    """Return what follows from saying right, saying left and saying nothing, weighted by w.

    Its shape is (3, 3, n + 1); the second axis is reward, duration and decision time.
    """
    weights = path_weights(conditions, n, np.arange(n + 1))
    payoff = np.array([condition.payoff for condition in conditions], dtype=float)
    penalty = np.array([condition.penalty for condition in conditions])
    all_paths = weights.sum(axis=(0, 1))
    outcomes = []
    for wrong in (weights[:, 1], weights[:, 0], weights.sum(axis=1)):
        reward = payoff @ (weights.sum(axis=1) - 2 * wrong)
        duration = (time + OVERHEAD) * all_paths + penalty @ wrong
        outcomes.append([reward, duration, time * all_paths])
    return np.array(outcomes)
