"""The compiled part of :mod:`fuzzybounds.learning.update_rules`: one replicate, trial by trial."""

from __future__ import annotations

import numpy as np

from fuzzybounds.canoe.task import DEADLINE_STEPS, FRAME, FRAMES_PER_STEP, OVERHEAD
from fuzzybounds.learning.design import EDGE_FRAMES
from fuzzybounds.learning.random_numbers import uniform
from fuzzybounds.learning.steps import step_row
from fuzzybounds.storage.compilation import njit

OUTCOME, SCORE, HINDSIGHT = range(3)
CLIPPED, FREE, LOGIT = range(3)
NEVER, LARGEST_CHANGE = 1e-9, 30.0
"""On log-odds, the distance that consequents keep from 0 and 1, and the largest single change."""
START = np.int64(0)
"""Frame, place and number of correct steps at the start.  A literal 0 has a type of its own: every
function that takes it would be compiled twice."""
compiled_row = njit(nogil=True)(step_row)


@njit(nogil=True)
def learn_replicate(tables, conditions, rule, decisions, key, snapshots, consequents, reward, time):
    """Run one replicate: fill consequents (from its row 0), reward and time."""
    credit, step_size, fixed_rho, rho_memory, whole_trial, kept = rule
    theta = consequents[0].copy()
    path = np.empty(DEADLINE_STEPS, dtype=np.int64)
    traces = np.empty((3, theta.size))
    mean_reward = mean_time = 0.0
    counter, shot = np.uint64(0), 1
    for trial in range(reward.size):
        counter += np.uint64(1)
        p0, payoff, penalty = conditions[int(uniform(key, counter) * conditions.shape[0])]
        counter += np.uint64(1)
        guess = 1 if uniform(key, counter) < 0.5 else -1
        frame, walked, counter = _respond(theta, tables, decisions, p0, key, counter, path)
        side = _side(walked, guess) if frame < tables.time.shape[0] else -1
        extra = OVERHEAD + (penalty if side < 0 else 0.0)
        reward[trial], time[trial] = payoff * side, frame * FRAME + extra

        rho = fixed_rho
        if np.isnan(fixed_rho):
            rho = mean_reward / mean_time if trial > 0 else 0.0
        net = payoff * side - rho * (frame * FRAME + whole_trial * extra)
        if credit == SCORE:
            _score(theta, tables, decisions, frame, path, traces[0])
        else:
            _memory(tables, decisions, frame, path, credit == HINDSIGHT, traces)
        if credit == HINDSIGHT:
            cost = rho * whole_trial * penalty / 2
            fixed = rho * whole_trial * OVERHEAD + cost
            for j in range(theta.size):
                instead = (payoff + cost) * traces[1, j] - rho * traces[2, j] - fixed * traces[0, j]
                traces[0, j] = net * traces[0, j] - instead
        else:
            for j in range(theta.size):
                traces[0, j] *= net
        for j in range(theta.size):
            theta[j] = updated(theta[j], step_size * traces[0, j], kept)

        weight = max(1.0 / (trial + 1), 1.0 / rho_memory)
        mean_reward += weight * (payoff * side - mean_reward)
        mean_time += weight * (frame * FRAME + whole_trial * extra - mean_time)
        if snapshots[shot] == trial + 1:
            # Not in one assignment: compiling its message for unequal shapes takes two seconds.
            for j in range(theta.size):
                consequents[shot, j] = theta[j]
            shot += 1


@njit(nogil=True)
def updated(theta, change, kept):
    """Return a consequent after a change, within its range."""
    if kept == FREE:
        return theta + change
    if kept == CLIPPED:
        return min(max(theta + change, 0.0), 1.0)
    odds = theta / (1.0 - theta) * np.exp(min(max(change, -LARGEST_CHANGE), LARGEST_CHANGE))
    return min(max(odds / (1.0 + odds), NEVER), 1.0 - NEVER)


@njit(nogil=True)
def _side(walked, guess):
    """Return 1 for a response on the correct side, -1 for a wrong one; at the centre, a guess."""
    if walked == 0:
        return guess
    return 1 if walked > 0 else -1


@njit(nogil=True)
def _output(theta, tables, frame, walked):
    """Return O, Eq. fuzzy_O, of normalised memberships."""
    time, position = tables.time[frame], tables.position[min(abs(walked), EDGE_FRAMES)]
    output, j = 0.0, 0
    for a in range(time.size):
        inner = 0.0
        for b in range(position.size):
            inner += theta[j] * position[b]
            j += 1
        output += time[a] * inner
    return output


