"""The compiled likelihood: all bridges of a trial at once, and what the trial changes.

The chance to have lasted is carried forward over the lattice together with the memory trace and the
derivatives of both; :mod:`fuzzybounds.learning.people.likelihood` explains the model.

This module is long because all of these share one pass.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fuzzybounds.canoe.task import DEADLINE_STEPS, FRAME, FRAMES_PER_STEP, OVERHEAD
from fuzzybounds.learning.update_kernel import (
    CLIPPED,
    LARGEST_CHANGE,
    NEVER,
    compiled_row,
    updated,
)
from fuzzybounds.storage.compilation import njit

NONE, DRIFT, OUTCOME, HINDSIGHT = range(4)
"""How a model gives credit."""
SURE = 1e-6
"""Stop probabilities are kept this far from 0 and 1, so that no response is impossible."""
SMALL = 1e-100
"""Sums over paths are scaled when they get as small as this."""


class _Paths(NamedTuple):
    """Sums over all paths to a cell, each path weighted by its chance to have lasted.

    Row r belongs to the paths with r steps to the right so far.  With z the trace of a path and s
    the derivative of its log chance by the consequents: of 1, s_i, z_j, z_j s_i, and the derivative
    of z_j by the leak.
    """

    lasted: np.ndarray
    scored: np.ndarray
    traced: np.ndarray
    crossed: np.ndarray
    leaked: np.ndarray


class _Gains(NamedTuple):
    """What a step adds: to s, to z, and to the derivative of z by the leak."""

    slope: np.ndarray
    trace: np.ndarray
    by_leak: np.ndarray


class _Trace(NamedTuple):
    """The expected trace of a trial, and its derivatives by the consequents and by the leak."""

    value: np.ndarray
    by_theta: np.ndarray
    by_leak: np.ndarray


@njit(nogil=True)
def run(subject, decided, traces, trace_slopes, response, theta, numbers, out, scores):
    """Fill `out` and `scores`, and leave the consequents after the last trial in `theta`."""
    o, step_size, leak, credit, kept = numbers
    slopes, rules = scores.shape[0] > 0, theta.shape[1]
    size = DEADLINE_STEPS + 2
    paths = _Paths(
        np.zeros(size),
        np.zeros((size, rules)),
        np.zeros((size, rules)),
        np.zeros((size, rules, rules)),
        np.zeros((size, rules)),
    )
    trace = _Trace(np.zeros(rules), np.zeros((rules, rules)), np.zeros(rules))
    gains = _Gains(np.zeros(rules), np.zeros(rules), np.zeros(rules))
    by_theta, weights = np.zeros(rules), np.zeros(3)
    # Of every consequent by the log-odds at the start, the step size and the leak.
    by_start = np.zeros((theta.shape[0], rules, rules + 2))
    for cue in range(theta.shape[0]):
        for j in range(rules):
            by_start[cue, j, j] = theta[cue, j] * (1.0 - theta[cue, j])
    reward = time = 0.0
    for trial in range(out.size):
        cue = subject.cue[trial]
        own = theta[cue]
        rho = reward / time if trial > 0 else 0.0
        last = _weigh(subject, trial, rho, credit, weights)
        tables = (decided, traces, trace_slopes, weights)
        settings = (o, leak, credit != NONE, slopes)
        out[trial] = _bridge(subject, trial, tables, own, settings, paths, gains, trace, by_theta)
        if subject.responded[trial]:
            out[trial] += _respond(response[trial], own, o, by_theta)
        if slopes:
            _carry(by_theta, by_start[cue], scores[trial], cue)
        if credit != NONE:
            _end_trace(subject, trial, leak, last, response[trial], slopes, trace)
            _update(own, step_size, kept, slopes, trace, by_start[cue])
        reward += subject.reward[trial]
        time += subject.total[trial]


@njit(nogil=True)
def _weigh(subject, trial, rho, credit, weights):
    """Fill what a decision weighs in the trace: weights of 1, of its side and of its time in s.

    In hindsight a decision weighs by what the trial earned more than a response there would have
    (see :mod:`learner`).  Returns the weight of the response itself; in hindsight that is 0, as
    both are the same there.
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
def _probability(p):
    return min(max(p, SURE), 1.0 - SURE)


