"""Whether the judges of C02 to C04 and C22 are right where the truth is known.

Subjects simulated with known boundaries (:mod:`fuzzybounds.checks.controls.known_boundaries`) are
judged as people are.
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.words import CONSTANT_WITHIN
from fuzzybounds.paper.boundaries.comparison import scores_of, shape_evidence
from fuzzybounds.scorecard.boundary_counts import (
    Count,
    count_below,
    count_best,
    count_classes,
    count_learning,
    count_varying,
)
from fuzzybounds.scorecard.verdicts import AS_PRINTED

EXPECTED = {
    ("C02", "printed"): {"constant": False, "falling": True, "falling late": False},
    ("C03", "printed"): {"constant": False, "falling": True},
    ("C03", "direction"): {"constant": False, CONSTANT_WITHIN: False, "falling": True},
    ("C04", "printed"): {"constant": False, "falling": False, "reinforced": True},
    ("C22", "printed"): {
        **{"constant": False, "falling": False, "falling late": False, "reinforced": True}
    },
}
"""Whether a claim is true of subjects with known boundaries, by claim, judge and truth."""


def control_claims(
    fits: pd.DataFrame, variation: pd.DataFrame, direction: pd.DataFrame, *, criterion: str
) -> pd.DataFrame:
    """Judge C02 to C04 and C22 on simulated subjects of known truth.

    Parameters
    ----------
    fits, variation, direction : DataFrame
        Result tables ``control_fits``, ``control_variation`` and ``control_direction``.
    criterion : {"aic", "bic"}
        The criterion by which the scorecard judges.

    Returns
    -------
    DataFrame
        The table ``boundary_controls``.
    """
    rows: list[dict[str, Any]] = []
    for truth, below in direction.groupby("truth", sort=False):
        fitted, varying = (table[table["truth"] == truth] for table in (fits, variation))
        counted: dict[tuple[str, str], Count | None] = {("C03", "direction"): count_below(below)}
        counted |= _printed(fitted, varying, criterion)
        for (claim, judge), expected in EXPECTED.items():
            count = counted.get((claim, judge))
            if truth not in expected or count is None:
                continue
            called = count["verdict"] == AS_PRINTED
            rows.append(
                {
                    "claim": claim,
                    "judge": judge,
                    "truth": truth,
                    "expected": expected[truth],
                    "found": called,
                    "right": called == expected[truth],
                    "value": count["value"],
                    "out_of": count["out_of"],
                    "n_subjects": below["subject"].nunique(),
                }
            )
    return pd.DataFrame(rows, columns=TABLES["boundary_controls"].names)


def _printed(
    fits: pd.DataFrame, variation: pd.DataFrame, criterion: str
) -> dict[tuple[str, str], Count | None]:
    """Count for the judges of what the paper prints, if models were fitted to the subjects."""
    if fits.empty:
        return {}
    evidence, scores = shape_evidence(fits), scores_of(fits, criterion)
    return {
        ("C02", "printed"): count_varying(variation),
        ("C03", "printed"): count_classes(evidence[evidence["criterion"] == criterion]),
        ("C04", "printed"): count_best(scores),
        ("C22", "printed"): count_learning(scores),
    }
