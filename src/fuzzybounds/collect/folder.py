"""The folder of a study: every message is on disk before it is acknowledged, and stored only once.

::

    data/subject-{code}_data.csv      one row per trial: the log, and a .json that names its columns
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

from fuzzybounds.collect import durable, messages
from fuzzybounds.collect.configuration import Study
from fuzzybounds.collect.participants import Participant, load
from fuzzybounds.core import folder_lock
from fuzzybounds.core.errors import InputError, counted
from fuzzybounds.core.tables import read_json
from fuzzybounds.logs.columns import COLUMNS, DESIGN_COLUMNS, PATH_COLUMNS
from fuzzybounds.logs.files import DATA, psych_ds_files
from fuzzybounds.logs.study_design import FILE as DESIGN_FILE

LEASE_S = 15.0
"""A window without a message for longer than this is considered closed."""

Record = dict[str, Any]


def _as_json(content: Any) -> str:
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def check_design(study: Study, recorded: Record, source: str, remedy: str) -> None:
    """Raise an :class:`InputError` where data were recorded with another design."""
    changed = [
        f"{key}: {recorded[key]} in the data, {value} now"
        for key, value in study.design.items()
        if recorded.get(key, value) != value
    ]
    if changed:
        raise InputError(f"{source}: the study was started with another design", [*changed, remedy])


def refuse_other_design(study: Study, file: Path) -> None:
    """Raise an :class:`InputError` if a study was begun with another design than it has now."""
    if file.is_file():
        remedy = "choose another name for the study, or restore its configuration"
        check_design(study, read_json(file), str(file), remedy)


class StudyFolder:
    """Stores what pages send.  Its methods may be called from several threads.

    `root`, such as ``data/raw/my_lab``, is created if it does not exist.  An existing description
    of the data set is written again only with `describe`.  Logs of another kind, or of another
    design, are an :class:`InputError`.
    """

    def __init__(self, root: Path, study: Study, describe: bool = True):
        self.root, self.study = root, study
        self.say: Callable[[str], None] = lambda _: None
        self._participants: dict[str, Participant] = {}
        self._seen: dict[str, tuple[str, float]] = {}
        self._lock = threading.RLock()
        root.mkdir(parents=True, exist_ok=True)
        self._columns = messages.log_columns(study.design)
        header = messages.header(self._columns).strip()
        logs = sorted([*root.glob("*.csv"), *psych_ds_files(root)])
        design, described = root / DESIGN_FILE, root / "dataset_description.json"
        if logs:
            refuse_other_design(study, design)
        for log in logs:
            with log.open(encoding="utf-8-sig") as file:
                if log.parent == root or file.readline().strip() != header:
                    raise InputError(
                        f"{log}: not a log of the canoe task",
                        [f"expected the columns {header}", "choose another name for the study"],
                    )
        with folder_lock.writing(root):
            durable.create(design, _as_json(study.design))
            if describe or not described.exists():
                durable.create(described, _as_json(_described(study)))

    # Participants

    def log(self, code: str) -> Path:
        """The log of a participant."""
        return self.root / f"{DATA}/subject-{code}_data.csv"

    def participant(self, code: str) -> Participant:
        """What is stored of a participant."""
        if code not in self._participants:
            with folder_lock.writing(self.root):
                deadline = self.study.design["deadline_s"]
                self._participants[code] = load(self.root, self.log(code), code, deadline)
        return self._participants[code]

    def _spelled_otherwise(self, code: str) -> bool:
        sessions = (self.root / "sessions").glob("*.json")
        known = {path.stem.rpartition("_session-")[0] for path in sessions}
        logs = psych_ds_files(self.root)
        known |= {path.stem.removeprefix("subject-").removesuffix("_data") for path in logs}
        return any(other != code and other.lower() == code.lower() for other in known)

    def seen(self, run: str, code: str) -> None:
        """Note that a window is open."""
        with self._lock:
            if self.participant(code).is_latest(run):
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

    def start(self, request: Record) -> Record:
        """Begin a run: a participant's first, or the next after an interruption.

        The answer says where to continue, or why not (``refused``: ``busy``, ``complete`` or
        ``code_case``).
        """
        messages.check_message(request, "start")
        code, run = request["code"], request["run"]
        with self._lock:
            if self._spelled_otherwise(code):
                return {"refused": "code_case"}
            participant = self.participant(code)
            if run not in participant.runs:
                if not request.get("takeover") and self._in_use(code, request.get("previous", "")):
                    return {"refused": "busy"}
                if participant.next_session > self.study.design["sessions"]:
                    return {"refused": "complete"}
                self._begin(participant, request)
            session, record = participant.runs[run]
            return {
                **{name: session[name] for name in ("session", "first_block", "last_block")},
                "block": record["first_block"],
                "trial": record["first_trial"],
                "seed": record["seed"],
                "trials": participant.trials,
            }

    def _begin(self, participant: Participant, request: Record) -> None:
        number, blocks = participant.next_session, self.study.design["blocks"]
        session = participant.sessions.get(number) or {
            "study": self.study.name,
            "subject": participant.code,
            "session": number,
            "first_block": (number - 1) * blocks + 1,
            "last_block": number * blocks,
            "finished": None,
            "runs": [],
        }
        block = max(participant.last_block + 1, session["first_block"])
        record = {
            "run": request["run"],
            "number": len(participant.runs) + 1,
            "started": _now(),
            "first_block": block,
            "first_trial": max(participant.rows, default=0) + 1,
            "seed": request["seed"],
            "software": {
                "fuzzybounds": version("fuzzybounds"),
                "python": platform.python_version(),
            },
            "consent": request["consent"],
            "client": request["client"],
            "display": None,
        }
        self._store_session(participant, {**session, "runs": [*session["runs"], record]})
        self._seen[participant.code] = (request["run"], time.monotonic())
        if block == session["first_block"]:
            self.say(f"{participant.code} started session {number}")
        else:
            place = f"block {block} of {session['last_block']}"
            self.say(f"{participant.code} continued session {number} at {place}")

    def _store_session(self, participant: Participant, session: Record) -> None:
        file = self.root / "sessions" / f"{participant.code}_session-{session['session']}.json"
        with folder_lock.writing(self.root):
            durable.create(file, _as_json(session))
        participant.sessions[session["session"]] = session

    # Messages

    def store(self, message: Record) -> Record:
        """Store a message, durably; one that is already stored is left unchanged.

        ``superseded`` says that another window has taken over; the message is then in
        ``set_aside``.
        """
        messages.check_message(message, "message")
        kind, run = message["kind"], message["run"]
        with self._lock:
            participant = self.participant(message["code"])
            if run not in participant.runs:
                raise messages.BadMessageError("run: expected one that was started")
            session, record = participant.runs[run]
            superseded = not participant.is_latest(run)
            if kind == "trial":
                messages.check_trial(message["trial"], self.study.design)
                if not superseded:
                    messages.check_order(message["trial"], participant.trials, session["session"])
                if not self._store_trial(participant, message["trial"], superseded):
                    self._set_aside(participant, message)
                    return {"superseded": superseded}
            key = (record["number"], message["number"])
            if message["events"] and key not in participant.events:
                rows = messages.event_rows(
                    participant.code, session["session"], record["number"], message
                )
                self._append("events", participant.code, messages.EVENT_COLUMNS, rows)
                participant.events.add(key)
            if kind == "answers":
                self._store_answers(participant, message["answers"])
            elif kind == "display" and record["display"] is None:
                # From a window that was replaced: a finished record is never written again.
                if session["finished"]:
                    self._set_aside(participant, message)
                else:
                    shown = {**record, "display": message["display"]}
                    runs = [shown if other is record else other for other in session["runs"]]
                    self._store_session(participant, {**session, "runs": runs})
            elif kind == "finish" and not session["finished"]:
                self._store_session(participant, {**session, "finished": _now()})
                trials = counted(participant.rows, "trial")
                self.say(f"{participant.code} finished session {session['session']}: {trials}")
            if kind == "finish":
                self.left(run, participant.code)
            elif not superseded:
                self._seen[participant.code] = (run, time.monotonic())
            return {"superseded": superseded}

    def _append(self, folder: str, name: str, columns: tuple[str, ...], rows: str) -> None:
        with folder_lock.writing(self.root):
            file = self.root / folder / f"{name}.csv"
            durable.append(file, messages.header(columns), rows)

    def _store_trial(self, participant: Participant, trial: Record, superseded: bool) -> bool:
        """Store the row and the path of a trial; False where its number is another trial's."""
        number, row = trial["trial"], messages.log_row(participant.code, trial)
        stored = participant.rows.get(number)
        if (stored is None and superseded) or (stored is not None and stored != row):
            return False
        with folder_lock.writing(self.root):
            if stored is None:
                log = self.log(participant.code)
                if not log.exists():
                    sidecar = {"variableMeasured": list(self._columns)}
                    durable.create(log.with_suffix(".json"), _as_json(sidecar))
                durable.append(log, messages.header(self._columns), row)
                participant.rows[number] = row
            if number not in participant.paths:
                paths = self.root / "paths" / f"{participant.code}.csv"
                rows = messages.path_rows(participant.code, trial)
                durable.append(paths, messages.header(messages.PATH_COLUMNS), rows)
                participant.paths.add(number)
        return True

    def _store_answers(self, participant: Participant, answers: dict[str, str]) -> None:
        asked = {question["name"] for question in self.study.options["questions"]}
        given = {name: text for name, text in answers.items() if name in asked and text}
        rows = [messages.csv_rows([[participant.code, name, text]]) for name, text in given.items()]
        stored = durable.read_lines(self.root / "demographics/answers.csv")
        if rows := [row for row in rows if row not in stored]:
            self._append("demographics", "answers", messages.ANSWER_COLUMNS, "".join(rows))

    def _set_aside(self, participant: Participant, message: Record) -> None:
        file = self.root / "set_aside" / f"{participant.code}.jsonl"
        line = json.dumps(message, sort_keys=True) + "\n"
        if line not in durable.read_lines(file):
            durable.append(file, "", line)


