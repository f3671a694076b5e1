"""Tables of the learning models fitted to people, and what they say of all subjects."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from fuzzybounds.analysis.model_selection import select
from fuzzybounds.learning.people.fits import HumanFit
from fuzzybounds.learning.people.likelihood import MODELS

CRITERIA = ("aic", "bic")


def human_fits(fits: Iterable[tuple[str, HumanFit]]) -> pd.DataFrame:
    """Return a row for each subject and model.

    Returns
    -------
    DataFrame
        subject, model, n, k, nll, aic, bic, learning_rate, leak, and the consequents at the first
        trial: ``theta_{cue}_{time}_{position}``, each counted from 0.
    """
    return pd.DataFrame([_row(subject, fit) for subject, fit in fits])


def _row(subject: str, fit: HumanFit) -> dict:
    cues, times, positions = fit.consequents.shape
    consequents = {
        f"theta_{cue}_{time}_{position}": float(fit.consequents[cue, time, position])
        for cue in range(cues)
        for time in range(times)
        for position in range(positions)
    }
    return {
        "subject": subject,
        "model": fit.model,
        "n": fit.n,
        "k": fit.k,
        "nll": fit.nll,
        "aic": fit.aic,
        "bic": fit.bic,
        "learning_rate": fit.learning_rate,
        "leak": fit.leak,
        **consequents,
    }


def human_selection(fits: pd.DataFrame) -> pd.DataFrame:
    """Compare the models over all subjects, by AIC and by BIC.

    Returns
    -------
    DataFrame
        A row for each criterion and model: total over subjects; subjects (their number); n_best,
        for how many it is the best; better_than_none and better_than_drift, for how many it is
        better than these; frequency, exceedance and protected_exceedance of random-effects
        selection (:func:`fuzzybounds.analysis.model_selection.select`).
    """
    return pd.concat([_selection(fits, name) for name in CRITERIA], ignore_index=True)


def _selection(fits: pd.DataFrame, criterion: str) -> pd.DataFrame:
    values = fits.pivot_table(criterion, "subject", "model")[list(MODELS)]
    chosen = select(-values.to_numpy() / 2)
    best = values.idxmin(axis=1).value_counts().reindex(MODELS, fill_value=0)
    return pd.DataFrame(
        {
            "criterion": criterion,
            "model": MODELS,
            "subjects": len(values),
            "total": values.sum().to_numpy(),
            "n_best": best.to_numpy(),
            "better_than_none": values.lt(values["none"], axis=0).sum().to_numpy(),
            "better_than_drift": values.lt(values["drift"], axis=0).sum().to_numpy(),
            "frequency": chosen.frequency,
            "exceedance": chosen.exceedance,
            "protected_exceedance": chosen.protected_exceedance,
        }
    )
