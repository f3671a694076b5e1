"""The compiled likelihood of a subject's trials, and what each trial changes.

Derivatives are carried along; :mod:`fuzzybounds.learning.people.likelihood` explains the model.
"""

from __future__ import annotations

import numpy as np

from fuzzybounds.canoe.task import FRAMES_PER_STEP, OVERHEAD
from fuzzybounds.learning.people.lattice_pass import fade_trace, make_room, trial_log_likelihood
from fuzzybounds.learning.update_kernel import CLIPPED, LARGEST_CHANGE, NEVER, updated
from fuzzybounds.storage.compilation import njit

NONE, DRIFT, OUTCOME, HINDSIGHT = range(4)
"""How a model gives credit."""


@njit(nogil=True)
def run(subject, decided, traces, trace_slopes, response, theta, numbers, out, scores):
    """Fill `out` and `scores`, and leave the consequents after the last trial in `theta`."""
    o, step_size, leak, credit, kept = numbers
    slopes, rules = scores.shape[0] > 0, theta.shape[1]
    room = make_room(rules)
    by_theta, weights = np.zeros(rules), np.zeros(3)
    # Of every consequent by the log-odds at the start, the step size and the leak.
    by_start = np.zeros((theta.shape[0], rules, rules + 2))
    for cue in range(theta.shape[0]):
        for j in range(rules):
            by_start[cue, j, j] = theta[cue, j] * (1.0 - theta[cue, j])
    reward = time = 0.0
    for trial in range(out.size):
        out[trial] = 0.0
        if subject.on_lattice[trial]:
            cue = subject.cue[trial]
            own = theta[cue]
            rho = reward / time if trial > 0 else 0.0
            last = _weigh(subject, trial, rho, credit, weights)
            tables = (decided, traces, trace_slopes, weights)
            settings = (o, leak, credit != NONE, slopes)
            out[trial] = trial_log_likelihood(
                subject, trial, tables, response[trial], own, settings, room, by_theta
            )
            if slopes:
                carry(by_theta, by_start[cue], scores[trial], cue)
            if credit != NONE:
                _end_trace(subject, trial, leak, last, response[trial], slopes, room.trace)
                _update(own, step_size, kept, slopes, room.trace, by_start[cue])
        # A trial whose path is unknown still earns coins and takes time.
        reward += subject.reward[trial]
        time += subject.total[trial]


@njit(nogil=True)
def _weigh(subject, trial, rho, credit, weights):
    """Fill what a decision weighs in the trace: weights of 1, of its side and of its time in s.

    In hindsight a decision weighs by how much more the trial earned than a response there would
    have (see :mod:`fuzzybounds.learning.update_rules`).  Returns the weight of the response itself;
    in hindsight that is 0, because the two are the same there.
    """
    net = subject.reward[trial] - rho * subject.total[trial]
    weights[:] = 0.0
    if credit == HINDSIGHT:
        cost = rho * subject.penalty[trial] / 2
        weights[0] = net + rho * OVERHEAD + cost
        weights[1] = -subject.heading[trial] * (subject.payoff[trial] + cost)
        weights[2] = rho
        return 0.0
    weights[0] = net if credit == OUTCOME else 1.0
    return weights[0]


@njit(nogil=True)
def _end_trace(subject, trial, leak, last, response, slopes, trace):
    """Add the response to the trace; where it came at a step's end it is in there already."""
    if subject.frame[trial] == subject.completed[trial] * FRAMES_PER_STEP:
        return
    fade_trace(leak, slopes, trace)
    for j in range(response.size):
        trace.value[j] += last * response[j]


@njit(nogil=True)
def carry(by_theta, by_start, score, cue):
    """Carry derivatives by the consequents of now to the parameters, by the chain rule."""
    rules = by_theta.size
    for j in range(rules):
        for i in range(rules):
            score[cue * rules + i] += by_theta[j] * by_start[j, i]
        score[score.size - 2] += by_theta[j] * by_start[j, rules]
        score[score.size - 1] += by_theta[j] * by_start[j, rules + 1]


@njit(nogil=True)
def _update(theta, step_size, kept, slopes, trace, by_start):
    """Change the consequents by the trace, and with them their derivatives."""
    rules = theta.size
    before = by_start.copy()
    for j in range(rules):
        old, change = theta[j], step_size * trace.value[j]
        theta[j] = updated(old, change, kept)
        if not slopes:
            continue
        by_old, by_change = update_slopes(old, change, theta[j], kept)
        for p in range(rules + 2):
            moved = 0.0
            for i in range(rules):
                moved += trace.by_theta[j, i] * before[i, p]
            by_start[j, p] = by_old * before[j, p] + by_change * step_size * moved
        by_start[j, rules] += by_change * trace.value[j]
        by_start[j, rules + 1] += by_change * step_size * trace.by_leak[j]


@njit(nogil=True)
def update_slopes(old, change, new, kept):
    """Return the derivatives of an updated consequent by the old one and by the change."""
    if kept == CLIPPED:
        inside = 1.0 if 0.0 < new < 1.0 else 0.0
        return inside, inside
    if not NEVER < new < 1.0 - NEVER:
        return 0.0, 0.0
    by_change = new * (1.0 - new)
    return by_change / (old * (1.0 - old)), by_change if abs(change) < LARGEST_CHANGE else 0.0