EVENTS = {
    "run": "number of the page load within the participant; an interruption starts another",
    "message": "number of the message of the page that carried the event",
    "event": "what happened: a phase that was first shown, a response, a frame gap, blur, ...",
    "value": "detail of the event, such as the directions that were drawn for a trial",
}
ANSWERS = {
    "question": "name of an optional question about the participant",
    "answer": "what the participant answered",
}
TASK = "canoe movement detection task"
UNITS = {"time": "s", "position": "px"}


def _described(study: Study) -> dict[str, Any]:
    """Describe a data set and its columns in the Psych-DS form (JSON-LD, schema.org)."""
    here = messages.log_columns(study.design)
    columns = [column for column in (*COLUMNS, *DESIGN_COLUMNS) if column.name in here]
    variables = {column.name: (column.meaning, column.unit) for column in columns}
    for name, meaning in {**PATH_COLUMNS, **EVENTS, **ANSWERS}.items():
        variables.setdefault(name, (meaning, UNITS.get(name, "")))
    measured = [
        {"@type": "PropertyValue", "name": name, "description": meaning}
        | ({"unitText": unit} if unit else {})
        for name, (meaning, unit) in variables.items()
    ]
    options = study.options
    described = {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": study.name,
        "description": options["description"],
        "author": [{"@type": "Person", "name": name} for name in options["authors"]],
        "license": options["license"],
        "keywords": ["decision making", "decision boundary", TASK],
        "measurementTechnique": f"{TASK}, experiment {options['experiment']}",
        "variableMeasured": measured,
    }
    return {key: value for key, value in described.items() if value not in (None, [])}
