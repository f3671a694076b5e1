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
from fuzzybounds.stopping.catalogue import CATALOGUE, PIPELINE, Context, Entry
from fuzzybounds.stopping.data import SCHEMES, Data, design_of, folds, prepare
from fuzzybounds.stopping.lattice import Bins
from fuzzybounds.stopping.model import Counted, Model, fit_roughly, refine

ALL_TRIALS = "all"
"""The scheme of fits to all trials."""
NO_DELAY, FITTED_DELAY = "none", "fitted"
"""Whether a motor delay is fitted: values of the column `delay`."""
FAR_BEHIND = 2.0
"""Nats by which a delay may be behind on the training trials, before its fit is adjusted to them,
and still be fitted."""
FAR_BEHIND_ROUGHLY = 5.0
"""The same after rough fits, whose log-likelihoods are off by a nat at most."""


class Fitted(NamedTuple):
    """Fits of one model to the same trials: of each of its forms, for every motor delay."""

    forms: list[dict[float, Fit]]

    @property
    def by_delay(self) -> dict[float, Fit]:
        """The best form for every motor delay."""
        delays = sorted(set().union(*self.forms))
        fits = ([form[delay] for form in self.forms if delay in form] for delay in delays)
        return {
            delay: max(some, key=lambda each: each.log_posterior)
            for delay, some in zip(delays, fits, strict=True)
        }

    @property
    def delay(self) -> float:
        """The delay with the largest posterior."""
        best = self.by_delay
        return max(best, key=lambda delay: best[delay].log_posterior)


def fit_stopping(
    trials: pd.DataFrame,
    samples: pd.DataFrame,
    design: pd.DataFrame,
    paths: pd.DataFrame | None = None,
    *,
    cued: bool,
    bin_width: float = 0.1,
    delays: Sequence[float] = (0.0,),
    schemes: Sequence[str] = SCHEMES,
    fold_number: int = 5,
    models: Sequence[str] = tuple(CATALOGUE),
    conditions: Sequence[str] = ("easy", "hard"),
    without_delay: bool = True,
    prior_width: float = 1.0,
    delay_sd: float = 0.0,
) -> pd.DataFrame:
    """Fit stopping models to every subject and condition.

    Parameters
    ----------
    trials, samples, design : DataFrame
        Result tables; the design check contains P0.
    paths : DataFrame, optional
        Recorded paths; where there are none, the likelihood is summed over all paths.
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
        Of the catalogue; with cues, whose trials.
    without_delay : bool
        Whether fits without a motor delay are made of every fold as well.
    prior_width : float
        By what the width of every prior is multiplied.
    delay_sd : float
        Standard deviation in s of a motor delay that varies from trial to trial.

    Returns
    -------
    DataFrame
        The table ``stopping_fits``.
    """
    task, rows = design_of(design, cued=cued), []
    width = Bins(bin_width)
    for data in prepare(trials, samples, width, task, conditions, delays, paths, delay_sd):
        rows += fit_data(
            data, models, schemes, fold_number, without_delay=without_delay, prior_width=prior_width
        )
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
    *,
    without_delay: bool = True,
    prior_width: float = 1.0,
    catalogue: Mapping[str, Entry] = CATALOGUE,
) -> list[dict[str, Any]]:
    """Fit models to one subject and condition: rows for every model, scheme, fold and delay."""
    options: dict[str, Any] = {"prior_width": prior_width, "catalogue": catalogue}
    everything = np.ones(len(data.trials), dtype=bool)
    context = data.context(everything)
    whole = dict(fit_models(data, models, context, everything, **options))
    rows = [
        row
        for name, fitted in whole.items()
        for row in rows_of(data, name, fitted, ALL_TRIALS, 0, everything)
    ]
    blocks = data.trials["block"].to_numpy()
    for scheme in schemes:
        division = folds(blocks, scheme, fold_number)
        for fold in range(1, int(division.max()) + 1):
            training = division != fold
            if not data.trials.loc[training, "responded"].any():
                continue
            context = data.context(training)
            for name, fitted in fit_models(
                data, models, context, training, whole, without_delay=without_delay, **options
            ):
                rows += rows_of(data, name, fitted, scheme, fold, training)
    if len(data.likelihoods) > 1 and not without_delay:
        rows = [row for row in rows if row["delay"] == FITTED_DELAY]
    return rows


