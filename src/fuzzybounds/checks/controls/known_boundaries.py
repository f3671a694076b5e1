"""Subjects who are simulated with known boundaries, and fitted as people are.

Every simulated subject has the trials of a real one, and the mean and the noise of its responses in
each condition:

- constant: the boundary does not vary with time, and its noise is drawn once per trial;
- constant within: as constant, but with noise within trials and lapses, fitted to easy trials;
- falling: it falls from 3/2 to 1/2 of the mean, by half at about the median response time;
- falling late: it is constant in the first half of the session and falls in the second;
- reinforced: the Weibull boundary with class rl, with the parameters fitted to the subject.

A canoe walks until it meets the boundary, as in the experiment.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.canoe import task
from fuzzybounds.checks.controls.boundary_direction import BINS, compare_direction, fit_constant
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.seeds import generator
from fuzzybounds.core.subjects import spread
from fuzzybounds.core.words import CONSTANT_WITHIN
from fuzzybounds.paper.boundaries.comparison import boundaries, variation
from fuzzybounds.paper.boundaries.fit import fit_models, model_fits, model_of
from fuzzybounds.paper.boundaries.models import CUED, UNCUED, Model, all_models
from fuzzybounds.paper.boundaries.search import Budget
from fuzzybounds.paper.boundaries.simulate import generate
from fuzzybounds.paper.boundaries.trials import trials_of
from fuzzybounds.stopping import predictions
from fuzzybounds.stopping.lattice import states

TIME = "decision"
BRIEF = Budget(restarts=1, members=6, generations=8, patience=2)
"""How long simulated subjects are searched: their best models are clear enough."""
TRUTHS = ("constant", CONSTANT_WITHIN, "falling", "falling late", "reinforced")


class KnownBoundaries(NamedTuple):
    """What :func:`fit_known_boundaries` returns: one table per output of the stage."""

    fits: pd.DataFrame
    variation: pd.DataFrame
    direction: pd.DataFrame


def fit_known_boundaries(
    trials: pd.DataFrame, fits: pd.DataFrame, *, subjects: int, seed: int, dataset: str
) -> KnownBoundaries:
    """Simulate subjects of each truth, and fit them briefly.

    Parameters
    ----------
    trials, fits : DataFrame
        Result tables ``trials`` and ``model_fits``.
    subjects : int
        How many subjects are simulated, once for every truth.
    seed, dataset
        Name the random numbers.

    Returns
    -------
    KnownBoundaries
        The tables ``model_fits``, ``boundary_variation`` and ``boundary_direction`` of simulated
        subjects, with their truth.
    """
    used = fits[(fits["boundary_time"] == TIME) & (fits["stable"] | (fits["learning"] != "rl"))]
    some = used[used["subject"].isin(spread(used["subject"], subjects))]
    by_subject = dict(list(some.groupby("subject", sort=False)))
    parts = []
    for truth in TRUTHS if by_subject else ():
        cohort = pd.concat(
            simulate(truth, trials[trials["subject"] == name], of_subject, seed, dataset)
            for name, of_subject in by_subject.items()
        )
        parts.append(fit_cohort(cohort, bool(used["cued"].all()), seed, dataset, truth))
    return KnownBoundaries._make(_together(name, parts) for name in KnownBoundaries._fields)


def _together(name: str, parts: list[KnownBoundaries]) -> pd.DataFrame:
    tables = [getattr(part, name) for part in parts]
    # An empty table beside others would change the types of their columns.
    filled = [table for table in tables if len(table)]
    return pd.concat(filled or [TABLES[f"control_{name}"].empty()], ignore_index=True)


def fit_cohort(cohort: pd.DataFrame, cued: bool, seed: int, *names: str) -> KnownBoundaries:
    """Fit a cohort briefly; the last name is its truth.

    Where noise is within trials, only the direction of responses is compared.
    """
    p0 = {name: condition.p0 for name, condition in task.CONDITIONS.items()}
    direction = compare_direction(cohort, p0, seed=seed, dataset=names[-1])
    named_fits = []
    if names[-1] != CONSTANT_WITHIN:
        models = all_models(CUED if cued else UNCUED, stable=(True,))
        for subject, subject_trials in cohort.groupby("subject", sort=False):
            by_time = {TIME: trials_of(subject_trials, models[0].conditions)}
            of_subject = fit_models(models, by_time, seed, *names, subject, budget=BRIEF)
            named_fits += [(subject, time, fit) for time, fit in of_subject]
    fits = model_fits(named_fits)
    _, changes = boundaries(fits, cohort)
    tables = KnownBoundaries(fits, variation(changes), direction)
    for table in tables:
        table.insert(0, "truth", names[-1])
    return tables


def simulate(
    truth: str, table: pd.DataFrame, fits: pd.DataFrame, seed: int, *names: str
) -> pd.DataFrame:
    """Simulate one subject with the trials of a real one."""
    subject = str(table["subject"].iloc[0])
    rng = generator(seed, *names, subject, "control", truth)
    if truth == CONSTANT_WITHIN:
        return simulate_within(table, rng)
    fitted = {(row["shape"], row["learning"]): model_of(row) for _, row in fits.iterrows()}
    constant, theta = fitted["constant", "none"]
    falling = Model("weibull", "none", constant.conditions)
    halves = table["block"].rank(method="dense", pct=True) <= 0.5
    sequence = {
        "constant": [(constant, theta, halves.notna())],
        "falling": [(falling, falling_around(constant, theta, table), halves.notna())],
        "falling late": [
            (constant, theta, halves),
            (falling, falling_around(constant, theta, table), ~halves),
        ],
        "reinforced": [(*fitted["weibull", "rl"], halves.notna())],
    }[truth]
    parts = [
        pd.DataFrame(generate(model, parameters, table.loc[here, "condition"].tolist(), rng))
        for model, parameters, here in sequence
    ]
    place = table[["subject", "session", "block"]].reset_index(drop=True)
    return pd.concat([place, pd.concat(parts, ignore_index=True)], axis=1)


def simulate_within(table: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Simulate a subject's easy trials by a constant boundary with noise within trials."""
    easy = table[table["condition"] == task.EASY.name].reset_index(drop=True)
    model, theta = fit_constant(easy, task.EASY)
    p0 = np.full(len(easy), task.EASY.p0)
    made = predictions.simulate(model, theta, states(BINS), p0, rng)
    return pd.concat([easy[["subject", "session", "block", "condition"]], made], axis=1)


def falling_around(constant: Model, theta: np.ndarray, table: pd.DataFrame) -> np.ndarray:
    """Return the parameters of a Weibull boundary that falls around a constant one."""
    values = []
    for c, condition in enumerate(constant.conditions):
        p = constant.of_condition(theta, c)
        here = table["responded"] & (~constant.cued | (table["condition"] == condition))
        psi = np.clip(1.5 * p["m"], 10, 300)
        values += [psi, p["m"] / 2 - psi / 2, table.loc[here, "rt"].median(), 2.0, p["sigma"]]
    falling = Model("weibull", "none", constant.conditions)
    return np.clip(np.nan_to_num(values, nan=2.0), falling.lower, falling.upper)
