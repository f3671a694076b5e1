"""Sessions in separate files: blocks and trials that restart are renumbered."""

from __future__ import annotations

import pandas as pd

from fuzzybounds.storage.errors import counted


def count_on(raw: pd.DataFrame) -> list[str]:
    """Continue the numbering of blocks and trials across the sessions of each subject, in place.

    Only subjects whose sessions are in files of their own are concerned, and only where the numbers
    of a session start again; cells that are not numbers are left to validation.

    Returns
    -------
    list of str
        Messages that tell the user what was done.
    """
    if "session" not in raw:
        return []
    session = pd.to_numeric(raw["session"], errors="coerce")
    contents = raw.assign(session=session).groupby("file")[["subject", "session"]].nunique()
    alone = contents.index[(contents == 1).all(axis=1)]
    own = raw["file"].isin(alone) & session.notna()
    files = raw[own].groupby("subject")["file"].nunique()
    own &= raw["subject"].isin(files.index[files > 1])
    return [
        f"{name} numbers of {counted(moved, 'subject')} restart in every session and were "
        "renumbered"
        for name in ("block", "trial")
        if name in raw and (moved := _count_column_on(raw, name, session, own))
    ]


def _count_column_on(raw: pd.DataFrame, name: str, session: pd.Series, own: pd.Series) -> int:
    """Continue the numbers of one column; return for how many subjects this was needed."""
    number = pd.to_numeric(raw[name], errors="coerce")
    known = own & number.notna()
    by = number[known].groupby([raw["subject"], session])
    ends = pd.DataFrame({"least": by.min(), "most": by.max()})
    moved = set()
    for subject, table in ends.groupby(level=0):
        last = 0.0
        for (_, which), row in table.iterrows():
            offset = last if row["least"] <= last else 0.0
            last = row["most"] + offset
            if offset:
                rows = known & (raw["subject"] == subject) & (session == which)
                raw.loc[rows, name] = (number[rows] + offset).map("{:.10g}".format)
                moved.add(subject)
    return len(moved)
