"""Judge models: by trials that were left out, by recovery, and over all subjects together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from fuzzybounds.core.errors import InputError
from fuzzybounds.datasets import ALL, Dataset, whole_number
from fuzzybounds.fits.dispatch import fit
from fuzzybounds.fits.stopping import catalogue_with, ready_data
from fuzzybounds.fits.subject import SubjectFit, known
from fuzzybounds.stopping.catalogue import CATALOGUE
from fuzzybounds.stopping.comparison import compared, elpd_by_subject
from fuzzybounds.stopping.data import INTERLEAVED, SCHEMES
from fuzzybounds.stopping.fits import FITTED_DELAY, NO_DELAY, fit_data
from fuzzybounds.stopping.hierarchy import fit_hierarchy
from fuzzybounds.stopping.sequences import Decisions, HazardModel
from fuzzybounds.stopping.sessions import KINDS


def compare(
    data: Dataset | Decisions,
    models: Sequence[str | HazardModel],
    *,
    folds: int = 5,
    scheme: str = INTERLEAVED,
    subjects: Sequence[str] | None = None,
    condition: str = "easy",
    delays: Sequence[float] = (0.0,),
) -> pd.DataFrame:
    """Compare stopping models by the density of trials that were left out.

    Parameters
    ----------
    data : Dataset or Decisions
    models : sequence of str or HazardModel
    folds : int
        Parts of the blocks that are left out in turn.
    scheme : {"interleaved", "contiguous"}
        Every so-manieth block is left out, or a part of the session.
    subjects : sequence of str, optional
        By default all.
    condition, delays
        As in :func:`fuzzybounds.fit`.

    Returns
    -------
    DataFrame
        By model, the best one first: elpd (log density of all left-out trials), its difference from
        the best with a standard error over subjects and a 95 % interval, how many subjects a model
        is best for, and random-effects selection (frequency, exceedance probabilities).

    Notes
    -----
    Boundary models have a likelihood of their own: their `bic` can be compared with each other's.
    The paper's fuzzy model is among the stopping models as pipeline_3 and pipeline_5.
    """
    for model in models:
        if not isinstance(model, HazardModel):
            known(model, list(CATALOGUE), "stopping model")
    known(scheme, SCHEMES, "scheme")
    whole_number("folds", folds, 2)
    subjects = data.subjects if subjects is None else subjects
    if not models or not subjects:
        raise InputError("nothing to compare", ["expected at least one model and one subject"])
    names = [model if isinstance(model, str) else model.name for model in models]
    catalogue, rows = catalogue_with(models), []
    for subject in subjects:
        ready = ready_data(data.of(subject), condition, delays, models)
        rows += fit_data(
            ready, list(catalogue), [scheme], folds, without_delay=False, catalogue=catalogue
        )
    fits = pd.DataFrame(rows)
    delay = FITTED_DELAY if len(delays) > 1 else NO_DELAY
    chosen = fits["model"].isin(names) & (fits["fold"] > 0) & (fits["delay"] == delay)
    return compared(elpd_by_subject(fits[chosen])).rename_axis("model")


def recover(
    model: SubjectFit | str | HazardModel,
    data: Dataset | Decisions | None = None,
    subject: str | None = None,
    *,
    replicates: int = 10,
    n: int | None = None,
    seed: int = 1,
    **options: Any,
) -> pd.DataFrame:
    """Let a fitted model do the task again and again, and fit it to what it did.

    Parameters
    ----------
    model : SubjectFit, str or HazardModel
        A fit; or a model, which is fitted first to `data` and `subject` with the `options` of
        :func:`fuzzybounds.fit`.
    data, subject
        Of a model that is not fitted.
    replicates : int
    n : int, optional
        Trials of each; by default as many as the fit has.
    seed : int

    Returns
    -------
    DataFrame
        One row per replicate and parameter: the estimate with its standard error and interval, the
        truth, and whether the interval covers it.
    """
    if isinstance(model, SubjectFit):
        true_fit = model
    elif data is not None:
        true_fit = fit(data, subject, model=model, **options)
    else:
        raise InputError(f"recover {model!r}", ["expected a fit, or a model and data"])
    truth, parts = pd.Series(true_fit.parameters, name="truth"), []
    request = getattr(true_fit, "request", true_fit.model)
    for number in range(whole_number("replicates", replicates, 1)):
        made = true_fit.simulate(true_fit.n if n is None else n, seed=seed + number)
        table = fit(made, model=request, **true_fit.options).estimates.join(truth)
        covers = table["truth"].between(table["low"], table["high"]).astype("boolean")
        table["covered"] = covers.mask(table["low"].isna())
        parts.append(table.reset_index().assign(replicate=number + 1))
    return pd.concat(parts, ignore_index=True)


def fit_population(
    data: Dataset,
    kind: str = "boundary",
    *,
    condition: str = "easy",
    delays: Sequence[float] = (0.0, 0.1, 0.2, 0.3),
    folds: int = 0,
) -> pd.DataFrame:
    """Fit one kind of model to the first sessions of all subjects, with a prior over subjects.

    Hazards may drift within a session and shift after errors
    (:mod:`fuzzybounds.stopping.sessions`).

    Parameters
    ----------
    data : Dataset
        Of at least two subjects.
    kind : {"boundary", "boundary_directed", "boundary_met", "rules", "rules_directed"}
    condition : {"easy", "hard", "all"}
    delays : sequence of float
        Motor delays in s to choose from.
    folds : int
        Parts of each session that are left out in turn; 0 fits all trials alone.

    Returns
    -------
    DataFrame
        One row per subject and fold (0 is the fit to all trials): parameters on the scales of the
        search, and the standard deviations of their posteriors.
    """
    known(kind, list(KINDS), "kind")
    if not isinstance(data, Dataset):
        raise InputError(f"data is a {type(data).__name__}", ["expected a Dataset"])
    if len(data.subjects) < 2:
        raise InputError(f"{data.name} has one subject", ["a prior over subjects needs two"])
    table = fit_hierarchy(
        data.trials,
        data.paths,
        kind=kind,
        cued=condition != ALL,
        conditions=[condition],
        delays=list(delays),
        fold_number=folds,
        shuffles=0,
        seed=data.seed,
        dataset=data.name,
    )
    return table.dropna(axis=1, how="all")
