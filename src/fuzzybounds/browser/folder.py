"""The folder of a study: every message is on disk before it is acknowledged, and stored only once.

::

    {code}.csv                        one row per trial: the log
    paths/{code}.csv                  one row per frame
    events/{code}.csv                 one row per event: phases, gaps, blur, resumed blocks
    sessions/{code}_session-1.json    versions, seeds, display, consent
    demographics/answers.csv          optional answers, one row per question
    set_aside/{code}.jsonl            trials of a window that had been replaced by another
    design.json                       what the study fixes
    dataset_description.json          what the data set is, in the Psych-DS form

The log is written before the path: a trial without a path is valid, a path without its trial is
not.  Rows are identified by their content, so a message may arrive any number of times.
"""

from __future__ import annotations

import json
import platform
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from fuzzybounds.browser import durable, messages
from fuzzybounds.browser.configuration import Study
from fuzzybounds.browser.description import dataset_description
from fuzzybounds.browser.participants import Participant, load
from fuzzybounds.intake.study_design import FILE as DESIGN_FILE
from fuzzybounds.storage import folder_lock
from fuzzybounds.storage.errors import InputError, counted
from fuzzybounds.storage.tables import read_json

LEASE_S = 15.0
"""A window without a message for longer than this is considered closed."""


def _header(columns: tuple[str, ...]) -> str:
    return ",".join(columns) + "\n"


def _as_json(content: Any) -> str:
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