def fit_models(
    data: Data,
    models: Sequence[str],
    context: Context,
    training: np.ndarray,
    whole: Mapping[str, Fitted] | None = None,
    *,
    without_delay: bool = True,
    prior_width: float = 1.0,
    catalogue: Mapping[str, Entry] = CATALOGUE,
) -> Iterator[tuple[str, Fitted]]:
    """Fit one model after the other to the training trials, and remember them in the context."""
    for name, entry in catalogue.items():
        if name not in models:
            continue
        # The rules of the pipeline depend on the training trials: they have no fit to all trials.
        before = (whole or {}).get(name) if entry.family != PIPELINE else None
        likely = _likely(data, training, before, without_delay) if before else None
        forms = [form.with_priors(prior_width) for form in entry.build(context)]
        fitted = _fit_forms(data, forms, training, before, likely, without_delay)
        context.fitted[name] = next(iter(fitted.by_delay.values())).theta
        yield name, fitted


def _fit_forms(
    data: Data,
    forms: Sequence[Model],
    training: np.ndarray,
    before: Fitted | None,
    likely: set[tuple[int, float]] | None,
    without_delay: bool,
) -> Fitted:
    """Fit every form with every delay that the training trials do not rule out.

    Where there is a fit to all trials, the search starts there; and at the model's first start as
    well, unless all searches of that fit agreed.  Otherwise it starts from the shorter delay.
    Fits far behind stay rough.
    """
    counts = {d: each.counts(training) for d, each in data.likelihoods.items()}
    fits: list[dict[float, Fit]] = [{} for _ in forms]
    first = next(iter(data.likelihoods))
    for number, model in enumerate(forms):
        for delay, likelihood in data.likelihoods.items():
            starts: list[Start] = []
            if before is not None and likely is not None:
                if (number, delay) not in likely:
                    continue
                whole = before.forms[number][delay]
                starts = [Start(whole.theta, whole.curvature)]
                if whole.agree < whole.starts:
                    starts.append(Start(model.starts[0]))
            elif fits[number]:
                last = list(fits[number].values())[-1]
                starts = [Start(last.theta, last.curvature if model.mixed else None)]
            fits[number][delay] = fit_roughly(model, likelihood, counts[delay], starts)
    best = max(each.log_posterior for form in fits for each in form.values())
    for form in fits:
        for delay, rough in form.items():
            asked = without_delay and delay == first
            if asked or rough.log_posterior >= best - FAR_BEHIND_ROUGHLY:
                form[delay] = refine(rough, data.likelihoods[delay], counts[delay])
    return Fitted(fits)


def _likely(
    data: Data, training: np.ndarray, before: Fitted, without_delay: bool
) -> set[tuple[int, float]]:
    """Return the forms and delays that the training trials do not rule out, by earlier fits."""
    counts = {d: each.counts(training) for d, each in data.likelihoods.items()}
    worth = {}
    for number, form in enumerate(before.forms):
        for delay, whole in form.items():
            model, theta = whole.model, whole.theta
            given = Counted(data.likelihoods[delay], counts[delay], model.nodes(theta))
            log_likelihood = model.log_likelihood(theta, given)[0]
            worth[number, delay] = log_likelihood + log_prior(model.parameters, theta)
    first = next(iter(data.likelihoods))
    best = max(worth.values())
    best_first = max(value for (_, delay), value in worth.items() if delay == first)
    return {
        (number, delay)
        for (number, delay), value in worth.items()
        if value >= (best_first if delay == first and without_delay else best) - FAR_BEHIND
    }


def rows_of(
    data: Data, name: str, fitted: Fitted, scheme: str, fold: int, training: np.ndarray
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a fit without a delay, and with the fitted one if there are several."""
    delays = {NO_DELAY: 0.0}
    if len(data.likelihoods) > 1:
        delays[FITTED_DELAY] = fitted.delay
    best = fitted.by_delay
    for kind, delay in delays.items():
        if delay not in best:  # Fits without a delay were not asked for.
            continue
        fit, likelihood = best[delay], data.likelihoods[delay]
        model = fit.model
        left_out = likelihood.counts(~training)
        logs = model.log_likelihoods(fit.theta, likelihood)
        tuned_before = 4 * CATALOGUE[name].labels if model.family == PIPELINE else 0
        yield {
            "subject": data.subject,
            "condition": data.condition,
            "model": name,
            "family": model.family,
            "delay": kind,
            "motor_delay": delay,
            "scheme": scheme,
            "fold": fold,
            "n": int(training.sum()),
            "n_left_out": int((~training).sum()),
            "n_off_lattice": data.off_lattice,
            "k": len(fit.theta) + tuned_before + (kind == FITTED_DELAY),
            "log_likelihood": fit.log_likelihood,
            "log_density_left_out": float((left_out * logs).sum()) if fold else np.nan,
            "converged": fit.converged,
            **model.natural(fit.theta),
            **model.notes,
        }
