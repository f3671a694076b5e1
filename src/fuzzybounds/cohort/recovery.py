"""How well fits recover the truth of simulated subjects (Fig. S1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from fuzzybounds.canoe.block_windows import block_ranges, split
from fuzzybounds.canoe.samples import normalise
from fuzzybounds.cohort.fuzzy_subjects import Subject
from fuzzybounds.fuzzy.fits import FitTables
from fuzzybounds.fuzzy.recovery import RecoveryTables, Truths, recover


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
