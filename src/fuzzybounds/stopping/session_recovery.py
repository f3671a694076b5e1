"""Recovery of session models: simulate sessions from fits, fit both kinds, and conclude."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from scipy.signal import lfilter

from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.seeds import generator
from fuzzybounds.stopping.answers import BOUNDARY, RULES
from fuzzybounds.stopping.comparison import elpd_by_subject
from fuzzybounds.stopping.data import ALL, of_condition
from fuzzybounds.stopping.hierarchy import fit_folds, row_of
from fuzzybounds.stopping.lattice import Bins, states
from fuzzybounds.stopping.predictions import simulate
from fuzzybounds.stopping.recovery import called
from fuzzybounds.stopping.sessions import CHANGE, Session, read_session, session_model


def recover_sessions(
    trials: pd.DataFrame,
    fits: Sequence[pd.DataFrame],
    design: pd.DataFrame,
    *,
    delays: Sequence[float],
    fold_number: int,
    subjects: int,
    seed: int,
    dataset: str,
) -> pd.DataFrame:
    """Simulate sessions from the fits of either kind, fit both kinds, and say what is concluded.

    Parameters
    ----------
    trials, design : DataFrame
        Result tables.
    fits : list of DataFrame
        The tables ``session_models_boundary`` and ``session_models_rules``.
    delays, fold_number
        As in :func:`~fuzzybounds.stopping.hierarchy.fit_hierarchy`.
    subjects : int
        How many subjects are simulated.
    seed, dataset
        Name the random numbers.

    Returns
    -------
    DataFrame
        The table ``session_power``.
    """
    p0 = design[design["quantity"] == "p0"].set_index("condition")["value"]
    rows = []
    for table in fits:
        whole = table[(table["fold"] == 0) & (table["shuffle"] == 0)]
        for (condition, truth), rows_of_truth in whole.groupby(["condition", "kind"], sort=False):
            some = rows_of_truth.iloc[:: max(len(rows_of_truth) // subjects, 1)][:subjects]
            sessions = []
            for row in some.to_dict("records"):
                mine = trials[trials["subject"].astype(str) == row["subject"]]
                mine = mine[mine["session"] == mine["session"].min()]
                names = (row["subject"], "session recovery", str(truth), str(condition))
                rng = generator(seed, dataset, *names)
                sessions.append(_simulated(mine, row, str(condition), p0, delays, rng))
            refitted = {
                kind: pd.DataFrame(
                    row_of(*part, 0) for part in fit_folds(kind, sessions, fold_number)
                )
                for kind in (BOUNDARY, RULES)
            }
            leads = [elpd_by_subject(refitted[kind], "kind")[kind] for kind in (BOUNDARY, RULES)]
            rng = generator(seed, dataset, "", "session power", str(truth), str(condition))
            fitted = refitted[str(truth)][refitted[str(truth)]["fold"] == 0]
            recovered = {
                f"{stage}_{parameter.name}": float(source[parameter.name].mean())
                for stage, source in (("true", some), ("fitted", fitted))
                for parameter in CHANGE
            }
            lead = (leads[0] - leads[1]).to_numpy()
            shared = {"condition": condition, "true_answer": truth}
            rows.append({**shared, **called(lead, len(rows_of_truth), rng), **recovered})
    power = TABLES["session_power"]
    return pd.DataFrame(rows)[power.names] if rows else power.empty()


def _simulated(
    trials: pd.DataFrame,
    row: Mapping[str, Any],
    condition: str,
    p0: pd.Series,
    delays: Sequence[float],
    rng: np.random.Generator,
) -> Session:
    """Simulate a subject's trials of a condition; which trials follow an error stays as logged."""
    trials = trials.sort_values("trial").reset_index(drop=True)
    session = read_session(trials, condition)
    model = session_model(row["kind"], session)
    theta = np.array([row[each.name] for each in model.parameters])
    change = theta[-len(CHANGE) :]
    sigma, correlation = np.exp(change[0]), 1 / (1 + np.exp(-change[1]))
    noise = sigma * rng.normal(size=session.known.size)
    noise[1:] *= np.sqrt(1 - correlation**2)
    shift = lfilter([1.0], [1.0, -correlation], noise) + 100.0 * change[2:] @ session.covariates
    chosen = of_condition(trials, condition)
    chances = chosen["condition"].map(p0).to_numpy(dtype=float)
    delay, first = row["motor_delay"], theta[: -len(CHANGE)]
    made = simulate(model.model, first, states(Bins()), chances, rng, delay, shift)
    result = chosen.reset_index(drop=True).assign(**made)
    return replace(read_session(result, ALL, delays), covariates=session.covariates)
