"""Learning rules fitted to people, trial by trial, against a fuzzy model that does not learn.

The likelihood of a trial is the paper's (Eq. Fuzzy_likelihood): of going on at every decision
before the response, and of responding where the response was.  The path is not recorded, but given
where it ended all orders of its steps are equally likely (:mod:`fuzzybounds.paths`).  The
likelihood is averaged over all of these bridges, exactly, by carrying the chance to have lasted
forward over the lattice; and with it the memory trace, so that a trial changes the consequents by
the trace that is expected, given the response and that the subject lasted until then.

With cues the subject has a rule-base for each condition and learns each from its own trials; rho is
the subject's own reward rate so far.  The models:

============= =====================================================================================
none          consequents that do not change
drift         the rules that were active drift one way, whatever the outcome: practice, no feedback
outcome       the paper's rule, clipped to [0, 1]; the data choose the sign of alpha (ambiguity A15)
outcome_logit the same on log-odds, as the next
hindsight     the rule of :mod:`learner` that gets near the optimum, on log-odds
============= =====================================================================================
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import numpy as np
from numba import njit

from fuzzybounds.errors import InputError
from fuzzybounds.fuzzy.membership import Memberships
from fuzzybounds.learning.learner import CLIPPED, LOGIT, compiled_row, updated
from fuzzybounds.learning.policy import Decisions, position_degrees, time_degrees
from fuzzybounds.learning.process import EDGE_FRAMES
from fuzzybounds.learning.reach import staircases
from fuzzybounds.learning.steps import StepDecisions, step_decisions, step_traces
from fuzzybounds.paths import frames_before, locate
from fuzzybounds.task import (
    CONDITIONS,
    DEADLINE,
    DEADLINE_FRAMES,
    DEADLINE_STEPS,
    FRAME,
    FRAME_PIXELS,
    FRAMES_PER_STEP,
    OVERHEAD,
)

if TYPE_CHECKING:
    import pandas as pd

Model = Literal["none", "drift", "outcome", "outcome_logit", "hindsight"]
MODELS: tuple[str, ...] = get_args(Model)

_NONE, _DRIFT, _OUTCOME, _HINDSIGHT = range(4)
_NUMBERS = {
    "none": (_NONE, CLIPPED),
    "drift": (_DRIFT, LOGIT),
    "outcome": (_OUTCOME, CLIPPED),
    "outcome_logit": (_OUTCOME, LOGIT),
    "hindsight": (_HINDSIGHT, LOGIT),
}

SURE = 1e-6
"""Stop probabilities are kept this far from 0 and 1, so that no response is impossible."""
RATE_UNIT = 1e-5
"""Learning rates are searched on the scale asinh(alpha / RATE_UNIT): signed, and log-like."""
LARGEST_LOGIT = 14.0


class Sequence(NamedTuple):
    """The trials of one subject in their order, as compiled code takes them.

    Attributes
    ----------
    cue : array of int
        Which rule-base the trial uses.
    completed, right, started : array of int
        n, k and s of :func:`fuzzybounds.paths.locate`.
    frame, distance : array of int
        Of the response, or of the deadline; distance in frames of movement.
    responded : array of bool
    heading : array of int
        Side that was correct: 1 right, -1 left, 0 not known (no response, or one at the centre).
    reward, total : array of float
        Coins and seconds of the trial.
    payoff, penalty : array of float
        Of the trial's condition.
    """

    cue: np.ndarray
    completed: np.ndarray
    right: np.ndarray
    started: np.ndarray
    frame: np.ndarray
    distance: np.ndarray
    responded: np.ndarray
    heading: np.ndarray
    reward: np.ndarray
    total: np.ndarray
    payoff: np.ndarray
    penalty: np.ndarray


@dataclass(frozen=True)
class HumanFit:
    """A model fitted to one subject.

    Attributes
    ----------
    model : str
    n, k : int
        Number of trials, and of parameters.
    nll : float
        Negative log-likelihood at its minimum.
    consequents : array, shape (cues, n_time, n_position)
        At the first trial.
    learning_rate, leak : float
        alpha (positive where it lowers the weights of a good trial, as printed) and gamma, from
        one decision to the next; NaN without learning.
    """

    model: str
    n: int
    k: int
    nll: float
    consequents: np.ndarray
    learning_rate: float
    leak: float

    @property
    def aic(self) -> float:
        """Akaike's information criterion."""
        return 2 * self.k + 2 * self.nll

    @property
    def bic(self) -> float:
        """Bayesian information criterion."""
        return self.k * float(np.log(self.n)) + 2 * self.nll


