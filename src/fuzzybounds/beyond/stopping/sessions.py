r"""Sessions as sequences: a boundary, or rules, that shift from trial to trial.

The models of :mod:`~fuzzybounds.beyond.stopping.catalogue` take trials to be independent.  Here all
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
from functools import cache
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy import exp, log

from fuzzybounds.beyond.stopping.boundaries import GAIN, LAPSE, SHAPES, SIGMA, TAU, falling, within
from fuzzybounds.beyond.stopping.lattice import Bins, States, on_lattice, outcomes, states
from fuzzybounds.beyond.stopping.likelihood import Likelihood
from fuzzybounds.beyond.stopping.model import HazardFunction, Model
from fuzzybounds.beyond.stopping.model import fit as fit_independent
from fuzzybounds.beyond.stopping.rules import (
    consequent_parameters,
    graded,
    label_parameters,
    starting_labels,
)
from fuzzybounds.core.fitting import Parameter, Start

BOUNDARY, RULES = "boundary", "rules"
STEP, FARTHEST = 12.0, 360.0
"""Of the grid of shifts, in px."""
SHIFTS = np.arange(-FARTHEST, FARTHEST + STEP / 2, STEP)
CORRELATION = Parameter("correlation", "logit", 0.0, 1.5, -5.0, 4.0)
DRIFT = Parameter("drift", "hundred", 0.0, 0.6, -3.0, 3.0)
AFTER_EASY = Parameter("after_easy_error", "hundred", 0.0, 0.3, -2.0, 2.0)
AFTER_HARD = Parameter("after_hard_error", "hundred", 0.0, 0.3, -2.0, 2.0)
CHANGE = (SIGMA, CORRELATION, DRIFT, AFTER_EASY, AFTER_HARD)
"""The last parameters of a session: how positions shift."""
FIRST_CHANGE = (log(25.0), 1.0, 0.0, 0.0, 0.0)
"""Where searches start."""
SMALL = 1e-4
"""Step of numeric derivatives."""
FLOOR = 1e-12
"""Added to the likelihood of a trial given a shift, whose largest is 1, so that none is 0."""
LABELS = 3
"""Labels of the rules: those that predict best without dependence (docs/verdict.md)."""


@dataclass(frozen=True, eq=False)
class Session:
    """The trials of one subject and condition, in their order.

    Attributes
    ----------
    subject : str
    known : array of bool, shape (trials,)
        Trials on the lattice; the others say nothing, but take their time.
    covariates : array, shape (3, trials)
        Place in the session; error of an easy, and of a hard trial before.
    likelihoods : dict
        Of the trials that are known, by motor delay.
    level : float
        Median distance at the response, in 100 px.
    ranges : tuple of float
        Largest time and distance.
    block : array, shape (trials,)
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


@cache
def _states(steps: int) -> States:
    return states(Bins(), steps)


def read_session(
    trials: pd.DataFrame, condition: str | None, delays: Sequence[float] = (0.0,)
) -> Session:
    """Prepare one subject.

    Parameters
    ----------
    trials : DataFrame
        All trials of the subject (``trials.parquet``).
    condition : str or None
        The condition whose trials count; None takes all.
    delays : sequence of float
        Motor delays in s.
    """
    every = trials.sort_values(["session", "trial"]).reset_index(drop=True)
    wrong = every["responded"] & ~every["correct"]
    same = every["session"].eq(every["session"].shift())
    errors = [
        (wrong & (every["condition"] == name)).shift(fill_value=False) & same
        for name in ("easy", "hard")
    ]
    own = (every["condition"] == condition) if condition else np.full(len(every), True)
    chosen = every[own].reset_index(drop=True)
    known = on_lattice(chosen)
    kept = chosen[known]
    found = {delay: outcomes(kept, Bins(), delay) for delay in delays}
    where = _states(max(part.steps for part in found.values()))
    block = chosen["block"].to_numpy(dtype=float)
    place = (block - (block.min() + block.max()) / 2) / max(np.ptp(block), 1.0)
    done = kept[kept["responded"]]
    return Session(
        str(trials["subject"].iloc[0]),
        known,
        np.stack([place, *(part[own].to_numpy(dtype=float) for part in errors)]),
        {delay: Likelihood(part, where) for delay, part in found.items()},
        float(done["position"].abs().median()) / 100,
        (float(done["rt"].max()), float(max(done["position"].abs().max(), 1.0))),
        block,
    )


