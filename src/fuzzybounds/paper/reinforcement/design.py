"""The canoe task as a semi-Markov decision process.

A trial is one cycle: it starts at the centre, ends with a response or at the deadline, pays
coins r and takes d seconds.  The goal is the largest reward rate, E[r] / E[d] (section "A
reinforcement learning algorithm ..." of the paper).

At every frame the state is where the canoe is on the lattice of its free walk: n directions drawn,
k of them right, and the frame within the step.  The order of the directions says nothing more about
the difficulty or the heading.  Distances are counted in frames of movement (1.5 px).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from fuzzybounds.canoe.task import (
    DEADLINE_FRAMES,
    DEADLINE_STEPS,
    EASY,
    EDGE_FRAMES,
    FRAMES_PER_STEP,
    HARD,
    Condition,
)

POLICY_SHAPE = (DEADLINE_FRAMES, EDGE_FRAMES + 1)
"""Shape of a stopping policy: one row per frame before the deadline, one column per distance."""


@dataclass(frozen=True)
class Design:
    """The design of an experiment's trials.

    Every trial is one of the `conditions`, with equal chance; `cued` says whether the subject knows
    which (Experiment A) or not (Experiment B).  After `deadline_steps` steps a trial without a
    response is scored incorrect.
    """

    name: str
    conditions: tuple[Condition, ...] = (EASY, HARD)
    cued: bool = False
    deadline_steps: int = DEADLINE_STEPS

    def __post_init__(self):
        for condition in self.conditions:
            if not 0 < condition.p0 < 1:
                raise ValueError(f"{condition.name}: P0 = {condition.p0}, expected within (0, 1)")

    @property
    def deadline_frames(self) -> int:
        """Number of frames until the deadline."""
        return self.deadline_steps * FRAMES_PER_STEP


def design(
    name: str, *, cued: bool = False, easy: float = EASY.p0, hard: float = HARD.p0
) -> Design:
    """Return the design of the paper with the given P0 of its two conditions."""
    return Design(name, (replace(EASY, p0=easy), replace(HARD, p0=hard)), cued=cued)


PAPER_UNCUED = design("paper_uncued")
"""Experiment B as the paper describes it: P0 0.65 and 0.51, no cues."""
PAPER_CUED = design("paper_cued", cued=True)
"""Experiment A."""
