"""The boundary models of many subjects: one table of fits."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd
from tqdm import tqdm

from fuzzybounds.canoe.task import STEP
from fuzzybounds.weibull.fit import fit_models, fit_subject
from fuzzybounds.weibull.models import CUED, UNCUED, all_models, stable_models
from fuzzybounds.weibull.results import model_fits
from fuzzybounds.weibull.search import BUDGETS, Budget
from fuzzybounds.weibull.trials import trials_of, without_early_responses

LATER = Budget(restarts=1, members=8, patience=2)
"""How long fits to later responses are searched: they start also from the fits to all."""


class SubjectFits(NamedTuple):
    """What :func:`fit_weibull` returns: one table per output of the stage."""

    fits: pd.DataFrame
    later: pd.DataFrame


def fit_weibull(
    trials: pd.DataFrame,
    *,
    boundary_times: Sequence[str],
    cued: bool,
    search: str,
    seed: int,
    dataset: str,
) -> SubjectFits:
    """Fit all boundary models to every subject, under each boundary time.

    Returns
    -------
    SubjectFits
        The tables ``model_fits`` and ``later_fits``.  A subject who never responded in time has no
        rows.  Later fits, on the authors' time axis and with stable class rl, leave out
        responses within the canoe's first step: until its end |position| is 90 px/s times the time,
        whatever the subject does.
    """
    conditions = CUED if cued else UNCUED
    models = all_models(conditions) + stable_models(conditions)
    by_subject = list(trials.groupby("subject", sort=False))
    silent = [subject for subject, own in by_subject if not own["responded"].any()]
    by_subject = [(subject, own) for subject, own in by_subject if subject not in silent]
    if silent:
        logging.info("no response before the deadline, so no fit: %s", ", ".join(silent))
    planned = len(by_subject) * len(boundary_times) * len(models)
    fits, later = [], []
    axis = "total" if "total" in boundary_times else boundary_times[-1]
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
            near = {}
            for boundary_time, fit in of_subject:
                fits.append((subject, boundary_time, fit))
                near[fit.model, boundary_time] = fit.parameters
                progress.update()
            prepared = without_early_responses(trials_of(own, conditions, axis), own, STEP)
            if prepared.responded.any():
                stable = all_models(conditions, stable=True)
                names = (dataset, subject, "later")
                of_subject = fit_models(
                    stable, {axis: prepared}, seed, *names, budget=LATER, near=near
                )
                later += [(subject, time, fit) for time, fit in of_subject]
    return SubjectFits(model_fits(fits), model_fits(later))