@dataclass(frozen=True, eq=False)
class SessionModel:
    """A hazard that shifts from trial to trial (:class:`fuzzybounds.core.fitting.Fittable`)."""

    kind: str
    hazard: HazardFunction
    parameters: tuple[Parameter, ...]
    starts: Sequence[np.ndarray] = ()

    def log_likelihood(self, theta: np.ndarray, data: Given) -> tuple[float, np.ndarray]:
        """Return the log-likelihood of the trials that are used, and its gradient."""
        session, likelihood = data.session, data.session.likelihoods[data.delay]
        of_trial, change = likelihood.outcomes.of_trial, theta[-len(CHANGE) :]
        hazard = self.hazard(theta[: -len(CHANGE)], likelihood.states, SHIFTS)
        passes = likelihood.forward(hazard.value)
        largest = passes.logs.max(axis=0)
        used, seen = data.used[session.known], session.known & data.used
        logs, own = np.zeros((seen.size, SHIFTS.size)), exp(passes.logs - largest).T
        logs[seen] = log(own + FLOOR)[of_trial[used]]
        sigma, correlation = exp(change[0]), 1 / (1 + exp(-change[1]))
        moved = 100.0 * change[2:] @ session.covariates
        value, by_logs, by_moved = smooth(logs, moved, sigma, correlation)
        by_outcome = np.zeros((len(largest), SHIFTS.size))
        np.add.at(by_outcome, of_trial[used], by_logs[seen])
        by_outcome *= own / (own + FLOOR)
        slopes = likelihood.backward(hazard.value, passes, np.ascontiguousarray(by_outcome.T))
        at, numeric = exp(interpolate(logs, moved)[0]), []
        for place in np.eye(2):
            ends = []
            for sign in (1.0, -1.0):
                s, c = change[:2] + sign * SMALL * place
                ends.append(forward(at, exp(s), 1 / (1 + exp(-c)))[0])
            numeric.append((ends[0] - ends[1]) / (2 * SMALL))
        by_change = [*numeric, *(100.0 * session.covariates @ by_moved)]
        constant = float(largest[of_trial[used]].sum())
        return value + constant, np.append(hazard.pull(slopes.first)[0], by_change)

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

    def plain(self) -> Model:
        """Return the hazard alone, for independent trials."""
        parameters = self.parameters[: -len(CHANGE)]
        return Model(self.kind, self.kind, parameters, self.hazard, self.starts)

    def fixed(self, **values: float) -> SessionModel:
        """Return the same model with some parameters fixed, on their search scales."""
        kept = [
            replace(own, mean=values[own.name], low=values[own.name], high=values[own.name])
            if own.name in values
            else own
            for own in self.parameters
        ]
        return replace(self, parameters=tuple(kept))

    def with_prior(self, mean: np.ndarray, sd: np.ndarray) -> SessionModel:
        """Return the same model with another prior."""
        named = zip(self.parameters, mean, sd, strict=True)
        return replace(
            self, parameters=tuple(replace(p, mean=float(m), sd=float(s)) for p, m, s in named)
        )


def session_model(kind: str, session: Session) -> SessionModel:
    """Return a model with a boundary, or with rules whose labels have the subject's own ranges."""
    if kind == BOUNDARY:
        own = (*SHAPES["exponential"].parameters, LAPSE, GAIN, TAU)
        start = np.array([*falling("exponential", session.level), -4.5, -1.0, log(20.0)])
        return SessionModel(kind, within("exponential"), (*own, *CHANGE), [start])
    labels = starting_labels(LABELS, *session.ranges)
    own = (*consequent_parameters(LABELS), *label_parameters(LABELS))
    beyond = (labels[2] - 100.0 * session.level) / 30.0
    ramp = np.tile(np.clip(-1.5 + beyond, -7.0, 0.0), LABELS)
    start = np.append(ramp, np.zeros(4 * LABELS))
    return SessionModel(kind, graded(LABELS, labels, tuned=True), (*own, *CHANGE), [start])


