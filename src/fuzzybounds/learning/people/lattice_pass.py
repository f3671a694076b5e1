"""All bridges of a trial at once: survival probability, memory trace, and their derivatives.

They are carried forward over the lattice step by step, in one pass, because each needs the others;
:mod:`fuzzybounds.learning.people.likelihood` explains the model.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fuzzybounds.canoe.lattice import compiled_edge_row
from fuzzybounds.canoe.task import DEADLINE_STEPS, FRAME, FRAMES_PER_STEP
from fuzzybounds.storage.compilation import njit

SURE = 1e-6
"""Stop probabilities are kept this far from 0 and 1, so that no response is impossible."""
SMALL = 1e-100
"""Sums over paths are rescaled when they become this small."""


class Paths(NamedTuple):
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


class Gains(NamedTuple):
    """What a step adds: to s, to z, and to the derivative of z by the leak."""

    slope: np.ndarray
    trace: np.ndarray
    by_leak: np.ndarray


class Trace(NamedTuple):
    """The expected trace of a trial, and its derivatives by the consequents and by the leak."""

    value: np.ndarray
    by_theta: np.ndarray
    by_leak: np.ndarray


class Room(NamedTuple):
    """Arrays that every trial uses again: sums over paths, gains of a step, the trace."""

    paths: Paths
    gains: Gains
    trace: Trace


@njit(nogil=True)
def make_room(rules):
    """Allocate the arrays for a number of rules."""
    size = DEADLINE_STEPS + 2
    table = (size, rules)
    crossed = np.zeros((size, rules, rules))
    return Room(
        Paths(np.zeros(size), np.zeros(table), np.zeros(table), crossed, np.zeros(table)),
        Gains(np.zeros(rules), np.zeros(rules), np.zeros(rules)),
        Trace(np.zeros(rules), np.zeros((rules, rules)), np.zeros(rules)),
    )


@njit(nogil=True)
def trial_log_likelihood(subject, trial, tables, response, theta, settings, room, by_theta):
    """Return the log-likelihood of a trial: of going on until its end, and of its response.

    Going on is averaged over all bridges.  Fills `by_theta` with the derivative by the consequents,
    and the trace of `room` with what is expected at the response.  With r in descending order, a
    step to the right leads to a cell that is already done, and one to the left stays in its cell.
    """
    decided, traces, trace_slopes, weights = tables
    o, leak, learns, slopes = settings
    premises = decided.premises
    paths, gains, trace = room
    n, k, frame = subject.completed[trial], subject.right[trial], subject.frame[trial]
    per_step = premises.shape[1]
    at_step = n > 0 and frame <= n * FRAMES_PER_STEP
    fade = (leak**per_step, per_step * leak ** (per_step - 1.0))
    paths.lasted[0] = 1.0
    paths.scored[0], paths.traced[0], paths.crossed[0], paths.leaked[0] = 0.0, 0.0, 0.0, 0.0
    value = 0.0
    for m in range(n):
        # The decision at the very frame of a response is the response itself.
        decisions = per_step - 1 if at_step and m == n - 1 else per_step
        low, high = max(0, k - n + m), min(m, k)
        total = 0.0
        for r in range(high, low - 1, -1):
            to_right = (k - r) / (n - m)
            for way in (1, 0):
                row = compiled_edge_row(m, r, way)
                chance = to_right if way else 1.0 - to_right
                if chance > 0.0:
                    chance *= _go_on(premises[row], theta, o, decisions, slopes, gains.slope)
                    if learns:
                        _gain(traces, row, weights, gains.trace)
                        if slopes:
                            _gain(trace_slopes, row, weights, gains.by_leak)
                    total += chance * paths.lasted[r]
                # Nothing has come to r + 1 before if r is the largest number of steps so far.
                fresh = way == 0 or r == m
                _step(paths, r, r + way, fresh, chance, fade, gains, learns, slopes)
        if total < SMALL:
            used = slice(low, min(high + 2, k + 1))
            paths.lasted[used] /= total
            paths.scored[used] /= total
            paths.traced[used] /= total
            paths.crossed[used] /= total
            paths.leaked[used] /= total
            value += np.log(total)
    _settle(paths, k, learns, slopes, trace, by_theta)
    value += np.log(paths.lasted[k])
    if not at_step:
        row = compiled_edge_row(n, k, 1 if subject.started[trial] > 0 else 0)
        decisions = (frame - n * FRAMES_PER_STEP - 1) // (FRAMES_PER_STEP // per_step)
        value += np.log(_go_on(premises[row], theta, o, decisions, slopes, gains.slope))
        by_theta += gains.slope
        if learns:
            for i in range(decisions):
                _remember(decided, row, i, leak, weights, slopes, trace)
    if subject.responded[trial]:
        output = _output(theta, response)
        p = _probability(output / o)
        if SURE < p < 1.0 - SURE:
            by_theta += response / output
        value += np.log(p)
    return value


@njit(nogil=True)
def _output(theta, premises):
    output = 0.0
    for j in range(theta.size):
        output += theta[j] * premises[j]
    return output


@njit(nogil=True)
def _probability(p):
    return min(max(p, SURE), 1.0 - SURE)


@njit(nogil=True)
def _go_on(premises, theta, o, decisions, slopes, slope):
    """Return the chance to go on at the first `decisions` decisions of a step.

    Fills the derivative of its log by the consequents.
    """
    chance = 1.0
    for j in range(theta.size):
        slope[j] = 0.0
    for i in range(decisions):
        p = _probability(_output(theta, premises[i]) / o)
        chance *= 1.0 - p
        if slopes and SURE < p < 1.0 - SURE:
            weight = 1.0 / (o * (1.0 - p))
            for j in range(theta.size):
                slope[j] -= weight * premises[i, j]
    return chance


@njit(nogil=True)
def _gain(tables, row, weights, gained):
    for j in range(gained.size):
        gained[j] = 0.0
        for w in range(3):
            gained[j] += weights[w] * tables[w, row, j]


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
    fade_trace(leak, slopes, trace)
    for j in range(trace.value.size):
        trace.value[j] += weight * decided.premises[row, i, j]


@njit(nogil=True)
def fade_trace(leak, slopes, trace):
    """Let the trace and its derivatives leak once."""
    for j in range(trace.value.size):
        if slopes:
            trace.by_leak[j] = leak * trace.by_leak[j] + trace.value[j]
            for i in range(trace.value.size):
                trace.by_theta[j, i] *= leak
        trace.value[j] *= leak
