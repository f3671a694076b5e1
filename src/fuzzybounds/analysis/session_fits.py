r"""Whole sessions as sequences: boundaries that shift from trial to trial, and drift.

The best of the stopping models, a boundary that falls exponentially with noise within and between
trials (``both_exponential``), takes the shifts of the boundary to be independent from trial to
trial.  Here the shift of the boundary on trial i is

    drift (block_i - middle block) / (blocks - 1) + u_i,   u_i = correlation u_{i-1} + noise,

where u has the standard deviation sigma and i counts the trials of a subject and condition.  Given
its shift a trial has the likelihood of the stopping models; that of the whole sequence follows by
the recursions of a hidden Markov model on a grid of shifts.  All nine parameters are fitted to it
together, by maximum a posteriori, from the fit with independent shifts.  Those of Experiment A's
subjects are the parameters of the simulated cohort (``cohort/people.csv``), and fits to the cohort
are compared with them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.cohort.boundary_subjects import PARAMETERS
from fuzzybounds.stopping.boundaries import within
from fuzzybounds.stopping.catalogue import CATALOGUE, Context
from fuzzybounds.stopping.data import FEWEST
from fuzzybounds.stopping.lattice import Bins, Outcomes, on_lattice, outcomes, states
from fuzzybounds.stopping.likelihood import Likelihood
from fuzzybounds.stopping.model import Model, fit
from fuzzybounds.stopping.two_class import TwoClass
from fuzzybounds.storage.registry import TABLES
from fuzzybounds.storage.seeds import generator

MODELS = ("within_exponential", "both_exponential")
"""The second is where the search starts; it starts from the fit of the first, too."""
STEP, FARTHEST = 7.5, 450.0
"""Of the grid of shifts, in px."""
SHIFTS = np.arange(-FARTHEST, FARTHEST + STEP / 2, STEP)
MOST_CORRELATED = 0.98
CORRELATION_PRIOR = (0.0, 1.5)
"""Mean and standard deviation of the log-odds of correlation / :data:`MOST_CORRELATED`."""
DRIFT_UNIT = 60.0
"""Standard deviation of the prior of the drift over a session, and its search unit, in px."""
CHANGE = 3
"""The last parameters: log sigma, log-odds of the correlation, drift."""
SMALL = 1e-4
"""Step of numeric slopes by the parameters of change."""
FLOOR = 1e-12
"""Added to the likelihood of a trial given a shift, whose largest is 1, so that none is 0."""
LARGEST_SLOPE = 0.05
"""A search has converged when no free parameter changes the objective by more nats per unit."""
DIGITS = 3
"""Significant digits that are kept: fewer than searches on different machines agree to."""


class SessionTables(NamedTuple):
    """What :func:`describe_sessions` returns: one table per output of the stage."""

    fits: pd.DataFrame
    people: pd.DataFrame


class Sequence:
    """The trials of one subject and condition, in their order, and their likelihood.

    Parameters
    ----------
    trials : DataFrame
        Rows of ``trials.parquet``; those off the lattice say nothing, but take their time.
    """

    def __init__(self, trials: pd.DataFrame):
        self.known = on_lattice(trials)
        bins, kept = Bins(), trials[self.known]
        self.outcomes: Outcomes = outcomes(kept, bins)
        self.likelihood = Likelihood(self.outcomes, states(bins, self.outcomes.steps))
        self.median = float(kept.loc[kept["responded"], "position"].abs().median())
        block = trials["block"].to_numpy(dtype=float)
        self.session = (block - (block.min() + block.max()) / 2) / max(np.ptp(block), 1.0)

    def independent(self) -> tuple[Model, np.ndarray]:
        """Return the model with independent shifts, and its fitted parameters."""
        nothing = np.empty((0, 0))
        points = TwoClass(*[nothing] * 3)
        context = Context(
            self.likelihood.states, self.median / 100, points, lambda: nothing, lambda: {}
        )
        counts = self.outcomes.counts(np.ones(len(self.outcomes.of_trial), dtype=bool))
        for name in MODELS:
            found = fit(CATALOGUE[name].build(context), self.likelihood, counts)[0]
            context.fitted[name] = found.theta
        return found.model, found.theta

    def log_likelihood(self, theta: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the log-likelihood of the sequence and its slopes.

        Parameters
        ----------
        theta : array
            Parameters of the boundary with noise within trials, and of its change, on their search
            scales.
        """
        hazard = within("exponential")(theta[:-CHANGE], self.likelihood.states, SHIFTS)
        passes = self.likelihood.forward(hazard.value)
        largest = passes.logs.max(axis=0)
        given, own = np.ones((len(self.session), SHIFTS.size)), np.exp(passes.logs - largest).T
        given[self.known] = (own + FLOOR)[self.outcomes.of_trial]
        constant = float(largest[self.outcomes.of_trial].sum())
        value, posterior = smooth(given, self.session, *change_of(theta))
        # The slope by the log-likelihood of a trial given a shift is the posterior of that shift.
        by_outcome = np.zeros((len(largest), SHIFTS.size))
        np.add.at(by_outcome, self.outcomes.of_trial, posterior[self.known])
        by_outcome *= own / (own + FLOOR)
        falls = np.ascontiguousarray(by_outcome.T)
        slopes = self.likelihood.backward(hazard.value, passes, falls)
        gradient = np.append(hazard.pull(slopes.first)[0], np.zeros(CHANGE))
        for place in range(theta.size - CHANGE, theta.size):
            ends_at = []
            for sign in (1.0, -1.0):
                moved = theta.copy()
                moved[place] += sign * SMALL
                ends_at.append(filtered(given, self.session, *change_of(moved)))
            gradient[place] = (ends_at[0] - ends_at[1]) / (2 * SMALL)
        return value + constant, gradient


