"""Fits of all models to all trials, and to all but one fold, with the density of left-out trials.

A fit to all trials comes first, from many starts; the fits without one fold start from it and from
the model's own first start.  Rules are learned from the two-class points of the training
trials alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from fuzzybounds.stopping.catalogue import CATALOGUE, PIPELINE, Context
from fuzzybounds.stopping.data import SCHEMES, Data, design_of, folds, prepare
from fuzzybounds.stopping.lattice import Bins
from fuzzybounds.stopping.model import fit
from fuzzybounds.storage.fitting import Fit, Start
from fuzzybounds.storage.registry import TABLES

WHOLE = "none"
"""The scheme of fits to all trials."""


def fit_stopping(
    trials: pd.DataFrame,
    samples: pd.DataFrame,
    design: pd.DataFrame,
    *,
    cued: bool,
    bin_width: float = 0.1,
    delay: float = 0.0,
    schemes: Sequence[str] = SCHEMES,
    fold_number: int = 5,
    draws: int = 5,
    penalty: float = 2.0,
    models: Sequence[str] = tuple(CATALOGUE),
    conditions: Sequence[str] = ("easy", "hard"),
) -> pd.DataFrame:
    """Fit stopping models to every subject and condition.

    Parameters
    ----------
    trials, samples, design : DataFrame
        Result tables; the design check contains P0.
    cued : bool
        Whether subjects knew the condition of a trial; if not, one hazard serves all trials.
    bin_width, delay : float
        In s; see :class:`~fuzzybounds.stopping.lattice.Bins`.
    schemes : sequence of str
        How blocks are divided into folds.
    fold_number : int
    draws : int
        How many draws of two-class points are tried for rules.
    penalty : float
        Of the two-class fits, as configured.
    models, conditions : sequence of str
        Models that make no sense for a data set are left out.

    Returns
    -------
    DataFrame
        The table ``stopping_fits``.
    """
    bins, task = Bins(bin_width, delay), design_of(design, cued=cued)
    rows = []
    for data in prepare(trials, samples, bins, task, draws, conditions):
        rows += fit_data(data, models, schemes, fold_number, penalty)
    table = TABLES["stopping_fits"]
    if not rows:
        return table.empty()
    frame = pd.DataFrame(rows)
    return frame[[*table.names, *sorted(set(frame.columns) - set(table.names))]]


def fit_data(
    data: Data,
    models: Sequence[str],
    schemes: Sequence[str],
    fold_number: int,
    penalty: float,
) -> list[dict[str, Any]]:
    """Fit models to the trials of one subject and condition: one row per model, scheme and fold."""
    everything = np.ones(len(data.trials), dtype=bool)
    whole = list(fit_models(data, models, data.context(everything, penalty), everything))
    rows = [_row(data, own, WHOLE, 0, everything) for own in whole]
    blocks = data.trials["block"].to_numpy()
    for scheme in schemes:
        division = folds(blocks, scheme, fold_number)
        for fold in range(1, int(division.max()) + 1):
            training = division != fold
            if not data.trials.loc[training, "responded"].any():
                continue
            inner = data.context(training, penalty)
            found = fit_models(data, models, inner, training, whole)
            rows += [_row(data, own, scheme, fold, training) for own in found]
    return rows


def fit_models(
    data: Data,
    models: Sequence[str],
    context: Context,
    training: np.ndarray,
    whole: Sequence[Fit] = (),
) -> Iterator[Fit]:
    """Fit one model after the other to the training trials, and remember them in the context.

    Where there is a fit to all trials, the search starts there; and at the model's first start as
    well, unless all searches of that fit agreed.  Models whose rules depend on the training trials
    start as if there were none.
    """
    counts = data.outcomes.counts(training)
    before = {own.model.name: own for own in whole}
    for name in CATALOGUE:
        if name not in models:
            continue
        built = CATALOGUE[name].build(context)
        if not built:
            continue
        near = []
        if name in before and "draw" not in built[0].notes:
            own = before[name]
            near = [Start(own.theta, own.curvature)]
            if own.agree < own.starts:
                near.append(Start(built[0].starts[0]))
        found = fit(built, data.likelihood, counts, near)
        context.fitted[name] = found[0].theta
        context.orders[name] = [int(own.model.notes.get("draw", 0)) for own in found]
        yield found[0]


def _row(data: Data, own: Fit, scheme: str, fold: int, training: np.ndarray) -> dict[str, Any]:
    left_out = data.outcomes.counts(~training)
    logs = own.model.log_likelihoods(own.theta, data.likelihood)
    labels = CATALOGUE[own.model.name].labels
    tuned_before = 4 * labels if own.model.family == PIPELINE else 0
    return {
        "subject": data.subject,
        "condition": data.condition,
        "model": own.model.name,
        "family": own.model.family,
        "scheme": scheme,
        "fold": fold,
        "n": int(training.sum()),
        "n_left_out": int((~training).sum()),
        "n_off_lattice": data.off_lattice,
        "k": len(own.theta) + tuned_before,
        "log_likelihood": own.log_likelihood,
        "log_density_left_out": float((left_out * logs).sum()) if fold else np.nan,
        "searches": own.starts,
        "searches_agree": own.agree,
        "converged": own.converged,
        **own.model.natural(own.theta),
        **own.model.notes,
    }
