"""Model recovery: simulate from each model, fit all, see which wins.

The generating parameters are fitted ones, and the conditions are those that the subject had, so the
simulated experiments are as long and as noisy as the real ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from fuzzybounds.seeds import generator
from fuzzybounds.weibull.fit import Budget, fit_subject
from fuzzybounds.weibull.models import LEARNING_CLASSES, SHAPES, Model
from fuzzybounds.weibull.results import model_fits
from fuzzybounds.weibull.simulate import generate


def recover(
    truth: Model,
    theta: np.ndarray,
    conditions: Sequence[str],
    models: Iterable[Model],
    seed: int,
    *names: str | int,
    boundary_time: str = "decision",
    budget: Budget = Budget(),  # noqa: B008 (frozen)
) -> pd.DataFrame:
    """Simulate one experiment from a model and fit models to it.

    Parameters
    ----------
    truth, theta
        The generating model and its parameters.  Unstable parameters of class rl (see
        :class:`~fuzzybounds.weibull.models.Model`) were tuned to one subject's responses and run
        away on new ones: generate from stable fits.
    conditions : sequence of {"easy", "hard"}
        The condition of every trial.
    models : iterable of Model
        The models to fit.
    seed, *names
        Seed, and what the experiment is (data set, subject).
    boundary_time : {"decision", "total"}
    budget : Budget

    Returns
    -------
    pandas.DataFrame
        As :func:`~fuzzybounds.weibull.results.model_fits`, with true_shape and true_learning.
    """
    stream = (*names, "recovery", truth.name)
    rng = generator(seed, *stream, boundary_time)
    table = generate(truth, theta, conditions, rng, boundary_time)
    fits = fit_subject(table, models, seed, *stream, boundary_time=boundary_time, budget=budget)
    subject = str(names[-1]) if names else ""
    rows = model_fits((subject, boundary_time, fit) for fit in fits)
    rows.insert(0, "true_shape", truth.shape)
    rows.insert(1, "true_learning", truth.learning)
    return rows


def confusion(recoveries: pd.DataFrame, criterion: str = "bic") -> pd.DataFrame:
    """Return how often each model wins when each model is true.

    Parameters
    ----------
    recoveries : pandas.DataFrame
        Of many calls of :func:`recover`.
    criterion : {"aic", "bic"}

    Returns
    -------
    pandas.DataFrame
        true_shape, true_learning, shape, learning, criterion, share (of the experiments that the
        true model generated), n (their number); a row for every pair of models.
    """
    truth, fitted = ["true_shape", "true_learning"], ["shape", "learning"]
    experiment = [*truth, "subject", "boundary_time"]
    winners = recoveries.loc[recoveries.groupby(experiment)[criterion].idxmin()]
    wins = winners.groupby([*truth, *fitted]).size()
    n = winners.groupby(truth).size()
    models = [(shape, learning) for learning in LEARNING_CLASSES for shape in SHAPES]
    true_models = [model for model in models if model in n.index]
    rows = [
        {
            **dict(zip([*truth, *fitted], (*true, *model), strict=True)),
            "criterion": criterion,
            "share": wins.get((*true, *model), 0) / n[true],
            "n": int(n[true]),
        }
        for true in true_models
        for model in models
    ]
    return pd.DataFrame(rows)