def sequence(trials: pd.DataFrame, *, cued: bool) -> Sequence:
    """Prepare the trials of one subject.

    Parameters
    ----------
    trials : DataFrame
        Columns trial, rt, condition, correct, position, responded of ``trials.parquet``.
    cued : bool
        Whether the subject knew the condition of a trial.
    """
    if not len(trials):
        raise InputError("trials of one subject", ["none given, expected at least one"])
    trials = trials.sort_values("trial")
    responded, correct = (trials[c].to_numpy(dtype=bool) for c in ("responded", "correct"))
    time = np.where(responded, trials["rt"].to_numpy(dtype=float), DEADLINE)
    position = trials["position"].to_numpy(dtype=float)
    condition = trials["condition"].to_numpy()
    payoff = np.array([CONDITIONS[name].payoff for name in condition], dtype=float)
    penalty = np.array([CONDITIONS[name].penalty for name in condition], dtype=float)
    # A missed trial was last seen in the frame before the deadline.
    place = locate(np.where(responded, time, DEADLINE - FRAME), position)
    return Sequence(
        cue=(condition != "easy").astype(int) if cued else np.zeros(len(trials), dtype=int),
        completed=place.completed,
        right=place.right,
        started=place.started,
        frame=np.minimum(frames_before(time), DEADLINE_FRAMES),
        distance=np.minimum(np.round(np.abs(position) / FRAME_PIXELS).astype(int), EDGE_FRAMES),
        responded=responded,
        heading=np.where(responded, np.sign(position) * np.where(correct, 1, -1), 0).astype(int),
        reward=np.where(correct, payoff, -payoff),
        total=time + OVERHEAD + np.where(correct, 0.0, penalty),
        payoff=payoff,
        penalty=penalty,
    )


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
    """Return the log-likelihood of every trial of a subject.

    Parameters
    ----------
    subject : Sequence
    consequents : array, shape (cues, n_time, n_position)
        Before the first trial.
    time, position : Memberships
        Of normalised time and distance.
    decisions : Decisions
    model : {"none", "drift", "outcome", "outcome_logit", "hindsight"}
    learning_rate, leak : float
    """
    if model not in MODELS:
        raise ValueError(f"model = {model!r}: expected one of {MODELS}")
    return _Likelihood(subject, time, position, decisions)(
        model, np.asarray(consequents, dtype=float), learning_rate, leak
    )


def fit_subject(
    subject: Sequence,
    model: Model,
    time: Memberships,
    position: Memberships,
    decisions: Decisions,
    *,
    start: HumanFit | None = None,
) -> HumanFit:
    """Fit a model to a subject by maximum likelihood.

    Parameters
    ----------
    subject : Sequence
    model : {"none", "drift", "outcome", "outcome_logit", "hindsight"}
    time, position : Memberships
    decisions : Decisions
    start : HumanFit, optional
        The subject's fit without learning, from where learning models start; made if not given.
    """
    likelihood = _Likelihood(subject, time, position, decisions)
    shape = (int(subject.cue.max()) + 1, len(time.labels), len(position.labels))
    if model == "none":
        starts = [np.broadcast_to(table, shape) for table in _initial_tables(shape)]
        fits = [_minimise(likelihood, model, table, None) for table in starts]
    else:
        start = start or fit_subject(subject, "none", time, position, decisions)
        grid = [
            (rate * RATE_UNIT, leak)
            for rate in (-300, -30, -3, -0.3, 0.3, 3, 30, 300)
            for leak in (0.3, 0.8, 0.98)
        ]
        grid.sort(key=lambda pair: -likelihood(model, start.consequents, *pair).sum())
        fits = [_minimise(likelihood, model, start.consequents, pair) for pair in grid[:2]]
    return min(fits, key=lambda fit: fit.nll)


