"""Simulate subjects who follow rules, fit them, and put the truth beside every fit.

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
from fuzzybounds.canoe.samples import draw_points
from fuzzybounds.cohort.fuzzy_subjects import RULES
from fuzzybounds.cohort.sessions import draw_cohort
from fuzzybounds.cohort.validated import simulate_trials
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.fits import fit_points
from fuzzybounds.paper.fuzzy.fitted import KEYS, VARIABLES, FitTables, controllers
from fuzzybounds.paper.fuzzy.likelihood import mean_loss
from fuzzybounds.paper.fuzzy.subject_fits import ONE_SESSION, THREE_SESSION, points_to_fit

FUZZY_TRUTH = "fuzzy_truth"
"""Names the random numbers of these subjects."""
LABELS = {ONE_SESSION: [5], THREE_SESSION: [3]}
"""Labels of the truth, and of the fits that are compared with it cell by cell."""

Truths = Mapping[tuple[str, str, int], Controller]
"""From (subject, window, draw) to the controller that was simulated, on [0, 1] as the fit is."""


class RecoveryFits(NamedTuple):
    """What :func:`recover_rules` returns: one table per output of the stage."""

    rules: pd.DataFrame
    labels: pd.DataFrame
    losses: pd.DataFrame


def recover_rules(
    cohort: Mapping[str, int], fuzzy: Mapping[str, Any], draws: int, seed: int
) -> RecoveryFits:
    """Simulate subjects who follow fuzzy rules, fit them, and put the truth beside every fit.

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
    subjects = draw_cohort(seed, FUZZY_TRUTH, **cohort, follow=RULES)
    trials, paths = simulate_trials(subjects, seed, FUZZY_TRUTH)
    samples = draw_points(trials, paths, draws, seed, FUZZY_TRUTH)
    chosen = {name: fuzzy[name] for name in ("blocks", "condition", "normalisation")}
    how = {name: fuzzy[name] for name in fuzzy if name not in (*chosen, "labels")}
    windows = block_ranges(trials, fuzzy["blocks"]).set_index(["subject", "window"])
    truth: dict[str, Any] = {subject.name: subject for subject in subjects}
    parts = []
    for points, number in points_to_fit(trials, samples, LABELS, **chosen):
        truths = {}
        for row in points.drop_duplicates(KEYS).itertuples():
            window = windows.loc[row.subject, row.window]
            truths[row.subject, row.window, row.draw] = truth[row.subject].mean_controller(
                fuzzy["condition"],
                range(window["from_block"], window["to_block"] + 1),
                (row.time_range, row.position_range),
            )
        parts.append(compare(truths, fit_points(points, number, **how), points))
    return RecoveryFits(
        *(pd.concat(tables, ignore_index=True) for tables in zip(*parts, strict=True))
    )


def compare(truths: Truths, tables: FitTables, points: pd.DataFrame) -> RecoveryFits:
    """Put the truth, which has as many labels, beside every fit to points."""
    return RecoveryFits(
        _rules(truths, tables.rules),
        _labels(truths, tables.memberships),
        _losses(truths, tables, points),
    )


def _rules(truths: Truths, rules: pd.DataFrame) -> pd.DataFrame:
    """Return the table ``recovery_rules``.

    Its `true_consequent` is the subject's rule of the same name; `true_at_place` is what the
    subject does at the centre of the cell (stop if O > 0.5), for labels of a fit need not mean what
    the subject's do.
    """
    parts = []
    for key, truth in truths.items():
        place = [np.linspace(0, 1, len(getattr(truth, name).labels)) for name in VARIABLES]
        cells = pd.DataFrame(
            {
                "time_label": np.repeat(truth.rules.time_labels, len(place[1])),
                "position_label": np.tile(truth.rules.position_labels, len(place[0])),
                "true_consequent": truth.rules.consequents.ravel(),
                "true_at_place": (truth.output_grid(*place).ravel() > 0.5).astype(float),
            }
        )
        parts.append(cells.assign(**dict(zip(KEYS, key, strict=True))))
    return _beside(rules, parts, [*KEYS, "time_label", "position_label"], "recovery_rules")


def _labels(truths: Truths, memberships: pd.DataFrame) -> pd.DataFrame:
    """Return the table ``recovery_labels``."""
    parts = [
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
    ]
    return _beside(memberships, parts, [*KEYS, "variable", "label"], "recovery_labels")


def _beside(
    table: pd.DataFrame, truths: list[pd.DataFrame], keys: list[str], name: str
) -> pd.DataFrame:
    """Return the rows of a table with the truth beside them, as a result table."""
    return table.merge(pd.concat(truths), on=keys, how="left")[TABLES[name].names]


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