@njit(nogil=True)
def _go_on(premises, row, theta, o, decisions, slopes, slope):
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
        p = _probability(output / o)
        chance *= 1.0 - p
        if slopes and SURE < p < 1.0 - SURE:
            weight = 1.0 / (o * (1.0 - p))
            for j in range(theta.size):
                slope[j] -= weight * premises[row, i, j]
    return chance


@njit(nogil=True)
def _respond(premises, theta, o, by_theta):
    """Return the log-probability of the response; add its derivative to `by_theta`."""
    output = 0.0
    for j in range(theta.size):
        output += theta[j] * premises[j]
    p = _probability(output / o)
    if SURE < p < 1.0 - SURE:
        for j in range(theta.size):
            by_theta[j] += premises[j] / output
    return np.log(p)


@njit(nogil=True)
def _bridge(subject, trial, tables, theta, settings, paths, gains, trace, by_theta):
    """Return the log of the chance to last until the response, averaged over all bridges.

    Fills `by_theta` with its derivative, and `trace` with the expected trace at the response.
    Going through r downward, a step to the right goes to a cell that is done already, and one to
    the left stays.
    """
    decided, traces, trace_slopes, weights = tables
    o, leak, learns, slopes = settings
    premises = decided.premises
    n, k, frame = subject.completed[trial], subject.right[trial], subject.frame[trial]
    per_step = premises.shape[1]
    at_step = n > 0 and frame <= n * FRAMES_PER_STEP
    fade = (leak**per_step, per_step * leak ** (per_step - 1.0))
    _start(paths)
    log_scale = 0.0
    for m in range(n):
        # The decision at the very frame of a response is the response itself.
        decisions = per_step - 1 if at_step and m == n - 1 else per_step
        low, high = max(0, k - n + m), min(m, k)
        total = 0.0
        for r in range(high, low - 1, -1):
            to_right = (k - r) / (n - m)
            for way in (1, 0):
                row = compiled_row(m, r, way)
                chance = to_right if way else 1.0 - to_right
                if chance > 0.0:
                    chance *= _go_on(premises, row, theta, o, decisions, slopes, gains.slope)
                    if learns:
                        _gain(traces, row, weights, gains.trace)
                        if slopes:
                            _gain(trace_slopes, row, weights, gains.by_leak)
                    total += chance * paths.lasted[r]
                # Nothing has come to r + 1 before if r is the largest number of steps so far.
                fresh = way == 0 or r == m
                _step(paths, r, r + way, fresh, chance, fade, gains, learns, slopes)
        if total < SMALL:
            _scale(paths, low, min(high + 2, k + 1), total)
            log_scale += np.log(total)
    _settle(paths, k, learns, slopes, trace, by_theta)
    log_scale += np.log(paths.lasted[k])
    if at_step:
        return log_scale
    row = compiled_row(n, k, 1 if subject.started[trial] > 0 else 0)
    decisions = (frame - n * FRAMES_PER_STEP - 1) // (FRAMES_PER_STEP // per_step)
    chance = _go_on(premises, row, theta, o, decisions, slopes, gains.slope)
    for i in range(theta.size):
        by_theta[i] += gains.slope[i]
    if learns:
        for i in range(decisions):
            _remember(decided, row, i, leak, weights, slopes, trace)
    return log_scale + np.log(chance)


@njit(nogil=True)
def _start(paths):
    """Put all paths at the centre."""
    paths.lasted[0] = 1.0
    for j in range(paths.traced.shape[1]):
        paths.scored[0, j] = paths.traced[0, j] = paths.leaked[0, j] = 0.0
        for i in range(paths.traced.shape[1]):
            paths.crossed[0, j, i] = 0.0


@njit(nogil=True)
def _gain(tables, row, weights, gained):
    for j in range(gained.size):
        gained[j] = (
            weights[0] * tables[0, row, j]
            + weights[1] * tables[1, row, j]
            + weights[2] * tables[2, row, j]
        )