def _initial_tables(shape: tuple[int, int, int]) -> list[np.ndarray]:
    rules = staircases(*shape[1:])
    return [np.full(shape[1:], 0.05), *(np.maximum(r.consequents, 0.003) for r in rules[1::3])]


def _minimise(likelihood, model, consequents, pair) -> HumanFit:
    """Minimise the negative log-likelihood from given consequents and (learning rate, leak)."""
    from scipy.optimize import minimize
    from scipy.special import expit, logit

    tables = np.clip(consequents, expit(-LARGEST_LOGIT), expit(LARGEST_LOGIT))
    first, bounds = logit(tables).ravel(), [(-LARGEST_LOGIT, LARGEST_LOGIT)] * tables.size
    if pair is not None:
        first = np.append(first, [np.arcsinh(pair[0] / RATE_UNIT), pair[1]])
        bounds = [*bounds, (-10.0, 10.0), (0.0, 1.0)]

    def parts(parameters):
        rate, leak = parameters[tables.size :] if pair is not None else (0.0, 1.0)
        table = expit(parameters[: tables.size]).reshape(tables.shape)
        return table, RATE_UNIT * np.sinh(rate), leak

    result = minimize(
        lambda parameters: -likelihood(model, *parts(parameters)).sum(),
        first,
        method="L-BFGS-B",
        bounds=bounds,
        options={"maxiter": 200, "maxfun": 100_000, "ftol": 1e-7},
    )
    table, rate, leak = parts(result.x)
    learns = (rate, leak) if pair is not None else (np.nan, np.nan)
    trials = likelihood.subject.frame.size
    return HumanFit(model, trials, first.size, float(result.fun), table, *map(float, learns))


class _Likelihood:
    """Log-likelihoods of a subject's trials, with everything that no parameter changes kept."""

    def __init__(self, subject, time, position, decisions):
        time, position = time_degrees(time), position_degrees(position)
        self.subject = subject
        self.o = float(decisions.o)
        self.decided: StepDecisions = step_decisions(time, position, decisions.frames)
        here = time[np.minimum(subject.frame, DEADLINE_FRAMES - 1)][:, :, None]
        premises = here * position[subject.distance][:, None, :]
        self.response = premises.reshape(here.shape[0], -1) * subject.responded[:, None]

    def __call__(self, model, consequents, learning_rate, leak):
        out = np.empty(self.subject.frame.size)
        _log_likelihoods(
            self.subject,
            self.decided,
            np.stack(step_traces(self.decided, leak)),
            self.response,
            consequents.reshape(consequents.shape[0], -1).copy(),
            (self.o, -float(learning_rate), float(leak), *_NUMBERS[model]),
            out,
        )
        return out


@njit(cache=True, nogil=True)
def _log_likelihoods(subject, decided, step_trace, response, theta, numbers, out):
    """Fill `out`, and leave the consequents after the last trial in `theta`."""
    o, step_size, leak, credit, kept = numbers
    used = 0 if credit == _NONE else 3 if credit == _HINDSIGHT else 1
    rules = theta.shape[1]
    lasted = np.zeros(DEADLINE_STEPS + 2)
    traced = np.zeros((DEADLINE_STEPS + 2, 3, rules))
    trace = np.zeros((3, rules))
    reward = time = 0.0
    for trial in range(out.size):
        own = theta[subject.cue[trial]]
        log_lasted = _bridge(
            subject, decided, step_trace, trial, own, o, leak, used, lasted, traced, trace
        )
        out[trial] = log_lasted
        if subject.responded[trial]:
            output = 0.0
            for j in range(rules):
                output += own[j] * response[trial, j]
            out[trial] += np.log(_probability(output / o))
        if credit != _NONE:
            rho = reward / time if trial > 0 else 0.0
            _credit(subject, trial, rho, leak, credit, trace, response[trial])
            for j in range(rules):
                own[j] = updated(own[j], step_size * trace[0, j], kept)
        reward += subject.reward[trial]
        time += subject.total[trial]


@njit(cache=True, nogil=True)
def _probability(p):
    return min(max(p, SURE), 1.0 - SURE)


