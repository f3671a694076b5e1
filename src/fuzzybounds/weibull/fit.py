"""Maximum-likelihood fits of the boundary models.

Restarts of :mod:`~fuzzybounds.weibull.search` run until enough of them agree.  In addition, every
model is started from the optima of the models that it contains
(:mod:`~fuzzybounds.weibull.nesting`), from the other shape, and on one time axis from the optimum
on the other, so no model ends worse than one that it contains.  Where such a start finds a better
optimum than the one on which restarts had agreed, more restarts follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from fuzzybounds.criteria import InformationCriteria
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
from fuzzybounds.weibull.recursion import course_of
from fuzzybounds.weibull.search import AGREEMENT, Budget, Search
from fuzzybounds.weibull.trials import Trials, trials_of

if TYPE_CHECKING:
    import pandas as pd

Found = Mapping[tuple[Model, str], Search]
"""Searches by model and boundary time."""
LAST = 1e-9
"""A fit is polished until steps gain less than this."""
ON_BOUND = 1e-6
"""A parameter is on a bound if it lies this close to it, as a part of its range."""


@dataclass(frozen=True)
class Fit(InformationCriteria):
    """A fitted model.

    `n` is the number of responses, `restart_nll` what each restart reached alone, in the order in
    which they ran, and `on_bound` the parameters that ended on a bound of the search.
    `sigma_floor` is the share of the responses for which σ lies at its lowest value, 5 px, and
    `level_limit` the share of the trials that left the level at or beyond the limits of its range:
    there the model uses learning as a switch, or not at all.  `gain` is the largest growth of an
    error in the level (class rl).
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
    seed, *names : int or str
        Seed, and what the fits are of (data set, subject), for the random numbers.
    near : mapping, optional
        Further starts, by model and boundary time.
    """
    found: dict[tuple[Model, str], Search] = {}
    ordered = sorted(models, key=_size)
    first = next(iter(by_time))
    for model in ordered:
        for time, trials in by_time.items():
            if model.shape == "constant" and time != first:
                # Nothing in a constant boundary depends on where time is read.
                found[model, time] = found[model, first]
                continue
            axis = [time] if model.shape == "weibull" else []
            search = Search(
                model, trials, _budget(model, budget), (seed, *names, *axis, model.name)
            )
            search.try_starts(_starts(model, time, found))
            if near and (model, time) in near:
                search.try_starts([near[model, time]])
            search.run()
            found[model, time] = search
    # A better optimum of one model may be a better start for others, and restarts may turn out to
    # have agreed on a worse one.
    while _settle(found):
        for search in found.values():
            search.run()
    for search in found.values():
        search.offer(*search.best_of(search.theta[None], LAST))
    for time, trials in by_time.items():
        for model in models:
            yield time, _described(found[model, time], trials)


def fit_subject(
    table: pd.DataFrame,
    models: Iterable[Model],
    seed: int,
    *names: str | int,
    boundary_times: Sequence[str] = ("decision",),
    budget: Budget = Budget(),  # noqa: B008 (frozen)
) -> Iterator[tuple[str, Fit]]:
    """Fit models to one subject's rows of the trials table, as :func:`fit_models` does."""
    models = list(models)
    conditions = {model.conditions for model in models}
    if len(conditions) != 1:
        raise ValueError(f"models with the conditions {sorted(conditions)} given, expected one set")
    by_time = {time: trials_of(table, models[0].conditions, time) for time in boundary_times}
    yield from fit_models(models, by_time, seed, *names, budget=budget)


def _budget(model: Model, budget: Budget) -> Budget:
    """Return the budget of a model: brief for free class rl, which has no optimum to agree on."""
    if not model.free:
        return budget
    restarts, generations = min(budget.restarts, 2), min(budget.generations, 12)
    return replace(budget, restarts=restarts, generations=generations)


def _size(model: Model) -> tuple:
    """Sort key: contained models first."""
    return LEARNING_CLASSES.index(model.learning), model.free, SHAPES.index(model.shape)


def _starts(model: Model, time: str, found: Found) -> list[np.ndarray]:
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


def _settle(found: Found) -> bool:
    """Start each model from the others' optima, until no model gains; say whether one did."""
    gained, changed = False, True
    while changed:
        changed = False
        for (model, time), search in found.items():
            changed |= search.try_starts(_starts(model, time, found))
        gained |= changed
    return gained


def _described(found: Search, trials: Trials) -> Fit:
    """Complete a fit with its flags."""
    model, theta = found.model, found.theta
    course = course_of(model, theta, trials)
    low, high = LEVEL_RANGE
    margin = ON_BOUND * (model.upper - model.lower)
    at_bound = (theta <= model.lower + margin) | (theta >= model.upper - margin)
    return Fit(
        model=model,
        parameters=theta,
        nll=found.value,
        n=int(trials.responded.sum()),
        restart_nll=np.array(found.reached),
        on_bound=tuple(np.array(model.names)[at_bound].tolist()),
        sigma_floor=float(np.mean(course.sigma[trials.responded] <= SIGMA_RANGE[0])),
        level_limit=float(np.mean((course.level <= low) | (course.level >= high))),
        gain=float(course.gain.max()),
    )
