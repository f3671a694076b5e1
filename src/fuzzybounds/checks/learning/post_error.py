"""What people do after an error: response time and distance on the next trial.

Two measures.  *Regression*: the next trial's value on whether this response was wrong, given the
conditions of both trials, this trial's distance and time, and the trend within the session.
*Difference*: the trial after an error minus the trial before it, both correct, less the same around
correct trials; a slow change of pace cancels (the robust measure of Dutilh and others, 2012).  Both
are computed for every subject and averaged.

The control of both: which responses were wrong is permuted among trials of the same subject,
condition, and third of distance and of time.  What remains is what an error has in common with
correct responses that look like it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
from scipy import stats

from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.seeds import generator
from fuzzybounds.stopping.shuffled_errors import permute_within, strata

QUANTITIES = ("rt", "distance")
PREVIOUS = ("any", "easy", "hard")
"""Conditions of the trial that may have been an error."""
FEWEST = 5
"""Errors, and correct trials, below which a subject is left out of a measure."""
EXPERIMENTS = 2
"""Experiments that are reported side by side (docs/learning.md): p-values are corrected for all."""


def measure_post_error(
    trials: pd.DataFrame, *, permutations: int, seed: int, dataset: str
) -> pd.DataFrame:
    """Measure how trials after an error differ from others.

    Parameters
    ----------
    trials : DataFrame
        The table ``trials``.
    permutations : int
        How often errors are permuted within strata.
    seed, dataset
        Name the random numbers.

    Returns
    -------
    DataFrame
        The table ``post_error``.
    """
    computed: dict[tuple[str, str, str], list[np.ndarray]] = {}
    errors = dict.fromkeys(PREVIOUS, 0)
    for subject, subject_trials in trials.groupby("subject", sort=False):
        triples = successive(subject_trials)
        rng = generator(seed, dataset, str(subject), "post-error")
        for previous in PREVIOUS:
            chosen = triples if previous == "any" else triples[triples["condition"] == previous]
            wrong = chosen["wrong"].to_numpy()
            if min(wrong.sum(), (~wrong).sum()) < FEWEST:
                continue
            errors[previous] += int(wrong.sum())
            codes = strata(chosen)
            permuted = [permute_within(wrong, codes, rng) for _ in range(permutations)]
            labels = np.column_stack([wrong, *permuted])
            for quantity in QUANTITIES:
                for measure, compute in MEASURES.items():
                    values = compute(chosen, quantity, labels.astype(float))
                    computed.setdefault((quantity, previous, measure), []).append(values)
    rows = []
    for (quantity, previous, measure), changes in computed.items():
        named = {"quantity": quantity, "previous": previous, "measure": measure}
        rows.append({**named, "errors": errors[previous], **_summary(np.array(changes))})
    table = pd.DataFrame(rows)
    if len(table):
        p = table["p_permuted"].to_numpy()
        table["p_holm"] = holm(p, EXPERIMENTS * p.size)
    return table.reindex(columns=TABLES["post_error"].names)


def holm(p: np.ndarray, tests: int) -> np.ndarray:
    """Return p-values corrected as by Holm for a number of tests of which they are some.

    The others count as if they were the larger ones.  If they are not, the corrected values are at
    least as large as those of all tests together.
    """
    order = np.argsort(p)
    adjusted = np.empty(p.size)
    adjusted[order] = np.maximum.accumulate(p[order] * (tests - np.arange(p.size)))
    return np.minimum(adjusted, 1.0)


def successive(trials: pd.DataFrame) -> pd.DataFrame:
    """Return every response of one subject with the trials before and after it.

    The next trial follows in the same session and has a response.  Columns: those of the trial,
    wrong, distance; and with the endings ``_after`` and ``_before`` those of its neighbours, where
    rt and distance are less the subject's mean in their condition.
    """
    ordered = trials.sort_values(["session", "trial"]).reset_index(drop=True)
    distance, order = ordered["position"].abs(), np.linspace(-1, 1, len(ordered))
    ordered = ordered.assign(distance=distance, order=order)
    done = ordered[ordered["responded"]]
    centred = ordered[["condition", *QUANTITIES]].copy()
    for quantity in QUANTITIES:
        mean = done.groupby("condition")[quantity].mean()
        centred[quantity] = ordered[quantity] - ordered["condition"].map(mean)
    known = ordered["responded"]
    parts = [ordered]
    for by, ending in ((-1, "_after"), (1, "_before")):
        same = ordered["session"].eq(ordered["session"].shift(by))
        same &= (ordered["trial"] - ordered["trial"].shift(by)).abs() == 1
        usable = same & known.shift(by, fill_value=False)
        moved = centred.assign(correct=ordered["correct"]).shift(by).where(usable)
        parts.append(moved.add_suffix(ending))
    table = pd.concat(parts, axis=1).assign(wrong=~ordered["correct"])
    return table[known & table["rt_after"].notna()].reset_index(drop=True)


def regression(trials: pd.DataFrame, quantity: str, wrong: np.ndarray) -> np.ndarray:
    """Return the coefficient of every column of labels, given the covariates."""
    z = {name: stats.zscore(trials[name].to_numpy(dtype=float)) for name in QUANTITIES}
    easy, next_easy = (trials[c].eq("easy") for c in ("condition", "condition_after"))
    columns = [np.ones(len(trials)), easy, next_easy, trials["order"], trials["order"] ** 2]
    columns += [z["rt"], z["distance"], easy * z["rt"], easy * z["distance"], z["distance"] ** 2]
    covariates = np.column_stack(columns).astype(float)
    basis, sizes, _ = np.linalg.svd(covariates, full_matrices=False)
    basis = basis[:, sizes > 1e-9 * sizes[0]]
    left = wrong - basis @ (basis.T @ wrong)
    return left.T @ trials[f"{quantity}_after"].to_numpy() / (left**2).sum(axis=0)


def difference(trials: pd.DataFrame, quantity: str, wrong: np.ndarray) -> np.ndarray:
    """Return the change around errors less that around correct trials, for every set of labels."""
    around = trials["correct_after"].eq(True) & trials["correct_before"].eq(True)
    change = (trials[f"{quantity}_after"] - trials[f"{quantity}_before"])[around].to_numpy()
    errors = wrong[around.to_numpy()]
    if min(errors[:, 0].sum(), (1 - errors[:, 0]).sum()) < FEWEST:
        return np.full(wrong.shape[1], np.nan)
    with np.errstate(invalid="ignore"):
        means = [change @ part / part.sum(axis=0) for part in (errors, 1 - errors)]
    return means[0] - means[1]


MEASURES: dict[str, Callable[[pd.DataFrame, str, np.ndarray], np.ndarray]] = {
    "regression": regression,
    "difference": difference,
}


def _summary(values: np.ndarray) -> dict[str, float]:
    """Summarise over subjects: the first column is as logged, the others are permuted."""
    values = values[~np.isnan(values[:, 0])]
    observed, n = values[:, 0], len(values)
    mean, se = observed.mean(), observed.std(ddof=1) / np.sqrt(n) if n > 1 else np.nan
    half = stats.t.ppf(0.975, max(n - 1, 1)) * se
    null = np.nanmean(values[:, 1:], axis=0)
    beyond = np.abs(null - null.mean()) >= abs(mean - null.mean()) - 1e-12
    return {
        "subjects": n,
        "positive": int((observed > 0).sum()),
        "change": mean,
        "low": mean - half,
        "high": mean + half,
        "permuted": float(null.mean()),
        "permuted_low": float(np.quantile(null, 0.025)),
        "permuted_high": float(np.quantile(null, 0.975)),
        "p_permuted": float((1 + beyond.sum()) / (1 + null.size)),
    }
