"""Trials of any design: simulated, and their likelihood along known paths.

A design may start the canoe anywhere, and may have a *gate*: responses count only after a signal at
a random time.  The likelihood of a trial is the product over its decisions, one every bin, from the
first at or after the signal.  With a motor delay d a response at t was decided at t - d, but no
decision is earlier than the signal.  What happened before the signal has no weight, and neither has
the chance of a start or of a path: given what was seen they say nothing about who saw it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import expit, logit

from fuzzybounds.canoe.paths import frames_before
from fuzzybounds.canoe.task import EDGE, FRAME, FRAME_RATE, Condition
from fuzzybounds.logs.study_design import StudyDesign
from fuzzybounds.stopping.lattice import Bins, LatticeStates
from fuzzybounds.stopping.likelihood import Likelihood
from fuzzybounds.stopping.recorded import Watched, states_of

RESOLUTION = 0.5
"""Distances are rounded to so many px, so that equal states of recorded paths are one."""
GATED = 2.0
"""What is added to the direction of decisions on gated trials where these are marked."""


class Drawn(NamedTuple):
    """What chance decides of trials: headings, starts (px), signals (s, NaN if none) and paths.

    `positions` (trials, frames) are in px, right positive, up to the deadline.
    """

    heading: np.ndarray
    start: np.ndarray
    signal: np.ndarray
    positions: np.ndarray


class Seen(NamedTuple):
    """What there is to see at every decision (columns) of trials (rows), as in a hazard."""

    time: np.ndarray
    distance: np.ndarray
    outward: np.ndarray


def draw_trials(
    design: StudyDesign, condition: Condition, number: int, rng: np.random.Generator
) -> Drawn:
    """Draw trials of one condition of a design.

    The heading is drawn given the start, as if the canoe had come there from the centre, so that
    its position is the evidence that it is in the paper.
    """
    pixels = design.speed * design.step
    reach = int(design.start / pixels + 1e-9)
    start = rng.integers(-reach, reach + 1, number)
    heading = np.where(rng.random(number) < expit(start * logit(condition.p0)), 1, -1)
    steps = int(np.ceil(design.deadline / design.step))
    correct = rng.random((number, steps)) < condition.p0
    ways = np.where(correct, heading[:, None], -heading[:, None])
    frames = np.repeat(ways, round(design.step * FRAME_RATE), axis=1) * design.speed * FRAME
    walked = np.cumsum(frames, axis=1)[:, : round(design.deadline * FRAME_RATE)]
    free = pixels * start[:, None] + np.insert(walked, 0, 0.0, axis=1)
    signal = np.full(number, np.nan)
    if design.gate is not None:
        gated = rng.random(number) >= design.gate.ungated
        frame = np.ceil(design.gate.times(rng.random(number)) * FRAME_RATE)
        signal[gated] = frame[gated] * FRAME
    return Drawn(heading, pixels * start, signal, np.clip(free, -EDGE, EDGE))


def seen_on(positions: np.ndarray, bins: Bins) -> Seen:
    """Return what there is to see, from positions (px) at time 0 and at every decision."""
    distance = RESOLUTION * np.round(np.abs(positions) / RESOLUTION)
    time = bins.width * np.arange(1, positions.shape[1])
    # A canoe that waits at the edge is still heading outward.
    outward = distance[:, 1:] >= distance[:, :-1]
    return Seen(time, distance[:, 1:], outward.astype(float))


def first_decisions(signal: np.ndarray, bins: Bins) -> np.ndarray:
    """Return the number, from 1, of the first decision at or after the signal of every trial."""
    number = np.ceil(np.nan_to_num(signal) / bins.width - 1e-6)
    return np.maximum(number, 1).astype(int)


def respond(
    design: StudyDesign,
    condition: Condition,
    drawn: Drawn,
    chance: np.ndarray,
    bins: Bins,
    rng: np.random.Generator,
    delay: float = 0.0,
) -> pd.DataFrame:
    """Let someone respond who does so with some chance at every decision (trials, decisions).

    Returns the columns of the table ``trials`` that depend on it, with start and signal.
    """
    number, width = len(chance), int(bins.within[0])
    later, deadline = round(delay * FRAME_RATE), drawn.positions.shape[1] - 1
    first = first_decisions(drawn.signal, bins)
    decision = np.arange(1, chance.shape[1] + 1)
    stops = (rng.random(chance.shape) < chance) & (decision >= first[:, None])
    place = stops.argmax(axis=1) + 1
    # The first bin holds all responses from the signal, or the first movement, on.
    soonest = np.where(place == first, np.nan_to_num(drawn.signal) * FRAME_RATE, 0)
    soonest = np.where(place > first, width * (place - 1) + later, np.round(soonest)).astype(int)
    latest = width * place + later
    frame = rng.integers(np.minimum(soonest + 1, latest), latest + 1)
    frame = np.minimum(np.where(stops.any(axis=1), frame, deadline), deadline)
    responded = frame < deadline
    position = drawn.positions[np.arange(number), np.where(responded, frame, deadline - 1)]
    guess = np.where(rng.random(number) < 0.5, 1, -1)
    side = np.where(position == 0, guess, np.sign(position))
    correct = responded & (side == drawn.heading)
    rt = frame * FRAME
    return pd.DataFrame(
        {
            "rt": np.where(responded, rt, np.nan),
            "total": rt + design.overhead + np.where(correct, 0.0, condition.penalty),
            "correct": correct,
            "position": position,
            "responded": responded,
            "start": drawn.start,
            "signal": drawn.signal,
        }
    )


def likelihoods_on(
    trials: pd.DataFrame,
    positions: np.ndarray,
    bins: Bins,
    delays: Sequence[float],
    deadline: float | np.ndarray,
    *,
    marked: bool = False,
) -> dict[float, Likelihood]:
    """Return the likelihood of trials for every motor delay (s), the smallest first.

    Parameters
    ----------
    trials : DataFrame
        The columns rt and responded, and signal where there is one.
    positions : array, shape (trials, decisions + 1)
        In px at time 0 and at every decision; what lies beyond a response does not count.
    bins : Bins
    delays : sequence of float
    deadline : float or array
        In s, of all trials or of each.
    marked : bool
        Whether directions of gated trials are larger by :data:`GATED`, so that a hazard knows them.
    """
    seen, width = seen_on(positions, bins), int(bins.within[0])
    responded = trials["responded"].to_numpy(dtype=bool)
    frame = np.where(responded, frames_before(trials["rt"].fillna(0.0)), 0)
    signal = trials["signal"].to_numpy() if "signal" in trials else np.full(len(trials), np.nan)
    first, ends = first_decisions(signal, bins), {}
    for delay in delays:
        later = round(delay * FRAME_RATE)
        decided = np.maximum(np.ceil((frame - later) / width), first).astype(int)
        passed = ((np.round(np.asarray(deadline) * FRAME_RATE) - later) // width).astype(int)
        last = np.where(responded, decided, np.maximum(passed, first - 1))
        # As in :class:`~fuzzybounds.stopping.lattice.Outcomes`: the first bin is wider.
        open_frames = width * first + later - np.nan_to_num(signal) * FRAME_RATE
        wider = np.log(np.maximum(open_frames, 1.0) / width)
        ends[delay] = last, np.where(responded & (last == first), wider, 0.0)
    longest = np.max([last for last, _ in ends.values()], axis=0)
    decision = np.arange(1, seen.time.size + 1)
    visited = (decision >= first[:, None]) & (decision <= longest[:, None])
    time = np.broadcast_to(seen.time, visited.shape)
    outward = seen.outward + GATED * (marked & np.isfinite(signal))[:, None]
    where, numbers = states_of(time[visited], seen.distance[visited], outward[visited])
    sequences = np.split(numbers, np.cumsum(visited.sum(axis=1))[:-1])
    states = LatticeStates(
        where.time, where.position, where.outward, bins, 0, np.empty((0, 0), dtype=int)
    )
    return {
        delay: Likelihood(
            None,
            states,
            Watched.from_sequences(
                [path[:n] for path, n in zip(sequences, last - first + 1, strict=True)],
                responded,
                where.time.size,
                widths,
            ),
        )
        for delay, (last, widths) in ends.items()
    }


def recorded_positions(trials: pd.DataFrame, paths: pd.DataFrame, bins: Bins) -> np.ndarray:
    """Return positions at time 0 and at every decision, from the recorded path of every trial.

    A path goes on as it ended until the next decision.
    """
    recorded = dict(list(paths.groupby("trial", sort=False)))
    at = bins.width * np.arange(1 + round(paths["time"].max() / bins.width + 1))
    rows = []
    for trial in trials["trial"]:
        time, position = (recorded[trial][name].to_numpy() for name in ("time", "position"))
        moved = position[-1] - np.interp(time[-1] - FRAME, time, position)
        end = np.clip(position[-1] + moved * bins.width / FRAME, -EDGE, EDGE)
        rows.append(np.interp(at, np.append(time, time[-1] + bins.width), np.append(position, end)))
    return np.array(rows)
