"""The compiled part of :mod:`fuzzybounds.learning.update_rules`: one replicate, trial by trial."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fuzzybounds.canoe.lattice import compiled_edge_row, distance_of
from fuzzybounds.canoe.task import DEADLINE_FRAMES, DEADLINE_STEPS, FRAME, FRAMES_PER_STEP, OVERHEAD
from fuzzybounds.storage.compilation import njit

OUTCOME, SCORE, HINDSIGHT, DRIFT, SERIAL, NONE = range(6)
"""How a rule gives credit; the last three only when fitted to people."""
CLIPPED, FREE, LOGIT = range(3)
NEVER, LARGEST_CHANGE = 1e-9, 30.0
"""On log-odds, the distance that consequents keep from 0 and 1, and the largest single change."""
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)


class Premises(NamedTuple):
    """What determines the premises y_j at every decision.

    Attributes
    ----------
    time, position : array, shape (frames, n_time), (distances, n_position)
        Memberships by frame (0 at the deadline, where nobody can decide) and by distance.
    peak : array, shape (edges, rules)
        Largest value of y_j among the decisions of each edge (:mod:`fuzzybounds.canoe.lattice`).
    frames : int
        Frames between two decisions.
    """

    time: np.ndarray
    position: np.ndarray
    peak: np.ndarray
    frames: int


@njit(nogil=True)
def learn_replicate(premises, conditions, rule, key, snapshots, consequents, reward, time):
    """Run one replicate: fill consequents (from its row 0), reward and time."""
    credit, step_size, fixed_rho, leak, o, kept = rule
    theta = consequents[0].copy()
    path = np.empty(DEADLINE_STEPS, dtype=np.int64)
    trace, weights = np.empty(theta.size), np.empty(3)
    mean_reward = mean_time = 0.0
    counter, shot = np.uint64(0), 1
    for trial in range(reward.size):
        counter += np.uint64(1)
        p0, payoff, penalty = conditions[int(uniform(key, counter) * conditions.shape[0])]
        counter += np.uint64(1)
        side = 1.0 if uniform(key, counter) < 0.5 else -1.0  # of a guess
        frame, walked, counter = _respond(theta, premises, o, p0, key, counter, path)
        if frame == DEADLINE_FRAMES:
            side = -1.0
        elif walked != 0:
            side = np.sign(1.0 * walked)
        won = payoff * side
        total = frame * FRAME + OVERHEAD + (penalty if side < 0 else 0.0)
        reward[trial], time[trial] = won, total

        rho = fixed_rho
        if np.isnan(fixed_rho):
            rho = mean_reward / mean_time if trial > 0 else 0.0
        weigh(credit, won, total, payoff, penalty, 1.0, rho, weights)
        _remember(theta, premises, credit, o, leak, frame, path, weights, trace)
        for j in range(theta.size):
            theta[j] = updated(theta[j], step_size * trace[j], kept)

        mean_reward += (won - mean_reward) / (trial + 1)
        mean_time += (total - mean_time) / (trial + 1)
        if snapshots[shot] == trial + 1:
            # Not in one assignment: compiling its message for unequal shapes takes two seconds.
            for j in range(theta.size):
                consequents[shot, j] = theta[j]
            shot += 1


@njit(nogil=True)
def weigh(credit, won, total, payoff, penalty, heading, rho, weights):
    """Fill what a decision weighs in the trace: weights of 1, of its side and of its time in s.

    In hindsight a decision weighs by how much more the trial earned than a response there would
    have (:mod:`fuzzybounds.learning.update_rules`); otherwise all decisions weigh the same.
    """
    net = won - rho * total
    weights[:] = 0.0
    weights[0] = 1.0 if credit == DRIFT else net
    if credit == HINDSIGHT:
        cost = rho * penalty / 2
        weights[0] = net + rho * OVERHEAD + cost
        weights[1] = -heading * (payoff + cost)
        weights[2] = rho


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
def _output(theta, premises, frame, walked):
    """Return O, Eq. fuzzy_O, of normalised memberships."""
    time, position = premises.time[frame], premises.position[distance_of(walked)]
    output, j = 0.0, 0
    for a in range(time.size):
        inner = 0.0
        for b in range(position.size):
            inner += theta[j] * position[b]
            j += 1
        output += time[a] * inner
    return output


@njit(nogil=True)
def _respond(theta, premises, o, p0, key, counter, path):
    """Simulate a trial: return frame and place of its end, and the counter; fill its path.

    Within a step no stop probability exceeds `bound`.  So decisions are skipped as if p were the
    bound, and the one that is not skipped is a response with probability p / bound.
    """
    per_step = FRAMES_PER_STEP // premises.frames
    k = 0
    for n in range(DEADLINE_STEPS):
        counter += np.uint64(1)
        toward = 1 if uniform(key, counter) < p0 else 0
        path[n] = toward
        peak = premises.peak[compiled_edge_row(n, k, toward)]
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
            moved = decision * premises.frames
            frame = n * FRAMES_PER_STEP + moved
            walked = FRAMES_PER_STEP * (2 * k - n) + (2 * toward - 1) * moved
            counter += np.uint64(1)
            if uniform(key, counter) * bound * o < _output(theta, premises, frame, walked):
                return frame, walked, counter
        k += toward
    return DEADLINE_FRAMES, FRAMES_PER_STEP * (2 * k - DEADLINE_STEPS), counter


@njit(nogil=True)
def _remember(theta, premises, credit, o, leak, frame, path, weights, trace):
    """Fill the memory trace of a trial, decision by decision, each with its weight."""
    trace[:] = 0.0
    n = k = 0
    for now in range(premises.frames, frame + 1, premises.frames):
        if now > (n + 1) * FRAMES_PER_STEP:
            k += path[n]
            n += 1
        moved = now - n * FRAMES_PER_STEP
        walked = FRAMES_PER_STEP * (2 * k - n) + (2 * path[n] - 1) * moved
        side = (walked > 0) - (walked < 0)
        weight = weights[0] + weights[1] * side + weights[2] * now * FRAME
        if credit == SCORE and now < DEADLINE_FRAMES:
            # Minus the derivative of the log-likelihood of the path by O.
            output = _output(theta, premises, now, walked)
            weight *= -1.0 / output if now == frame else 1.0 / (o - output)
        time, position = premises.time[now], premises.position[distance_of(walked)]
        j = 0
        for a in range(time.size):
            for b in range(position.size):
                trace[j] = leak * trace[j] + weight * (time[a] * position[b])
                j += 1


@njit(nogil=True)
def uniform(key, counter):
    """Return number `counter` of a random stream, within [0, 1): SplitMix64 of its key."""
    z = key + (np.uint64(counter) + np.uint64(1)) * _GOLDEN
    z = (z ^ (z >> _S30)) * _FIRST
    z = (z ^ (z >> _S27)) * _SECOND
    return np.float64((z ^ (z >> _S31)) >> _S11) * 2.0**-53
