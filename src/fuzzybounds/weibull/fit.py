"""Maximum-likelihood fits of the boundary models.

Restarts of :mod:`~fuzzybounds.weibull.search` run on their own until enough of them agree, or until
the budget is spent.  In addition, every model is started from the optima of the models that it
contains (:mod:`~fuzzybounds.weibull.nesting`), from the other shape, and on one time axis from the
optimum on the other, so no model ends worse than one that it contains.  Where such a start finds a
better optimum than the one on which restarts had agreed, more restarts follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from fuzzybounds.criteria import InformationCriteria
from fuzzybounds.weibull.likelihood import course_of, nll
from fuzzybounds.weibull.models import (
    BOUNDARY_TIMES,
    LARGEST_GAIN,
    LEARNING_CLASSES,
    LEVEL_RANGE,
    SHAPES,
    SIGMA_RANGE,
    Model,
)
from fuzzybounds.weibull.nesting import at_other_time, contained, embed, siblings
from fuzzybounds.weibull.restarts import Found, budget_of, searched, searched_apart
from fuzzybounds.weibull.search import AGREEMENT, Budget, Search
from fuzzybounds.weibull.trials import Trials, trials_of

if TYPE_CHECKING:
    import pandas as pd


LAST = 1e-9
"""A fit is polished until steps gain less than this."""
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
        What each restart reached alone.  Where conditions were searched separately, the best
        restarts of each are combined, then the second best, and so on.
    first_restarts : tuple of float
        What the first and the second restart reached, in the order in which they ran: the fit that
        another seed might have given.
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
    first_restarts: tuple[float, float]
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
    def agreed(self) -> bool:
        """Whether at least two restarts reached the fit's NLL on their own."""
        return bool(np.sum(self.restart_nll <= self.nll + AGREEMENT) >= 2)

    @property
    def unstable(self) -> bool:
        """Whether errors in the level grow; see :class:`~fuzzybounds.weibull.models.Model`."""
        return self.gain > LARGEST_GAIN


def fit_models(
    models: Sequence[Model],
    by_time: Mapping[str, Trials],
    seed: int,
    *names: str | int,
    budget: Budget = Budget(),  # noqa: B008 (frozen)
    near: Mapping[tuple[Model, str], np.ndarray] | None = None,
) -> Iterator[tuple[str, Fit]]:
    """Fit models to one subject's trials, read at one boundary time or at several.

    Parameters
    ----------
    models : sequence of Model
        With the same conditions.  Each starts also from those of the others that it contains.
    by_time : mapping of str to Trials
        Trials by boundary time, prepared with the models' conditions.
    seed : int
        The seed of the configuration.
    *names : str or int
        What the fits are of (data set, subject); with boundary time, model and number of a restart
        they make the random numbers.
    budget : Budget
    near : mapping, optional
        Further starts, by model and boundary time.

    Yields
    ------
    boundary_time : str
    fit : Fit
    """
    near = near or {}
    found: dict[tuple[Model, str], Found] = {}
    searches: dict[tuple[Model, str], tuple[Search, tuple[str | int, ...]]] = {}
    ordered = sorted(models, key=_size)
    for model in ordered:
        for time, trials in by_time.items():
            same = next((found[model, t] for t in by_time if (model, t) in found), None)
            if model.shape == "constant" and same is not None:
                # Nothing in a constant boundary depends on where time is read.
                found[model, time] = same
                continue
            starts = _starts(model, time, found)
            starts += [near[model, time]] if (model, time) in near else []
            stream = (*names, *([time] if model.shape == "weibull" else []), "weibull", model.name)
            if model.separable:
                found[model, time] = searched_apart(model, trials, starts, budget, seed, stream)
                continue
            search = Search(model, trials, budget_of(model, budget))
            found[model, time] = searched(search, starts, seed, stream)
            searches[model, time] = search, stream
    # A better optimum of one model may be a better start for others, and restarts may turn out to
    # have agreed on a worse one.
    while _settle(ordered, by_time, found, budget):
        for key, (search, stream) in searches.items():
            found[key].restart(search, seed, stream)
    for model, time in {id(own): key for key, own in found.items()}.values():
        own, search = found[model, time], Search(model, by_time[time], budget)
        (theta,), (value,) = search.finish(own.theta[None], LAST)
        own.offer(theta, float(value))
    for time, trials in by_time.items():
        for model in models:
            yield time, _described(model, trials, found[model, time])


