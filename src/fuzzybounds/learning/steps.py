"""Activation of the rules of a fuzzy controller during one step of the canoe.

Between two draws of its direction the canoe moves straight.  So for each of the 930 steps that it
can make (n directions drawn before, k of them correct, and the direction), sums of premises over
the decisions within the step are tabulated once, so learning costs time per step, not per frame.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fuzzybounds.canoe.task import DEADLINE_FRAMES, DEADLINE_STEPS, FRAME, FRAMES_PER_STEP
from fuzzybounds.learning.design import EDGE_FRAMES
from fuzzybounds.learning.policy import Decisions


class StepTables(NamedTuple):
    """Premises y_j by step; one row per step (see :func:`step_row`), one column per rule.

    Attributes
    ----------
    time, position : array, shape (frames, n_time), (distances, n_position)
        Memberships by frame and by distance.
    peak : array, shape (steps, rules)
        Largest value of y_j among the decisions of the step.
    memory : array, shape (steps, rules)
        What the step leaves in the memory trace: z at its end if z was 0 at its start.
    sided : array, shape (steps, rules)
        The same trace of y_j times the side of the canoe: 1 correct, -1 wrong, 0 centre.
    timed : array, shape (steps, rules)
        The same trace of y_j times the time in s.
    leak : float
        gamma, the leakage of the trace from one decision to the next.
    frames : int
        Frames between two decisions.
    """

    time: np.ndarray
    position: np.ndarray
    peak: np.ndarray
    memory: np.ndarray
    sided: np.ndarray
    timed: np.ndarray
    leak: float
    frames: int


def step_row(n: int, k: int, toward: int) -> int:
    """Row of the step in direction `toward` (1 correct, 0 wrong) after k of n correct steps."""
    return n * (n + 1) + 2 * k + toward


class StepDecisions(NamedTuple):
    """Every decision of every step.

    Attributes
    ----------
    frame, walked : array of int, shape (steps, decisions)
        When, and where on the free walk (in frames of movement, positive toward correct).
    premises : array, shape (steps, decisions, rules)
        y_j; 0 at the deadline, where nobody can decide.
    """

    frame: np.ndarray
    walked: np.ndarray
    premises: np.ndarray


def step_decisions(time: np.ndarray, position: np.ndarray, frames: int) -> StepDecisions:
    """Return the decisions of every step, `frames` apart, and the premises there."""
    within = np.arange(frames, FRAMES_PER_STEP + 1, frames)
    starts = [
        (n, 2 * k - n, way) for n in range(DEADLINE_STEPS) for k in range(n + 1) for way in (-1, 1)
    ]
    n, net, way = np.array(starts).T[:, :, None]
    frame, walked = FRAMES_PER_STEP * n + within, FRAMES_PER_STEP * net + way * within
    shown = frame < DEADLINE_FRAMES
    time_now = np.where(shown[..., None], time[np.where(shown, frame, 0)], 0.0)
    position_now = position[np.minimum(np.abs(walked), EDGE_FRAMES)]
    premises = time_now[..., :, None] * position_now[..., None, :]
    return StepDecisions(frame, walked, premises.reshape(*frame.shape, -1))


def trace_terms(decided: StepDecisions) -> np.ndarray:
    """Return what each decision of a step adds to its three traces, before any of it leaks.

    Returns
    -------
    array, shape (decisions, 3, steps, rules)
        For `memory`, `sided` and `timed` of :class:`StepTables`.
    """
    weights = np.stack(
        [np.ones(decided.frame.shape), np.sign(decided.walked), decided.frame * FRAME]
    )
    return np.moveaxis(weights[..., None] * decided.premises, 2, 0)


def fades(decisions: int, leak: float) -> tuple[np.ndarray, np.ndarray]:
    """Return what is left at a step's end of each of its decisions, and its slope by the leak."""
    later = np.arange(decisions - 1, -1, -1.0)
    return leak**later, later * leak ** np.maximum(later - 1, 0)


def step_traces(decided: StepDecisions, leak: float) -> np.ndarray:
    """Return `memory`, `sided` and `timed` of :class:`StepTables`."""
    return np.tensordot(fades(decided.frame.shape[1], leak)[0], trace_terms(decided), 1)


def tabulate(
    time: np.ndarray, position: np.ndarray, decisions: Decisions, leak: float
) -> StepTables:
    """Tabulate the premises of every step.

    Parameters
    ----------
    time, position : array, shape (frames, n_time), (distances, n_position)
    decisions : Decisions
    leak : float
        gamma; 1 forgets nothing.
    """
    decided = step_decisions(time, position, decisions.frames)
    memory, sided, timed = step_traces(decided, leak)
    return StepTables(
        np.ascontiguousarray(time),
        np.ascontiguousarray(position),
        decided.premises.max(axis=1),
        memory,
        sided,
        timed,
        float(leak),
        decisions.frames,
    )
