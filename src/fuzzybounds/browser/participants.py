"""What the folder of a study already contains about one participant."""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from fuzzybounds.browser import durable
from fuzzybounds.browser.messages import EVENT_COLUMNS, LOG_COLUMNS


@dataclass
class Participant:
    """One participant code: rows, runs and sessions so far.

    Attributes
    ----------
    code : str
    rows : dict
        The log's row of every trial, as text.
    trials : dict
        The same as numbers and words, by the number of the trial.
    paths : set of int
        Trials whose path is stored.
    events : set of (int, int)
        Run and number of every message whose events are stored.
    sessions : dict
        Content of the JSON file of every session, by its number.
    """

    code: str
    rows: dict[int, str] = field(default_factory=dict)
    trials: dict[int, dict[str, Any]] = field(default_factory=dict)
    paths: set[int] = field(default_factory=set)
    events: set[tuple[int, int]] = field(default_factory=set)
    sessions: dict[int, dict[str, Any]] = field(default_factory=dict)

    def add_row(self, row: str) -> None:
        """Note a row of the log."""
        cells = dict(zip(LOG_COLUMNS, next(csv.reader([row])), strict=True))
        trial = int(cells["trial"])
        self.rows[trial] = row
        self.trials[trial] = {
            **{name: int(cells[name]) for name in ("session", "block", "correct")},
            **{name: float(cells[name]) for name in ("rt", "reward")},
            "condition": cells["condition"],
        }

    @property
    def last_block(self) -> int:
        """The last block with a trial."""
        return max((trial["block"] for trial in self.trials.values()), default=0)

    @property
    def next_trial(self) -> int:
        """The number of the next trial."""
        return max(self.rows, default=0) + 1

    @property
    def next_session(self) -> int:
        """The number of the first session that is not finished."""
        finished = {number for number, own in self.sessions.items() if own["finished"]}
        return next(number for number in count(1) if number not in finished)

    def run_of(self, run: str) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """The session and the record of a run, by its random name."""
        for session in self.sessions.values():
            for own in session["runs"]:
                if own["run"] == run:
                    return session, own
        return None

    def latest_run(self) -> str | None:
        """The random name of the run that began last."""
        runs = [own["run"] for _, own in sorted(self.sessions.items()) for own in own["runs"]]
        return runs[-1] if runs else None

    def tally(self) -> dict[str, Any]:
        """Running numbers, as the page shows them in breaks."""
        blocks: dict[int, float] = defaultdict(float)
        tally: dict[str, Any] = {
            name: {"trials": 0, "correct": 0, "time": 0.0, "responses": 0}
            for name in ("easy", "hard")
        }
        for _, trial in sorted(self.trials.items()):
            own = tally[trial["condition"]]
            own["trials"] += 1
            own["correct"] += trial["correct"]
            own["time"] += trial["rt"]
            own["responses"] += trial["rt"] > 0
            blocks[trial["block"]] += trial["reward"]
        tally["blocks"] = [{"block": block, "coins": coins} for block, coins in blocks.items()]
        return {**tally, "coins": sum(blocks.values())}


def load(folder: Path, code: str, deadline: float) -> Participant:
    """Read the data of a participant; remove what a power failure left incomplete."""
    own = Participant(code)
    log, paths = folder / f"{code}.csv", folder / "paths" / f"{code}.csv"
    events = folder / "events" / f"{code}.csv"
    for file in (log, paths, events):
        if file.exists():
            durable.cut_incomplete_line(file)
    if log.exists():
        for line in log.read_text(encoding="utf-8").splitlines(keepends=True)[1:]:
            own.add_row(line)
    if paths.exists():
        own.paths = _whole_paths(paths, own, deadline)
    if events.exists():
        run, message = EVENT_COLUMNS.index("run"), EVENT_COLUMNS.index("message")
        with events.open(encoding="utf-8", newline="") as lines:
            own.events = {(int(row[run]), int(row[message])) for row in list(csv.reader(lines))[1:]}
    for file in (folder / "sessions").glob(f"{code}_session-*.json"):
        # A participant P01_session-1 is not a session of P01.
        if file.stem.rpartition("_session-")[0] == code:
            record = json.loads(file.read_text(encoding="utf-8"))
            own.sessions[record["session"]] = record
    return own


def _whole_paths(file: Path, own: Participant, deadline: float) -> set[int]:
    """Trials with a path; an incomplete path is removed: it was not acknowledged."""
    found: set[int] = set()
    begins, place, last, time = 0, 0, None, 0.0
    for line in file.read_bytes().splitlines(keepends=True):
        if place:
            cells = line.split(b",")
            trial, time = int(cells[1]), float(cells[2])
            if trial != last:
                begins, last = place, trial
                found.add(trial)
        place += len(line)
    if last is not None:
        responded = own.trials.get(last, {"rt": -1.0})["rt"]
        if abs(time - (responded or deadline)) > 0.001:
            durable.cut(file, begins)
            found.discard(last)
    return found
