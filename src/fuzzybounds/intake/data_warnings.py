"""Limitations of small or unusual data sets, reported before anything is computed."""

from __future__ import annotations

import pandas as pd

from fuzzybounds.canoe.block_windows import block_ranges
from fuzzybounds.storage.errors import counted, listed

SHOWN = 8
"""How many subjects a remark names."""

GROUPED, TESTED = 3, 7
"""One-session subjects from which on the fast and the slow quarter have one subject each, and from
which on they have two, so that they can be tested."""

FEW = 10
"""Responses to easy trials in a window below which a fit follows single points."""


def remarks(trials: pd.DataFrame, blocks: int = 20) -> list[str]:
    """List analyses for which validated trials are too few or too one-sided.

    Parameters
    ----------
    trials : DataFrame
    blocks : int
        Number of blocks of a window.
    """
    said = []
    ranges = block_ranges(trials, blocks)
    first = ranges[ranges["window"] == "first"].set_index("subject")
    n = int((first["sessions"] == 1).sum())
    if n < TESTED:
        lacking = f"tests of fast and slow groups need {TESTED}"
        if n == 0:
            lacking = "there are no fast and slow groups, and nothing is compared between them"
        elif n < GROUPED:
            lacking = f"fast and slow groups need {GROUPED}, and tests of them {TESTED}"
        said.append(f"{counted(n, 'subject')} of one session: {lacking}")
    conditions = set(trials["condition"])
    responses = trials[trials["responded"]]
    outcomes = set(responses["correct"])
    one_sided = {
        "no easy trials: fuzzy fits, groups and boundaries of easy trials cannot be computed": (
            "easy" not in conditions
        ),
        "no hard trials: the boundaries of hard trials are not estimated": "hard" not in conditions,
        "no errors: accuracy is 1 throughout, and the cost of an error cannot be measured": (
            outcomes == {True}
        ),
        "no correct responses: accuracy is 0 throughout": outcomes == {False},
    }
    said += [text for text, so in one_sided.items() if so]
    subjects = pd.Index(trials["subject"].unique())
    silent = subjects[~subjects.isin(responses["subject"])]
    easy = responses[responses["condition"] == "easy"]
    early = easy[easy["block"] <= easy["subject"].map(first["to_block"]).astype(float)]
    counts = early["subject"].value_counts().reindex(subjects).fillna(0)
    few = subjects[(counts < FEW) & ~subjects.isin(silent) & ("easy" in conditions)]
    return said + [
        f"subject{'s' * (len(names) > 1)} {listed(names, SHOWN)}: {text}"
        for names, text in (
            (silent, "no response before the deadline, so there is nothing to fit"),
            (
                first.index[(first["overlap"] > 0) & (first["sessions"] == 1)],
                f"fewer than {2 * blocks} blocks, so the first and the last {blocks} share blocks, "
                "and change with practice is underestimated",
            ),
            (
                few,
                f"fewer than {FEW} responses to easy trials in the first window; fits follow "
                "single points",
            ),
        )
        if len(names)
    ]