def first_fit(model: SessionModel, session: Session, used: np.ndarray) -> tuple[float, np.ndarray]:
    """Return the delay and the parameters of the best fit with independent trials."""
    plain, best = model.plain(), {}
    start: list[Start] = []
    for delay, likelihood in session.likelihoods.items():
        counts = likelihood.outcomes.counts(used[session.known])
        best[delay] = fit_independent(plain, likelihood, counts, start)
        start = [Start(best[delay].theta)]
    delay = max(best, key=lambda own: best[own].log_posterior)
    return delay, np.append(best[delay].theta, FIRST_CHANGE)


def left_out(model: SessionModel, theta: np.ndarray, data: Given) -> float:
    """Return the log density of the trials that are not used, given those that are."""
    everything = data._replace(used=np.ones_like(data.used))
    return model.log_likelihood(theta, everything)[0] - model.log_likelihood(theta, data)[0]


def interpolate(logs: np.ndarray, moved: np.ndarray):
    """Return logs at the shifts u + moved by cubic interpolation, where it takes them, and slopes.

    Cubic, as by Catmull and Rom, so that the likelihood is smooth in what moves the shift.
    """
    there = np.clip((moved[:, None] + SHIFTS + FARTHEST) / STEP, 0.0, SHIFTS.size - 1)
    low = np.minimum(there.astype(int), SHIFTS.size - 2)
    places = np.clip(low + np.arange(-1, 3)[:, None, None], 0, SHIFTS.size - 1)
    s = there - low
    weights = 0.5 * np.stack(
        [-s + 2 * s**2 - s**3, 2 - 5 * s**2 + 3 * s**3, s + 4 * s**2 - 3 * s**3, s**3 - s**2]
    )
    by_s = 0.5 * np.stack(
        [-1 + 4 * s - 3 * s**2, 9 * s**2 - 10 * s, 1 + 8 * s - 9 * s**2, 3 * s**2 - 2 * s]
    )
    own = logs[np.arange(len(low))[:, None], places]
    inside = (there > 0) & (there < SHIFTS.size - 1)
    return (weights * own).sum(axis=0), places, weights, (by_s * own).sum(axis=0) * inside / STEP


def _normal(distance: np.ndarray, width: float) -> np.ndarray:
    """Return rows of a normal density on the grid, each with the sum 1."""
    # A density narrower than the grid would fall between two shifts.
    density = exp(-0.5 * (distance / max(width, STEP / 2)) ** 2)
    return density / density.sum(axis=1, keepdims=True)


def forward(at: np.ndarray, sigma: float, correlation: float):
    """Return the log-likelihood, beliefs after every trial, and the transitions between shifts."""
    change = sigma * np.sqrt(1 - correlation**2)
    move = _normal(SHIFTS[None] - correlation * SHIFTS[:, None], change)
    belief, total, beliefs = _normal(SHIFTS[None], sigma)[0], 0.0, np.empty_like(at)
    for trial, own in enumerate(at):
        belief = belief * own
        size = belief.sum()
        total += log(size)
        belief /= size
        beliefs[trial] = belief
        belief = belief @ move
    return float(total), beliefs, move


def smooth(logs: np.ndarray, moved: np.ndarray, sigma: float, correlation: float):
    """Return the log-likelihood of a sequence, and its slopes by `logs` and by `moved`.

    Parameters
    ----------
    logs : array, shape (trials, shifts)
        Log-likelihood of every trial, given its shift.
    moved : array, shape (trials,)
        The part of the shift that is known, in px.
    sigma, correlation : float
    """
    at, places, weights, by_moved = interpolate(logs, moved)
    at = exp(at)
    total, beliefs, move = forward(at, sigma, correlation)
    later, posterior = np.ones(SHIFTS.size), np.empty_like(at)
    for trial in range(len(at) - 1, -1, -1):
        posterior[trial] = beliefs[trial] * later
        later = move @ (later * at[trial])
        later /= later.max()
    posterior /= posterior.sum(axis=1, keepdims=True)
    by_logs = np.zeros_like(logs)
    np.add.at(by_logs, (np.arange(len(at))[:, None], places), posterior * weights)
    return total, by_logs, (posterior * by_moved).sum(axis=1)
