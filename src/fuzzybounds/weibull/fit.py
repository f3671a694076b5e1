"""Maximum-likelihood fits of the boundary models.

Several restarts of :mod:`~fuzzybounds.weibull.search` run on their own, which says how often they
agree, and then as one population, whose best member is polished.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fuzzybounds.criteria import InformationCriteria
from fuzzybounds.storage.seeds import generator
from fuzzybounds.weibull.likelihood import course_of, nll
from fuzzybounds.weibull.models import LARGEST_GAIN, LEVEL_RANGE, SIGMA_RANGE, Model
from fuzzybounds.weibull.search import Budget, Search, best_first
from fuzzybounds.weibull.trials import Trials, trials_of

if TYPE_CHECKING:
    import pandas as pd


AGREEMENT = 0.1
"""Restarts agree with the fit if their NLL lies within this of it."""
ON_BOUND = 1e-6
"""A parameter is on a bound if it lies this close to it, as a part of its range."""


@dataclass(frozen=True)
class Fit(InformationCriteria):
    """A fitted model.

    Attributes
    ----------
    model : Model
    parameters : numpy.ndarray
        In the order of ``model.names``.
    nll : float
        Negative log-likelihood at the parameters.
    n : int
        Number of responses that it is the likelihood of.
    restart_nll : numpy.ndarray
        What each restart reached on its own.
    on_bound : tuple of str
        Parameters that ended on a bound of the search.
    sigma_floor : float
        Share of the responses for which σ lies at its lowest value: there the model claims to know
        the boundary to within 5 px.
    level_limit : float
        Share of the trials that left the level at or beyond the limits of its range: there the
        model uses learning as a switch, or not at all.
    gain : float
        Largest growth of an error in the level (class rl); the fit is unstable if it is more than
        :data:`~fuzzybounds.weibull.models.LARGEST_GAIN`.
    """

    model: Model
    parameters: np.ndarray
    nll: float
    n: int
    restart_nll: np.ndarray
    on_bound: tuple[str, ...]
    sigma_floor: float
    level_limit: float
    gain: float

    @property
    def k(self) -> int:
        """Number of free parameters."""
        return self.model.k

    @property
    def restarts_agree(self) -> float:
        """Share of the restarts that reached the fit's NLL on their own."""
        return float(np.mean(self.restart_nll <= self.nll + AGREEMENT))

    @property
    def unstable(self) -> bool:
        """Whether errors in the level grow; see :class:`~fuzzybounds.weibull.models.Model`."""
        return self.gain > LARGEST_GAIN


def fit(
    model: Model,
    trials: Trials,
    seed: int,
    *names: str | int,
    budget: Budget = Budget(),  # noqa: B008 (frozen)
) -> Fit:
    """Fit a model to one subject's trials.

    Parameters
    ----------
    model : Model
    trials : Trials
        Prepared with the same conditions as the model's.
    seed : int
        The seed of the configuration.
    *names : str or int
        What the fit is of (data set, subject, boundary time); with the model's name and the number
        of a restart they make its random numbers.
    budget : Budget
    """
    search = Search(model, trials, budget)
    stream = (*names, "weibull", model.name)
    restarts = [search.restart(generator(seed, *stream, i)) for i in range(budget.restarts)]
    starts, reached = search.polish(np.array([population[0] for population, _ in restarts]))
    joined = (np.concatenate(part) for part in zip(*restarts, strict=True))
    population, values = best_first(*joined)
    rng = generator(seed, *stream, "joint")
    population, values = search.evolve(population, values, budget.joint_generations, rng)
    # The restarts' own optima stay in the race, so that no restart beats the fit.
    finalists, finals = search.polish(np.concatenate([population[:1], starts]))
    return _described(model, trials, finalists[np.argmin(finals)], reached)


def fit_subject(
    table: pd.DataFrame,
    models: Iterable[Model],
    seed: int,
    *names: str | int,
    boundary_time: str = "decision",
    budget: Budget = Budget(),  # noqa: B008 (frozen)
) -> Iterator[Fit]:
    """Fit many models to one subject, and yield each fit as it is ready.

    Parameters
    ----------
    table : pandas.DataFrame
        Rows of one subject of the trials table, in order.
    models : iterable of Model
    seed, *names
        As in :func:`fit`; the boundary time is added to the names.
    boundary_time : {"decision", "total"}
    budget : Budget
    """
    prepared: dict[Sequence[str], Trials] = {}
    for model in models:
        if model.conditions not in prepared:
            prepared[model.conditions] = trials_of(table, model.conditions, boundary_time)
        trials = prepared[model.conditions]
        yield fit(model, trials, seed, *names, boundary_time, budget=budget)


def _described(model: Model, trials: Trials, theta: np.ndarray, reached: np.ndarray) -> Fit:
    """Complete a fit with its flags."""
    course = course_of(model, theta, trials)
    low, high = LEVEL_RANGE
    margin = ON_BOUND * (model.upper - model.lower)
    at_bound = (theta <= model.lower + margin) | (theta >= model.upper - margin)
    return Fit(
        model=model,
        parameters=theta,
        nll=float(nll(model, theta, trials)),
        n=int(trials.responded.sum()),
        restart_nll=reached,
        on_bound=tuple(name for name, there in zip(model.names, at_bound, strict=True) if there),
        sigma_floor=float(np.mean(course.sigma[trials.responded] <= SIGMA_RANGE[0])),
        level_limit=float(np.mean((course.level <= low) | (course.level >= high))),
        gain=float(course.gain.max()),
    )
