"""How often fits to subjects who follow rules have these rules, and how far labels move."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd


class RecoveryTables(NamedTuple):
    """What :func:`tabulate_recovery` returns: one table per output of the stage."""

    cells: pd.DataFrame
    memberships: pd.DataFrame


def tabulate_recovery(rules: pd.DataFrame, labels: pd.DataFrame) -> RecoveryTables:
    """Tabulate how fits differ from the truth.

    Parameters
    ----------
    rules, labels : DataFrame
        Result tables ``recovery_rules`` and ``recovery_labels``.
    """
    return RecoveryTables(tabulate_cells(rules), tabulate_memberships(labels))


def tabulate_cells(rules: pd.DataFrame) -> pd.DataFrame:
    """Return the table ``recovery_cells``: how often each rule of the truth is found.

    Its last two columns say what other readings would give.  `at_place` compares the rule with what
    the truth does at the centre of the cell instead of with the true rule of the same name, and
    `guess` is the share of all fitted rules with that consequent: a guess that ignores the premise.
    """
    fitted = rules["consequent"]
    stated = fitted.notna()
    agrees = (fitted - rules["true_consequent"]).abs() < 0.5
    compared = rules.assign(
        stops=(fitted > 0.5).astype(float).where(stated),
        empty=~stated,
        found=agrees,
        recovered=agrees.astype(float).where(stated),
        at_place=((fitted - rules["true_at_place"]).abs() < 0.5).astype(float).where(stated),
    )
    premise = ["labels", "time_label", "position_label"]
    says_stop = compared.groupby("labels")["stops"].mean()
    table = (
        compared.rename(columns={"true_consequent": "consequent", "consequent": "fitted"})
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


def tabulate_memberships(labels: pd.DataFrame) -> pd.DataFrame:
    """Return the table ``recovery_memberships``: bias and spread of centres and log widths."""
    errors = labels.assign(
        center_error=labels["center"] - labels["true_center"],
        width_error=np.log(labels["width"] / labels["true_width"]),
    )
    return (
        errors.groupby(["labels", "variable", "label"], sort=False)
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
