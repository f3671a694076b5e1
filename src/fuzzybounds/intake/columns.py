"""The columns of logs and of recorded paths: what a file of a data set holds."""

from __future__ import annotations

from typing import NamedTuple


class Column(NamedTuple):
    """One column of a tidy log."""

    name: str
    unit: str
    meaning: str
    required: bool = True


COLUMNS = (
    Column("subject", "", "name or number of the participant"),
    Column("session", "", "session number; 1 if the column is missing", required=False),
    Column("block", "", "block number, continuing through the sessions"),
    Column(
        "trial",
        "",
        "number of the trial within the participant, continuing through blocks and sessions; "
        "the order of the rows if the column is missing",
        required=False,
    ),
    Column("rt", "s", "decision time; 0 or empty where the deadline was missed"),
    Column("total", "s", "duration of the whole trial; computed from the design if missing", False),
    Column("reward", "coins", "coins won or lost; computed if missing", required=False),
    Column("condition", "", "easy or hard (1 or 2)"),
    Column("correct", "", "1 or 0"),
    Column("position", "px", "canoe position at the response (or deadline), right positive"),
)
NAMES = [column.name for column in COLUMNS]
PUBLISHED_COLUMNS = tuple(name for name in NAMES if name not in ("session", "trial"))

PATH_COLUMNS = {
    "subject": "name of the participant, as in the log",
    "trial": "number of the trial, as in the log",
    "time": "s from the first movement",
    "position": "px from the centre, right positive",
}
