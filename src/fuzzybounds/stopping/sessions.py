r"""Sessions as sequences: a boundary, or rules, that shift from trial to trial.

The models of :mod:`~fuzzybounds.stopping.catalogue` take trials to be independent.  Here all
positions are shifted on trial i by

    drift session_i + after_easy_error e_i + after_hard_error h_i + u_i,
    u_i = correlation u_{i-1} + noise,

where session_i runs from -1/2 to 1/2, e_i and h_i say whether the trial before was an error of that
condition, and u has the standard deviation sigma; i counts the trials of a subject and condition.
Given its shift a trial has the likelihood of the stopping models, with a motor delay.  That of the
whole sequence follows by the recursions of a hidden Markov model on a grid of shifts.  Trials that
are left out are missing observations, so that their density is that given all other trials.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy import exp, log

from fuzzybounds.core import fitting
from fuzzybounds.core.compilation import njit
from fuzzybounds.core.fitting import Fit, Parameter, Start
from fuzzybounds.stopping.answers import BOUNDARY, RULES
from fuzzybounds.stopping.boundaries import SIGMA
from fuzzybounds.stopping.catalogue import CATALOGUE, Context
from fuzzybounds.stopping.data import ALL, likelihoods, with_path
from fuzzybounds.stopping.lattice import Bins
from fuzzybounds.stopping.likelihood import Likelihood
from fuzzybounds.stopping.model import Model, summed
from fuzzybounds.stopping.model import fit as fit_independent
from fuzzybounds.stopping.rules import Points

STEP, FARTHEST = 12.0, 360.0
"""Of the grid of shifts, in px."""
SHIFTS = np.arange(-FARTHEST, FARTHEST + STEP / 2, STEP)
CORRELATION = Parameter("correlation", "logit", 0.0, 1.5, -5.0, 4.0)
DRIFT = Parameter("drift", "hundred", 0.0, 0.6, -3.0, 3.0)
AFTER_EASY = Parameter("after_easy_error", "hundred", 0.0, 0.3, -2.0, 2.0)
AFTER_HARD = Parameter("after_hard_error", "hundred", 0.0, 0.3, -2.0, 2.0)
CHANGE = (SIGMA, CORRELATION, DRIFT, AFTER_EASY, AFTER_HARD)
"""The last parameters of a session: how positions shift."""
FIRST_CHANGES = [(log(25.0), 1.0, 0.0, 0.0, 0.0), (log(60.0), 1.0, 0.0, 0.0, 0.0)]
"""Where searches start: some posteriors have one mode with a small sigma and one with a large."""
SMALL = 1e-4
"""Step of numeric derivatives."""
FLOOR = 1e-12
"""Added to the likelihood of a trial given a shift, whose largest is 1, so that none is 0."""


@dataclass(frozen=True, eq=False)
class Session:
    """The trials of one subject and condition, in their order.

    `known` are trials whose path is recorded, or on the lattice; the others say nothing, but take
    their time.  `covariates` are the place in the session, and the error of an easy, and of a hard
    trial before.  Likelihoods are by motor delay; `level` is the median distance at the response,
    in 100 px; `ranges` are the largest time and distance.
    """

    subject: str
    known: np.ndarray
    covariates: np.ndarray
    likelihoods: dict[float, Likelihood]
    level: float
    ranges: tuple[float, float]
    block: np.ndarray


class Given(NamedTuple):
    """A session, the motor delay, and which of its trials are used: what a model is fitted to."""

    session: Session
    delay: float
    used: np.ndarray


def read_session(
    trials: pd.DataFrame,
    condition: str,
    delays: Sequence[float] = (0.0,),
    paths: pd.DataFrame | None = None,
) -> Session:
    """Prepare all trials of one subject, of which those of a condition (or all) count.

    Recorded paths (subject, trial, time, position) are used where there are any.
    """
    every = trials.sort_values(["session", "trial"]).reset_index(drop=True)
    wrong = every["responded"] & ~every["correct"]
    same = every["session"].eq(every["session"].shift())
    errors = [
        (wrong & (every["condition"] == name)).shift(fill_value=False) & same
        for name in ("easy", "hard")
    ]
    of_condition = every["condition"].eq(condition) | (condition == ALL)
    chosen = every[of_condition].reset_index(drop=True)
    subject = trials["subject"].iloc[0]
    seen = None if paths is None else paths[paths["subject"] == subject]
    known = with_path(chosen, seen)
    kept = chosen[known].reset_index(drop=True)
    block = chosen["block"].to_numpy(dtype=float)
    place = (block - (block.min() + block.max()) / 2) / max(np.ptp(block), 1.0)
    done = kept[kept["responded"]]
    return Session(
        str(subject),
        known,
        np.stack([place, *(part[of_condition].to_numpy(dtype=float) for part in errors)]),
        likelihoods(kept, Bins(), delays, seen),
        float(done["position"].abs().median()) / 100,
        (float(done["rt"].max()), float(max(done["position"].abs().max(), 1.0))),
        block,
    )


@dataclass(frozen=True, eq=False)
class SessionModel:
    """A hazard that shifts from trial to trial (:class:`fuzzybounds.core.fitting.Fittable`).

    Its parameters are those of the hazard of `model`, without noise between trials, and then those
    of the shift.
    """

    kind: str
    model: Model
    parameters: tuple[Parameter, ...]

    @property
    def starts(self) -> Sequence[np.ndarray]:
        """Values from which the search starts, if there is no fit with independent trials."""
        first = self.model.starts[0][: len(self.parameters) - len(CHANGE)]
        return [np.append(first, change) for change in FIRST_CHANGES]

    def log_likelihood(self, theta: np.ndarray, data: Given) -> tuple[float, np.ndarray]:
        """Return the log-likelihood of the trials that are used, and its gradient."""
        session, likelihood = data.session, data.session.likelihoods[data.delay]
        of_trial, change = likelihood.of_trial, theta[-len(CHANGE) :]
        first = theta[: -len(CHANGE)]
        hazard, jacobian = self.model.jacobian(first, likelihood.states, SHIFTS)
        passes = likelihood.forward(hazard)
        largest = passes.logs.max(axis=0)
        used, seen = data.used[session.known], session.known & data.used
        logs, relative = np.zeros((seen.size, SHIFTS.size)), exp(passes.logs - largest).T
        logs[seen] = log(relative + FLOOR)[of_trial[used]]
        moved = 100.0 * change[2:] @ session.covariates
        at, by_moved = interpolate(logs, moved)
        value, posterior, moves = smooth(exp(at), *map(exp, log_moves(change)))
        by_outcome = np.zeros((len(largest), SHIFTS.size))
        np.add.at(by_outcome, of_trial[used], spread(posterior, moved)[seen])
        by_outcome *= relative / (relative + FLOOR)
        slopes, _ = likelihood.backward(hazard, passes, np.ascontiguousarray(by_outcome.T))
        by_change = []
        for step in SMALL * np.eye(len(CHANGE))[:2]:
            pairs = zip(log_moves(change + step), log_moves(change - step), strict=True)
            start, move = (up - down for up, down in pairs)
            by_change.append((posterior[0] @ start + (moves * move).sum()) / (2 * SMALL))
        by_change += list(100.0 * session.covariates @ (posterior * by_moved).sum(axis=1))
        constant = float(largest[of_trial[used]].sum())
        return value + constant, np.append(summed(jacobian, slopes), by_change)

    def information(self, theta: np.ndarray, data: Given) -> np.ndarray:
        """Return second derivatives of minus the log-likelihood, made positive."""
        slopes = [
            self.log_likelihood(theta + SMALL * step, data)[1]
            - self.log_likelihood(theta - SMALL * step, data)[1]
            for step in np.eye(theta.size)
        ]
        hessian = -np.array(slopes) / (2 * SMALL)
        values, vectors = np.linalg.eigh((hessian + hessian.T) / 2)
        return (vectors * np.maximum(values, 1e-3)) @ vectors.T

    def fixed(self, **values: float) -> SessionModel:
        """Return the same model with some parameters fixed, on their search scales."""
        kept = [
            replace(each, mean=values[each.name], low=values[each.name], high=values[each.name])
            if each.name in values
            else each
            for each in self.parameters
        ]
        return replace(self, parameters=tuple(kept))

    def with_prior(self, mean: np.ndarray, sd: np.ndarray) -> SessionModel:
        """Return the same model with another prior."""
        named = zip(self.parameters, mean, sd, strict=True)
        return replace(
            self, parameters=tuple(replace(p, mean=float(m), sd=float(s)) for p, m, s in named)
        )


KINDS = {
    BOUNDARY: "within_exponential",
    f"{BOUNDARY}_directed": "within_exponential_directed",
    f"{BOUNDARY}_met": "met_exponential",
    RULES: "graded_3",
    f"{RULES}_directed": "graded_3_directed",
}
"""The hazards of session models, by the name of the kind."""


def session_model(kind: str, session: Session) -> SessionModel:
    """Return the model of a kind for one session; labels have the subject's own ranges."""
    where = next(iter(session.likelihoods.values())).states
    time, position = (np.full((1, 1), reach) for reach in session.ranges)
    points = Points(time, position, np.ones((1, 1), dtype=bool))
    (model,) = CATALOGUE[KINDS[kind]].build(Context(where, session.level, points))
    of_hazard = model.parameters[:-1] if model.mixed else model.parameters
    return SessionModel(kind, model, (*of_hazard, *CHANGE))


