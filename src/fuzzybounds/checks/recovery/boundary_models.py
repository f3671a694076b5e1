"""Model recovery: simulate from each model, fit all, see which wins.

The generating parameters are fitted ones, and the conditions are those that the subject had, so the
simulated experiments are as long and as noisy as the real ones.

Experiments are simulated in two ways.  By `walk`, a canoe walks until it meets the boundary, as in
the experiment.  By `times`, only positions are drawn, at the subject's own response times, as the
likelihood assumes.  If models are recovered by the second but not by the first way, the fits are
sound, but the likelihood does not describe how responses arise.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.core.seeds import generator
from fuzzybounds.paper.boundaries.fit import fit_models, model_fits
from fuzzybounds.paper.boundaries.models import (
    CUED,
    LEARNING_CLASSES,
    SHAPES,
    UNCUED,
    Model,
    all_models,
)
from fuzzybounds.paper.boundaries.recursion import course_of
from fuzzybounds.paper.boundaries.search import Budget
from fuzzybounds.paper.boundaries.simulate import generate
from fuzzybounds.paper.boundaries.trials import Trials, trials_of

WAYS = ("times", "walk")
"""How experiments are simulated."""


class Recovery(NamedTuple):
    """What :func:`tabulate_recovery` returns: one table per output of the stage."""

    confusion: pd.DataFrame
    summary: pd.DataFrame


def recover_models(trials: pd.DataFrame, *, cued: bool, seed: int, dataset: str) -> pd.DataFrame:
    """Simulate from each boundary model as fitted to each subject, and fit all models.

    Class rl is stable: unstable parameters follow one subject's responses, and run away on new
    ones.  Returns the table ``model_recovery_fits``.
    """
    models = all_models(CUED if cued else UNCUED, stable=True)
    parts = []
    for subject, done in trials.groupby("subject", sort=False):
        by_time = {"decision": trials_of(done, models[0].conditions)}
        fitted = [fit for _, fit in fit_models(models, by_time, seed, dataset, subject, "truth")]
        for fit, way in product(fitted, WAYS):
            truth, theta = fit.model, fit.parameters
            parts.append(recover(truth, theta, done, models, seed, dataset, str(subject), way=way))
    return pd.concat(parts, ignore_index=True)


def recover(
    truth: Model,
    theta: np.ndarray,
    table: pd.DataFrame,
    models: Iterable[Model],
    seed: int,
    *names: str,
    way: str,
    budget: Budget = Budget(),  # noqa: B008 (frozen)
) -> pd.DataFrame:
    """Simulate one experiment from a model on a subject's trials, and fit models to it.

    The last name is the subject's.  Returns the table ``model_fits``, with way and true model.
    """
    stream = (*names, "recovery", way, truth.name, "decision")
    rng = generator(seed, *stream)
    if way == "times":
        trials = redraw(truth, theta, trials_of(table, truth.conditions), rng)
    else:
        made = generate(truth, theta, table["condition"].tolist(), rng)
        trials = trials_of(made, truth.conditions)
    fits = fit_models(list(models), {"decision": trials}, seed, *stream, budget=budget)
    rows = model_fits((names[-1], time, fit) for time, fit in fits)
    rows.insert(0, "way", way)
    rows.insert(1, "true_shape", truth.shape)
    rows.insert(2, "true_learning", truth.learning)
    return rows


def redraw(model: Model, theta: np.ndarray, trials: Trials, rng: np.random.Generator) -> Trials:
    """Draw new positions at each response of a subject, given its times.

    This is what the likelihood assumes: |x_k| is Normal(b(t_k), σ_k²), whatever caused the
    response at t_k.  No canoe need be able to be there, and a few |x_k| are negative.
    Times and outcomes stay the subject's own.
    """
    trials = trials._replace(size=trials.size.copy())
    for k in np.flatnonzero(trials.responded):
        # Later boundaries depend on this response in class rl.
        course = course_of(model, theta, trials)
        trials.size[k] = course.boundary[k] + course.sigma[k] * rng.standard_normal()
    return trials


def tabulate_recovery(fits: Sequence[pd.DataFrame]) -> Recovery:
    """Count how often each model wins when each model is true, in tables of recover_models."""
    recoveries = pd.concat(fits, ignore_index=True)
    table = pd.concat([confusion(recoveries, name) for name in ("aic", "bic")], ignore_index=True)
    return Recovery(table, recovered(table))


def confusion(recoveries: pd.DataFrame, criterion: str) -> pd.DataFrame:
    """Return how often each model wins when each model is true: the table ``model_recovery``."""
    truth, fitted = ["way", "true_shape", "true_learning"], ["shape", "learning"]
    winners = recoveries.loc[recoveries.groupby([*truth, "subject"])[criterion].idxmin()]
    wins = winners.groupby([*truth, *fitted]).size()
    n = winners.groupby(truth).size()
    models = [(shape, learning) for learning in LEARNING_CLASSES for shape in SHAPES]
    return pd.DataFrame(
        {
            **dict(zip([*truth, *fitted], (way, *true, *model), strict=True)),
            "criterion": criterion,
            "share": wins.get((way, *true, *model), 0) / n[way, *true],
            "n": int(n[way, *true]),
        }
        for way, true, model in product(WAYS, models, models)
        if (way, *true) in n.index
    )


def recovered(confusion: pd.DataFrame) -> pd.DataFrame:
    """Return the table ``model_recovery_summary`` from :func:`confusion`."""
    shape = confusion["true_shape"] == confusion["shape"]
    learning = confusion["true_learning"] == confusion["learning"]
    keys = ["way", "criterion", "true_shape", "true_learning", "n"]
    right = {"model": shape & learning, "shape": shape, "learning": learning}
    shares = {name: confusion["share"] * there for name, there in right.items()}
    table = confusion[keys].assign(**shares)
    return table.groupby(keys, sort=False, as_index=False).sum()
