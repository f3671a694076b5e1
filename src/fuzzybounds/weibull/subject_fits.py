"""The boundary models of many subjects: one table of fits."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import pandas as pd
from tqdm import tqdm

from fuzzybounds.weibull.fit import fit_subject
from fuzzybounds.weibull.models import CUED, UNCUED, all_models, stable_models
from fuzzybounds.weibull.results import model_fits
from fuzzybounds.weibull.search import BUDGETS


def fit_weibull(
    trials: pd.DataFrame,
    *,
    boundary_times: Sequence[str],
    cued: bool,
    search: str,
    seed: int,
    dataset: str,
) -> pd.DataFrame:
    """Fit all boundary models to every subject, under each boundary time.

    Parameters
    ----------
    trials : DataFrame
        Trials of some subjects.
    boundary_times : sequence of {"decision", "total"}
    cued : bool
        Whether each condition has its own boundary.
    search : str
        Name of a search budget.
    seed, dataset
        Name the random numbers.

    Returns
    -------
    DataFrame
        The table ``model_fits``.  A subject who never responded in time has no rows.
    """
    conditions = CUED if cued else UNCUED
    models = all_models(conditions) + stable_models(conditions)
    by_subject = list(trials.groupby("subject", sort=False))
    silent = [subject for subject, own in by_subject if not own["responded"].any()]
    by_subject = [(subject, own) for subject, own in by_subject if subject not in silent]
    if silent:
        logging.info("no response before the deadline, hence no fit: %s", ", ".join(silent))
    planned = len(by_subject) * len(boundary_times) * len(models)
    fits = []
    with tqdm(total=planned, desc="fits", mininterval=1) as progress:
        for subject, own in by_subject:
            of_subject = fit_subject(
                own,
                models,
                seed,
                dataset,
                subject,
                boundary_times=boundary_times,
                budget=BUDGETS[search],
            )
            for boundary_time, fit in of_subject:
                fits.append((subject, boundary_time, fit))
                progress.update()
    return model_fits(fits)
