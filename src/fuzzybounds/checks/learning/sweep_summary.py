"""What the readings of the paper's update rule do: how many rise, and more than their controls."""

from __future__ import annotations

import pandas as pd

from fuzzybounds.checks.learning.sweep import PRINTED, TOLERANCE
from fuzzybounds.paper.reinforcement.paper_simulation import SIGNS

RISE = 0.2
"""Least difference (coins/s) between two rates that counts: from the initial rate, or the
control's."""


def summarise_sweep(sweep: pd.DataFrame) -> pd.DataFrame:
    """Count by sign, range and leak what the readings do: the table ``learning_sweep_summary``."""
    rise, control = (sweep[name] - sweep["initial"] for name in ("after_3000", "control"))
    more = sweep["after_3000"] - sweep["control"]
    names = {sign: name for name, sign in SIGNS.items()}
    counted = pd.DataFrame(
        {
            "rule": sweep["sign"].map(names),
            "range": sweep["range"],
            "leak": sweep["leak"],
            "readings": 1,
            "simulated": sweep["after_3000"].notna(),
            "rises": rise > RISE,
            "control_rises": control > RISE,
            "better": more > RISE,
            "worse": more < -RISE,
            "matches": matches(sweep["after_3000"]),
            "control_matches": matches(sweep["control"]),
        }
    )
    kinds = ["rule", "range", "leak"]
    counts = counted.groupby(kinds).sum()
    largest = sweep["after_3000"].groupby([counted[kind] for kind in kinds]).max()
    return counts.assign(largest=largest).reset_index()


def matches(after: pd.Series) -> pd.Series:
    """Say which rates after 3000 trials are near the printed one."""
    return (after - PRINTED["after"]).abs() <= TOLERANCE