def first_fit(model: SessionModel, session: Session, used: np.ndarray) -> tuple[float, list[Start]]:
    """Return the delay of the best fit with independent trials, and starts from that fit."""
    best: dict[float, Fit] = {}
    start: list[Start] = []
    for delay, likelihood in session.likelihoods.items():
        counts = likelihood.counts(used[session.known])
        best[delay] = fit_independent(model.model, likelihood, counts, start)
        start = [Start(best[delay].theta)]
    delay = max(best, key=lambda each: best[each].log_posterior)
    first = best[delay].theta[: len(model.parameters) - len(CHANGE)]
    return delay, [Start(np.append(first, change)) for change in FIRST_CHANGES]


def fit_near(
    model: SessionModel, data: Given, starts: Sequence[Start], reach: int = 1
) -> tuple[float, Fit]:
    """Return the best fit with the delay of the data or one of its next `reach` neighbours."""
    delays = list(data.session.likelihoods)
    place = delays.index(data.delay)
    fits = {
        delay: fitting.fit(model, data._replace(delay=delay), starts)
        for delay in delays[max(place - reach, 0) : place + reach + 1]
    }
    best = max(fits, key=lambda delay: fits[delay].log_posterior)
    return best, fits[best]


def left_out(model: SessionModel, theta: np.ndarray, data: Given) -> float:
    """Return the log density of the trials that are not used, given those that are."""
    everything = data._replace(used=np.ones_like(data.used))
    return model.log_likelihood(theta, everything)[0] - model.log_likelihood(theta, data)[0]


