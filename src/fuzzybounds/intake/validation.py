"""Text to typed trials: every row is kept, excluded for a stated reason, or an error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from fuzzybounds.canoe.paths import locate
from fuzzybounds.canoe.task import EDGE, FRAME, FRAME_PIXELS, SPEED
from fuzzybounds.intake.causes import (
    Cause,
    in_milliseconds,
    other_units,
    table_of_places,
    too_short,
    unit_of_total,
)
from fuzzybounds.intake.checks import (
    CHECKS,
    DEFAULT_ACTIONS,
    ERROR,
    EXCLUDE,
    KEEP,
    TIME_SLACK,
)
from fuzzybounds.intake.logs import CONDITION_NAMES
from fuzzybounds.intake.study_design import PAPER, StudyDesign
from fuzzybounds.storage.errors import InputError, counted, listed
from fuzzybounds.storage.natural_order import natural_key


@dataclass
class Validated:
    """The result of validation.

    Attributes
    ----------
    trials : DataFrame
        One typed row per trial.
    exclusions : DataFrame
        One row for each row of the logs that `trials` has not (scope ``trials``), or that has no
        path (scope ``paths``), with the reason.
    counts : DataFrame
        One row per check: what was done, and how many rows it concerned.
    """

    trials: pd.DataFrame
    exclusions: pd.DataFrame
    counts: pd.DataFrame


class LogError(InputError):
    """Rows of logs that cannot be used.

    Attributes
    ----------
    places : DataFrame
        One row per finding: check, column, file, row, value, and index within the raw logs.
    """

    places: pd.DataFrame


@dataclass
class _Findings:
    """Collects what the checks find; an error stops the run only after the last check."""

    raw: pd.DataFrame
    actions: Mapping[str, str]
    expected: Mapping[str, str] = field(default_factory=dict)
    causes: list[Cause] = field(default_factory=list)
    found: dict[str, np.ndarray] = field(default_factory=dict)

    def add(
        self,
        name: str,
        mask: np.ndarray,
        column: str | None = None,
        expected: str = "",
        remedy: str = "",
    ):
        """Note the rows in `mask`."""
        mask = np.asarray(mask, dtype=bool)
        self.found[name] = self.found.get(name, np.zeros(len(self.raw), dtype=bool)) | mask
        if self.actions[name] == ERROR and mask.any():
            check = next(check for check in CHECKS if check.name == name)
            column = check.column if column is None else column
            said = expected or self.expected.get(name, check.expected)
            self.causes.append(Cause(check, column, said, mask, remedy))

    def refuse(self) -> None:
        """Raise an error with one line per cause, if any was found."""
        if not self.causes:
            return
        self.causes.sort(key=lambda cause: int(cause.mask.argmax()))
        places = pd.concat([cause.places(self.raw) for cause in self.causes], ignore_index=True)
        files = listed(dict.fromkeys(self.raw["file"].iloc[sorted(places["index"])]))
        kinds = f" of {len(self.causes)} kinds" if len(self.causes) > 1 else ""
        error = LogError(
            f"{files}: {counted(places)}{kinds} in the logs",
            [cause.sentence(self.raw) for cause in self.causes],
            table_of_places(places.groupby(["file", "check"], sort=False).size(), "check"),
        )
        error.places = places
        raise error


def validate(
    raw: pd.DataFrame, actions: Mapping[str, str] | None = None, design: StudyDesign = PAPER
) -> Validated:
    """Check raw logs and turn them into typed trials.

    Parameters
    ----------
    raw : DataFrame of str
        As :mod:`fuzzybounds.intake.logs` reads it.
    actions : mapping, optional
        What to do about each check (``error``, ``exclude`` or ``keep``), where it is not the
        check's own default.
    design : StudyDesign
        What the rows are judged by; the paper's by default.

    Raises
    ------
    InputError
        With every cause, and where it first appears: :class:`LogError`.
    """
    actions = _complete_actions(actions or {})
    findings = _Findings(raw, actions, {} if design == PAPER else design.expectations())
    values = _to_numbers(raw, findings)
    _check_rows(raw, values, findings, design)
    findings.refuse()
    return _conclude(raw, values, findings)


def _complete_actions(actions: Mapping[str, str]) -> dict[str, str]:
    problems = [
        f"unknown check {name!r}; known: {', '.join(DEFAULT_ACTIONS)}"
        for name in actions
        if name not in DEFAULT_ACTIONS
    ]
    for check in CHECKS:
        action = actions.get(check.name, check.action)
        if action not in check.actions:
            problems.append(f"{check.name}: {action!r}; expected one of {', '.join(check.actions)}")
    if problems:
        raise InputError("validation options", problems)
    return {**DEFAULT_ACTIONS, **actions}


def _to_numbers(raw: pd.DataFrame, findings: _Findings) -> pd.DataFrame:
    """Type every column; missing optional ones are computed from the design."""
    values = pd.DataFrame({"subject": raw["subject"]})
    nameless = raw["subject"] == ""
    findings.add("not_a_number", nameless, "subject", "a name or a number")
    values["numbered"] = ~nameless
    for name in ("session", "block", "trial", "rt", "total", "reward", "position"):
        if name not in raw:
            continue
        blank = raw[name] == ""
        number = pd.to_numeric(raw[name], errors="coerce").to_numpy(dtype=float)
        bad = ~np.isfinite(number)
        number = np.where(bad, np.nan, number)
        if name == "rt":
            bad &= ~blank
            number = np.where(blank, 0.0, number)
        findings.add("not_a_number", bad, name)
        if name in ("session", "block", "trial"):
            whole = np.where(bad, 1.0, number)
            odd = (whole < 1) | (whole % 1 != 0) | (whole > 1e9)
            findings.add("not_a_number", odd, name, "a whole number from 1")
            values["numbered"] &= ~bad & ~odd
            number = np.where(odd, 1.0, whole).astype(int)
        values[name] = number
    values["condition"] = raw["condition"].str.lower().map(CONDITION_NAMES)
    outcome = raw["correct"].map({"0": 0.0, "1": 1.0, "0.0": 0.0, "1.0": 1.0})
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
    """Judge each row by the design of the task, and against the other rows."""
    deadline = design.deadline
    rt, position = values["rt"].to_numpy(), values["position"].to_numpy()
    responded = values["responded"].to_numpy()
    missed = ~responded & np.isfinite(rt)
    # NaN compares false everywhere: a cell that is not a number is reported only once.  No check
    # uses a time, condition or outcome that is itself wrong.
    late = (rt < 0) | (rt > deadline + FRAME)
    findings.add("time_out_of_range", late, remedy=in_milliseconds(rt, late))
    timed = (rt >= 0) & (rt <= deadline + FRAME)
    known = ~(findings.found["unknown_condition"] | findings.found["unknown_outcome"])
    # The lattice is that of the paper's canoe; one of another speed is not judged by it.
    paper_speed = responded & (design.speed == SPEED)
    short, said = too_short(raw["file"], rt, position, paper_speed)
    findings.add("wrong_units", short, "rt", "times in s that fit the positions", said)
    timed &= ~short
    foreign, said = other_units(raw["file"], rt, position, paper_speed & ~short)
    findings.add("wrong_units", foreign, remedy=said)
    if findings.actions["wrong_units"] != KEEP:
        # What follows from the unit is not reported again.
        position = np.where(foreign, np.nan, position)
    off_screen = np.abs(position) > EDGE
    findings.add("off_screen", off_screen)
    watched = np.where(missed, deadline, rt)
    reach = design.speed * (watched + FRAME) + FRAME_PIXELS
    out_of_reach = timed & ~off_screen & (np.abs(position) > reach)
    findings.add("out_of_reach", out_of_reach)
    usable = responded & timed & ~off_screen & ~out_of_reach & np.isfinite(position)
    lattice = locate(np.where(usable, rt, 0.0), np.where(usable, position, 0.0))
    findings.add("off_lattice", usable & ~lattice.fits)

    penalty, payoff = (
        values["condition"].map({name: getattr(c, what) for name, c in design.conditions.items()})
        for what in ("penalty", "payoff")
    )
    correct = values["correct"].to_numpy()
    expected_reward = np.where(correct, payoff, -payoff)
    if "reward" in values:
        wrong = known & np.isfinite(values["reward"]) & (values["reward"] != expected_reward)
        findings.add("reward_mismatch", wrong)
    else:
        values["reward"] = expected_reward
    expected_total = watched + design.overhead + np.where(correct, 0.0, penalty)
    if "total" in values:
        without_wait = missed & known & _near(values["total"], expected_total - deadline)
        findings.add("missed_without_wait", without_wait)
        values.loc[without_wait, "total"] = expected_total[without_wait]
        wrong = known & np.isfinite(values["total"]) & ~_near(values["total"], expected_total)
        said = unit_of_total(values["total"].to_numpy(), expected_total)
        findings.add("total_mismatch", wrong & timed, remedy=said)
    else:
        values["total"] = expected_total
    findings.add("missed_deadline", missed)
    findings.add("missed_but_correct", missed & correct)
    _check_order(raw, values, findings)


def _near(total: pd.Series, expected: np.ndarray) -> np.ndarray:
    return np.abs(total.to_numpy() - expected) <= TIME_SLACK


def _check_order(raw: pd.DataFrame, values: pd.DataFrame, findings: _Findings) -> None:
    content = raw.drop(columns=["file", "row"])
    findings.add("repeated_row", content.duplicated())
    numbered = values[values["numbered"]]

    def add(name: str, mask: pd.Series, column: str) -> None:
        findings.add(name, mask.reindex(values.index, fill_value=False), column)

    if "trial" in raw:
        add("repeated_trial", numbered.duplicated(["subject", "trial"]), "trial")
        numbered = numbered.sort_values(["subject", "trial"], kind="stable")
    furthest = numbered.groupby("subject", sort=False)[["session", "block"]].cummax()
    for column in furthest:
        add("blocks_out_of_order", numbered[column] < furthest[column], column)


def _conclude(raw: pd.DataFrame, values: pd.DataFrame, findings: _Findings) -> Validated:
    nothing = np.zeros(len(raw), dtype=bool)
    excluded = nothing
    rows = []
    trial = values["trial"].where(values["numbered"]).astype("Int64")

    def exclude(mask: np.ndarray, reason: str, scope: str) -> None:
        concerned = raw.loc[mask, ["file", "row", "subject", "block"]]
        rows.append(concerned.assign(trial=trial[mask], reason=reason, scope=scope))

    for check in CHECKS:
        if findings.actions[check.name] == EXCLUDE:
            mask = findings.found.get(check.name, nothing)
            exclude(mask & ~excluded, check.name, "trials")
            excluded = excluded | mask
    exclude(findings.found["off_lattice"] & ~excluded, "off_lattice", "paths")
    exclusions = pd.concat(rows).sort_values(["file", "row"], kind="stable")
    if excluded.all():
        raise InputError(
            f"{', '.join(sorted(raw['file'].unique()))}: every trial is excluded",
            [
                f"{reason}: {counted(int(n), 'row')}"
                for reason, n in exclusions["reason"].value_counts().items()
            ],
        )
    counts = pd.DataFrame(
        {
            "check": check.name,
            "action": findings.actions[check.name],
            "rows": int(findings.found.get(check.name, np.zeros(1, dtype=bool)).sum()),
            "expected": findings.expected.get(check.name, check.expected),
        }
        for check in CHECKS
    )
    return Validated(_typed(values[~excluded]), exclusions.reset_index(drop=True), counts)


def _typed(values: pd.DataFrame) -> pd.DataFrame:
    trials = pd.DataFrame(
        {
            "subject": values["subject"].astype("str"),
            "session": values["session"].astype("int32"),
            "block": values["block"].astype("int32"),
            "trial": values["trial"].astype("int32"),
            "rt": values["rt"].where(values["responded"]).astype(float),
            "total": values["total"].astype(float),
            "reward": values["reward"].astype(float),
            "condition": values["condition"].astype("str"),
            "correct": values["correct"].astype(bool),
            "position": values["position"].astype(float),
            "responded": values["responded"].astype(bool),
        }
    )
    order = sorted(trials["subject"].unique(), key=natural_key)
    rank = trials["subject"].map({subject: place for place, subject in enumerate(order)})
    trials = trials.assign(_rank=rank).sort_values(["_rank", "trial"], kind="stable")
    return trials.drop(columns="_rank").reset_index(drop=True)
