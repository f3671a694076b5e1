"""Learning rules fitted to people, trial by trial, against a fuzzy model that does not learn.

The likelihood of a trial is the paper's (Eq. Fuzzy_likelihood): of going on at every decision
before the response, and of responding where the response was.  The path is not recorded, but given
where it ended all orders of its steps are equally likely (:mod:`fuzzybounds.canoe.paths`).  The
likelihood is averaged over all of these bridges, exactly, by carrying the chance to have lasted
forward over the lattice; and with it the memory trace, so that a trial changes the consequents by
the trace that is expected, given the response and that the subject lasted until then.

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

from typing import Literal, get_args

import numpy as np

from fuzzybounds.beyond.learners.people.kernel import run
from fuzzybounds.beyond.learners.people.sequence import Sequence
from fuzzybounds.beyond.learners.people.step_decisions import step_decisions
from fuzzybounds.canoe.task import DEADLINE_FRAMES, FRAME
from fuzzybounds.paper.fuzzy.membership import Memberships
from fuzzybounds.paper.reinforcement.policy import Decisions, position_degrees, time_degrees
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


class Likelihood:
    """Log-likelihoods of a subject's trials, with everything that no parameter changes kept.

    Parameters
    ----------
    subject : Sequence
    time, position : Memberships
        Of normalised time and distance.
    decisions : Decisions
    """

    def __init__(
        self, subject: Sequence, time: Memberships, position: Memberships, decisions: Decisions
    ):
        times, distances = time_degrees(time), position_degrees(position)
        self.subject = subject
        self.shape = (int(subject.cue.max()) + 1, times.shape[1], distances.shape[1])
        self.o = float(decisions.o)
        self.decided = step_decisions(times, distances, decisions.frames)
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
        """Return the log-likelihood of every trial (0 off the lattice), and its derivatives.

        Parameters
        ----------
        model : str
            One of :data:`MODELS`.
        consequents : array, shape (cues, n_time, n_position)
            Before the first trial.
        learning_rate, leak : float
        error_shift : float
            Change of the log-odds of all consequents after an error.
        slopes : bool
            Whether to compute the derivatives.

        Returns
        -------
        array, shape (trials,)
        array, shape (trials, cues * rules + 3)
            By the log-odds of every consequent, the learning rate, the leak and the error shift;
            empty unless `slopes`.
        """
        trials = self.subject.frame.size if slopes else 0
        scores = np.zeros((trials, consequents.size + 3))
        out, _ = self._run(model, consequents, learning_rate, leak, error_shift, scores)
        scores[:, -3] *= -1.0  # the kernel's step size is minus the learning rate
        return out, scores

    def after(
        self, model: Model, consequents: np.ndarray, learning_rate: float, leak: float
    ) -> np.ndarray:
        """Return the consequents after the last trial."""
        scores = np.zeros((0, consequents.size + 3))
        return self._run(model, consequents, learning_rate, leak, 0.0, scores)[1]

    def _run(self, model, consequents, learning_rate, leak, error_shift, scores):
        """Return the log-likelihoods and the consequents after the last trial; fill the scores."""
        if model not in MODELS:
            raise ValueError(f"model = {model!r}: expected one of {MODELS}")
        out, theta = np.empty(self.subject.frame.size), np.array(consequents, dtype=float)
        # What is left at a step's end of each of its decisions, and its slope by the leak.
        later = np.arange(self.terms.shape[0] - 1, -1, -1.0)
        fade, fade_slope = leak**later, later * leak ** np.maximum(later - 1, 0)
        run(
            self.subject,
            self.decided,
            np.tensordot(fade, self.terms, 1),
            np.tensordot(fade_slope, self.terms, 1),
            self.response,
            theta.reshape(theta.shape[0], -1),
            (self.o, -float(learning_rate), float(leak), float(error_shift), *_NUMBERS[model]),
            out,
            scores,
        )
        return out, theta