@njit(nogil=True)
def _step(paths, r, to, fresh, chance, fade, gains, learns, slopes):
    """Move the sums of cell r one step on, to a cell that is `fresh` or has some already.

    Along a step z becomes fade z + gained, and s becomes s + slope.
    """
    if chance == 0.0 and to > r:
        return
    keep = 0.0 if fresh else 1.0
    lasted, rules = paths.lasted[r], gains.slope.size
    if learns:
        for j in range(rules):
            z, gained = paths.traced[r, j], gains.trace[j]
            moved = fade[0] * z + gained * lasted
            if slopes:
                for i in range(rules):
                    both = fade[0] * paths.crossed[r, j, i] + moved * gains.slope[i]
                    both += gained * paths.scored[r, i]
                    paths.crossed[to, j, i] = keep * paths.crossed[to, j, i] + chance * both
                leaked = fade[0] * paths.leaked[r, j] + fade[1] * z + gains.by_leak[j] * lasted
                paths.leaked[to, j] = keep * paths.leaked[to, j] + chance * leaked
            paths.traced[to, j] = keep * paths.traced[to, j] + chance * moved
    if slopes:
        for i in range(rules):
            scored = paths.scored[r, i] + gains.slope[i] * lasted
            paths.scored[to, i] = keep * paths.scored[to, i] + chance * scored
    paths.lasted[to] = keep * paths.lasted[to] + chance * lasted


@njit(nogil=True)
def _scale(paths, low, high, total):
    """Divide the sums of the cells in use, so that the chances to have lasted sum to 1."""
    paths.lasted[low:high] /= total
    paths.scored[low:high] /= total
    paths.traced[low:high] /= total
    paths.crossed[low:high] /= total
    paths.leaked[low:high] /= total


@njit(nogil=True)
def _settle(paths, k, learns, slopes, trace, by_theta):
    """Turn the sums of the last cell into means: the derivative of a mean is a covariance."""
    lasted = paths.lasted[k]
    by_theta[:] = paths.scored[k] / lasted
    if learns:
        trace.value[:] = paths.traced[k] / lasted
    if learns and slopes:
        trace.by_leak[:] = paths.leaked[k] / lasted
        for j in range(by_theta.size):
            for i in range(by_theta.size):
                mean = paths.crossed[k, j, i] / lasted
                trace.by_theta[j, i] = mean - trace.value[j] * by_theta[i]


@njit(nogil=True)
def _remember(decided, row, i, leak, weights, slopes, trace):
    """Let the trace leak and add the premises of one decision."""
    side = 1.0 * np.sign(decided.walked[row, i])
    weight = weights[0] + weights[1] * side + weights[2] * decided.frame[row, i] * FRAME
    _leak(leak, slopes, trace)
    for j in range(trace.value.size):
        trace.value[j] += weight * decided.premises[row, i, j]


@njit(nogil=True)
def _leak(leak, slopes, trace):
    for j in range(trace.value.size):
        if slopes:
            trace.by_leak[j] = leak * trace.by_leak[j] + trace.value[j]
            for i in range(trace.value.size):
                trace.by_theta[j, i] *= leak
        trace.value[j] *= leak


@njit(nogil=True)
def _end_trace(subject, trial, leak, last, response, slopes, trace):
    """Add the response to the trace; where it came at a step's end it is in there already."""
    if subject.frame[trial] == subject.completed[trial] * FRAMES_PER_STEP:
        return
    _leak(leak, slopes, trace)
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
def _update_slopes(old, change, new, kept):
    """Return the derivatives of :func:`learner.updated` by consequent and change."""
    if kept == CLIPPED:
        inside = 1.0 if 0.0 < new < 1.0 else 0.0
        return inside, inside
    if not NEVER < new < 1.0 - NEVER:
        return 0.0, 0.0
    by_change = new * (1.0 - new)
    return by_change / (old * (1.0 - old)), by_change if abs(change) < LARGEST_CHANGE else 0.0
