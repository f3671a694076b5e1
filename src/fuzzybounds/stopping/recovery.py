"""Recovery of stopping models: simulate subjects from fits, fit them again, and tabulate.

The truth of a simulated subject is a real subject's fit, with its motor delay, on as many trials in
the same blocks.  Simulated subjects are judged as the data are: by the same models, folds and
questions.  Drawn with replacement into cohorts as large as the one that was observed, they say what
would be concluded if boundaries, rules, or neither were true.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from fuzzybounds.canoe.samples import draw_points
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.seeds import generator
from fuzzybounds.stopping.answers import (
    BOUNDARY,
    CLEAR,
    DESIRE,
    DIRECTION,
    IGNORED,
    KIND,
    KIND_DIRECTED,
    MEETING,
    READING,
    RULES,
    USED,
)
from fuzzybounds.stopping.catalogue import CONTROL, rebuild
from fuzzybounds.stopping.comparison import CANDIDATES, QUESTIONS, scores
from fuzzybounds.stopping.data import ALL, DRAWS, context_of, design_of, of_condition
from fuzzybounds.stopping.fits import ALL_TRIALS, fit_stopping
from fuzzybounds.stopping.lattice import Bins, on_lattice, states
from fuzzybounds.stopping.predictions import simulate

COHORTS = 4000
"""How many cohorts are drawn for each truth."""
ASKED = {
    KIND: (BOUNDARY, RULES),
    KIND_DIRECTED: (BOUNDARY, RULES),
    DIRECTION: (USED, IGNORED),
    READING: (MEETING, DESIRE),
}
"""The questions whose power is measured, with their two answers."""
SIMULATED = {
    BOUNDARY: QUESTIONS[KIND][BOUNDARY],
    RULES: QUESTIONS[KIND][RULES],
    "directed boundary": QUESTIONS[KIND_DIRECTED][BOUNDARY],
    "directed rules": QUESTIONS[KIND_DIRECTED][RULES],
    MEETING: ["met_exponential"],
    CONTROL: CANDIDATES[CONTROL],
}
"""The kinds of models from which subjects are simulated; of each the best model is."""
KEYS = ["condition", "scheme", "delay", "true_model"]


def recover_stopping(
    trials: pd.DataFrame,
    fits: pd.DataFrame,
    comparison: pd.DataFrame,
    design: pd.DataFrame,
    *,
    cued: bool,
    conditions: Sequence[str],
    bin_width: float,
    seed: int,
    dataset: str,
    kinds: Sequence[str] = tuple(SIMULATED),
    **options: Any,
) -> pd.DataFrame:
    """Simulate subjects from the best model of each kind, and fit the models of all answers.

    Parameters
    ----------
    trials, fits, comparison, design : DataFrame
        Result tables; the trials and fits of the subjects to simulate.
    cued, bin_width, **options
        As in :func:`fuzzybounds.stopping.fits.fit_stopping`.
    conditions : sequence of str
        Which conditions of a cued design are simulated.
    seed, dataset
        Name the random numbers.
    kinds : sequence of str
        The kinds of models from which subjects are simulated.

    Returns
    -------
    DataFrame
        The table ``stopping_recovery_fits``.
    """
    task, where = design_of(design, cued=cued), states(Bins(bin_width))
    p0 = {condition.name: condition.p0 for condition in task.conditions}
    none = pd.DataFrame(columns=["subject", "trial", "time", "position"])
    parts = []
    for condition in comparison["condition"].unique():
        if condition not in (*conditions, ALL):
            continue
        context = context_of(where)
        candidates = comparison[comparison["condition"] == condition]
        # With a fitted delay if there is one, by the first scheme.
        candidates = candidates[
            (candidates["delay"] == candidates["delay"].iloc[-1])
            & (candidates["scheme"] == candidates["scheme"].iloc[0])
        ]
        whole = fits[
            (fits["scheme"] == ALL_TRIALS)
            & (fits["condition"] == condition)
            & (fits["delay"] == candidates["delay"].iloc[0])
        ]
        of_kinds = (candidates[candidates["model"].isin(SIMULATED[kind])] for kind in kinds)
        truths = [each.loc[each["elpd"].idxmax(), "model"] for each in of_kinds if len(each)]
        answers = {
            name for question in ASKED for names in QUESTIONS[question].values() for name in names
        }
        judged = [name for name in candidates["model"] if name in answers]
        for row in whole[whole["model"].isin(truths)].to_dict("records"):
            model, theta = rebuild(row["model"], row, context)
            seen = of_condition(trials[trials["subject"] == row["subject"]], condition)
            seen = seen[on_lattice(seen)].reset_index(drop=True)
            names = (row["subject"], "stopping recovery", condition, model.name)
            chances = seen["condition"].map(p0).to_numpy(dtype=float)
            rng = generator(seed, dataset, *names)
            made = simulate(model, theta, where, chances, rng, row["motor_delay"])
            kept = seen[["subject", "session", "block", "trial", "condition"]]
            made = pd.concat([kept, made], axis=1)
            samples = draw_points(made, none, DRAWS, seed, f"{dataset} stopping recovery")
            fitted = fit_stopping(
                made, samples, design, cued=cued, bin_width=bin_width, models=judged, **options
            )
            parts.append(fitted.assign(true_model=model.name))
    table = TABLES["stopping_recovery_fits"]
    return pd.concat(parts, ignore_index=True)[table.names] if parts else table.empty()


def tabulate(
    fits: Sequence[pd.DataFrame], comparison: pd.DataFrame, *, seed: int, dataset: str
) -> pd.DataFrame:
    """Say what cohorts of simulated subjects would be called.

    Parameters
    ----------
    fits : list of DataFrame
        Parts of the table ``stopping_recovery_fits``.
    comparison : DataFrame
        The table ``stopping_comparison``, for the size of the cohort.
    seed, dataset
        Name the random numbers.

    Returns
    -------
    DataFrame
        The table ``stopping_power``.
    """
    every = pd.concat([part for part in fits if len(part)] or list(fits[:1]), ignore_index=True)
    sizes = comparison.groupby("condition")["subjects"].max()
    rows = []
    for keys, truth_fits in every[every["scheme"] != ALL_TRIALS].groupby(KEYS, sort=False):
        shared = dict(zip(KEYS, keys, strict=True))
        size = int(sizes[shared["condition"]])
        for question, (answer, other) in ASKED.items():
            table = scores(truth_fits, question)
            if len(table) < 2 or not {answer, other} <= set(table):
                continue
            lead = (table[answer] - table[other]).to_numpy()
            rng = generator(seed, dataset, "", "stopping power", question, *keys)
            truth = next(kind for kind, names in SIMULATED.items() if shared["true_model"] in names)
            named = {"question": question, "true_answer": truth, "answer": answer, "other": other}
            rows.append({**shared, **named, **called(lead, size, rng)})
    table = TABLES["stopping_power"]
    return pd.DataFrame(rows)[table.names] if rows else table.empty()


def called(lead: np.ndarray, size: int, rng: np.random.Generator) -> dict[str, float]:
    """Return the lead of cohorts of some size, and what they would be called.

    `lead` is by how many nats the first answer is ahead, for every simulated subject.
    """
    drawn = lead[rng.integers(0, lead.size, (COHORTS, size))]
    total = drawn.sum(axis=1)
    limit = CLEAR * np.sqrt(size) * drawn.std(axis=1, ddof=1) if size > 1 else np.inf
    answer, other = float((total > limit).mean()), float((total < -limit).mean())
    return {
        "simulated": len(lead),
        "cohort": size,
        "best": float((lead > 0).mean()),
        "ahead": float(size * lead.mean()),
        "se": float(total.std(ddof=1)),
        "called_answer": answer,
        "called_other": other,
        "undecided": 1.0 - answer - other,
    }
