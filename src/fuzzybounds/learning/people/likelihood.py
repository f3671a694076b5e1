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
              (:mod:`fuzzybounds.learning.people.serial`)
outcome       the paper's rule, clipped to [0, 1]; the data choose the sign of alpha (ambiguity A15)
outcome_logit the same on log-odds, as hindsight
hindsight     the rule that gets near the optimum (:mod:`fuzzybounds.learning.update_rules`)
============= =====================================================================================
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from fuzzybounds.canoe.task import DEADLINE_FRAMES
from fuzzybounds.fuzzy.membership import Memberships
from fuzzybounds.learning.people.kernel import DRIFT, HINDSIGHT, NONE, OUTCOME, run
from fuzzybounds.learning.people.sequence import Sequence
from fuzzybounds.learning.people.serial import run_serial
from fuzzybounds.learning.policy import Decisions, position_degrees, time_degrees
from fuzzybounds.learning.steps import StepDecisions, fades, step_decisions, trace_terms
from fuzzybounds.learning.update_kernel import CLIPPED, LOGIT

Model = Literal["none", "drift", "serial", "outcome", "outcome_logit", "hindsight"]
MODELS: tuple[Model, ...] = get_args(Model)
FROM_OUTCOMES: tuple[Model, ...] = ("outcome", "outcome_logit", "hindsight")
"""The models to which it matters whether a response was correct."""

_NUMBERS = {
    "none": (NONE, CLIPPED),
    "drift": (DRIFT, LOGIT),
    "serial": (NONE, LOGIT),
    "outcome": (OUTCOME, CLIPPED),
    "outcome_logit": (OUTCOME, LOGIT),
    "hindsight": (HINDSIGHT, LOGIT),
}


def log_likelihoods(
    subject: Sequence,
    consequents: np.ndarray,
    time: Memberships,
    position: Memberships,
    decisions: Decisions,
    *,
    model: Model = "none",
    learning_rate: float = 0.0,
    leak: float = 1.0,
) -> np.ndarray:
    """Return the log-likelihood of every trial of a subject; 0 for trials off the lattice.

    Parameters
    ----------
    subject : Sequence
    consequents : array, shape (cues, n_time, n_position)
        Before the first trial.
    time, position : Memberships
        Of normalised time and distance.
    decisions : Decisions
    model : {"none", "drift", "serial", "outcome", "outcome_logit", "hindsight"}
    learning_rate, leak : float
    """
    if model not in MODELS:
        raise ValueError(f"model = {model!r}: expected one of {MODELS}")
    likelihood = Likelihood(subject, time, position, decisions)
    return likelihood(model, np.asarray(consequents, dtype=float), learning_rate, leak)[0]


class Likelihood:
    """Log-likelihoods of a subject's trials, with everything that no parameter changes kept.

    Parameters
    ----------
    subject : Sequence
    time, position : Memberships
    decisions : Decisions
    """

    def __init__(
        self, subject: Sequence, time: Memberships, position: Memberships, decisions: Decisions
    ):
        times, distances = time_degrees(time), position_degrees(position)
        self.subject = subject
        self.shape = (int(subject.cue.max()) + 1, times.shape[1], distances.shape[1])
        self.o = float(decisions.o)
        self.decided: StepDecisions = step_decisions(times, distances, decisions.frames)
        self.terms = np.ascontiguousarray(trace_terms(self.decided))
        here = times[np.minimum(subject.frame, DEADLINE_FRAMES - 1)][:, :, None]
        premises = here * distances[subject.distance][:, None, :]
        self.response = premises.reshape(here.shape[0], -1) * subject.responded[:, None]

    def __call__(
        self,
        model: Model,
        consequents: np.ndarray,
        learning_rate: float,
        leak: float,
        *,
        slopes: bool = False,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the log-likelihood of every trial, and its derivatives.

        Returns
        -------
        array, shape (trials,)
        array, shape (trials, cues * rules + 2)
            By the log-odds of every consequent, by the learning rate and by the leak; empty unless
            `slopes`.
        """
        trials = self.subject.frame.size if slopes else 0
        scores = np.zeros((trials, consequents.size + 2))
        out, _ = self._run(model, consequents, learning_rate, leak, scores)
        scores[:, -2] *= -1.0  # the kernel's step size is minus the learning rate
        return out, scores

    def after(
        self, model: Model, consequents: np.ndarray, learning_rate: float, leak: float
    ) -> np.ndarray:
        """Return the consequents after the last trial."""
        scores = np.zeros((0, consequents.size + 2))
        return self._run(model, consequents, learning_rate, leak, scores)[1]

    def _run(self, model, consequents, learning_rate, leak, scores):
        """Return the log-likelihoods and the consequents after the last trial; fill the scores."""
        out, theta = np.empty(self.subject.frame.size), consequents.copy()
        fade, fade_slope = fades(self.terms.shape[0], leak)
        compiled = run_serial if model == "serial" else run
        compiled(
            self.subject,
            self.decided,
            np.tensordot(fade, self.terms, 1),
            np.tensordot(fade_slope, self.terms, 1),
            self.response,
            theta.reshape(theta.shape[0], -1),
            (self.o, -float(learning_rate), float(leak), *_NUMBERS[model]),
            out,
            scores,
        )
        return out, theta
