"""Power of the comparison of rules with boundaries: what would be concluded if either were true.

Subjects simulated from a known model (:mod:`fuzzybounds.stopping.recovery`) are drawn with
replacement into cohorts as large as the one that was observed, and each cohort is judged by the
rule that judges the data: the answer that is ahead counts if it is ahead by more than :data:`CLEAR`
standard errors over subjects.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.analysis.stopping_answers import CLEAR
from fuzzybounds.analysis.stopping_comparison import (
    BOUNDARY,
    QUESTIONS,
    RULES,
    WITHIN_TRIALS,
    compare,
    elpd_by_subject,
    pooled,
)
from fuzzybounds.stopping.data import INTERLEAVED
from fuzzybounds.stopping.fits import WHOLE, fit_stopping
from fuzzybounds.stopping.recovery import recover_stopping, tabulate_stopping_recovery
from fuzzybounds.storage.registry import TABLES
from fuzzybounds.storage.seeds import generator

COHORTS = 4000
"""How many cohorts are drawn for each truth."""
ASKED = ("kind", WITHIN_TRIALS)
"""The questions whose power is measured."""


class Recovery(NamedTuple):
    """What :func:`tabulate` returns."""

    recovery: pd.DataFrame
    power: pd.DataFrame


class Brief(NamedTuple):
    """What :func:`compare_briefly` returns."""

    brief: pd.DataFrame
    power: pd.DataFrame


def tabulate(
    fits: Sequence[pd.DataFrame], comparison: pd.DataFrame, *, seed: int, dataset: str
) -> Recovery:
    """Say how often each family wins when each is true, and what cohorts would be called.

    Parameters
    ----------
    fits : list of DataFrame
        Parts of the table ``stopping_recovery_fits``.
    comparison : DataFrame
        The table ``stopping_comparison``, for the size of the cohort.
    seed, dataset
        Name the random numbers.
    """
    recovery = tabulate_stopping_recovery(fits)
    return Recovery(recovery, cohort_power(fits, comparison, seed=seed, dataset=dataset))


def cohort_power(
    fits: Sequence[pd.DataFrame], comparison: pd.DataFrame, *, seed: int, dataset: str
) -> pd.DataFrame:
    """Say how often cohorts with a known truth would be called rules, boundaries, or neither.

    Parameters
    ----------
    fits, comparison, seed, dataset
        As in :func:`tabulate`.

    Returns
    -------
    DataFrame
        The table ``stopping_power``.
    """
    table = TABLES["stopping_power"]
    every = [part for part in fits if len(part)]
    if not every:
        return table.empty()
    left_out = pd.concat(every, ignore_index=True)
    left_out = left_out[left_out["scheme"] != WHOLE]
    sizes = comparison.groupby("condition")["subjects"].max()
    rows = []
    for (condition, truth), own in left_out.groupby(["condition", "true_model"], sort=False):
        elpd, size = elpd_by_subject(own), int(sizes[condition])
        for question in ASKED:
            scores = pooled(elpd, QUESTIONS[question])
            if len(scores) < 2 or not {BOUNDARY, RULES} <= set(scores):
                continue
            rng = generator(seed, dataset, "", "stopping power", question, condition, truth)
            lead = (scores[BOUNDARY] - scores[RULES]).to_numpy()
            rows.append(
                {
                    "condition": condition,
                    "question": question,
                    "true_answer": _answer(str(truth)),
                    "true_model": truth,
                    "simulated": len(lead),
                    "cohort": size,
                    "boundary_ahead": float(size * lead.mean()),
                    **called(lead, size, rng),
                }
            )
    return pd.DataFrame(rows)[table.names] if rows else table.empty()


def called(lead: np.ndarray, size: int, rng: np.random.Generator) -> dict[str, float]:
    """Return how the lead varies over cohorts, and the shares that are called by either name.

    Parameters
    ----------
    lead : array
        By how many nats boundaries are ahead, for every simulated subject.
    size : int
        Subjects per cohort.
    rng : Generator
    """
    drawn = lead[rng.integers(0, lead.size, (COHORTS, size))]
    total = drawn.sum(axis=1)
    limit = CLEAR * np.sqrt(size) * drawn.std(axis=1, ddof=1) if size > 1 else np.inf
    boundary, rules = float((total > limit).mean()), float((total < -limit).mean())
    return {
        "se": float(total.std(ddof=1)),
        "called_rules": rules,
        "called_boundary": boundary,
        "undecided": float(((total <= limit) & (total >= -limit)).mean()),
    }


def _answer(model: str) -> str:
    """Return which kind of model it is."""
    return next(answer for answer, models in QUESTIONS["kind"].items() if model in models)


def compare_briefly(
    trials: pd.DataFrame,
    samples: pd.DataFrame,
    design: pd.DataFrame,
    *,
    cued: bool,
    models: Sequence[str],
    recovery_subjects: int,
    seed: int,
    dataset: str,
    **options: Any,
) -> Brief:
    """Answer the questions by some models on easy trials, with their power.

    Folds are interleaved.  The power comes from some subjects, simulated from the best rules and
    from the best boundary, and fitted by the best model of every family.

    Parameters
    ----------
    trials, samples, design : DataFrame
        Result tables.
    cued, models, **options
        As in :func:`fuzzybounds.stopping.fits.fit_stopping`.
    recovery_subjects : int
        How many subjects are simulated.
    seed, dataset
        Name the random numbers.

    Returns
    -------
    Brief
        The tables ``stopping_brief`` and ``stopping_brief_power``.
    """
    chosen = {"schemes": [INTERLEAVED], "conditions": ["easy"]}
    fits = fit_stopping(trials, samples, design, cued=cued, models=models, **{**options, **chosen})
    found = compare(fits)
    subjects = list(fits["subject"].unique())
    count = min(recovery_subjects, len(subjects))
    some = [subjects[number * len(subjects) // count] for number in range(count)]
    recovered = recover_stopping(
        trials[trials["subject"].isin(some)],
        fits[fits["subject"].isin(some)],
        found.comparison,
        design,
        cued=cued,
        scheme=INTERLEAVED,
        conditions=["easy"],
        seed=seed,
        dataset=dataset,
        truths=_best_of_answers(found.comparison),
        **options,
    )
    power = cohort_power([recovered], found.comparison, seed=seed, dataset=dataset)
    return Brief(found.questions, power)


def _best_of_answers(comparison: pd.DataFrame) -> set[str]:
    """Return the best model of each kind."""
    ranked = comparison.sort_values("elpd", ascending=False, kind="stable")["model"]
    return set(ranked.groupby(ranked.map(_answer), sort=False).first())
