"""The compiled likelihood of a subject's trials, and what each trial changes.

Derivatives are carried along; :mod:`fuzzybounds.learning.people.likelihood` explains the model.
"""

from __future__ import annotations

import numpy as np

from fuzzybounds.canoe.task import FRAMES_PER_STEP
from fuzzybounds.learning.people.lattice_pass import fade_trace, make_room, trial_log_likelihood
from fuzzybounds.learning.update_kernel import (
    CLIPPED,
    HINDSIGHT,
    LARGEST_CHANGE,
    LOGIT,
    NEVER,
    NONE,
    SERIAL,
    updated,
    weigh,
)
from fuzzybounds.storage.compilation import njit


@njit(nogil=True)
def run(subject, decided, traces, trace_slopes, response, theta, numbers, out, scores):
    """Fill `out` and `scores`, and leave the consequents after the last trial in `theta`."""
    o, step_size, leak, credit, kept = numbers
    slopes, (cues, rules) = scores.shape[0] > 0, theta.shape
    settings = (o, leak, credit != NONE and credit != SERIAL, slopes)
    room = make_room(rules)
    by_theta, weights = np.zeros(rules), np.zeros(3)
    # Of every consequent by the log-odds at the start, the step size and the leak.
    by_start = np.zeros((cues, rules, rules + 2))
    for cue in range(cues):
        for j in range(rules):
            by_start[cue, j, j] = theta[cue, j] * (1.0 - theta[cue, j])
    # Serial dependence: the shift of each rule base, and its derivatives by step size and leak.
    start, shift = theta.copy(), np.zeros((cues, 3))
    reward = time = 0.0
    for trial in range(out.size):
        out[trial] = 0.0
        won, total = subject.reward[trial], subject.total[trial]
        if subject.on_lattice[trial]:
            cue = subject.cue[trial]
            rho = reward / time if trial > 0 else 0.0
            task = (subject.payoff[trial], subject.penalty[trial], subject.heading[trial])
            weigh(credit, won, total, *task, rho, weights)
            tables = (decided, traces, trace_slopes, weights)
            out[trial] = trial_log_likelihood(
                subject, trial, tables, response[trial], theta[cue], settings, room, by_theta
            )
            if slopes:
                _carry(by_theta, by_start[cue], scores[trial], cue)
            if credit == SERIAL:
                deviation = subject.deviation[trial]
                own = shift[cue]
                own[2] = leak * own[2] + own[0]
                own[1] = leak * own[1] + deviation
                own[0] = leak * own[0] + step_size * deviation
                _shift(start[cue], own, theta[cue], by_start[cue])
            elif credit != NONE:
                # In hindsight the response itself weighs 0: it is what the trial earned.
                last = 0.0 if credit == HINDSIGHT else weights[0]
                _end_trace(subject, trial, leak, last, response[trial], slopes, room.trace)
                _update(theta[cue], step_size, kept, slopes, room.trace, by_start[cue])
        # A trial whose path is unknown still earns coins and takes time.
        reward += won
        time += total


@njit(nogil=True)
def _end_trace(subject, trial, leak, last, response, slopes, trace):
    """Add the response to the trace; where it came at a step's end it is in there already."""
    if subject.frame[trial] == subject.completed[trial] * FRAMES_PER_STEP:
        return
    fade_trace(leak, slopes, trace)
    for j in range(response.size):
        trace.value[j] += last * response[j]


@njit(nogil=True)
def _carry(by_theta, by_start, score, cue):
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
        by_old, by_change = _update_slopes(old, change, theta[j], kept)
        for p in range(rules + 2):
            moved = 0.0
            for i in range(rules):
                moved += trace.by_theta[j, i] * before[i, p]
            by_start[j, p] = by_old * before[j, p] + by_change * step_size * moved
        by_start[j, rules] += by_change * trace.value[j]
        by_start[j, rules + 1] += by_change * step_size * trace.by_leak[j]


@njit(nogil=True)
def _shift(start, shift, theta, by_start):
    """Shift the log-odds of all consequents alike from the start, and their derivatives."""
    rules = theta.size
    for j in range(rules):
        old = start[j]
        theta[j] = updated(old, shift[0], LOGIT)
        by_old, by_shift = _update_slopes(old, shift[0], theta[j], LOGIT)
        by_start[j, j] = by_old * old * (1.0 - old)
        by_start[j, rules], by_start[j, rules + 1] = by_shift * shift[1], by_shift * shift[2]


@njit(nogil=True)
def _update_slopes(old, change, new, kept):
    """Return the derivatives of an updated consequent by the old one and by the change."""
    if kept == CLIPPED:
        inside = 1.0 if 0.0 < new < 1.0 else 0.0
        return inside, inside
    if not NEVER < new < 1.0 - NEVER:
        return 0.0, 0.0
    by_change = new * (1.0 - new)
    return by_change / (old * (1.0 - old)), by_change if abs(change) < LARGEST_CHANGE else 0.0