@njit(cache=True, nogil=True)
def _chance_to_last(premises, theta, o, decisions):
    """Return the chance to go on at the first `decisions` decisions of a step."""
    chance = 1.0
    for i in range(decisions):
        output = 0.0
        for j in range(theta.size):
            output += theta[j] * premises[i, j]
        chance *= 1.0 - _probability(output / o)
    return chance


@njit(cache=True, nogil=True)
def _bridge(subject, decided, step_trace, trial, theta, o, leak, used, lasted, traced, trace):
    """Return the log of the chance to last until the response, averaged over all bridges.

    Fills `trace` with the traces of :func:`steps.step_traces` at the response, averaged over the
    bridges by their chance to last.  ``lasted[r]`` and ``traced[r]`` belong to the paths with r
    steps to the right so far; going through r downward, a step to the right goes to a cell that
    is done already, and one to the left stays.
    """
    n, k, frame = subject.completed[trial], subject.right[trial], subject.frame[trial]
    per_step = decided.frame.shape[1]
    frames = FRAMES_PER_STEP // per_step
    at_step = n > 0 and frame <= n * FRAMES_PER_STEP
    fade = leak**per_step
    lasted[: n + 2], traced[: n + 2] = 0.0, 0.0
    lasted[0], log_scale = 1.0, 0.0
    for m in range(n):
        # The decision at the very frame of a response is the response itself.
        decisions = per_step - 1 if at_step and m == n - 1 else per_step
        for r in range(min(m, k), max(0, k - n + m) - 1, -1):
            to_right = (k - r) / (n - m)
            before = lasted[r]
            lasted[r] = 0.0
            for way in (1, 0):
                row = compiled_row(m, r, way)
                chance = to_right if way else 1.0 - to_right
                if chance > 0.0:
                    chance *= _chance_to_last(decided.premises[row], theta, o, decisions)
                lasted[r + way] += before * chance
                for c in range(used):
                    for j in range(theta.size):
                        now = fade * traced[r, c, j] + before * step_trace[c, row, j]
                        if way:
                            traced[r + 1, c, j] += chance * now
                        else:
                            traced[r, c, j] = chance * now
        total = lasted[: n + 1].sum()
        lasted[: n + 1] /= total
        traced[: n + 1, :used] /= total
        log_scale += np.log(total)
    trace[:used] = traced[k, :used] / lasted[k]
    chance = lasted[k]
    if not at_step:
        way = 1 if subject.started[trial] > 0 else 0
        row = compiled_row(n, k, way)
        decisions = (frame - n * FRAMES_PER_STEP - 1) // frames
        chance *= _chance_to_last(decided.premises[row], theta, o, decisions)
        for i in range(decisions):
            _remember(decided, row, i, leak, used, trace)
    return np.log(chance) + log_scale


@njit(cache=True, nogil=True)
def _remember(decided, row, i, leak, used, trace):
    """Let the traces leak and add the premises of one decision."""
    side = 1.0 * np.sign(decided.walked[row, i])
    weights = (1.0, side, decided.frame[row, i] * FRAME)
    for c in range(used):
        for j in range(trace.shape[1]):
            trace[c, j] = leak * trace[c, j] + weights[c] * decided.premises[row, i, j]


@njit(cache=True, nogil=True)
def _credit(subject, trial, rho, leak, credit, trace, response):
    """Turn the traces of a trial into what each rule is credited with, as :mod:`learner` does."""
    net = subject.reward[trial] - rho * subject.total[trial]
    at_step = subject.frame[trial] == subject.completed[trial] * FRAMES_PER_STEP
    fade = 1.0 if at_step else leak
    if credit == _HINDSIGHT:
        # At the response itself both outcomes are the same: it adds nothing.
        cost = rho * subject.penalty[trial] / 2
        side = subject.heading[trial] * (subject.payoff[trial] + cost)
        for j in range(response.size):
            instead = side * trace[1, j] - rho * trace[2, j] - (rho * OVERHEAD + cost) * trace[0, j]
            trace[0, j] = fade * (net * trace[0, j] - instead)
    else:
        weight = net if credit == _OUTCOME else 1.0
        for j in range(response.size):
            memory = fade * trace[0, j] + (0.0 if at_step else response[j])
            trace[0, j] = weight * memory