def fit(
    model: Model,
    trials: Trials,
    seed: int,
    *names: str | int,
    budget: Budget = Budget(),  # noqa: B008 (frozen)
) -> Fit:
    """Fit one model to one subject's trials, as :func:`fit_models` does."""
    return next(fit_models([model], {"decision": trials}, seed, *names, budget=budget))[1]


def fit_subject(
    table: pd.DataFrame,
    models: Iterable[Model],
    seed: int,
    *names: str | int,
    boundary_times: Sequence[str] = ("decision",),
    budget: Budget = Budget(),  # noqa: B008 (frozen)
) -> Iterator[tuple[str, Fit]]:
    """Fit many models to one subject's rows of the trials table, as :func:`fit_models` does.

    Parameters
    ----------
    table : pandas.DataFrame
        Rows of one subject of the trials table, in order.
    models : iterable of Model
    seed, *names, budget
        As in :func:`fit_models`.
    boundary_times : sequence of {"decision", "total"}
    """
    models = list(models)
    conditions = {model.conditions for model in models}
    if len(conditions) != 1:
        raise ValueError(f"models with the conditions {sorted(conditions)} given, expected one set")
    by_time = {time: trials_of(table, models[0].conditions, time) for time in boundary_times}
    yield from fit_models(models, by_time, seed, *names, budget=budget)


def _size(model: Model) -> tuple:
    """Sort key: contained models first."""
    free = model.learning == "rl" and not model.stable
    return LEARNING_CLASSES.index(model.learning), free, SHAPES.index(model.shape)


def _starts(model: Model, time: str, found: Mapping[tuple[Model, str], Found]) -> list[np.ndarray]:
    """Where else to start: contained models, siblings, the other shape, the other time axis."""
    starts = [
        embed(inner, found[inner, time].theta, model)
        for inner in (*contained(model), *siblings(model))
        if (inner, time) in found
    ]
    other_shape = replace(model, shape="constant" if model.shape == "weibull" else "weibull")
    if (other_shape, time) in found:
        theta = found[other_shape, time].theta
        starts.append(embed(other_shape, theta, model, early=model.shape == "weibull"))
    for other in BOUNDARY_TIMES:
        if other != time and model.shape == "weibull" and (model, other) in found:
            there = found[model, other].theta
            starts += [there, at_other_time(model, there, time)]
    return starts


def _settle(models, by_time, found, budget) -> bool:
    """Start each model from the others' optima, until no model gains; say whether one did."""
    gained, changed = False, True
    while changed:
        changed = False
        for model in models:
            for time, trials in by_time.items():
                starts = _starts(model, time, found)
                if model.shape == "constant" and time != next(iter(by_time)):
                    continue
                if not starts:
                    continue
                own = found[model, time]
                best = Search(model, trials, budget).best_of(np.array(starts), own.value)
                changed |= own.offer(*best)
        gained |= changed
    return gained


def _described(model: Model, trials: Trials, found: Found) -> Fit:
    """Complete a fit with its flags."""
    theta = found.theta
    course = course_of(model, theta, trials)
    low, high = LEVEL_RANGE
    margin = ON_BOUND * (model.upper - model.lower)
    at_bound = (theta <= model.lower + margin) | (theta >= model.upper - margin)
    return Fit(
        model=model,
        parameters=theta,
        nll=float(nll(model, theta, trials)),
        n=int(trials.responded.sum()),
        restart_nll=np.array(found.reached),
        first_restarts=found.first,
        on_bound=tuple(name for name, there in zip(model.names, at_bound, strict=True) if there),
        sigma_floor=float(np.mean(course.sigma[trials.responded] <= SIGMA_RANGE[0])),
        level_limit=float(np.mean((course.level <= low) | (course.level >= high))),
        gain=float(course.gain.max()),
    )
