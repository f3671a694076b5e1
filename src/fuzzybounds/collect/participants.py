"""What the folder of a study already contains about one participant."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from fuzzybounds.collect import durable
from fuzzybounds.collect.messages import EVENT_COLUMNS, LOG_COLUMNS


@dataclass
class Participant:
    """One participant code: rows of the log by trial, sessions by their number, as stored so far.

    `paths` has the trials whose path is stored, `events` run and number of every message whose
    events are.
    """

    code: str
    rows: dict[int, str] = field(default_factory=dict)
    paths: set[int] = field(default_factory=set)
    events: set[tuple[int, int]] = field(default_factory=set)
    sessions: dict[int, dict[str, Any]] = field(default_factory=dict)

    @property
    def trials(self) -> list[dict[str, Any]]:
        """What the page needs to know of each trial, in the order of the trials."""
        rows = (row for _, row in sorted(self.rows.items()))
        return [
            {name: float(cells[name]) for name in ("trial", "block", "correct", "rt", "reward")}
            | {"condition": cells["condition"]}
            for cells in csv.DictReader(rows, fieldnames=LOG_COLUMNS)
        ]

    @property
    def last_block(self) -> int:
        """The last block with a trial."""
        return max((int(trial["block"]) for trial in self.trials), default=0)

    @property
    def next_session(self) -> int:
        """The number of the first session that is not finished."""
        finished = {number for number, record in self.sessions.items() if record["finished"]}
        return next(number for number in count(1) if number not in finished)

    @property
    def runs(self) -> dict[str, tuple[dict[str, Any], dict[str, Any]]]:
        """The session and the record of every run, by its random name, in their order."""
        sessions = [session for _, session in sorted(self.sessions.items())]
        return {run["run"]: (session, run) for session in sessions for run in session["runs"]}

    def is_latest(self, run: str) -> bool:
        """Whether no other run began later."""
        return next(reversed(self.runs), None) == run


def load(folder: Path, log: Path, code: str, deadline: float) -> Participant:
    """Read the data of a participant; remove what a power failure left incomplete."""
    participant = Participant(code)
    paths, events = (folder / part / f"{code}.csv" for part in ("paths", "events"))
    for row in durable.read_lines(log)[1:]:
        participant.rows[int(row.split(",")[LOG_COLUMNS.index("trial")])] = row
    participant.paths = _whole_paths(paths, participant, deadline)
    for cells in csv.DictReader(durable.read_lines(events)[1:], fieldnames=EVENT_COLUMNS):
        participant.events.add((int(cells["run"]), int(cells["message"])))
    for file in (folder / "sessions").glob(f"{code}_session-*.json"):
        record = json.loads(file.read_text(encoding="utf-8"))
        participant.sessions[record["session"]] = record
    return participant


def _whole_paths(file: Path, participant: Participant, deadline: float) -> set[int]:
    """Trials with a path; an incomplete path is removed: it was not acknowledged."""
    header, *rows = durable.read_lines(file) or [""]
    trials = [int(row.split(",")[1]) for row in rows]
    if not rows:
        return set()
    last = trials[-1]
    responded = next((row["rt"] for row in participant.trials if row["trial"] == last), -1.0)
    if abs(float(rows[-1].split(",")[2]) - (responded or deadline)) > 0.001:
        whole = "".join([header, *rows[: trials.index(last)]])
        durable.cut(file, len(whole.encode("utf-8")))
        return set(trials) - {last}
    return set(trials)
