"""Text to typed trials: every row is kept, excluded for a stated reason, or an error.

:data:`CHECKS` has everything that can be wrong with a row.  ``config.yaml`` gives the reason for
each default.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.canoe.paths import TOLERANCE, locate, plain
from fuzzybounds.canoe.task import EDGE, FRAME, FRAME_PIXELS, SPEED
from fuzzybounds.core.documents import check
from fuzzybounds.core.errors import InputError, counted, listed
from fuzzybounds.core.subjects import natural_key
from fuzzybounds.logs import units
from fuzzybounds.logs.problems import Cause, refuse
from fuzzybounds.logs.study_design import PAPER, StudyDesign
from fuzzybounds.logs.units import TIME_SLACK

ERROR, EXCLUDE, KEEP = "error", "exclude", "keep"
STRICT, KEEPABLE, KEPT = (ERROR, EXCLUDE), (ERROR, EXCLUDE, KEEP), (KEEP, ERROR, EXCLUDE)
"""What can be done about a row, first what is done by default; some rows cannot be used as they
are."""


class Check(NamedTuple):
    """Something that can be wrong with a row, and what can be done about it."""

    name: str
    column: str
    actions: tuple[str, ...]
    fix: str
    expected: str = ""
    """Empty where the design of the study says it (:meth:`StudyDesign.expectations`)."""

    def remedy(self, most: bool = False) -> str:
        """What a person can do about it; to exclude `most` rows is no remedy."""
        offered = [action for action in (EXCLUDE, KEEP) if action in self.actions]
        if most:
            offered.remove(EXCLUDE)
        setting = f", or set `validation.{self.name}: {' or '.join(offered)}` in config.yaml"
        return self.fix + setting * bool(offered)


_ROWS, _CELLS, _PLACES = "correct the rows", "correct the cells", "correct the positions"
_MAPPED = f"{_CELLS}, or map other names by `{{}}` with `fuzzybounds import`"
_CONDITIONS, _OUTCOMES = _MAPPED.format("conditions"), _MAPPED.format("outcomes")
_UNIT = "import the files with the right `units.position` in the mapping"
_PX = "positions in px from the centre, most of them where the canoe can be at that time"
_COUNT = "number the trials of each subject continuously, or omit the column"
_TRIALS = "one row per trial, numbered continuously through blocks and sessions"
_SORT = "sort the rows, and number blocks continuously through the sessions"
_MISSED = "0 where the deadline was missed"
_LATER = "not less than in the subject's rows before"
_DESIGN = "correct the cells, or `design.json` beside the logs"
_PRESS = "count presses before the signal in the column early"
_SEEN = f"within {TOLERANCE:g} px of a position that the canoe can reach"
CHECKS = (
    Check("not_a_number", "", STRICT, _CELLS, "a finite number"),
    Check("unknown_condition", "condition", STRICT, _CONDITIONS, "easy or hard (1 or 2)"),
    Check("unknown_outcome", "correct", STRICT, _OUTCOMES, "0 or 1"),
    Check("wrong_units", "position", KEEPABLE, _UNIT, _PX),
    Check("time_out_of_range", "rt", STRICT, "correct the times"),
    Check("off_screen", "position", STRICT, _PLACES, f"-{EDGE:g} to {EDGE:g} px"),
    Check("out_of_reach", "position", STRICT, _PLACES),
    Check("wrong_start", "start", STRICT, _DESIGN),
    Check("signal_out_of_range", "signal", STRICT, _DESIGN),
    Check("response_before_signal", "rt", STRICT, _PRESS, "a response after the signal"),
    # Dropped frames slow the canoe: the response is real, but has no path.
    Check("off_lattice", "position", KEPT, _ROWS, _SEEN),
    Check("reward_mismatch", "reward", KEEPABLE, _ROWS),
    Check("total_mismatch", "total", KEEPABLE, _ROWS),
    Check("missed_deadline", "rt", KEPT, _ROWS, "a response before the deadline"),
    Check("missed_but_correct", "correct", KEEPABLE, "correct the outcomes", _MISSED),
    # The published logs leave the 15 s out; they are added.
    Check("missed_without_wait", "total", KEPT, _ROWS),
    Check("repeated_trial", "trial", STRICT, _COUNT, _TRIALS),
    # Without trial numbers two equal trials look like one logged twice.
    Check("repeated_row", "", KEPT, _ROWS, "a row that differs from the others of its block"),
    Check("blocks_out_of_order", "block", KEEPABLE, _SORT, _LATER),
)
BY_NAME = {check.name: check for check in CHECKS}
NO_PATH = "no_path"
"""The reason for which a trial has no path that was not recorded and cannot be inferred."""
DEFAULT_ACTIONS = {check.name: check.actions[0] for check in CHECKS}
SCHEMA = {
    "additionalProperties": False,
    "properties": {check.name: {"enum": list(check.actions)} for check in CHECKS},
}
CONDITION_NAMES = {"easy": "easy", "hard": "hard", "1": "easy", "2": "hard"}
OUTCOMES = {"0": 0.0, "1": 1.0, "0.0": 0.0, "1.0": 1.0}


class Validated(NamedTuple):
    """The result of validation.

    `trials` has one typed row per trial; `exclusions` one row for each row of the logs that is not
    among the trials (scope ``trials``), or that has no path (scope ``paths``), with the reason;
    `counts` one row per check: what was done, and how many rows it concerned.
    """

    trials: pd.DataFrame
    exclusions: pd.DataFrame
    counts: pd.DataFrame


class _Findings:
    """Collects what the checks find; an error stops the run only after the last check."""

    def __init__(self, raw: pd.DataFrame, actions: Mapping[str, str], design: StudyDesign):
        self.raw, self.actions = raw, actions
        self.expected = {check.name: check.expected for check in CHECKS} | design.expectations()
        self.failing = {check.name: np.zeros(len(raw), dtype=bool) for check in CHECKS}
        self.causes: list[Cause] = []

    def add(self, name: str, mask, column: str | None = None, expected="", remedy="") -> None:
        """Note the rows in `mask`."""
        mask = np.asarray(mask, dtype=bool)
        self.failing[name] = self.failing[name] | mask
        if self.actions[name] == ERROR and mask.any():
            column = BY_NAME[name].column if column is None else column
            places = self.raw.loc[mask, ["file", "row"]]
            places = places.assign(value=self.raw.loc[mask, column] if column else "")
            remedy = remedy or BY_NAME[name].remedy(mask.mean() > units.MOSTLY)
            self.causes.append(Cause(name, column, expected or self.expected[name], places, remedy))


def validate(
    raw: pd.DataFrame, actions: Mapping[str, str] | None = None, design: StudyDesign = PAPER
) -> Validated:
    """Check raw logs, as :mod:`fuzzybounds.logs.reading` reads them, and turn them into trials.

    `actions` say what to do about checks (``error``, ``exclude`` or ``keep``) where it is not the
    default; rows are judged by `design`.  An :class:`InputError` has every cause, and where it
    first appears.
    """
    raw, actions = raw.reset_index(drop=True), dict(actions or {})
    check(actions, SCHEMA, "validation options")
    findings = _Findings(raw, DEFAULT_ACTIONS | actions, design)
    values = _to_numbers(raw, findings)
    _check_rows(raw, values, findings, design)
    _check_order(raw, values, findings)
    refuse(sorted(findings.causes, key=lambda cause: cause.places.index[0]), "in the logs")
    return _conclude(raw, values, findings)


def _to_numbers(raw: pd.DataFrame, findings: _Findings) -> pd.DataFrame:
    """Type every column; rows whose place in the order is known are `numbered`."""
    nameless = raw["subject"] == ""
    findings.add("not_a_number", nameless, "subject", "a name or a number")
    values = pd.DataFrame({"subject": raw["subject"], "numbered": ~nameless})
    for name in ("session", "block", "trial", "rt", "total", "reward", "position"):
        if name not in raw:
            continue
        number = pd.to_numeric(raw[name], errors="coerce").to_numpy(dtype=float)
        if name == "rt":
            number = np.where(raw[name] == "", 0.0, number)
        bad = ~np.isfinite(number)
        number = np.where(bad, np.nan, number)
        findings.add("not_a_number", bad, name)
        if name in ("session", "block", "trial"):
            whole = np.where(bad, 1.0, number)
            odd = (whole < 1) | (whole % 1 != 0) | (whole > 1e9)
            findings.add("not_a_number", odd, name, "a whole number from 1")
            values["numbered"] &= ~bad & ~odd
            number = np.where(odd, 1.0, whole).astype(int)
        values[name] = number
    for name, missing in (("start", 0.0), ("signal", np.nan), ("early", 0.0)):
        if name in raw:
            number = pd.to_numeric(raw[name], errors="coerce").to_numpy(dtype=float)
            number = np.where(raw[name] == "", missing, number)
            bad = (raw[name] != "") & ~np.isfinite(number)
            if name == "early":
                bad |= (number < 0) | (number % 1 != 0)
            expected = "a whole number from 0" if name == "early" else ""
            findings.add("not_a_number", bad, name, expected)
            values[name] = np.where(bad, missing, number)
    values["condition"] = raw["condition"].str.lower().map(CONDITION_NAMES)
    outcome = raw["correct"].map(OUTCOMES)
    findings.add("unknown_condition", values["condition"].isna())
    findings.add("unknown_outcome", outcome.isna())
    values["correct"] = outcome == 1.0
    values["responded"] = values["rt"] != 0
    if "session" not in values:
        values["session"] = 1
    if "trial" not in values:
        values["trial"] = values.groupby("subject", sort=False).cumcount() + 1
    return values


def _check_rows(
    raw: pd.DataFrame, values: pd.DataFrame, findings: _Findings, design: StudyDesign
) -> None:
    """Judge each row by the design of the task; missing rewards and totals are computed."""
    deadline = design.deadline
    rt, position = values["rt"].to_numpy(), values["position"].to_numpy()
    responded, correct = values["responded"].to_numpy(), values["correct"].to_numpy()
    missed = ~responded & np.isfinite(rt)
    # NaN compares false everywhere: a cell that is not a number is reported only once.  No check
    # uses a time, condition or outcome that is itself wrong.
    late = (rt < 0) | (rt > deadline + FRAME)
    findings.add("time_out_of_range", late, remedy=units.in_milliseconds(rt))
    known = ~(findings.failing["unknown_condition"] | findings.failing["unknown_outcome"])
    start = values.get("start", pd.Series(0.0, values.index)).to_numpy()
    signal = values.get("signal", pd.Series(np.nan, values.index)).to_numpy()
    _check_beyond_the_paper(findings, design, start, signal, np.where(responded, rt, np.nan))
    # The lattice is that of the paper's canoe; one of another speed or start is not judged by it.
    from_centre = start == 0
    judged = responded & (design.speed == SPEED) & from_centre
    short, remedy = units.wrong_times(raw["file"], rt, position, judged)
    findings.add("wrong_units", short, "rt", "times in s that fit the positions", remedy)
    timed = (rt >= 0) & ~late & ~short
    foreign, remedy = units.wrong_positions(raw["file"], rt, position, judged)
    findings.add("wrong_units", foreign, remedy=remedy)
    if findings.actions["wrong_units"] != KEEP:
        # What follows from the unit is not reported again.
        position = np.where(foreign, np.nan, position)
    off_screen = np.abs(position) > EDGE
    findings.add("off_screen", off_screen)
    watched = np.where(missed, deadline, rt)
    reach = np.abs(start) + design.speed * (watched + FRAME) + FRAME_PIXELS
    out_of_reach = timed & ~off_screen & (np.abs(position) > reach)
    findings.add("out_of_reach", out_of_reach)
    usable = responded & timed & ~off_screen & ~out_of_reach & np.isfinite(position)
    lattice = locate(np.where(usable, rt, 0.0), np.where(usable, position, 0.0))
    findings.add("off_lattice", usable & from_centre & ~lattice.fits)

    penalty, payoff = (
        values["condition"].map({name: getattr(c, what) for name, c in design.conditions.items()})
        for what in ("penalty", "payoff")
    )
    reward = np.where(correct, payoff, -payoff)
    if "reward" in values:
        wrong = known & np.isfinite(values["reward"]) & (values["reward"] != reward)
        findings.add("reward_mismatch", wrong)
    else:
        values["reward"] = reward
    expected = watched + design.overhead + np.where(correct, 0.0, penalty)
    if "total" in values:
        total = values["total"].to_numpy()
        unwatched = missed & known & (np.abs(total + deadline - expected) <= TIME_SLACK)
        findings.add("missed_without_wait", unwatched)
        values["total"] = total = np.where(unwatched, expected, total)
        wrong = known & timed & (np.abs(total - expected) > TIME_SLACK)
        findings.add("total_mismatch", wrong, remedy=units.unit_of_total(total, expected))
    else:
        values["total"] = expected
    findings.add("missed_deadline", missed)
    findings.add("missed_but_correct", missed & correct)


def _check_beyond_the_paper(
    findings: _Findings, design: StudyDesign, start: np.ndarray, signal: np.ndarray, rt: np.ndarray
) -> None:
    """Judge starts and signals, which the paper's design does not have."""
    needed = {"start": bool(design.start), "signal": design.gate is not None}
    if missing := [name for name, need in needed.items() if need and name not in findings.raw]:
        lines = [f"no column {name!r}, which the design of the study needs" for name in missing]
        raise InputError(f"{listed(findings.raw['file'].unique())}: {len(missing)} problem", lines)
    steps = start / (design.speed * design.step)
    whole = np.abs(steps - np.round(steps)) < 1e-6
    findings.add("wrong_start", ~whole | (np.abs(start) > design.start + 1e-6))
    gated, gate = np.isfinite(signal), design.gate
    outside = gated & (gate is None)
    if gate is not None:
        # The first frame that shows it may be late, but not after the deadline.
        outside = (signal < gate.earliest - FRAME) | (signal >= design.deadline)
    findings.add("signal_out_of_range", outside)
    findings.add("response_before_signal", rt < signal)


