"""The compiled part of :mod:`update_rules`: one replicate, trial by trial."""

from __future__ import annotations

import numpy as np

from fuzzybounds.canoe.lattice import distance_of
from fuzzybounds.canoe.task import DEADLINE_FRAMES, DEADLINE_STEPS, FRAME, FRAMES_PER_STEP, OVERHEAD
from fuzzybounds.core.compilation import njit

OUTCOME, HINDSIGHT = range(2)
"""How a rule gives credit."""
CLIPPED, FREE, LOGIT = range(3)
NEVER, LARGEST_CHANGE = 1e-9, 30.0
"""On log-odds, the distance that consequents keep from 0 and 1, and the largest single change."""


@njit(nogil=True)
def learn_replicate(degrees, conditions, rule, rng, snapshots, consequents, reward, time):
    """Run one replicate: fill consequents (from its row 0), reward and time.

    `degrees` are the memberships of every frame and of every distance, and the frames between
    two decisions.
    """
    credit, step_size, fixed_rho, leak, o, kept, lagged = rule
    theta = consequents[0].copy()
    traces, weights = np.empty((3, theta.size)), np.empty(3)
    reward_so_far = time_so_far = won_before = total_before = 0.0
    shot = 1
    for trial in range(reward.size):
        p0, payoff, penalty = conditions[rng.integers(0, conditions.shape[0])]
        frame, walked = _run_trial(theta, degrees, o, leak, p0, rng, traces)
        if frame == DEADLINE_FRAMES:
            side = -1.0
        elif walked == 0:
            side = 1.0 if rng.random() < 0.5 else -1.0
        else:
            side = np.sign(1.0 * walked)
        won = payoff * side
        total = frame * FRAME + OVERHEAD + (penalty if side < 0 else 0.0)
        reward[trial], time[trial] = won, total
        rho = fixed_rho
        if np.isnan(fixed_rho):
            rho = reward_so_far / time_so_far if trial > 0 else 0.0
        if lagged:
            weigh(credit, won_before, total_before, payoff, penalty, rho, weights)
            won_before, total_before = won, total
        else:
            weigh(credit, won, total, payoff, penalty, rho, weights)
        for j in range(theta.size):
            change = 0.0
            for i in range(3):
                change += weights[i] * traces[i, j]
            theta[j] = updated(theta[j], step_size * change, kept)
        reward_so_far += won
        time_so_far += total
        if snapshots[shot] == trial + 1:
            # Not in one assignment: compiling its message for unequal shapes takes two seconds.
            for j in range(theta.size):
                consequents[shot, j] = theta[j]
            shot += 1


@njit(nogil=True)
def _run_trial(theta, degrees, o, leak, p0, rng, traces):
    """Simulate a trial: return frame and place of its end, and fill its three memory traces.

    They are of the premises, of the premises times the side of the canoe, and of the premises
    times the time in s.  Positions are positive on the correct side.
    """
    times, positions, frames = degrees
    traces[:] = 0.0
    start = 0
    for n in range(DEADLINE_STEPS):
        way = 1 if rng.random() < p0 else -1
        for moved in range(frames, FRAMES_PER_STEP + 1, frames):
            frame, walked = n * FRAMES_PER_STEP + moved, start + way * moved
            if frame == DEADLINE_FRAMES:
                for j in range(theta.size):
                    for i in range(3):
                        traces[i, j] *= leak
                break
            time, position = times[frame], positions[distance_of(walked)]
            side, output, j = np.sign(walked), 0.0, 0
            for a in range(time.size):
                for b in range(position.size):
                    premise = time[a] * position[b]
                    output += theta[j] * premise
                    traces[0, j] = leak * traces[0, j] + premise
                    traces[1, j] = leak * traces[1, j] + premise * side
                    traces[2, j] = leak * traces[2, j] + premise * frame * FRAME
                    j += 1
            if rng.random() * o < output:
                return frame, walked
        start += way * FRAMES_PER_STEP
    return DEADLINE_FRAMES, start


@njit(nogil=True)
def weigh(credit, won, total, payoff, penalty, rho, weights):
    """Fill the weights of a trial's decisions: a constant, by the canoe's side, and by time in s.

    In hindsight a decision weighs by how much more the trial earned than a response there would
    have (:mod:`update_rules`); otherwise all decisions weigh the same.
    """
    net = won - rho * total
    weights[:] = 0.0
    weights[0] = net
    if credit == HINDSIGHT:
        cost = rho * penalty / 2
        weights[0] = net + rho * OVERHEAD + cost
        weights[1] = -(payoff + cost)
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
