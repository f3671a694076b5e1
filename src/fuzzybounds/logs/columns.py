"""The columns of logs and of recorded paths, and what others call them."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import NamedTuple


class Column(NamedTuple):
    """One column of a tidy log."""

    name: str
    unit: str
    meaning: str
    required: bool = True


_NUMBER = (
    "number of the trial within the participant, continuing through blocks and sessions; "
    "the order of the rows if the column is missing"
)
COLUMNS = (
    Column("subject", "", "name or number of the participant"),
    Column("session", "", "session number; 1 if the column is missing", required=False),
    Column("block", "", "block number, continuing through the sessions"),
    Column("trial", "", _NUMBER, required=False),
    Column("rt", "s", "decision time; 0 or empty where the deadline was missed"),
    Column("total", "s", "duration of the whole trial; computed from the design if missing", False),
    Column("reward", "coins", "coins won or lost; computed if missing", required=False),
    Column("condition", "", "easy or hard (1 or 2)"),
    Column("correct", "", "1 or 0"),
    Column("position", "px", "canoe position at the response (or deadline), right positive"),
)
DESIGN_COLUMNS = (
    Column("start", "px", "where the canoe started, right positive; 0 if missing", False),
    Column("signal", "s", "from the first movement to the signal; empty without one", False),
    Column("early", "", "number of key presses before the signal", required=False),
)
"""What logs have in addition if the design has a start or a gate."""
NAMES = [column.name for column in (*COLUMNS, *DESIGN_COLUMNS)]
PUBLISHED_COLUMNS = tuple(
    column.name for column in COLUMNS if column.name not in ("session", "trial")
)
PATH_COLUMNS = {
    "subject": "name of the participant, as in the log",
    "trial": "number of the trial, as in the log",
    "time": "s from the first movement",
    "position": "px from the centre, right positive",
}
SYNONYMS = {
    "subject": "participant subj sub vp vpn versuchsperson proband id name sujet code",
    "session": "ses sess sitzung visit day",
    "block": "run blocknr blocknumber durchlauf bloc",
    "trial": "no nr trialnr trialno trialnumber trialindex trialid durchgang essai number",
    "rt": "reactiontime responsetime latency rtms rts time decisiontime reaktionszeit rz dt",
    "total": "totaltime trialtime duration trialduration gesamtzeit",
    "reward": "coins points payoff gain score payout",
    "condition": "difficulty trialtype cond schwierigkeit bedingung type kind level",
    "correct": "accuracy acc hit iscorrect outcome richtig korrekt correctness success",
    "position": "x pos xpos xposition canoe canoeposition canoex boatx boat location ort",
}
"""Other names of each column, in lower case and without signs."""


def plain(name: str) -> str:
    """Return a name in lower case without signs and units in brackets."""
    return "".join(sign for sign in name.split("(")[0].split("[")[0].lower() if sign.isalnum())


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return which of our columns a column of another name is, by its name alone."""
    known, word = list(known), plain(name)
    for column in known:
        if word == column or word in SYNONYMS.get(column, "").split():
            return column
    return next(iter(difflib.get_close_matches(word, known, n=1, cutoff=0.7)), None)
