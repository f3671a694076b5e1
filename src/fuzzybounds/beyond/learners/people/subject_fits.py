"""The learning models of many subjects: one table of fits."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from fuzzybounds.beyond.learners.people.fits import HumanFit, fit_subject
from fuzzybounds.beyond.learners.people.likelihood import FROM_OUTCOMES, MODELS
from fuzzybounds.beyond.learners.people.sequence import sequence, shuffle_outcomes
from fuzzybounds.core.seeds import generator
from fuzzybounds.paper.reinforcement.policy import Decisions, paper_memberships


def fit_people(
    trials: pd.DataFrame,
    *,
    cued: bool,
    labels: int,
    frames: int,
    shuffles: int,
    seed: int,
    dataset: str,
) -> pd.DataFrame:
    """Fit every learning model to every subject, trial by trial.

    The models that learn from outcomes are refitted to trials whose outcomes are shuffled
    (:func:`sequence.shuffle_outcomes`).  This is their control: an
    advantage that remains there does not come from outcomes.

    Parameters
    ----------
    trials : DataFrame
        Trials of some subjects.
    cued : bool
        Whether each condition has its own consequents.
    labels, frames : int
        Labels of time and of position; frames between two decisions.
    shuffles : int
        Number of shuffles.
    seed, dataset
        Name the random numbers of shuffles, together with subject and shuffle.

    Returns
    -------
    DataFrame
        The table ``learning_people``.
    """
    memberships = paper_memberships(labels)
    arguments = (memberships, memberships, Decisions(frames=frames))
    fits = []
    for name, own in trials.groupby("subject", sort=False):
        found: dict[str, HumanFit] = {}
        subject = sequence(own, cued=cued)
        # The first model does not learn: the others start from its fit.
        for model in MODELS:
            found[model] = fit_subject(subject, model, *arguments, start=found.get("none"))
        fits += [(name, 0, fit) for fit in found.values()]
        for number in range(1, shuffles + 1):
            rng = generator(seed, dataset, str(name), "shuffled outcomes", number)
            shuffled = sequence(shuffle_outcomes(own, rng), cued=cued)
            for model in FROM_OUTCOMES:
                fit = fit_subject(shuffled, model, *arguments, start=found["none"])
                fits.append((name, number, fit))
    return people_table(fits)


def people_table(fits: Iterable[tuple[str, int, HumanFit]]) -> pd.DataFrame:
    """Return one row per subject, model and shuffle (0: the outcomes of the log).

    theta_i_j_k are the consequents of cue, time and position, counted from 0.
    """
    rows = []
    for subject, shuffle, fit in fits:
        row = {"subject": subject, "model": fit.model, "shuffle": shuffle}
        names = ("n", "off_lattice", "k", "nll", "aic", "bic", "learning_rate", "leak")
        row |= {name: getattr(fit, name) for name in (*names, "error_shift")}
        for at, value in np.ndenumerate(fit.consequents):
            row["theta_{}_{}_{}".format(*at)] = float(value)
        rows.append(row)
    return pd.DataFrame(rows)
