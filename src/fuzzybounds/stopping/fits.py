"""Fits of all models to all trials, and to all but one fold, with the density of left-out trials.

Every model is fitted without a motor delay, and with each delay of a grid, of which the one with
the largest posterior of the training trials is kept.  A fit to all trials comes first, from many
starts; the fits without one fold start from it.  The rules of the paper's pipeline are learned from
the two-class points of the training trials alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.fitting import Fit, Start, log_prior
from fuzzybounds.stopping.catalogue import CATALOGUE, PIPELINE, Context
from fuzzybounds.stopping.data import SCHEMES, Data, design_of, folds, prepare
from fuzzybounds.stopping.lattice import Bins
from fuzzybounds.stopping.model import Counted, Model, fit

ALL_TRIALS = "all"
"""The scheme of fits to all trials."""
NO_DELAY, FITTED_DELAY = "none", "fitted"
"""Whether a motor delay is fitted: values of the column `delay`."""
FAR_BEHIND = 5.0
"""Nats by which a delay may be behind on the training trials, before its fit is adjusted to them,
and still be fitted."""


class Fitted(NamedTuple):
    """Fits of one model to the same trials: the best one for every motor delay."""

    by_delay: dict[float, Fit]

    @property
    def name(self) -> str:
        """Name of the model."""
        return next(iter(self.by_delay.values())).model.name

    @property
    def delay(self) -> float:
        """The delay with the largest posterior."""
        return max(self.by_delay, key=lambda delay: self.by_delay[delay].log_posterior)


def fit_stopping(
    trials: pd.DataFrame,
    samples: pd.DataFrame,
    design: pd.DataFrame,
    *,
    cued: bool,
    bin_width: float = 0.1,
    delays: Sequence[float] = (0.0,),
    schemes: Sequence[str] = SCHEMES,
    fold_number: int = 5,
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
    bin_width : float
        In s.
    delays : sequence of float
        Motor delays in s to choose from; the first one is 0.
    schemes : sequence of str
        How blocks are divided into folds.
    fold_number : int
    models, conditions : sequence of str
        Models that make no sense for a data set are left out.

    Returns
    -------
    DataFrame
        The table ``stopping_fits``.
    """
    task, rows = design_of(design, cued=cued), []
    for data in prepare(trials, samples, Bins(bin_width), task, conditions, delays):
        rows += fit_data(data, models, schemes, fold_number)
    table = TABLES["stopping_fits"]
    if not rows:
        return table.empty()
    frame = pd.DataFrame(rows)
    return frame[[*table.names, *sorted(set(frame.columns) - set(table.names))]]


def fit_data(
    data: Data, models: Sequence[str], schemes: Sequence[str], fold_number: int
) -> list[dict[str, Any]]:
    """Fit models to one subject and condition: rows for every model, scheme, fold and delay."""
    everything = np.ones(len(data.trials), dtype=bool)
    context = data.context(everything)
    whole = {own.name: own for own in fit_models(data, models, context, everything)}
    rows = [row for own in whole.values() for row in _rows(data, own, ALL_TRIALS, 0, everything)]
    blocks = data.trials["block"].to_numpy()
    for scheme in schemes:
        division = folds(blocks, scheme, fold_number)
        for fold in range(1, int(division.max()) + 1):
            training = division != fold
            if not data.trials.loc[training, "responded"].any():
                continue
            context = data.context(training)
            for own in fit_models(data, models, context, training, whole):
                rows += _rows(data, own, scheme, fold, training)
    return rows


def fit_models(
    data: Data,
    models: Sequence[str],
    context: Context,
    training: np.ndarray,
    whole: Mapping[str, Fitted] | None = None,
) -> Iterator[Fitted]:
    """Fit one model after the other to the training trials, and remember them in the context."""
    for name, entry in CATALOGUE.items():
        model = entry.build(context) if name in models else None
        if model is None:
            continue
        # The rules of the pipeline depend on the training trials: they have no fit to all trials.
        before = (whole or {}).get(name) if entry.family != PIPELINE else None
        found = _fit_delays(data, model, training, before)
        context.fitted[name] = next(iter(found.values())).theta
        yield Fitted(found)


def _fit_delays(
    data: Data, model: Model, training: np.ndarray, before: Fitted | None
) -> dict[float, Fit]:
    """Fit one model with every delay that the training trials do not rule out.

    Where there is a fit to all trials, the search starts there; and at the model's first start as
    well, unless all searches of that fit agreed.  Otherwise it starts from the shorter delay.
    """
    counts = {d: own.outcomes.counts(training) for d, own in data.likelihoods.items()}
    found: dict[float, Fit] = {}
    if before is not None:
        worth = {
            delay: model.log_likelihood(
                own.theta,
                Counted(data.likelihoods[delay], counts[delay], model.nodes(own.theta)),
            )[0]
            + log_prior(model.parameters, own.theta)
            for delay, own in before.by_delay.items()
        }
        least = max(worth.values()) - FAR_BEHIND
    for number, (delay, likelihood) in enumerate(data.likelihoods.items()):
        starts: list[Start] = []
        if before is not None:
            if number and worth[delay] < least:
                continue
            own = before.by_delay[delay]
            starts = [Start(own.theta, own.curvature)]
            if own.agree < own.starts:
                starts.append(Start(model.starts[0]))
        elif found:
            starts = [Start(list(found.values())[-1].theta), Start(model.starts[0])]
        found[delay] = fit(model, likelihood, counts[delay], starts)
    return found


def _rows(
    data: Data, fitted: Fitted, scheme: str, fold: int, training: np.ndarray
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a fit without a delay, and with the fitted one if there are several."""
    delays = {NO_DELAY: 0.0}
    if len(data.likelihoods) > 1:
        delays[FITTED_DELAY] = fitted.delay
    for kind, delay in delays.items():
        own, likelihood = fitted.by_delay[delay], data.likelihoods[delay]
        left_out = likelihood.outcomes.counts(~training)
        logs = own.model.log_likelihoods(own.theta, likelihood)
        tuned_before = 4 * CATALOGUE[fitted.name].labels if own.model.family == PIPELINE else 0
        yield {
            "subject": data.subject,
            "condition": data.condition,
            "model": own.model.name,
            "family": own.model.family,
            "delay": kind,
            "motor_delay": delay,
            "scheme": scheme,
            "fold": fold,
            "n": int(training.sum()),
            "n_left_out": int((~training).sum()),
            "n_off_lattice": data.off_lattice,
            "k": len(own.theta) + tuned_before + (kind == FITTED_DELAY),
            "log_likelihood": own.log_likelihood,
            "log_density_left_out": float((left_out * logs).sum()) if fold else np.nan,
            "converged": own.converged,
            **own.model.natural(own.theta),
            **own.model.notes,
        }
