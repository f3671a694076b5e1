"""Recovery: trials simulated from each family's best model, fitted by the best of all families.

The truth of a simulated subject is a real subject's fit, on as many trials in the same blocks.  If
held-out density then identifies the simulated family, it can be trusted to do so on real data.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import pandas as pd

from fuzzybounds.canoe.samples import draw_points
from fuzzybounds.canoe.task import DEADLINE_STEPS
from fuzzybounds.stopping.catalogue import CATALOGUE, FAMILIES, rebuild
from fuzzybounds.stopping.data import ALL, context_of, design_of
from fuzzybounds.stopping.fits import WHOLE, fit_stopping
from fuzzybounds.stopping.lattice import Bins, on_lattice, states
from fuzzybounds.stopping.predictions import simulate
from fuzzybounds.storage.registry import TABLES
from fuzzybounds.storage.seeds import generator


def best_of_families(comparison: pd.DataFrame, scheme: str) -> dict[str, dict[str, str]]:
    """Return the best model of each family, for every condition."""
    own = comparison[comparison["scheme"] == scheme]
    ranked = own.sort_values("elpd", ascending=False, kind="stable")
    best = ranked.drop_duplicates(["condition", "family"])
    return {
        str(condition): dict(zip(part["family"], part["model"], strict=True))
        for condition, part in best.groupby("condition", sort=False)
    }


def recover_stopping(
    trials: pd.DataFrame,
    fits: pd.DataFrame,
    comparison: pd.DataFrame,
    design: pd.DataFrame,
    *,
    cued: bool,
    scheme: str,
    conditions: Sequence[str],
    bin_width: float,
    delay: float,
    draws: int,
    seed: int,
    dataset: str,
    truths: Collection[str] | None = None,
    **options: Any,
) -> pd.DataFrame:
    """Simulate subjects from fits and fit the best model of every family to them.

    Parameters
    ----------
    trials, fits, comparison, design : DataFrame
        Result tables; the trials and fits of the subjects to simulate.
    cued, bin_width, delay, draws, **options
        As in :func:`fuzzybounds.stopping.fits.fit_stopping`.
    scheme : str
        By which models are compared.
    conditions : sequence of str
        Which conditions of a cued design are simulated.
    seed, dataset
        Name the random numbers.
    truths : collection of str, optional
        Of the best models, those from which subjects are simulated; by default all.

    Returns
    -------
    DataFrame
        The table ``stopping_recovery_fits``.
    """
    task, where = design_of(design, cued=cued), states(Bins(bin_width, delay), DEADLINE_STEPS)
    p0 = {condition.name: condition.p0 for condition in task.conditions}
    none = pd.DataFrame(columns=["subject", "trial", "time", "position"])
    parts = []
    for condition, best in best_of_families(comparison, scheme).items():
        if condition not in (*conditions, ALL):
            continue
        context = context_of(where, task, condition)
        whole = fits[(fits["scheme"] == WHOLE) & (fits["condition"] == condition)]
        for family, name in best.items():
            if truths is not None and name not in truths:
                continue
            for row in whole[whole["model"] == name].to_dict("records"):
                model, theta = rebuild(name, row, context)
                subject = row["subject"]
                seen = trials[trials["subject"] == subject]
                seen = seen if condition == ALL else seen[seen["condition"] == condition]
                seen = seen[on_lattice(seen)].reset_index(drop=True)
                rng = generator(seed, dataset, subject, "stopping recovery", condition, name)
                chances = seen["condition"].map(p0).to_numpy(dtype=float)
                made = simulate(model, theta, where, chances, rng)
                kept = seen[["subject", "session", "block", "trial", "condition"]]
                made = pd.concat([kept, made], axis=1)
                samples = draw_points(made, none, draws, seed, f"{dataset} stopping recovery")
                fitted = fit_stopping(
                    made, samples, design, cued=cued, bin_width=bin_width, delay=delay, draws=draws,
                    schemes=[scheme], models=list(best.values()), **options,
                )  # fmt: skip
                parts.append(fitted.assign(true_family=family, true_model=name))
    if not parts:
        return TABLES["stopping_recovery_fits"].empty()
    table = pd.concat(parts, ignore_index=True)
    return table[TABLES["stopping_recovery_fits"].names]


def tabulate_stopping_recovery(fits: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Count how often each family wins when each family is the truth.

    Parameters
    ----------
    fits : list of DataFrame
        Parts of the table ``stopping_recovery_fits``.
    """
    table = TABLES["stopping_recovery"]
    every = [part for part in fits if len(part)]
    if not every:
        return table.empty()
    left_out = pd.concat(every, ignore_index=True)
    left_out = left_out[left_out["scheme"] != WHOLE]
    rows = []
    for (condition, truth), own in left_out.groupby(["condition", "true_model"], sort=False):
        elpd = own.pivot_table("log_density_left_out", "subject", "model", aggfunc="sum").dropna()
        winners = elpd.idxmax(axis=1)
        for name in sorted(elpd, key=lambda name: FAMILIES.index(CATALOGUE[name].family)):
            rows.append(
                {
                    "condition": condition,
                    "true_family": CATALOGUE[truth].family,
                    "true_model": truth,
                    "family": CATALOGUE[name].family,
                    "model": name,
                    "subjects": len(elpd),
                    "n_best": int((winners == name).sum()),
                    "share": float((winners == name).mean()),
                    "elpd_difference": float((elpd[name] - elpd[truth]).sum()),
                }
            )
    return pd.DataFrame(rows)[table.names]