@njit(nogil=True)
def interpolate(logs, moved):
    """Return logs at the shifts u + moved by cubic interpolation, and their slopes by moved.

    Cubic, as by Catmull and Rom, so that the likelihood is smooth in what moves the shift.
    """
    values, slopes, last = np.empty_like(logs), np.zeros_like(logs), logs.shape[1] - 1
    for trial in range(logs.shape[0]):
        for place in range(last + 1):
            there = min(max(place + moved[trial] / STEP, 0.0), float(last))
            low = min(int(there), last - 1)
            s = there - low
            a, d = logs[trial, max(low - 1, 0)], logs[trial, min(low + 2, last)]
            b, c = logs[trial, low], logs[trial, low + 1]
            first, second, third = c - a, 2 * a - 5 * b + 4 * c - d, 3 * (b - c) + d - a
            values[trial, place] = b + 0.5 * s * (first + s * (second + s * third))
            if 0.0 < there < last:
                slopes[trial, place] = 0.5 * (first + s * (2 * second + 3 * s * third)) / STEP
    return values, slopes


@njit(nogil=True)
def spread(posterior, moved):
    """Return slopes by logs, given those by what :func:`interpolate` returns."""
    by_logs, last = np.zeros_like(posterior), posterior.shape[1] - 1
    for trial in range(posterior.shape[0]):
        for place in range(last + 1):
            there = min(max(place + moved[trial] / STEP, 0.0), float(last))
            low = min(int(there), last - 1)
            s, weight = there - low, 0.5 * posterior[trial, place]
            by_logs[trial, max(low - 1, 0)] += weight * (-s + 2 * s**2 - s**3)
            by_logs[trial, low] += weight * (2 - 5 * s**2 + 3 * s**3)
            by_logs[trial, low + 1] += weight * (s + 4 * s**2 - 3 * s**3)
            by_logs[trial, min(low + 2, last)] += weight * (s**3 - s**2)
    return by_logs


def _log_normal(distance: np.ndarray, width: float) -> np.ndarray:
    """Return logs of a normal density on the grid, each row with the sum 1."""
    # A density narrower than the grid would fall between two shifts: a smooth maximum, as searches
    # do not converge at a kink.
    wide = (width**8 + (STEP / 2) ** 8) ** 0.125
    logs = -0.5 * (distance / wide) ** 2
    return logs - log(exp(logs).sum(axis=-1, keepdims=True))


def log_moves(change: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return log-probabilities of the first shift, and of every shift given the one before."""
    sigma, correlation = exp(change[0]), 1 / (1 + exp(-change[1]))
    fresh = sigma * np.sqrt(1 - correlation**2)
    return _log_normal(SHIFTS, sigma), _log_normal(SHIFTS - correlation * SHIFTS[:, None], fresh)


@njit(nogil=True)
def smooth(at, first, move):
    """Return the log-likelihood of a sequence, the posterior of shifts, and expected moves.

    `at` is the likelihood of every trial, given its shift (column); `first` and `move` are the
    probabilities of the first shift, and of a shift (column) given that of the trial before (row).
    """
    trials, total = at.shape[0], 0.0
    beliefs, ahead, posterior = np.empty_like(at), np.zeros_like(at), np.empty_like(at)
    belief = first
    for trial in range(trials):
        belief = belief * at[trial]
        size = belief.sum()
        total += log(size)
        beliefs[trial] = belief / size
        belief = beliefs[trial] @ move
    later = np.ones_like(first)
    for trial in range(trials - 1, -1, -1):
        weights = beliefs[trial] * later
        posterior[trial] = weights / weights.sum()
        seen = later * at[trial]
        later = move @ seen
        later /= later.max()
        if trial > 0:
            ahead[trial - 1] = seen / (beliefs[trial - 1] @ (move @ seen))
    return total, posterior, move * (beliefs.T @ ahead)