@njit(nogil=True)
def _respond(theta, tables, decisions, p0, key, counter, path):
    """Simulate a trial: return frame and place of its end, and the counter; fill its path.

    Within a step no stop probability exceeds `bound`.  So decisions are skipped as if p were the
    bound, and the one that is not skipped is a response with probability p / bound.
    """
    o, at_start = decisions
    if at_start:
        counter += np.uint64(1)
        if uniform(key, counter) * o < _output(theta, tables, START, START):
            return 0, 0, counter
    per_step = FRAMES_PER_STEP // tables.frames
    k = START
    for n in range(DEADLINE_STEPS):
        counter += np.uint64(1)
        toward = 1 if uniform(key, counter) < p0 else 0
        path[n] = toward
        peak = tables.peak[compiled_row(n, k, toward)]
        bound = 0.0
        for j in range(theta.size):
            bound += max(theta[j], 0.0) * peak[j]
        bound = min(bound / o, 1.0)
        last = per_step if n < DEADLINE_STEPS - 1 else per_step - 1
        decision = 0
        while bound > 0.0:
            if bound < 1.0:
                counter += np.uint64(1)
                skipped = np.log(1.0 - uniform(key, counter)) / np.log1p(-bound)
                if skipped >= last - decision:
                    break
                decision += int(skipped)
            decision += 1
            if decision > last:
                break
            moved = decision * tables.frames
            frame = n * FRAMES_PER_STEP + moved
            walked = FRAMES_PER_STEP * (2 * k - n) + (2 * toward - 1) * moved
            counter += np.uint64(1)
            if uniform(key, counter) * bound * o < _output(theta, tables, frame, walked):
                return frame, walked, counter
        k += toward
    return DEADLINE_STEPS * FRAMES_PER_STEP, FRAMES_PER_STEP * (2 * k - DEADLINE_STEPS), counter


@njit(nogil=True)
def _memory(tables, decisions, frame, path, all_traces, traces):
    """Fill the memory trace z of a trial and, for hindsight, those of its sides and times."""
    used = 3 if all_traces else 1
    for which in range(used):
        for j in range(traces.shape[1]):
            traces[which, j] = 0.0
    if decisions[1]:
        _remember(tables, START, START, 1.0, used, traces)
    k = START
    steps = min(frame // FRAMES_PER_STEP, DEADLINE_STEPS)
    fade = tables.leak ** (FRAMES_PER_STEP // tables.frames)
    for n in range(steps):
        row = compiled_row(n, k, path[n])
        for j in range(traces.shape[1]):
            traces[0, j] = fade * traces[0, j] + tables.memory[row, j]
        if all_traces:
            for j in range(traces.shape[1]):
                traces[1, j] = fade * traces[1, j] + tables.sided[row, j]
                traces[2, j] = fade * traces[2, j] + tables.timed[row, j]
        k += path[n]
    start = steps * FRAMES_PER_STEP
    for moved in range(tables.frames, frame - start + 1, tables.frames):
        walked = FRAMES_PER_STEP * (2 * k - steps) + (2 * path[steps] - 1) * moved
        _remember(tables, start + moved, walked, tables.leak, used, traces)


@njit(nogil=True)
def _remember(tables, frame, walked, leak, used, traces):
    """Let the traces leak and add the premises of one decision."""
    time, position = tables.time[frame], tables.position[min(abs(walked), EDGE_FRAMES)]
    side, seconds = (walked > 0) - (walked < 0), frame * FRAME
    j = 0
    for a in range(time.size):
        for b in range(position.size):
            premise = time[a] * position[b]
            traces[0, j] = leak * traces[0, j] + premise
            if used > 1:
                traces[1, j] = leak * traces[1, j] + premise * side
                traces[2, j] = leak * traces[2, j] + premise * seconds
            j += 1


@njit(nogil=True)
def _score(theta, tables, decisions, frame, path, trace):
    """Fill the trace of "score": minus the derivative of the path's log-likelihood by theta."""
    o, at_start = decisions
    trace[:] = 0.0
    n = k = 0
    first = 0 if at_start else tables.frames
    for now in range(first, min(frame, tables.time.shape[0] - 1) + 1, tables.frames):
        while now > (n + 1) * FRAMES_PER_STEP:
            k += path[n]
            n += 1
        moved = now - n * FRAMES_PER_STEP
        walked = FRAMES_PER_STEP * (2 * k - n) + (2 * path[n] - 1) * moved
        output = _output(theta, tables, now, walked)
        weight = -1.0 / output if now == frame else 1.0 / (o - output)
        time, position = tables.time[now], tables.position[min(abs(walked), EDGE_FRAMES)]
        j = 0
        for a in range(time.size):
            for b in range(position.size):
                trace[j] = tables.leak * trace[j] + weight * time[a] * position[b]
                j += 1
