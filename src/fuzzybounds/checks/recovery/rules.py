"""Recovery of rules: simulate subjects who follow rules, fit them, and tabulate what is found.

Subjects of one session have five labels and reconstructed paths, those of three sessions have three
labels and recorded paths, as in the paper.  This does not depend on a data set: subjects are
simulated for it alone.

Simulated subjects respond at the rate O / o, but the two-class fit does not estimate that O.  Its
odds O / (1 - O) are the density of responses over that of random earlier points.  A trial of length
T puts an earlier point at a time with density 1 / T, so at any (t, x) they are the response rate
divided by the mean of 1 / T over the trials that pass there.  Rules and boundaries carry over; the
level of O does not, and the true controller has a larger two-class loss than the fitted one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.canoe.block_windows import block_ranges
from fuzzybounds.datasets import simulate_cohort
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.fits import (
    KEYS,
    ONE_SESSION,
    THREE_SESSION,
    VARIABLES,
    FitTables,
    controllers,
    fit_fuzzy,
    points_to_fit,
)
from fuzzybounds.paper.fuzzy.likelihood import mean_loss

FUZZY_TRUTH = "fuzzy_truth"
"""Names the random numbers of these subjects."""
LABELS = {ONE_SESSION: [5], THREE_SESSION: [3]}
"""Labels of the truth, and of the fits that are compared with it cell by cell."""

Truths = Mapping[tuple[str, str, int], Controller]
"""From (subject, window, draw) to the controller that was simulated, on [0, 1] as the fit is."""


class RecoveryTables(NamedTuple):
    """What :func:`recover_rules` returns: one table per output of the stage."""

    cells: pd.DataFrame
    memberships: pd.DataFrame
    losses: pd.DataFrame


def recover_rules(
    cohort: Mapping[str, int], fuzzy: Mapping[str, Any], draws: int, seed: int
) -> RecoveryTables:
    """Simulate subjects who follow fuzzy rules, fit them, and compare the fits with the truth.

    Parameters
    ----------
    cohort : mapping
        Numbers of subjects: one_session and three_session.
    fuzzy : mapping
        How fits are made, as configured.
    draws : int
        Of earlier points.
    seed : int
    """
    data = simulate_cohort(**cohort, follow="rules", name=FUZZY_TRUTH, draws=draws, seed=seed)
    samples = pd.concat([data.samples(subject) for subject in data.subjects], ignore_index=True)
    options = {**fuzzy, "labels": LABELS}
    tables = fit_fuzzy(data.trials, samples, **options)
    points = pd.concat([part for part, _ in points_to_fit(data.trials, samples, **options)])
    windows = block_ranges(data.trials, fuzzy["blocks"]).set_index(["subject", "window"])
    truths = {}
    for fit in tables.fits.itertuples():
        window = windows.loc[fit.subject, fit.window]
        truths[fit.subject, fit.window, fit.draw] = data.truth[fit.subject].mean_controller(
            fuzzy["condition"],
            range(window["from_block"], window["to_block"] + 1),
            (fit.time_range, fit.position_range),
        )
    return compare(truths, tables, points)


def compare(truths: Truths, tables: FitTables, points: pd.DataFrame) -> RecoveryTables:
    """Compare fits to points with the truth, which has as many labels."""
    return RecoveryTables(
        tabulate_cells(truths, tables.rules),
        _memberships(truths, tables.memberships),
        _losses(truths, tables, points),
    )


def tabulate_cells(truths: Truths, rules: pd.DataFrame) -> pd.DataFrame:
    """Return the table ``recovery_cells``: how often each rule of the truth is found.

    Its last two columns say what other readings would give.  `at_place` compares the rule with what
    the truth does at the centre of the cell (stop if O > 0.5) instead of with the true rule of the
    same name, for the labels of a fit need not mean what those of the subject do.  `guess` is the
    share of all fitted rules with that consequent: a guess that ignores the premise.
    """
    parts = []
    for key, truth in truths.items():
        place = [np.linspace(0, 1, len(getattr(truth, name).labels)) for name in VARIABLES]
        cells = pd.DataFrame(
            {
                "time_label": np.repeat(truth.rules.time_labels, len(place[1])),
                "position_label": np.tile(truth.rules.position_labels, len(place[0])),
                "true": truth.rules.consequents.ravel(),
                "there": (truth.output_grid(*place).ravel() > 0.5).astype(float),
            }
        )
        parts.append(cells.assign(**dict(zip(KEYS, key, strict=True))))
    keys = [*KEYS, "time_label", "position_label"]
    both = rules.merge(pd.concat(parts), on=keys, how="left")
    stated = both["consequent"].notna()
    agrees = (both["consequent"] - both["true"]).abs() < 0.5
    both = both.assign(
        stops=(both["consequent"] > 0.5).astype(float).where(stated),
        empty=~stated,
        found=agrees,
        recovered=agrees.astype(float).where(stated),
        at_place=((both["consequent"] - both["there"]).abs() < 0.5).astype(float).where(stated),
    )
    premise = ["labels", "time_label", "position_label"]
    says_stop = both.groupby("labels")["stops"].mean()
    table = (
        both.rename(columns={"true": "consequent", "consequent": "fitted"})
        .groupby([*premise, "consequent"], sort=False)
        .agg(
            n=("found", "size"),
            subjects=("subject", "nunique"),
            support=("support", "mean"),
            empty=("empty", "mean"),
            found=("found", "mean"),
            recovered=("recovered", "mean"),
            at_place=("at_place", "mean"),
        )
        .reset_index()
    )
    stop = table["labels"].map(says_stop)
    table["guess"] = np.where(table["consequent"] > 0.5, stop, 1 - stop)
    return table


def _memberships(truths: Truths, memberships: pd.DataFrame) -> pd.DataFrame:
    """Return the table ``recovery_memberships``: bias and spread of centres and log widths."""
    true = pd.concat(
        pd.DataFrame(
            {
                **dict(zip(KEYS, key, strict=True)),
                "variable": variable,
                "label": getattr(truth, variable).labels,
                "true_center": getattr(truth, variable).centers,
                "true_width": getattr(truth, variable).widths,
            }
        )
        for key, truth in truths.items()
        for variable in VARIABLES
    )
    both = memberships.merge(true, on=[*KEYS, "variable", "label"], how="left")
    return (
        both.assign(
            center_error=both["center"] - both["true_center"],
            width_error=np.log(both["width"] / both["true_width"]),
        )
        .groupby(["labels", "variable", "label"], sort=False)
        .agg(
            n=("center", "size"),
            true_center=("true_center", "mean"),
            true_width=("true_width", "mean"),
            center_bias=("center_error", "mean"),
            center_sd=("center_error", "std"),
            width_bias=("width_error", "mean"),
            width_sd=("width_error", "std"),
        )
        .reset_index()
    )


def _losses(truths: Truths, tables: FitTables, points: pd.DataFrame) -> pd.DataFrame:
    """Return the table ``recovery_losses``: the loss of the truth, and the error of the output."""
    models, rows = controllers(tables), []
    of_fit = dict(iter(points.groupby(KEYS, sort=False, observed=True)))
    for fit in tables.fits.itertuples():
        key = (fit.subject, fit.window, fit.draw)
        data, truth = of_fit[key], truths[key]
        where = data["time"], data["position"]
        model = models[fit.subject, fit.window, fit.labels, fit.draw]
        error = model.output(*where) - truth.output(*where)
        rows.append((mean_loss(truth, *where, data["responded"]), np.sqrt(np.mean(error**2))))
    true_loss, output_error = np.transpose(rows)
    losses = tables.fits[[*KEYS, "labels", "loss_before", "loss_after"]]
    return losses.assign(true_loss=true_loss, output_error=output_error)
