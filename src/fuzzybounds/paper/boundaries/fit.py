"""Maximum-likelihood fits of the boundary models: one model, all models, all subjects.

Every model is searched by restarts (:mod:`search`), and started from the optima of the models that
it contains (:mod:`nesting`), from other learning classes, from the other shape, and on one time
axis from the optimum on the other.  So no model ends worse than one that it contains.  Where such a
start is better than what restarts had agreed on, more restarts follow.

Class rl within the authors' bounds has no optimum.  It is searched briefly, on the authors' time
axis only, to see what their comparison would have found.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.statistics import InformationCriteria
from fuzzybounds.paper.boundaries.models import (
    AUTHORS_TIME,
    CUED,
    LARGEST_GAIN,
    LEARNING_CLASSES,
    SHAPES,
    UNCUED,
    Model,
    models_to_fit,
)
from fuzzybounds.paper.boundaries.nesting import at_other_time, contained, embed, siblings
from fuzzybounds.paper.boundaries.recursion import course_of
from fuzzybounds.paper.boundaries.search import AGREEMENT, Budget, Search
from fuzzybounds.paper.boundaries.trials import Trials, trials_of

Found = Mapping[tuple[Model, str], Search]
"""Searches by model and boundary time."""
LAST = 1e-9
"""A fit is polished until steps gain less than this."""
ON_BOUND = 1e-6
"""A parameter is on a bound if it lies this close to it, as a part of its range."""
FREE = Budget(restarts=2, generations=12)
"""How long class rl is searched within the authors' bounds."""


@dataclass(frozen=True)
class Fit(InformationCriteria):
    """A fitted model.

    `n` is the number of responses, `restart_nll` what each restart reached alone, in the order in
    which they ran, and `on_bound` the parameters that ended on a bound of the search.
    `gain` is the largest growth of an error in the level (class rl).
    """

    model: Model
    parameters: np.ndarray
    nll: float
    n: int
    restart_nll: np.ndarray
    on_bound: tuple[str, ...]
    gain: float

    @property
    def k(self) -> int:
        """Number of free parameters."""
        return self.model.k

    @property
    def agreed(self) -> bool:
        """Whether at least two restarts reached the fit's NLL on their own."""
        return bool(np.sum(self.restart_nll <= self.nll + AGREEMENT) >= 2)

    @property
    def unstable(self) -> bool:
        """Whether errors in the level grow; see :class:`models.Model`."""
        return self.gain > LARGEST_GAIN


def fit_weibull(
    trials: pd.DataFrame,
    *,
    boundary_times: Sequence[str],
    cued: bool,
    seed: int,
    dataset: str,
) -> pd.DataFrame:
    """Fit all boundary models to every subject, under each boundary time.

    Parameters
    ----------
    trials : DataFrame
        Result table.
    boundary_times : sequence of {"decision", "total"}
        Where boundaries are read (A19).
    cued : bool
        Whether each condition has its own boundary.
    seed, dataset
        Name the random numbers, together with each subject.

    Returns
    -------
    DataFrame
        The table ``model_fits``.  A subject who never responded in time has no rows.
    """
    conditions = CUED if cued else UNCUED
    by_subject = list(trials.groupby("subject", sort=False))
    silent = [subject for subject, table in by_subject if not table["responded"].any()]
    if silent:
        logging.info("no response before the deadline, so no fit: %s", ", ".join(silent))
    fits = []
    for subject, subject_trials in by_subject:
        if subject not in silent:
            by_time = {time: trials_of(subject_trials, conditions, time) for time in boundary_times}
            of_subject = fit_models(models_to_fit(conditions), by_time, seed, dataset, subject)
            fits += [(subject, time, fit) for time, fit in of_subject]
    return model_fits(fits)


