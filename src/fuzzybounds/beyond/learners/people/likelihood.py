"""Learning rules fitted to people, trial by trial, against a fuzzy model that does not learn.

The likelihood of a trial is the paper's (Eq. Fuzzy_likelihood): of going on at every decision
before the response, and of responding where the response was, with p = O (o = 1).  The path is not
recorded, but given where it ended all orders of its steps are equally likely
(:mod:`fuzzybounds.canoe.paths`).  The likelihood is averaged over all of these bridges, exactly, by
carrying the chance to have lasted forward over the lattice; and with it the memory trace, so that a
trial changes the consequents by the trace that is expected, given the response and that the subject
lasted until then.

With cues the subject has a rule base for each condition and learns each from its own trials; rho is
the subject's own reward rate so far.  The models:

============= =====================================================================================
none          consequents that do not change
drift         the rules that were active drift one way, whatever the outcome: practice, no feedback
serial        all rules follow the distances of earlier responses, whatever the outcome
serial_error  the same, and every error shifts all rules
outcome       the paper's rule, clipped to [0, 1]; the data choose the sign of alpha (ambiguity A15)
outcome_logit the same on log-odds, as hindsight
hindsight     the rule that gets near the optimum (:mod:`paper.reinforcement.update_rules`)
============= =====================================================================================

In "serial" the log-odds of all consequents of a rule base are shifted by s, which fades:

    s <- gamma s - alpha (distance - mean distance so far)

so that with alpha > 0 a response farther out than usual makes the next one farther out as well.  In
"serial_error" a wrong response adds its own shift to that of every rule base.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

import numpy as np

from fuzzybounds.beyond.learners.people.kernel import run
from fuzzybounds.beyond.learners.people.sequence import Sequence
from fuzzybounds.canoe.lattice import edges_of
from fuzzybounds.canoe.task import (
    DEADLINE_FRAMES,
    DEADLINE_STEPS,
    EDGE_FRAMES,
    FRAME,
    FRAMES_PER_STEP,
)
from fuzzybounds.paper.fuzzy.membership import Memberships
from fuzzybounds.paper.reinforcement.policy import position_degrees, time_degrees
from fuzzybounds.paper.reinforcement.update_kernel import (
    CLIPPED,
    DRIFT,
    HINDSIGHT,
    LOGIT,
    NONE,
    OUTCOME,
    SERIAL,
)

Model = Literal["none", "drift", "serial", "serial_error", "outcome", "outcome_logit", "hindsight"]
MODELS: tuple[Model, ...] = get_args(Model)
FROM_OUTCOMES: tuple[Model, ...] = ("serial_error", "outcome", "outcome_logit", "hindsight")
"""The models to which it matters whether a response was correct."""

_NUMBERS = {
    "none": (NONE, CLIPPED),
    "drift": (DRIFT, LOGIT),
    "serial": (SERIAL, LOGIT),
    "serial_error": (SERIAL, LOGIT),
    "outcome": (OUTCOME, CLIPPED),
    "outcome_logit": (OUTCOME, LOGIT),
    "hindsight": (HINDSIGHT, LOGIT),
}


class StepDecisions(NamedTuple):
    """Every decision of every edge of the lattice (:mod:`fuzzybounds.canoe.lattice`).

    Attributes
    ----------
    frame, walked : array of int, shape (edges, decisions)
        When, and where on the free walk (in frames of movement, positive toward correct).
    premises : array, shape (edges, decisions, rules)
        y_j; 0 at the deadline, where nobody can decide.
    """

    frame: np.ndarray
    walked: np.ndarray
    premises: np.ndarray


def step_decisions(time: np.ndarray, position: np.ndarray, frames: int) -> StepDecisions:
    """Return the decisions of every edge, `frames` apart, from the degrees of time and position."""
    within = np.arange(frames, FRAMES_PER_STEP + 1, frames)
    n, net, way = edges_of(DEADLINE_STEPS).T[:, :, None]
    frame, walked = FRAMES_PER_STEP * n + within, FRAMES_PER_STEP * net + way * within
    shown = frame < DEADLINE_FRAMES
    time_now = np.where(shown[..., None], time[np.where(shown, frame, 0)], 0.0)
    position_now = position[np.minimum(np.abs(walked), EDGE_FRAMES)]
    premises = time_now[..., :, None] * position_now[..., None, :]
    return StepDecisions(frame, walked, premises.reshape(*frame.shape, -1))


class Likelihood:
    """Log-likelihoods of a subject's trials, with everything that no parameter changes kept.

    Parameters
    ----------
    subject : Sequence
    memberships : Memberships
        Of normalised time, and of normalised distance.
    frames : int
        Frames between two decisions.
    """

    def __init__(self, subject: Sequence, memberships: Memberships, frames: int):
        times, distances = time_degrees(memberships), position_degrees(memberships)
        self.subject = subject
        self.shape = (int(subject.cue.max()) + 1, times.shape[1], distances.shape[1])
        self.decided = step_decisions(times, distances, frames)
        # What each decision adds to the traces of 1, of its side and of its time.
        frame, walked, premises = self.decided
        weights = np.stack([np.ones(frame.shape), np.sign(walked), frame * FRAME])
        self.terms = np.ascontiguousarray(np.moveaxis(weights[..., None] * premises, 2, 0))
        here = times[np.minimum(subject.frame, DEADLINE_FRAMES - 1)][:, :, None]
        at_response = here * distances[subject.distance][:, None, :]
        self.response = at_response.reshape(here.shape[0], -1) * subject.responded[:, None]

    def __call__(
        self,
        model: Model,
        consequents: np.ndarray,
        learning_rate: float = 0.0,
        leak: float = 1.0,
        error_shift: float = 0.0,
        *,
        slopes: bool = False,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return log-likelihoods and their derivatives, given the consequents at the first trial.

        There is one log-likelihood per trial, 0 off the lattice.  The derivatives are by the
        log-odds of every consequent, the learning rate, the leak and the error shift (of all
        log-odds); there are none unless `slopes`.  The consequents have the shape (cues, n_time,
        n_position).
        """
        out, theta = np.empty(self.subject.frame.size), np.array(consequents, dtype=float)
        scores = np.zeros((out.size if slopes else 0, theta.size + 3))
        # What is left at a step's end of each of its decisions, and its slope by the leak.
        later = np.arange(len(self.terms) - 1, -1, -1.0)
        fade, fade_slope = leak**later, later * leak ** np.maximum(later - 1, 0)
        run(
            self.subject,
            self.decided,
            np.tensordot(fade, self.terms, 1),
            np.tensordot(fade_slope, self.terms, 1),
            self.response,
            theta.reshape(theta.shape[0], -1),
            (-float(learning_rate), float(leak), float(error_shift), *_NUMBERS[model]),
            out,
            scores,
        )
        scores[:, -3] *= -1.0  # the kernel's step size is minus the learning rate
        return out, scores
