"""The comparison of rules with boundaries that every run makes, with its power."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from fuzzybounds.canoe import block_windows
from fuzzybounds.core.subjects import spread
from fuzzybounds.logs.subject_designs import subjects_of_other_p0
from fuzzybounds.stopping.comparison import compare
from fuzzybounds.stopping.fits import fit_stopping
from fuzzybounds.stopping.recovery import recover_stopping, tabulate


class Brief(NamedTuple):
    """The tables ``stopping_brief``, ``stopping_brief_models`` and ``stopping_brief_power``."""

    brief: pd.DataFrame
    models: pd.DataFrame
    power: pd.DataFrame


def compare_briefly(
    trials: pd.DataFrame,
    samples: pd.DataFrame,
    design: pd.DataFrame,
    paths: pd.DataFrame | None = None,
    *,
    cued: bool,
    models: Sequence[str],
    recovery_subjects: Mapping[str, int],
    seed: int,
    dataset: str,
    **options: Any,
) -> Brief:
    """Answer the questions by some models on easy trials, with their power.

    Subjects of several sessions are left out if others are there: the claim is about subjects of
    one session, and in the simulated cohort the others follow rules by design.  The power comes
    from some subjects, simulated from the best model of every kind.

    Parameters
    ----------
    trials, samples, design : DataFrame
        Result tables.
    paths : DataFrame, optional
        Recorded paths.
    cued, models, **options
        As in :func:`fuzzybounds.stopping.fits.fit_stopping`.
    recovery_subjects : mapping
        How many subjects are simulated from the best model of each kind.
    seed, dataset
        Name the random numbers.
    """
    trials = block_windows.compared(trials)
    options = {**options, "cued": cued, "conditions": ["easy"], "without_delay": False}
    fits = fit_stopping(trials, samples, design, paths, models=models, **options)
    compared = compare(fits)
    brief = add_without(compared.questions, fits, subjects_of_other_p0(design))
    recovered = []
    for kind, number in recovery_subjects.items():
        some = spread(fits["subject"], number)
        part = recover_stopping(
            trials[trials["subject"].isin(some)],
            fits[fits["subject"].isin(some)],
            compared.comparison,
            design,
            seed=seed,
            dataset=dataset,
            kinds=[kind],
            **options,
        )
        recovered.append(part)
    power = tabulate(recovered, compared.comparison, seed=seed, dataset=dataset)
    return Brief(brief, compared.comparison, power)


def add_without(questions: pd.DataFrame, fits: pd.DataFrame, other: Sequence[str]) -> pd.DataFrame:
    """Add how the answers compare without some subjects, unless these are most or none."""
    same = fits[~fits["subject"].isin(other)]
    few = 0 < fits["subject"].nunique() - same["subject"].nunique() < same["subject"].nunique()
    values = ["elpd_difference", "se"]
    keys = ["question", "condition", "scheme", "delay", "answer"]
    without = (compare(same).questions if few else questions[:0])[[*keys, *values]]
    without = without.rename(columns={name: f"{name}_without" for name in values})
    table = questions.merge(without, on=keys, how="left")
    table.insert(
        table.columns.get_loc(f"{values[0]}_without"), "without", ", ".join(other) if few else ""
    )
    return table