def model_fits(fits: Iterable[tuple[str, str, Fit]]) -> pd.DataFrame:
    """Return the table ``model_fits`` of (subject, boundary_time, fit): one row per fit.

    It has the registered columns, and one for every parameter that any of the models has.
    """
    rows = [
        {
            "subject": subject,
            "shape": fit.model.shape,
            "learning": fit.model.learning,
            "boundary_time": boundary_time,
            "cued": fit.model.cued,
            "stable": fit.model.stable,
            "n": fit.n,
            "k": fit.k,
            "nll": fit.nll,
            "aic": fit.aic,
            "bic": fit.bic,
            "restarts": len(fit.restart_nll),
            "agreed": fit.agreed,
            "on_bound": " ".join(fit.on_bound),
            "gain": fit.gain,
            "unstable": fit.unstable,
            **dict(zip(fit.model.names, fit.parameters.tolist(), strict=True)),
        }
        for subject, boundary_time, fit in fits
    ]
    return pd.DataFrame(rows) if rows else TABLES["model_fits"].empty()


def model_of(row: pd.Series) -> tuple[Model, np.ndarray]:
    """Return the model and the parameters of a row of :func:`model_fits`."""
    conditions = CUED if row["cued"] else UNCUED
    model = Model(row["shape"], row["learning"], conditions, bool(row["stable"]))
    return model, row[list(model.names)].to_numpy(float)


def fit_models(
    models: Sequence[Model],
    by_time: Mapping[str, Trials],
    seed: int,
    *names: str | int,
    budget: Budget = Budget(),  # noqa: B008 (frozen)
) -> Iterator[tuple[str, Fit]]:
    """Fit models to one subject's trials, read at one boundary time or at several.

    The models and the trials `by_time` have the same conditions.  `seed` and `names` (data set,
    subject) name the random numbers.
    """
    searches: dict[tuple[Model, str], Search] = {}
    first = next(iter(by_time))
    for model in sorted(models, key=_size):
        for time, trials in by_time.items():
            if model.free and time != AUTHORS_TIME and AUTHORS_TIME in by_time:
                continue
            if model.shape == "constant" and (model, first) in searches:
                # Nothing in a constant boundary depends on where time is read.
                searches[model, time] = searches[model, first]
                continue
            axis = [time] if model.shape == "weibull" else []
            stream = (seed, *names, *axis, model.name)
            search = Search(model, trials, FREE if model.free else budget, stream)
            search.try_starts(_starts(model, time, searches))
            search.run()
            searches[model, time] = search
    # A better optimum of one model may be a better start for others, and restarts may turn out to
    # have agreed on a worse one.
    while _settle(searches):
        for search in searches.values():
            search.run()
    for search in searches.values():
        search.offer(*search.best_of(search.theta[None], LAST))
    for time, trials in by_time.items():
        for model in models:
            if (model, time) in searches:
                yield time, _described(searches[model, time], trials)


def _size(model: Model) -> tuple:
    """Sort key: contained models first."""
    return LEARNING_CLASSES.index(model.learning), model.free, SHAPES.index(model.shape)


def _starts(model: Model, time: str, searches: Found) -> list[np.ndarray]:
    """Where else to start: contained models, siblings, the other shape, the other time axis."""
    starts = [
        embed(inner, searches[inner, time].theta, model)
        for inner in (*contained(model), *siblings(model))
        if (inner, time) in searches
    ]
    other_shape = replace(model, shape="constant" if model.shape == "weibull" else "weibull")
    if (other_shape, time) in searches:
        theta = searches[other_shape, time].theta
        starts.append(embed(other_shape, theta, model, early=model.shape == "weibull"))
    for (other, there), search in searches.items():
        if other == model and there != time and model.shape == "weibull":
            starts += [search.theta, at_other_time(model, search.theta, time)]
    return starts


def _settle(searches: Found) -> bool:
    """Start each model from the others' optima, until no model gains; say whether one did."""
    gained, changed = False, True
    while changed:
        changed = False
        for (model, time), search in searches.items():
            changed |= search.try_starts(_starts(model, time, searches))
        gained |= changed
    return gained


def _described(search: Search, trials: Trials) -> Fit:
    """Complete a fit with its flags."""
    model, theta = search.model, search.theta
    margin = ON_BOUND * (model.upper - model.lower)
    at_bound = (theta <= model.lower + margin) | (theta >= model.upper - margin)
    return Fit(
        model=model,
        parameters=theta,
        nll=search.value,
        n=int(trials.responded.sum()),
        restart_nll=np.array(search.reached),
        on_bound=tuple(np.array(model.names)[at_bound].tolist()),
        gain=float(course_of(model, theta, trials).gain.max()),
    )
