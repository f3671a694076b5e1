"""The compiled likelihood of a subject's trials, and what each trial changes.

Derivatives are carried along; :mod:`likelihood` explains the model.
"""

from __future__ import annotations

import numpy as np

from fuzzybounds.beyond.learners.people.lattice_pass import CELLS, remember, trial_log_likelihood
from fuzzybounds.canoe.task import FRAMES_PER_STEP
from fuzzybounds.core.compilation import njit
from fuzzybounds.paper.reinforcement.update_kernel import (
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


@njit(nogil=True)
def run(subject, decided, traces, trace_slopes, response, theta, numbers, out, scores):
    """Fill `out` and `scores`, and leave the consequents after the last trial in `theta`."""
    step_size, leak, error_shift, credit, kept = numbers
    slopes, (cues, rules) = scores.shape[0] > 0, theta.shape
    from_trace = credit != NONE and credit != SERIAL
    settings = (leak, rules + 1 if from_trace else 1, rules + 2 if slopes else 1)
    cells, mean = np.zeros((CELLS, rules + 1, rules + 2)), np.zeros((rules + 1, rules + 2))
    weights = np.zeros(3)
    # Of every consequent by the log-odds at the start, the step size, the leak and the error shift.
    by_start = np.zeros((cues, rules, rules + 3))
    for cue in range(cues):
        for j in range(rules):
            by_start[cue, j, j] = theta[cue, j] * (1.0 - theta[cue, j])
    # Serial dependence: the shift of each rule base, and its derivatives by those three.
    start, shift = theta.copy(), np.zeros((cues, 4))
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
                subject, trial, tables, response[trial], theta[cue], settings, cells, mean
            )
            if slopes:
                _carry(mean[0], by_start[cue], scores[trial], cue)
            if credit == SERIAL:
                deviation, own = subject.deviation[trial], shift[cue]
                own[2] = leak * own[2] + own[0]
                own[1] = leak * own[1] + deviation
                own[0] = leak * own[0] + step_size * deviation
                own[3] *= leak
                # An error concerns all rule bases.
                wrong = 1.0 if subject.responded[trial] and won < 0.0 else 0.0
                for each in range(cues):
                    shift[each, 0] += error_shift * wrong
                    shift[each, 3] += wrong
                    _shift(start[each], shift[each], theta[each], by_start[each])
            elif from_trace:
                # A response at a step's end is in the trace already.
                if subject.frame[trial] != subject.completed[trial] * FRAMES_PER_STEP:
                    # In hindsight the response itself weighs 0: it is what the trial earned.
                    last = 0.0 if credit == HINDSIGHT else weights[0]
                    remember(mean, leak, last, response[trial])
                _update(theta[cue], step_size, kept, slopes, mean, by_start[cue])
        # A trial whose path is unknown still earns coins and takes time.
        reward += won
        time += total


@njit(nogil=True)
def _carry(mean, by_start, score, cue):
    """Carry derivatives by the consequents of now to the parameters, by the chain rule."""
    rules = by_start.shape[0]
    for j in range(rules):
        for i in range(rules):
            score[cue * rules + i] += mean[1 + j] * by_start[j, i]
        for i in range(3):
            score[score.size - 3 + i] += mean[1 + j] * by_start[j, rules + i]


@njit(nogil=True)
def _update(theta, step_size, kept, slopes, mean, by_start):
    """Change the consequents by the expected trace, and with them their derivatives."""
    rules = theta.size
    before = by_start.copy()
    for j in range(rules):
        old, change = theta[j], step_size * mean[1 + j, 0]
        theta[j] = updated(old, change, kept)
        if not slopes:
            continue
        by_old, by_change = _update_slopes(old, change, theta[j], kept)
        for p in range(rules + 2):
            moved = 0.0
            for i in range(rules):
                moved += mean[1 + j, 1 + i] * before[i, p]
            by_start[j, p] = by_old * before[j, p] + by_change * step_size * moved
        by_start[j, rules] += by_change * mean[1 + j, 0]
        by_start[j, rules + 1] += by_change * step_size * mean[1 + j, rules + 1]


@njit(nogil=True)
def _shift(start, shift, theta, by_start):
    """Shift the log-odds of all consequents alike from the start, and their derivatives."""
    rules = theta.size
    for j in range(rules):
        old = start[j]
        theta[j] = updated(old, shift[0], LOGIT)
        by_old, by_shift = _update_slopes(old, shift[0], theta[j], LOGIT)
        by_start[j, j] = by_old * old * (1.0 - old)
        for i in range(3):
            by_start[j, rules + i] = by_shift * shift[1 + i]


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
