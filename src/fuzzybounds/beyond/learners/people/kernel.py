"""The compiled likelihood of a subject's trials, and what each trial changes, with derivatives.

:mod:`likelihood` explains the model.  Of a trial, survival probability, memory trace and their
derivatives are carried forward over the lattice, over all bridges at once and in one pass, because
each needs the others.  A cell of the lattice holds sums over all paths that lead there, each
weighted by its chance to have lasted.  With z_j the trace of a path and s_i the derivative of its
log chance by the consequents:

    1    s_1      ...  s_R      0
    z_1  z_1 s_1  ...  z_1 s_R  dz_1/dgamma
    ...

The last column is the derivative by the leak gamma.  Models that do not learn from a trace need the
first row alone, and a likelihood without derivatives the first column.
"""

from __future__ import annotations

import numpy as np

from fuzzybounds.canoe.lattice import compiled_edge_row
from fuzzybounds.canoe.task import DEADLINE_STEPS, FRAME, FRAMES_PER_STEP
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

SURE = 1e-6
"""Stop probabilities are kept this far from 0 and 1, so that no response is impossible."""
SMALL = 1e-100
"""Sums over paths are rescaled when they become this small."""
CELLS = DEADLINE_STEPS + 2


@njit(nogil=True)
def run(subject, decided, traces, trace_slopes, response, theta, numbers, out, scores):
    """Fill `out` and `scores`; `theta`, the consequents, changes from trial to trial."""
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


@njit(nogil=True)
def trial_log_likelihood(subject, trial, tables, response, theta, settings, cells, mean):
    """Return the log-likelihood of a trial: of going on until its end, and of its response.

    Going on is averaged over all bridges.  Fills `mean` with the mean of the last cell: in its
    first row the derivative of the log-likelihood, in the others the trace that is expected at the
    response and its derivatives.  Cell r belongs to the paths with r steps to the right.
    """
    decided, traces, trace_slopes, weights = tables
    leak, rows, columns = settings
    premises, slope, gains = decided.premises, np.zeros(theta.size), np.zeros((2, theta.size))
    n, k, frame = subject.completed[trial], subject.right[trial], subject.frame[trial]
    per_step = premises.shape[1]
    at_step = n > 0 and frame <= n * FRAMES_PER_STEP
    fade = (leak**per_step, per_step * leak ** (per_step - 1.0))
    cells[0] = 0.0
    cells[0, 0, 0] = 1.0
    value = 0.0
    for m in range(n):
        # The decision at the very frame of a response is the response itself.
        decisions = per_step - 1 if at_step and m == n - 1 else per_step
        low, high = max(0, k - n + m), min(m, k)
        total = 0.0
        # In descending order, a step to the right leads to a cell that is already done, and one to
        # the left stays in its cell.
        for r in range(high, low - 1, -1):
            to_right = (k - r) / (n - m)
            for way in (1, 0):
                row = compiled_edge_row(m, r, way)
                chance = to_right if way else 1.0 - to_right
                if chance > 0.0:
                    chance *= _go_on(premises, row, theta, decisions, columns, slope)
                    total += chance * cells[r, 0, 0]
                    if rows > 1:
                        _gain(traces, row, weights, gains[0])
                        if columns > 1:
                            _gain(trace_slopes, row, weights, gains[1])
                elif way:
                    continue
                # Nothing has come to r + 1 before if r is the largest number of steps so far.
                keep = 0.0 if way == 0 or r == m else 1.0
                _step(cells[r], cells[r + way], keep, chance, fade, slope, gains, rows, columns)
        if total < SMALL:
            cells[low : min(high + 2, k + 1)] /= total
            value += np.log(total)
    value += np.log(cells[k, 0, 0])
    mean[:] = cells[k] / cells[k, 0, 0]
    by_theta = mean[0, 1 : theta.size + 1]
    for j in range(1, rows):
        # The derivative of a mean over paths is a covariance.
        mean[j, 1 : theta.size + 1] -= mean[j, 0] * by_theta
    if not at_step:
        row = compiled_edge_row(n, k, 1 if subject.started[trial] > 0 else 0)
        decisions = (frame - n * FRAMES_PER_STEP - 1) // (FRAMES_PER_STEP // per_step)
        value += np.log(_go_on(premises, row, theta, decisions, columns, slope))
        by_theta += slope
        for i in range(decisions if rows > 1 else 0):
            side = 1.0 * np.sign(decided.walked[row, i])
            weight = weights[0] + weights[1] * side + weights[2] * decided.frame[row, i] * FRAME
            remember(mean, leak, weight, premises[row, i])
    if subject.responded[trial]:
        output = (theta * response).sum()
        p = min(max(output, SURE), 1.0 - SURE)
        if SURE < p < 1.0 - SURE:
            by_theta += response / output
        value += np.log(p)
    return value


@njit(nogil=True)
def _go_on(premises, row, theta, decisions, columns, slope):
    """Return the chance to go on at the first `decisions` decisions of a step.

    Fills the derivative of its log by the consequents.
    """
    chance = 1.0
    for j in range(theta.size):
        slope[j] = 0.0
    for i in range(decisions):
        output = 0.0
        for j in range(theta.size):
            output += theta[j] * premises[row, i, j]
        p = min(max(output, SURE), 1.0 - SURE)
        chance *= 1.0 - p
        if columns > 1 and SURE < p < 1.0 - SURE:
            weight = 1.0 / (1.0 - p)
            for j in range(theta.size):
                slope[j] -= weight * premises[row, i, j]
    return chance


@njit(nogil=True)
def _gain(tables, row, weights, gained):
    """Fill what a step adds to the trace, or to its derivative by the leak."""
    for j in range(gained.size):
        gained[j] = 0.0
        for w in range(3):
            gained[j] += weights[w] * tables[w, row, j]


@njit(nogil=True)
def _step(here, there, keep, chance, fade, slope, gains, rows, columns):
    """Move the sums of a cell one step on; both may be the same cell.

    Along a step z becomes fade z + gained, and s becomes s + slope.  The first row comes last,
    because the others need it as it was.
    """
    lasted, last = here[0, 0], columns - 1
    for j in range(rows - 1, -1, -1):
        z, left, gained = here[j, 0], 1.0, 0.0
        if j > 0:
            left, gained = fade[0], gains[0, j - 1]
        moved = left * z + gained * lasted
        for i in range(1, last):
            both = left * here[j, i] + moved * slope[i - 1] + gained * here[0, i]
            there[j, i] = keep * there[j, i] + chance * both
        if j > 0 and last > 0:
            leaked = left * here[j, last] + fade[1] * z + gains[1, j - 1] * lasted
            there[j, last] = keep * there[j, last] + chance * leaked
        there[j, 0] = keep * there[j, 0] + chance * moved


@njit(nogil=True)
def remember(mean, leak, weight, premises):
    """Let the trace leak once, and its derivatives; add the premises of a decision."""
    last = mean.shape[1] - 1
    for j in range(1, mean.shape[0]):
        mean[j, last] = leak * mean[j, last] + mean[j, 0]
        for i in range(last):
            mean[j, i] *= leak
        mean[j, 0] += weight * premises[j - 1]
