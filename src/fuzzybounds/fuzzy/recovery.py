"""Parameter recovery: how close the fits of simulated subjects are to the truth.

Note on reading a recovery table: simulated subjects respond at the rate O / o,
but the two-class fit does not estimate that O.  Its odds O / (1 - O) are the density of responses
over that of random earlier points.  A trial of length T puts an earlier point at a time with
density 1 / T, so at any (t, x) they are the response rate divided by the mean of 1 / T over the
trials that pass there.  Rules and boundaries carry over; the level of O does not, and the true
controller has a larger two-class loss than the fitted one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.fuzzy.controller import Controller
from fuzzybounds.fuzzy.fits import KEYS, VARIABLES, FitTables, controllers, gather
from fuzzybounds.fuzzy.likelihood import mean_loss

Truths = Mapping[tuple[str, str], Controller]
"""From (subject, window) to the controller that was simulated, on [0, 1] as the fits are."""


class RecoveryTables(NamedTuple):
    """How close the fits are to the truth.

    Attributes
    ----------
    rules : DataFrame
        One row per premise: labels, time_label, position_label, n (fits), empty (share of fits
        without a rule), recovered and recovered_stop, recovered_continue (share of the rules there
        that are right, of all and by the truth), support (mean number of points).
    memberships : DataFrame
        One row per label: labels, variable, label, n, true_center, true_width (means), center_bias,
        center_sd, width_bias, width_sd (of fitted minus true; widths as logs).
    losses : DataFrame
        One row per fit: subject, window, labels, draw, loss_before, loss_after, true_loss, and
        output_error, the root mean square of fitted minus true output on the fit's points.
    """

    rules: pd.DataFrame
    memberships: pd.DataFrame
    losses: pd.DataFrame


def recover(truths: Truths, tables: FitTables, points: pd.DataFrame) -> RecoveryTables:
    """Compare fits with the truth.

    Parameters
    ----------
    truths : mapping
        A controller for every (subject, window) of the tables, with as many labels.
    tables : FitTables
    points : DataFrame
        The points that were fitted.
    """
    missing = set(map(tuple, tables.fits[["subject", "window"]].to_numpy())) - set(truths)
    if missing:
        raise ValueError(f"no true controller for {sorted(missing)}")
    return RecoveryTables(
        rules=_cells(truths, tables.rules),
        memberships=_memberships(truths, tables.memberships),
        losses=_losses(truths, tables, points),
    )


def _cells(truths: Truths, rules: pd.DataFrame) -> pd.DataFrame:
    true = pd.concat([_true_rules(*key, truth) for key, truth in truths.items()])
    by = ["labels", "time_label", "position_label"]
    rules = rules.merge(true, on=["subject", "window", "time_label", "position_label"], how="left")
    if rules["true_consequent"].isna().any():
        raise ValueError("truths: expected controllers with the labels of the fits")
    right = (rules["consequent"] - rules["true_consequent"]).abs() < 0.5
    right = right.astype(float).where(rules["consequent"].notna())
    stops = rules["true_consequent"] > 0.5
    return (
        rules.assign(
            empty=rules["consequent"].isna(),
            recovered=right,
            recovered_stop=right.where(stops),
            recovered_continue=right.where(~stops),
        )
        .groupby(by, sort=False)
        .agg(
            n=("empty", "size"),
            empty=("empty", "mean"),
            recovered=("recovered", "mean"),
            recovered_stop=("recovered_stop", "mean"),
            recovered_continue=("recovered_continue", "mean"),
            support=("support", "mean"),
        )
        .reset_index()
    )


def _true_rules(subject: str, window: str, truth: Controller) -> pd.DataFrame:
    rules = truth.rules
    return pd.DataFrame(
        {
            "subject": subject,
            "window": window,
            "time_label": np.repeat(rules.time_labels, len(rules.position_labels)),
            "position_label": np.tile(rules.position_labels, len(rules.time_labels)),
            "true_consequent": rules.consequents.ravel(),
        }
    )


def _memberships(truths: Truths, memberships: pd.DataFrame) -> pd.DataFrame:
    true = pd.concat(
        [
            pd.DataFrame(
                {
                    "subject": subject,
                    "window": window,
                    "variable": variable,
                    "label": getattr(truth, variable).labels,
                    "true_center": getattr(truth, variable).centers,
                    "true_width": getattr(truth, variable).widths,
                }
            )
            for (subject, window), truth in truths.items()
            for variable in VARIABLES
        ]
    )
    both = memberships.merge(true, on=["subject", "window", "variable", "label"], how="left")
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
    keys, batch = gather(points)
    place = {tuple(key): number for number, key in enumerate(keys[KEYS].to_numpy())}
    rows = []
    for (subject, window, n_labels, draw), fitted in controllers(tables).items():
        number = place[subject, window, draw]
        used = batch.weights[number] > 0
        time, position = batch.inputs[number][:, used]
        truth = truths[subject, window]
        error = fitted.output(time, position) - truth.output(time, position)
        rows.append(
            {
                "subject": subject,
                "window": window,
                "draw": draw,
                "labels": n_labels,
                "true_loss": mean_loss(truth, time, position, batch.responded[number][used]),
                "output_error": float(np.sqrt(np.mean(error**2))),
            }
        )
    losses = tables.fits[[*KEYS, "labels", "loss_before", "loss_after"]]
    return losses.merge(pd.DataFrame(rows), on=[*KEYS, "labels"], how="left")
