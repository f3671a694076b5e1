"""Controls of C02 to C04 and C22: whether their judges are right where the truth is known.

Subjects are simulated with known boundaries, and judged as people are.  Every simulated subject has
the trials of a real one, and the mean and the noise of its responses in each condition:

- constant: the boundary does not vary with time, and its noise is drawn once per trial;
- constant within: as constant, but with noise within trials and lapses, fitted to easy trials;
- falling: it falls from 3/2 to 1/2 of the mean, by half at about the median response time;
- falling late: it is constant in the first half of the session and falls in the second;
- reinforced: the Weibull boundary with class rl, with the parameters fitted to the subject.

A canoe walks until it meets the boundary, as in the experiment.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from fuzzybounds.canoe import task
from fuzzybounds.checks.controls.boundary_direction import BINS, compare_direction, fit_constant
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.seeds import generator
from fuzzybounds.paper.boundaries.comparison import boundaries, scores_of, shape_evidence, variation
from fuzzybounds.paper.boundaries.fit import fit_models, model_fits, model_of
from fuzzybounds.paper.boundaries.models import CUED, UNCUED, Model, all_models
from fuzzybounds.paper.boundaries.search import Budget
from fuzzybounds.paper.boundaries.simulate import generate
from fuzzybounds.paper.boundaries.trials import trials_of
from fuzzybounds.scorecard.judges.boundaries import (
    Count,
    count_below,
    count_best,
    count_classes,
    count_learning,
    count_varying,
)
from fuzzybounds.scorecard.verdicts import AS_PRINTED
from fuzzybounds.stopping import predictions
from fuzzybounds.stopping.lattice import states

TIME = "decision"
SUBJECTS = 10
"""How many subjects of the data set are simulated, once for every truth."""
BRIEF = Budget(restarts=1, members=6, generations=8, patience=2)
"""How long simulated subjects are searched: their best models are clear enough."""
EXPECTED = {
    ("C02", "printed"): {"constant": False, "falling": True, "falling late": False},
    ("C03", "printed"): {"constant": False, "falling": True},
    ("C03", "direction"): {"constant": False, "constant within": False, "falling": True},
    ("C04", "printed"): {"constant": False, "falling": False, "reinforced": True},
    ("C22", "printed"): {
        **{"constant": False, "falling": False, "falling late": False, "reinforced": True}
    },
}
"""Whether a claim is true of subjects with known boundaries, by claim, judge and truth."""
TRUTHS = ("constant", "constant within", "falling", "falling late", "reinforced")


def control_claims(
    trials: pd.DataFrame,
    fits: pd.DataFrame,
    *,
    criterion: str,
    seed: int,
    dataset: str,
) -> pd.DataFrame:
    """Judge C02 to C04 on simulated subjects of known truth.

    Parameters
    ----------
    trials, fits : DataFrame
        Result tables ``trials`` and ``model_fits``.

    Returns
    -------
    DataFrame
        The table ``boundary_controls``.
    """
    used = fits[(fits["boundary_time"] == TIME) & (fits["stable"] | (fits["learning"] != "rl"))]
    names = used["subject"].drop_duplicates().tolist()[:SUBJECTS]
    rows: list[dict[str, Any]] = []
    for truth in TRUTHS if names else ():
        cohort = pd.concat(
            simulate(truth, trials[trials["subject"] == name], fits_of_subject, seed, dataset)
            for name, fits_of_subject in used.groupby("subject", sort=False)
            if name in names
        )
        by_judge = judge_cohort(cohort, bool(used["cued"].all()), criterion, seed, dataset, truth)
        for (claim, judge), expected in EXPECTED.items():
            result = by_judge.get((claim, judge))
            if truth in expected and result is not None:
                called = result["verdict"] == AS_PRINTED
                key = {"claim": claim, "judge": judge, "truth": truth, "expected": expected[truth]}
                counts = {"value": result["value"], "out_of": result["out_of"]}
                right = called == expected[truth]
                rows.append(
                    {**key, "found": called, "right": right, **counts, "n_subjects": len(names)}
                )
    return pd.DataFrame(rows, columns=TABLES["boundary_controls"].names)


def simulate(
    truth: str, table: pd.DataFrame, fits: pd.DataFrame, seed: int, *names: str
) -> pd.DataFrame:
    """Simulate one subject with the trials of a real one."""
    subject = str(table["subject"].iloc[0])
    rng = generator(seed, *names, subject, "control", truth)
    if truth == "constant within":
        return simulate_within(table, rng)
    fitted = {(row["shape"], row["learning"]): model_of(row) for _, row in fits.iterrows()}
    constant, theta = fitted["constant", "none"]
    falling = Model("weibull", "none", constant.conditions)
    halves = table["block"].rank(method="dense", pct=True) <= 0.5
    sequence = {
        "constant": [(constant, theta, halves.notna())],
        "falling": [(falling, falls(constant, theta, table), halves.notna())],
        "falling late": [
            (constant, theta, halves),
            (falling, falls(constant, theta, table), ~halves),
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


def falls(constant: Model, theta: np.ndarray, table: pd.DataFrame) -> np.ndarray:
    """Return the parameters of a Weibull boundary that falls around a constant one."""
    values = []
    for c, condition in enumerate(constant.conditions):
        p = constant.of_condition(theta, c)
        here = table["responded"] & (~constant.cued | (table["condition"] == condition))
        psi = np.clip(1.5 * p["m"], 10, 300)
        values += [psi, p["m"] / 2 - psi / 2, table.loc[here, "rt"].median(), 2.0, p["sigma"]]
    falling = Model("weibull", "none", constant.conditions)
    return np.clip(np.nan_to_num(values, nan=2.0), falling.lower, falling.upper)


def judge_cohort(
    cohort: pd.DataFrame, cued: bool, criterion: str, seed: int, *names: str
) -> dict[tuple[str, str], Count | None]:
    """Fit a cohort briefly, and judge it as people are judged."""
    p0 = {name: condition.p0 for name, condition in task.CONDITIONS.items()}
    below = count_below(compare_direction(cohort, p0, seed=seed, dataset=names[-1]))
    if names[-1] == "constant within":
        return {("C03", "direction"): below}
    models, named_fits = all_models(CUED if cued else UNCUED, stable=True), []
    for subject, subject_trials in cohort.groupby("subject", sort=False):
        by_time = {TIME: trials_of(subject_trials, models[0].conditions)}
        of_subject = fit_models(models, by_time, seed, *names, subject, budget=BRIEF)
        named_fits += [(subject, time, fit) for time, fit in of_subject]
    fits = model_fits(named_fits)
    evidence = shape_evidence(fits)
    _, changes = boundaries(fits, cohort)
    return {
        ("C02", "printed"): count_varying(variation(changes)),
        ("C03", "printed"): count_classes(evidence[evidence["criterion"] == criterion]),
        ("C03", "direction"): below,
        ("C04", "printed"): count_best(scores_of(fits, criterion)),
        ("C22", "printed"): count_learning(scores_of(fits, criterion)),
    }