class StudyFolder:
    """Stores what pages send.  Its methods may be called from several threads.

    Parameters
    ----------
    root : Path
        Such as ``data/raw/my_lab``; created if it does not exist.
    study : Study
    describe : bool
        Whether to describe the data set again if it has a description.

    Raises
    ------
    InputError
        If the folder holds logs of another kind, or was started with another design.
    """

    def __init__(self, root: Path, study: Study, describe: bool = True):
        self.root, self.study = root, study
        self.say: Callable[[str], None] = lambda _: None
        self._participants: dict[str, Participant] = {}
        self._seen: dict[str, tuple[str, float]] = {}
        self._lock = threading.RLock()
        root.mkdir(parents=True, exist_ok=True)
        self._check_logs()
        design, described = root / DESIGN_FILE, root / "dataset_description.json"
        if design.exists() and any(root.glob("*.csv")):
            self.check_design(read_json(design), str(design))
        with folder_lock.writing(root):
            durable.create(design, _as_json(study.design))
            if describe or not described.exists():
                durable.create(described, _as_json(dataset_description(study)))

    def _check_logs(self) -> None:
        header = _header(messages.LOG_COLUMNS).strip()
        for log in sorted(self.root.glob("*.csv")):
            with log.open(encoding="utf-8-sig") as file:
                if file.readline().strip() != header:
                    raise InputError(
                        f"{log}: not a log of the canoe task",
                        [f"expected the columns {header}", "choose another name for the study"],
                    )

    def check_design(self, recorded: dict[str, Any], source: str) -> None:
        """Raise an :class:`InputError` where data were recorded with another design."""
        changed = [
            f"{key}: {recorded[key]} in the data, {value} now"
            for key, value in self.study.design.items()
            if recorded.get(key, value) != value
        ]
        if changed:
            raise InputError(
                f"{source}: the study was started with another design",
                [*changed, "choose another name for the study, or restore its configuration"],
            )

    # Participants

    def participant(self, code: str) -> Participant:
        """What is stored of a participant."""
        if code not in self._participants:
            with folder_lock.writing(self.root):
                deadline = self.study.design["deadline_s"]
                self._participants[code] = load(self.root, code, deadline)
        return self._participants[code]

    def _spelled_otherwise(self, code: str) -> bool:
        known = {path.stem for path in self.root.glob("*.csv")} | set(self._participants)
        return any(own != code and own.lower() == code.lower() for own in known)

    def seen(self, run: str, code: str) -> None:
        """Note that a window is open."""
        with self._lock:
            if self.participant(code).latest_run() == run:
                self._seen[code] = (run, time.monotonic())

    def left(self, run: str, code: str) -> None:
        """Note that a window was closed."""
        with self._lock:
            if self._seen.get(code, ("", 0.0))[0] == run:
                del self._seen[code]

    def _in_use(self, code: str, previous: str) -> bool:
        """Whether a window other than the requesting one (before a reload) is open."""
        holder, since = self._seen.get(code, (previous, 0.0))
        return holder != previous and time.monotonic() - since < LEASE_S

    # Starting

    def start(self, request: dict[str, Any]) -> dict[str, Any]:
        """Begin a run: a participant's first, or the next after an interruption.

        Returns
        -------
        dict
            Where to continue, or ``refused`` and the reason: ``busy``, ``complete``, ``code_form``.
        """
        messages.check_message(request, "START")
        code, run = request["code"], request["run"]
        with self._lock:
            if self._spelled_otherwise(code):
                return {"refused": "code_case"}
            own = self.participant(code)
            known = own.run_of(run)
            if known:
                return self._answer(own, *known)
            if not request.get("takeover") and self._in_use(code, request.get("previous", "")):
                return {"refused": "busy"}
            number = own.next_session
            if number > self.study.design["sessions"]:
                return {"refused": "complete"}
            session, record = self._new_run(own, number, request)
            self._store_session(own, session, [*session["runs"], record])
            begins = record["first_block"] == session["first_block"]
            where = f" at block {record['first_block']} of {session['last_block']}"
            did = "started" if begins else "continued"
            self.say(f"{code} {did} session {number}{'' if begins else where}")
            self._seen[code] = (run, time.monotonic())
            return self._answer(own, session, record)

    def _new_run(
        self, own: Participant, number: int, request: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        blocks = self.study.design["blocks"]
        session = own.sessions.get(number) or {
            "study": self.study.name,
            "subject": own.code,
            "session": number,
            "first_block": (number - 1) * blocks + 1,
            "last_block": number * blocks,
            "finished": None,
            "runs": [],
        }
        record = {
            "run": request["run"],
            "number": sum(len(other["runs"]) for other in own.sessions.values()) + 1,
            "started": _now(),
            "first_block": max(own.last_block + 1, session["first_block"]),
            "first_trial": own.next_trial,
            "seed": request["seed"],
            "software": {
                "fuzzybounds": version("fuzzybounds"),
                "python": platform.python_version(),
            },
            "consent": request["consent"],
            "client": request["client"],
            "display": None,
        }
        return session, record

    def _answer(
        self, own: Participant, session: dict[str, Any], record: dict[str, Any]
    ) -> dict[str, Any]:
        return {
            "session": session["session"],
            "first_block": session["first_block"],
            "last_block": session["last_block"],
            "block": record["first_block"],
            "trial": record["first_trial"],
            "seed": record["seed"],
            "tally": own.tally(),
        }

    def _store_session(
        self, own: Participant, session: dict[str, Any], runs: list[dict[str, Any]], **changes: Any
    ) -> None:
        changed = {**session, **changes, "runs": runs}
        file = self.root / "sessions" / f"{own.code}_session-{session['session']}.json"
        with folder_lock.writing(self.root):
            durable.create(file, _as_json(changed))
        own.sessions[session["session"]] = changed

    # Messages

    def store(self, message: dict[str, Any]) -> dict[str, Any]:
        """Store a message, durably; one that is already stored is left unchanged.

        Returns
        -------
        dict
            ``superseded`` says that another window has taken over; the message is kept all the
            same, in ``set_aside``.
        """
        messages.check_message(message, "MESSAGE")
        with self._lock:
            own = self.participant(message["code"])
            known = own.run_of(message["run"])
            if known is None:
                raise messages.BadMessageError("run: expected one that was started")
            session, record = known
            superseded = own.latest_run() != message["run"]
            if message["kind"] == "trial":
                messages.check_trial(message["trial"], self.study.design)
            if message["kind"] == "trial" and not self._store_trial(own, message, superseded):
                self._set_aside(own, message)
                return {"superseded": superseded}
            self._store_events(own, session, record, message)
            if message["kind"] == "answers":
                self._store_answers(own, message["answers"])
            elif message["kind"] == "display" and record["display"] is None:
                if session["finished"]:
                    # From a window that was replaced: a finished record is never written again.
                    self._set_aside(own, message)
                else:
                    self._store_display(own, session, record, message["display"])
            elif message["kind"] == "finish" and not session["finished"]:
                self._store_session(own, session, session["runs"], finished=_now())
                trials = counted(len(own.trials), "trial")
                self.say(f"{own.code} finished session {session['session']}: {trials}")
            if message["kind"] == "finish":
                self.left(message["run"], own.code)
            elif not superseded:
                self._seen[own.code] = (message["run"], time.monotonic())
            return {"superseded": superseded}

    def _store_trial(self, own: Participant, message: dict[str, Any], superseded: bool) -> bool:
        """Store the row and the path of a trial; False where its number is another trial's."""
        trial = message["trial"]
        number, row = trial["trial"], messages.log_row(own.code, trial)
        stored = own.rows.get(number)
        if (stored is None and superseded) or (stored is not None and stored != row):
            return False
        with folder_lock.writing(self.root):
            if stored is None:
                log = self.root / f"{own.code}.csv"
                durable.append(log, _header(messages.LOG_COLUMNS), row)
                own.add_row(row)
            if number not in own.paths:
                paths = self.root / "paths" / f"{own.code}.csv"
                rows = messages.path_rows(own.code, trial)
                durable.append(paths, _header(messages.PATH_COLUMNS), rows)
                own.paths.add(number)
        return True

    def _store_events(
        self,
        own: Participant,
        session: dict[str, Any],
        record: dict[str, Any],
        message: dict[str, Any],
    ) -> None:
        key = (record["number"], message["number"])
        if not message["events"] or key in own.events:
            return
        file = self.root / "events" / f"{own.code}.csv"
        rows = messages.event_rows(own.code, session["session"], record["number"], message)
        with folder_lock.writing(self.root):
            durable.append(file, _header(messages.EVENT_COLUMNS), rows)
        own.events.add(key)

    def _store_display(
        self,
        own: Participant,
        session: dict[str, Any],
        record: dict[str, Any],
        display: dict[str, Any],
    ) -> None:
        runs = [
            {**run, "display": display} if run["run"] == record["run"] else run
            for run in session["runs"]
        ]
        self._store_session(own, session, runs)

    def _store_answers(self, own: Participant, answers: dict[str, str]) -> None:
        file = self.root / "demographics" / "answers.csv"
        asked = {question["name"] for question in self.study.options["questions"]}
        given = {name: text for name, text in answers.items() if name in asked and text}
        rows = [messages.csv_rows([[own.code, name, text]]) for name, text in given.items()]
        stored = durable.read_lines(file)
        if rows := [row for row in rows if row not in stored]:
            with folder_lock.writing(self.root):
                durable.append(file, _header(messages.ANSWER_COLUMNS), "".join(rows))

    def _set_aside(self, own: Participant, message: dict[str, Any]) -> None:
        file = self.root / "set_aside" / f"{own.code}.jsonl"
        line = json.dumps(message, sort_keys=True) + "\n"
        if line not in durable.read_lines(file):
            durable.append(file, "", line)
