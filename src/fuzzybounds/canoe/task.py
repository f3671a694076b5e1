"""The canoe movement detection task: kinematics, payoffs, and the simulator of trials.

The canoe starts at the centre and moves at a constant speed.  Every half second it draws a new
direction: the correct one with probability P0 (section "Experiment" of the paper).  The
subject stops the trial by saying where the canoe is heading, or the deadline does.

Every simulated trial is made of :func:`draw_directions`, :func:`free_walk`, someone who stops, and
:func:`end_trials`.  Only :mod:`paper.reinforcement.update_kernel`, which learns from millions of
trials, has a compiled walk of its own; a test compares it with the exact expectation.

Positions are pixels from the centre, right positive; times are seconds from the first movement.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

SPEED = 90.0
"""Speed of the canoe in px/s."""
STEP = 0.5
"""Time between two draws of the direction in s."""
FRAME_RATE = 60
"""Frames per second of the display."""
FRAMES_PER_STEP = 30
FRAME = 1 / FRAME_RATE
STEP_PIXELS = SPEED * STEP
FRAME_PIXELS = SPEED / FRAME_RATE
EDGE = 420.0
"""Largest distance from the centre in px: the canoe waits there until it turns back."""
EDGE_FRAMES = round(EDGE / FRAME_PIXELS)
"""The same in frames of movement."""
DEADLINE = 15.0
"""Time in s after which a trial ends without a response."""
DEADLINE_STEPS = round(DEADLINE / STEP)
DEADLINE_FRAMES = round(DEADLINE * FRAME_RATE)
OVERHEAD = 4.05
"""Cue, feedback and inter-trial time in s, the same for every trial."""
BLOCK = 60.0
"""Length of a block in s."""


@dataclass(frozen=True)
class Condition:
    """One kind of trial.

    `p0` is the probability that a step goes in the correct direction, `payoff` the coins won by a
    correct response and lost by an incorrect one or a missed deadline, and `penalty` the seconds of
    waiting after an incorrect trial.
    """

    name: str
    p0: float
    payoff: int
    penalty: float

    def reward(self, correct: ArrayLike) -> np.ndarray:
        """Coins for each trial."""
        return np.where(correct, self.payoff, -self.payoff)

    def total_time(self, decision_time: ArrayLike, correct: ArrayLike) -> np.ndarray:
        """Seconds that each whole trial takes."""
        return np.asarray(decision_time) + OVERHEAD + np.where(correct, 0.0, self.penalty)


EASY = Condition("easy", p0=0.65, payoff=20, penalty=3.0)
HARD = Condition("hard", p0=0.51, payoff=1, penalty=0.0)
CONDITIONS = {condition.name: condition for condition in (EASY, HARD)}


def draw_directions(p0: ArrayLike, heading: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw the direction, +1 or -1, of every step until the deadline, of shape (trials, steps).

    `heading` is the correct direction of each trial.
    """
    correct = rng.random((heading.size, DEADLINE_STEPS)) < np.reshape(p0, (-1, 1))
    return np.where(correct, heading[:, None], -heading[:, None])


def free_walk(directions: np.ndarray) -> np.ndarray:
    """Return positions (px) at frames 0, 1, ... from the directions of steps (trials, steps).

    The walk is clipped at the edges of the screen, so a canoe that would be beyond the edge waits
    there until its free walk comes back.
    """
    steps = directions * (FRAMES_PER_STEP * FRAME_PIXELS)
    before = np.cumsum(steps, axis=-1) - steps
    within = np.arange(1, FRAMES_PER_STEP + 1) * FRAME_PIXELS
    positions = np.zeros((*directions.shape[:-1], directions.shape[-1] * FRAMES_PER_STEP + 1))
    moved = positions[..., 1:].reshape(*directions.shape, FRAMES_PER_STEP)
    np.multiply(directions[..., None], within, out=moved)
    moved += before[..., None]
    return np.clip(positions, -EDGE, EDGE, out=positions)


@dataclass(frozen=True)
class SimulatedTrials:
    """Simulated trials, one entry per trial.

    `frame` is that of the response, or the deadline's where there was none, and `position` (px) is
    the canoe's at that frame.  A `correct` response was on the side to which the canoe was heading.
    `paths` (trial, frame) has every position up to the deadline, whether it was seen or not.
    """

    frame: np.ndarray
    position: np.ndarray
    responded: np.ndarray
    correct: np.ndarray
    paths: np.ndarray

    @property
    def decision_time(self) -> np.ndarray:
        """Seconds from the first movement to the response or the deadline."""
        return self.frame * FRAME


def end_trials(
    paths: np.ndarray, heading: np.ndarray, frame: np.ndarray, guess: np.ndarray
) -> SimulatedTrials:
    """End trials with a response on the side on which the canoe is; at the centre, with a guess.

    The arguments are described in :class:`SimulatedTrials`.
    """
    position = paths[np.arange(frame.size), frame]
    responded = frame < DEADLINE_FRAMES
    correct = responded & (np.where(position == 0, guess, np.sign(position)) == heading)
    return SimulatedTrials(frame, position, responded, correct, paths)


StoppingPolicy = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""Maps times (s) and distances from the centre (px) to the probability of stopping there, or to
whether the subject stops."""


def simulate_trials(
    policy: StoppingPolicy, condition: Condition, trials: int, rng: np.random.Generator
) -> SimulatedTrials:
    """Simulate trials of one condition for any stopping policy.

    At every frame after the first the subject responds with the policy's probability, with the
    side on which the canoe is; a response at the centre is a guess.
    """
    heading = rng.choice((-1, 1), size=trials)
    paths = free_walk(draw_directions(condition.p0, heading, rng))
    # Frame 0 shows the canoe at rest: nobody can respond to it.
    time = np.arange(1, DEADLINE_FRAMES) * FRAME
    stop = np.broadcast_to(policy(time, np.abs(paths[:, 1:-1])), (trials, time.size))
    chance = rng.random((trials, 1))
    if stop.dtype == bool:
        frame = np.where(stop.any(axis=1), 1 + stop.argmax(axis=1), DEADLINE_FRAMES)
    else:
        with np.errstate(divide="ignore"):
            log_survival = np.cumsum(np.log1p(-stop), axis=1)
        # The first frame at which survival falls below a uniform number is the response.
        frame = 1 + (log_survival > np.log(chance)).sum(axis=1)
    return end_trials(paths, heading, frame, rng.choice((-1, 1), size=trials))
