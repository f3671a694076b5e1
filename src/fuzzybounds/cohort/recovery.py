"""How well fits recover the rules of simulated subjects who follow rules (Fig. S1).

This does not depend on a data set: subjects are simulated for it alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from fuzzybounds.canoe.block_windows import block_ranges, split
from fuzzybounds.canoe.samples import draw_points, normalise
from fuzzybounds.cohort.fuzzy_subjects import RULES, Subject
from fuzzybounds.cohort.sessions import draw_cohort, simulate_logs
from fuzzybounds.fuzzy.fits import FitTables
from fuzzybounds.fuzzy.recovery import RecoveryTables, Truths, recover
from fuzzybounds.fuzzy.subject_fits import fit_fuzzy
from fuzzybounds.intake import recordings, validation

FUZZY_TRUTH = "fuzzy_truth"
"""Names the random numbers of these subjects."""


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
    truth, trials, samples = [], [], []
    for subject in draw_cohort(seed, FUZZY_TRUTH, **cohort, follow=RULES):
        log, seen = simulate_logs(subject, seed, FUZZY_TRUTH)
        raw = log.astype(str)
        raw.insert(0, "row", range(2, len(raw) + 2))
        raw.insert(0, "file", subject.name)
        own = validation.validate(raw).trials
        paths = recordings.empty()
        if seen is not None:
            paths = seen.assign(subject=subject.name)[list(recordings.COLUMNS)]
        truth.append(subject.to_json())
        trials.append(own)
        samples.append(draw_points(own, paths, draws, seed, FUZZY_TRUTH))
    every, points = (pd.concat(tables, ignore_index=True) for tables in (trials, samples))
    fits = fit_fuzzy(every, points, seed=seed, dataset=FUZZY_TRUTH, **fuzzy)
    options = {name: fuzzy[name] for name in ("blocks", "condition", "normalisation")}
    return measure_recovery(truth, every, points, *fits, **options)


def measure_recovery(
    truth: Sequence[Mapping[str, Any]],
    trials: pd.DataFrame,
    samples: pd.DataFrame,
    fits: pd.DataFrame,
    rules: pd.DataFrame,
    memberships: pd.DataFrame,
    *,
    blocks: int,
    condition: str,
    normalisation: str,
) -> RecoveryTables:
    """Compare the fits of simulated subjects with what was simulated.

    Parameters
    ----------
    truth : sequence of mappings
        Content of ``truth.json``.
    trials, samples, fits, rules, memberships : DataFrame
        Result tables.
    blocks, condition, normalisation
        As the fits were made.
    """
    subjects = {str(own["subject"]): Subject.from_json(own) for own in truth}
    tables = FitTables(fits, rules, memberships)
    ranges = block_ranges(trials, blocks)
    points = normalise(split(samples[samples["condition"] == condition], ranges), normalisation)
    truths = true_controllers(subjects, fits, ranges, condition)
    n_labels = pd.Series({key[0]: len(own.time.labels) for key, own in truths.items()})
    # Only fits with as many labels as the truth can be compared with it cell by cell.
    same = FitTables(*(t[t["labels"] == t["subject"].map(n_labels)] for t in tables))
    return recover(truths, same, points)


def true_controllers(
    subjects: Mapping[str, Subject], fits: pd.DataFrame, ranges: pd.DataFrame, condition: str
) -> Truths:
    """Return the truth of every subject's windows, in the units of its fits."""
    scales = fits.groupby("subject")[["time_range", "position_range"]].first()
    return {
        (row.subject, row.window): subjects[row.subject].mean_controller(
            condition, range(row.from_block, row.to_block + 1), tuple(scales.loc[row.subject])
        )
        for row in ranges.itertuples()
    }
