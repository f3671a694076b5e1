"""The first and last blocks of each subject, which the paper compares throughout.

The "last 20 blocks" end with each subject's own last block: some subjects stopped early, and then
the two windows overlap.  Subjects of several sessions are compared over the first blocks of their
first and last session (blocks 1 to 20 and 81 to 100 in the paper).
"""

from __future__ import annotations

import pandas as pd

from fuzzybounds.core.words import FIRST, LAST


def one_session(trials: pd.DataFrame) -> pd.DataFrame:
    """Return the trials of subjects with a single session, from whom the groups are formed."""
    return trials[trials.groupby("subject")["session"].transform("nunique") == 1]


def compared(trials: pd.DataFrame) -> pd.DataFrame:
    """Return the trials of one-session subjects, whose boundaries are compared, or all if none is.

    In the simulated cohort subjects of several sessions follow rules, the others boundaries.
    """
    chosen = one_session(trials)
    return trials if chosen.empty else chosen


def block_ranges(trials: pd.DataFrame, blocks: int = 20) -> pd.DataFrame:
    """Return the blocks of each subject's windows, each of so many `blocks`.

    The column overlap is the number of blocks that both windows of the subject have.
    """
    rows = []
    for subject, subject_trials in trials.groupby("subject", sort=False):
        start, end = int(subject_trials["block"].min()), int(subject_trials["block"].max())
        sessions = int(subject_trials["session"].nunique())
        if sessions > 1:
            of_last_session = subject_trials.loc[
                subject_trials["session"] == subject_trials["session"].max(), "block"
            ]
            last = (int(of_last_session.min()), int(of_last_session.min()) + blocks - 1)
        else:
            last = (max(end - blocks + 1, start), end)
        first = (start, min(start + blocks - 1, end))
        overlap = max(first[1] - last[0] + 1, 0)
        rows += [
            (subject, FIRST, *first, sessions, overlap),
            (subject, LAST, *last, sessions, overlap),
        ]
    columns = ["subject", "window", "from_block", "to_block", "sessions", "overlap"]
    return pd.DataFrame(rows, columns=columns)


def split(rows: pd.DataFrame, ranges: pd.DataFrame) -> pd.DataFrame:
    """Assign each row (of any table with subject and block) to its window; it may be in both.

    Rows of the first windows come first, then those of the last.
    """
    parts = []
    number, subjects = pd.factorize(rows["subject"])
    block = rows["block"].to_numpy()
    for window in (FIRST, LAST):
        limits = ranges[ranges["window"] == window].set_index("subject").reindex(subjects)
        # Subjects without a window have NaN, between which no block is.
        start, end = (limits[name].to_numpy(float)[number] for name in ("from_block", "to_block"))
        parts.append(rows[(start <= block) & (block <= end)].assign(window=window))
    return pd.concat(parts, ignore_index=True)