def change_of(theta: np.ndarray) -> tuple[float, float, float]:
    """Return sigma (px), correlation and drift (px) from the search scales."""
    correlation = MOST_CORRELATED / (1.0 + np.exp(-theta[-2]))
    return float(np.exp(theta[-3])), float(correlation), float(DRIFT_UNIT * theta[-1])


def _places(session: np.ndarray, drift: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return between which shifts of the grid u + drift lies, and how near to the upper one."""
    there = np.clip((drift * session[:, None] + SHIFTS + FARTHEST) / STEP, 0.0, SHIFTS.size - 1)
    low = np.minimum(there.astype(int), SHIFTS.size - 2)
    return np.arange(len(low))[:, None], low, there - low


def _normal(distance: np.ndarray, sigma: float, correlation: float) -> np.ndarray:
    """Return rows of a normal density on the grid, each with the sum 1."""
    # A density narrower than the grid would fall between two shifts.
    width = max(sigma * np.sqrt(1 - correlation**2), STEP / 2)
    density = np.exp(-0.5 * (distance / width) ** 2)
    return density / density.sum(axis=1, keepdims=True)


def _forward(given: np.ndarray, sigma: float, correlation: float):
    """Return the log-likelihood, beliefs after every trial, and the transitions between shifts."""
    move = _normal(SHIFTS[None] - correlation * SHIFTS[:, None], sigma, correlation)
    belief, total, beliefs = _normal(SHIFTS[None], sigma, 0.0)[0], 0.0, np.empty_like(given)
    for trial, own in enumerate(given):
        belief = belief * own
        size = belief.sum()
        total += np.log(size)
        belief /= size
        beliefs[trial] = belief
        belief = belief @ move
    return float(total), beliefs, move


def filtered(
    given: np.ndarray, session: np.ndarray, sigma: float, correlation: float, drift: float
) -> float:
    """Return the log-likelihood of a sequence; `given` is that of every trial and shift."""
    rows, low, share = _places(session, drift)
    at = (1 - share) * given[rows, low] + share * given[rows, low + 1]
    return _forward(at, sigma, correlation)[0]


def smooth(
    given: np.ndarray, session: np.ndarray, sigma: float, correlation: float, drift: float
) -> tuple[float, np.ndarray]:
    """Return the log-likelihood of a sequence, and the posterior of every trial's shift."""
    rows, low, share = _places(session, drift)
    lower, upper = (1 - share) * given[rows, low], share * given[rows, low + 1]
    at = lower + upper
    total, beliefs, move = _forward(at, sigma, correlation)
    later = np.ones(SHIFTS.size)
    posterior = np.zeros_like(given)
    for trial in range(len(at) - 1, -1, -1):
        own = beliefs[trial] * later
        own /= own.sum()
        part = np.divide(own, at[trial], out=np.zeros_like(own), where=at[trial] > 0)
        posterior[trial] += np.bincount(low[trial], part * lower[trial], SHIFTS.size)
        posterior[trial] += np.bincount(low[trial] + 1, part * upper[trial], SHIFTS.size)
        later = move @ (later * at[trial])
        later /= later.max()
    return total, posterior


def fit_sessions(trials: pd.DataFrame) -> pd.DataFrame:
    """Fit every one-session subject in both conditions.

    Parameters
    ----------
    trials : DataFrame
        Result table of a data set with cues.

    Returns
    -------
    DataFrame
        The table ``session_fits``: one row per subject and condition.
    """
    sessions = trials.groupby("subject")["session"].transform("nunique")
    rows = []
    for (subject, condition), own in trials[sessions == 1].groupby(
        ["subject", "condition"], sort=False
    ):
        if own["responded"].sum() >= FEWEST:
            rows.append({"subject": subject, "condition": condition, **fit_session(own)})
    return pd.DataFrame(rows, columns=TABLES["session_fits"].names)


def fit_session(trials: pd.DataFrame) -> dict[str, Any]:
    """Fit one subject in one condition: n, the parameters, and how the search went.

    `gain_by_dependence` is by how many nats the log-likelihood is larger than that of the fit with
    independent shifts and no drift.
    """
    from scipy.optimize import minimize

    sequence = Sequence(trials)
    model, independent = sequence.independent()
    mean = np.append([own.mean for own in model.parameters], [CORRELATION_PRIOR[0], 0.0])
    sd = np.append([own.sd for own in model.parameters], [CORRELATION_PRIOR[1], 1.0])

    def objective(theta: np.ndarray) -> tuple[float, np.ndarray]:
        value, slopes = sequence.log_likelihood(theta)
        deviation = (theta - mean) / sd
        return 0.5 * float(deviation @ deviation) - value, deviation / sd - slopes

    bounds = [*((own.low, own.high) for own in model.parameters), (-5.0, 5.0), (-4.0, 4.0)]
    start = np.append(independent, [1.0, 0.0])
    best = minimize(
        objective,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=bounds,
        options={"maxiter": 200, "maxcor": 20, "ftol": 1e-10},
    )
    low, high = np.array(bounds).T
    pressed = ((best.x <= low) & (best.jac > 0)) | ((best.x >= high) & (best.jac < 0))
    before = sequence.log_likelihood(np.append(independent, [-20.0, 0.0]))[0]
    values = model.natural(best.x[: independent.size])
    values |= dict(zip(("sigma", "correlation", "drift"), change_of(best.x), strict=True))
    return {
        "n": len(trials),
        **{name: rounded(values[name]) for name in PARAMETERS},
        "gain_by_dependence": sequence.log_likelihood(best.x)[0] - before,
        "converged": bool(np.abs(np.where(pressed, 0.0, best.jac)).max() <= LARGEST_SLOPE),
    }


def rounded(value: float) -> float:
    """Return a number with :data:`DIGITS` significant digits."""
    return float(f"{value:.{DIGITS}g}")


def describe_sessions(trials: pd.DataFrame) -> SessionTables:
    """Fit all sessions, and return the fits and the parameters without names."""
    fits = fit_sessions(trials)
    return SessionTables(fits, anonymous(fits, generator(0, "people")))


def anonymous(fits: pd.DataFrame, order: np.random.Generator) -> pd.DataFrame:
    """Return the parameters alone, with people numbered in a random order."""
    names = list(dict.fromkeys(fits["subject"]))
    number = dict(zip(order.permutation(names), range(1, len(names) + 1), strict=True))
    table = fits.assign(person=fits["subject"].map(number).astype(int))
    return table[["person", "condition", *PARAMETERS]].sort_values(
        ["person", "condition"], ignore_index=True
    )
