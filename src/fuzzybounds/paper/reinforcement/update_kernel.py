"""The compiled part of :mod:`update_rules`: one replicate, trial by trial."""

from __future__ import annotations

import numpy as np

from fuzzybounds.canoe.lattice import distance_of
from fuzzybounds.canoe.task import DEADLINE_FRAMES, DEADLINE_STEPS, FRAME, FRAMES_PER_STEP, OVERHEAD
from fuzzybounds.core.compilation import njit

CLIPPED, FREE = range(2)
"""Whether consequents are kept within [0, 1]."""


@njit(nogil=True)
def learn_replicate(degrees, conditions, rule, rng, snapshots, consequents, reward, time):
    """Run one replicate: fill consequents (from its row 0), reward and time.

    `degrees` are the memberships of every frame and of every distance, and the frames between
    two decisions.
    """
    step_size, fixed_rho, leak, o, kept, lagged = rule
    theta = consequents[0].copy()
    trace = np.empty(theta.size)
    reward_so_far = time_so_far = won_before = total_before = 0.0
    shot = 1
    for trial in range(reward.size):
        p0, payoff, penalty = conditions[rng.integers(0, conditions.shape[0])]
        frame, walked = _run_trial(theta, degrees, o, leak, p0, rng, trace)
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
        net = won - rho * total
        if lagged:
            net = won_before - rho * total_before
            won_before, total_before = won, total
        for j in range(theta.size):
            theta[j] += step_size * (net * trace[j])
            if kept == CLIPPED:
                theta[j] = min(max(theta[j], 0.0), 1.0)
        reward_so_far += won
        time_so_far += total
        if snapshots[shot] == trial + 1:
            # Not in one assignment: compiling its message for unequal shapes takes two seconds.
            for j in range(theta.size):
                consequents[shot, j] = theta[j]
            shot += 1


@njit(nogil=True)
def _run_trial(theta, degrees, o, leak, p0, rng, trace):
    """Simulate a trial: return frame and place of its end, and fill the memory of its premises.

    Positions are positive on the correct side.
    """
    times, positions, frames = degrees
    trace[:] = 0.0
    start = 0
    for n in range(DEADLINE_STEPS):
        way = 1 if rng.random() < p0 else -1
        for moved in range(frames, FRAMES_PER_STEP + 1, frames):
            frame, walked = n * FRAMES_PER_STEP + moved, start + way * moved
            if frame == DEADLINE_FRAMES:
                for j in range(theta.size):
                    trace[j] *= leak
                break
            time, position = times[frame], positions[distance_of(walked)]
            output, j = 0.0, 0
            for a in range(time.size):
                for b in range(position.size):
                    premise = time[a] * position[b]
                    output += theta[j] * premise
                    trace[j] = leak * trace[j] + premise
                    j += 1
            if rng.random() * o < output:
                return frame, walked
        start += way * FRAMES_PER_STEP
    return DEADLINE_FRAMES, start
