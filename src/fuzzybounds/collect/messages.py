"""What the page sends, checked before anything is written, and how it becomes rows.

A message that passes cannot make the folder invalid: its trial obeys the design of the study as
:mod:`fuzzybounds.logs.validation` and :mod:`fuzzybounds.logs.recordings` will check it.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

from fuzzybounds.canoe.task import FRAME
from fuzzybounds.collect.configuration import CODE, packaged
from fuzzybounds.core.documents import parse_yaml
from fuzzybounds.core.errors import listed
from fuzzybounds.logs.columns import NAMES
from fuzzybounds.logs.columns import PATH_COLUMNS as PATHS

LOG_COLUMNS = tuple(NAMES)
"""Of all studies; most do not need every one (:func:`log_columns`)."""
PATH_COLUMNS = tuple(PATHS)
EVENT_COLUMNS = ("subject", "session", "run", "message", "time", "block", "trial", "event", "value")
ANSWER_COLUMNS = ("subject", "question", "answer")

SCHEMAS = parse_yaml(packaged("messages.schema.yaml"), "messages.schema.yaml")
SCHEMAS["$defs"]["code"]["pattern"] = CODE
LARGEST = 1e9
"""No number of the task is larger."""
SLACK_S = 0.001
SLACK_PX = 0.01


class BadMessageError(ValueError):
    """A message that the page would not send; nothing of it was stored."""


@cache
def _validator(name: str) -> Any:
    import jsonschema

    return jsonschema.Draft202012Validator({**SCHEMAS, "$ref": f"#/$defs/{name}"})


def check_message(content: Any, schema: str) -> None:
    """Raise :class:`BadMessageError` where `content` breaks one of the :data:`SCHEMAS`."""
    try:
        json.dumps(content, allow_nan=False, ensure_ascii=False).encode("utf-8")
    except ValueError as wrong:
        raise BadMessageError(f"message: {wrong}; expected finite numbers and text") from wrong
    error = next(_validator(schema).iter_errors(content), None)
    if error:
        where = ".".join(map(str, error.absolute_path)) or "message"
        raise BadMessageError(f"{where}: {error.message[:200]}")


def check_trial(trial: Mapping[str, Any], design: Mapping[str, Any]) -> None:
    """Raise :class:`BadMessageError` where a trial does not obey the design of its study."""
    condition = design["conditions"][trial["condition"]]
    responded = trial["rt"] != 0
    watched = trial["rt"] if responded else design["deadline_s"]
    wrong = not trial["correct"]
    total = watched + sum(design["phases"].values()) + (condition["penalty_s"] if wrong else 0)
    edge, speed = design["canoe"]["world"] / 2, design["canoe"]["speed"]
    reach = min(edge, abs(trial.get("start", 0)) + speed * watched)
    shortest = max(sum(design["phases"].values()), FRAME)
    # A block ends with the trial that runs at its end.
    most = math.floor(design["block_s"] / shortest) + 1
    last_block = design["blocks"] * trial["session"]
    rules = (
        (0 < watched <= design["deadline_s"], "rt within the deadline"),
        (responded or wrong, "a missed trial is not correct"),
        (trial["reward"] == condition["payoff"] * (-1 if wrong else 1), "the reward of the design"),
        (abs(trial["total"] - total) <= SLACK_S, f"a total of {total:g} s"),
        (abs(trial["position"]) <= reach + SLACK_PX, "a position in reach"),
        (last_block - design["blocks"] < trial["block"] <= last_block, "a block of the session"),
        (trial["session"] <= design["sessions"], "a session of the design"),
        (trial["trial"] <= trial["block"] * most, f"at most {most} trials a block"),
    )
    _refuse(trial, rules)
    _check_start_and_signal(trial, design, watched)
    _check_path(trial, watched, edge, speed)


def log_columns(design: Mapping[str, Any]) -> tuple[str, ...]:
    """The columns of the log of a study: start, signal and early presses only where they vary."""
    without = [] if design["gate"] else ["signal", "early"]
    without += [] if design["canoe"]["start_px"] else ["start"]
    return tuple(name for name in LOG_COLUMNS if name not in without)


def _check_start_and_signal(
    trial: Mapping[str, Any], design: Mapping[str, Any], watched: float
) -> None:
    """Refuse what the start and the gate of the design cannot have drawn."""
    gate, canoe = design["gate"], design["canoe"]
    columns = {"start", "signal", "early"} & set(log_columns(design))
    expected = listed(sorted(columns)) or "neither start nor signal"
    _refuse(trial, [(columns == {"start", "signal", "early"} & set(trial), expected)])
    start, signal = trial.get("start", 0), trial.get("signal", "")
    step = canoe["speed"] * canoe["step_s"]
    rules = [
        (abs(start) <= canoe["start_px"], "a start of the design"),
        (abs(start - step * round(start / step)) <= SLACK_PX, "a start in whole steps"),
    ]
    if gate and signal == "":
        rules += [(gate["ungated"] > 0, "a signal"), (trial["early"] == 0, "no early press")]
    elif gate:
        # A page that was hidden shows the signal late, but before the deadline.
        possible = gate["earliest_s"] - SLACK_S <= signal < design["deadline_s"]
        rules += [
            (gate["ungated"] < 1 and possible, "a signal of the design"),
            (signal <= watched, "no response before the signal"),
        ]
    _refuse(trial, rules)


def check_order(
    trial: Mapping[str, Any], before: Sequence[Mapping[str, Any]], session: int
) -> None:
    """Raise :class:`BadMessageError` where a trial that is not stored yet comes out of order."""
    last = before[-1] if before else {"trial": 0, "block": 0}
    if any(earlier["trial"] == trial["trial"] for earlier in before):
        return
    rules = (
        (trial["trial"] > last["trial"], f"a trial after {last['trial']:g}"),
        (trial["block"] >= last["block"], f"a block from {last['block']:g}"),
        (trial["session"] == session, f"session {session}"),
    )
    _refuse(trial, rules)


def _refuse(trial: Mapping[str, Any], rules: Iterable[tuple[bool, str]]) -> None:
    for holds, expected in rules:
        if not holds:
            raise BadMessageError(f"trial {trial['trial']}: expected {expected}")


def _check_path(trial: Mapping[str, Any], watched: float, edge: float, speed: float) -> None:
    time, position = trial["path"]["time"], trial["path"]["position"]
    good = (
        all(
            type(number) in (int, float) and abs(number) <= LARGEST for number in (*time, *position)
        )
        and len(time) == len(position)
        and (time[0], position[0]) == (0, trial.get("start", 0))
        and abs(time[-1] - watched) <= SLACK_S
        and abs(position[-1] - trial["position"]) <= SLACK_PX
        and max(map(abs, position)) <= edge
        and all(
            t > s and abs(y - x) <= speed * (t - s) + SLACK_PX
            for (s, x), (t, y) in pairwise(zip(time, position, strict=True))
        )
    )
    if not good:
        raise BadMessageError(f"trial {trial['trial']}: expected the path of a canoe")


def header(columns: tuple[str, ...]) -> str:
    """The first line of a file."""
    return ",".join(columns) + "\n"


def csv_rows(rows: Iterable[Iterable[Any]]) -> str:
    """Rows as CSV text, numbers with up to ten digits.

    A text that a spreadsheet would take for a formula gets a leading apostrophe.
    """
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(map(_cell, row) for row in rows)
    return text.getvalue()


def _cell(value: str | float) -> str:
    if not isinstance(value, str):
        return format(value, ".10g")
    text = " ".join(value.split())
    # Lost coins are a number, not a formula.
    formula = text[:1] in ("=", "+", "-", "@") and not re.fullmatch(r"-\d{1,9}", text)
    return f"'{text}" if formula else text


def log_row(subject: str, trial: Mapping[str, Any]) -> str:
    """A trial as a row of the log."""
    return csv_rows([[subject, *(trial[name] for name in LOG_COLUMNS if name in trial)]])


def path_rows(subject: str, trial: Mapping[str, Any]) -> str:
    """A trial's path as rows of the file of paths."""
    frames = zip(trial["path"]["time"], trial["path"]["position"], strict=True)
    return csv_rows([subject, trial["trial"], *frame] for frame in frames)


def event_rows(subject: str, session: int, run: int, message: Mapping[str, Any]) -> str:
    """The events of a message as rows of the event log."""
    return csv_rows(
        [subject, session, run, message["number"], *(event[name] for name in EVENT_COLUMNS[4:])]
        for event in message["events"]
    )
