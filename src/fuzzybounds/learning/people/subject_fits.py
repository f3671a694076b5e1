"""The learning models of many subjects: one table of fits."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from fuzzybounds.learning.people.fits import HumanFit, fit_subject
from fuzzybounds.learning.people.likelihood import MODELS
from fuzzybounds.learning.people.sequence import sequence
from fuzzybounds.learning.policy import Decisions, paper_memberships


def fit_people(trials: pd.DataFrame, *, cued: bool, labels: int, frames: int) -> pd.DataFrame:
    """Fit every learning model to every subject, trial by trial.

    Parameters
    ----------
    trials : DataFrame
        Trials of some subjects.
    cued : bool
        Whether each condition has consequents of its own.
    labels, frames : int
        Labels of time and of position; frames between two decisions.

    Returns
    -------
    DataFrame
        The table ``learning_people``.
    """
    memberships = paper_memberships(labels)
    decisions = Decisions(frames=frames)
    fits = []
    for name, own in trials.groupby("subject", sort=False):
        subject = sequence(own, cued=cued)
        start = None
        # The first model does not learn: the others start from its fit.
        for model in MODELS:
            fit = fit_subject(subject, model, memberships, memberships, decisions, start=start)
            start = start or fit
            fits.append((name, fit))
    return people_table(fits)


def people_table(fits: Iterable[tuple[str, HumanFit]]) -> pd.DataFrame:
    """Return one row per subject and model; theta_i_j_k are cue, time and position from 0."""
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