def _check_order(raw: pd.DataFrame, values: pd.DataFrame, findings: _Findings) -> None:
    """Judge each row against the others."""
    findings.add("repeated_row", raw.drop(columns=["file", "row"]).duplicated())
    numbered = values[values["numbered"]]
    if "trial" in raw:
        repeated = numbered.duplicated(["subject", "trial"])
        findings.add("repeated_trial", repeated.reindex(values.index, fill_value=False))
        numbered = numbered.sort_values(["subject", "trial"], kind="stable")
    furthest = numbered.groupby("subject", sort=False)[["session", "block"]].cummax()
    for column in furthest:
        back = (numbered[column] < furthest[column]).reindex(values.index, fill_value=False)
        findings.add("blocks_out_of_order", back, column)


def _conclude(raw: pd.DataFrame, values: pd.DataFrame, findings: _Findings) -> Validated:
    """Exclude rows, each for the first reason, and count what was found."""
    excluded = np.zeros(len(raw), dtype=bool)
    places = raw[["file", "row", "subject", "block"]].assign(
        trial=values["trial"].where(values["numbered"]).astype("Int64")
    )
    rows = []
    for name, mask in findings.failing.items():
        if findings.actions[name] == EXCLUDE:
            rows.append(places[mask & ~excluded].assign(reason=name, scope="trials"))
            excluded = excluded | mask
    without_path = findings.failing["off_lattice"] & ~excluded
    rows.append(places[without_path].assign(reason="off_lattice", scope="paths"))
    unbridged = ~plain(values) & ~excluded
    rows.append(places[unbridged].assign(reason=NO_PATH, scope="paths"))
    exclusions = pd.concat(rows).sort_values(["file", "row"], kind="stable", ignore_index=True)
    if excluded.all():
        reasons = exclusions["reason"].value_counts()
        raise InputError(
            f"{listed(raw['file'].unique())}: every trial is excluded",
            [f"{reason}: {counted(int(n), 'row')}" for reason, n in reasons.items()],
        )
    counts = pd.DataFrame(
        {
            "check": name,
            "action": findings.actions[name],
            "rows": int(mask.sum()),
            "expected": findings.expected[name],
        }
        for name, mask in findings.failing.items()
    )
    return Validated(_typed(values[~excluded]), exclusions, counts)


def _typed(values: pd.DataFrame) -> pd.DataFrame:
    """Return trials with the types of ``trials.parquet``, subjects in natural order."""
    values = values.assign(rt=values["rt"].where(values["responded"]))
    types = {"subject": "str", **dict.fromkeys(("session", "block", "trial"), "int32")}
    types |= {"rt": "float64", "total": "float64", "reward": "float64", "condition": "str"}
    beyond = [name for name in ("start", "signal", "early") if name in values]
    trials = values.astype(types)[[*types, "correct", "position", "responded", *beyond]]
    in_order = sorted(trials["subject"].unique(), key=natural_key)
    order = trials["subject"].map({name: n for n, name in enumerate(in_order)})
    return trials.iloc[np.lexsort((trials["trial"], order))].reset_index(drop=True)
