"""The design of a data set, and which analyses assume the paper's design.

A data set may include ``design.json`` next to its logs, as the canoe task in the browser writes it.
Validation then judges its rows by that design.  Without the file the design is the paper's.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from fuzzybounds.canoe.task import BLOCK, CONDITIONS, DEADLINE, OVERHEAD, SPEED, STEP, Condition
from fuzzybounds.core.documents import check, read_yaml
from fuzzybounds.core.errors import InputError
from fuzzybounds.core.tables import read_json
from fuzzybounds.logs.files import data_set_folder

FILE = "design.json"
SCHEMA = read_yaml(Path(__file__).with_name("design.schema.yaml"))


EXPONENTIAL, UNIFORM = "exponential", "uniform"


@dataclass(frozen=True)
class Gate:
    """A signal at a random time (s) before which responses do not count.

    Its time is uniform from `earliest` to `latest`, or `earliest` plus an exponential time, cut at
    `latest`; uncut it would have the given mean.  A share of the trials is `ungated`.
    """

    distribution: str
    earliest: float
    latest: float
    ungated: float
    mean: float | None = None

    def times(self, uniform: np.ndarray) -> np.ndarray:
        """Return the times that belong to uniform numbers, by inversion."""
        span = self.latest - self.earliest
        if self.mean is None:
            return self.earliest + span * uniform
        scale = self.mean - self.earliest
        return self.earliest - scale * np.log1p(uniform * np.expm1(-span / scale))


@dataclass(frozen=True)
class StudyDesign:
    """What a study fixes, in the units of the library (s, px, coins).

    `overhead` is the time of a trial without decision and penalty, `block` the length of a block,
    `blocks` their number in a session, `hard_share` the probability that a trial is hard; without
    cues it is `experiment` B.  The canoe starts within `start` px of the centre, and draws a
    direction every `step` s.
    """

    conditions: Mapping[str, Condition] = field(default_factory=lambda: dict(CONDITIONS))
    speed: float = SPEED
    deadline: float = DEADLINE
    overhead: float = OVERHEAD
    block: float = BLOCK
    blocks: int = 40
    hard_share: float = 0.5
    experiment: str = "A"
    start: float = 0.0
    gate: Gate | None = None
    step: float = STEP

    @property
    def plain(self) -> bool:
        """Whether every trial starts at the centre and has no gate."""
        return self.start < self.speed * self.step and self.gate is None

    def expectations(self) -> dict[str, str]:
        """Describe what :mod:`fuzzybounds.logs.validation` expects under this design."""
        kinds = self.conditions.values()
        payoffs = ", ".join(f"+{one.payoff:g} or -{one.payoff:g} on {one.name}" for one in kinds)
        waits = "".join(
            f" + {one.penalty:g} s after an incorrect {one.name} trial"
            for one in kinds
            if one.penalty
        )
        return {
            "time_out_of_range": f"0 to {self.deadline:g} s",
            "out_of_reach": f"at most {self.speed:g} px for each second of rt",
            "reward_mismatch": f"{payoffs} trials, positive when correct",
            "total_mismatch": f"rt + {self.overhead:g} s{waits}",
            "missed_without_wait": f"{self.deadline:g} s of watching included",
            "wrong_start": f"a multiple of {self.speed * self.step:g} px within {self.start:g} px",
            "signal_out_of_range": f"from {self.gate.earliest:g} s, before the deadline, or empty"
            if self.gate
            else "no signal: the design has no gate",
        }


PAPER = StudyDesign()


def read_design(folder: str | Path) -> StudyDesign:
    """Read the design that lies beside the logs in `folder`; the paper's where there is none."""
    file = Path(folder) / FILE
    return from_document(read_json(file), str(file)) if file.is_file() else PAPER


def design_of(files: Iterable[Path]) -> StudyDesign:
    """The design of logs: that of their folders, which must agree."""
    folders = sorted(set(map(data_set_folder, files)))
    first, *others = map(read_design, folders)
    if any(design != first for design in others):
        where = [str(folder / FILE) for folder in folders]
        raise InputError("logs of different designs", [*where, "check each folder by itself"])
    return first


def from_document(document: Any, source: str) -> StudyDesign:
    """Check the content of ``design.json`` and return it in the library's terms."""
    check(document, SCHEMA, source)
    check_gate(document, source)
    return StudyDesign(
        conditions={
            name: Condition(name, values["p0"], values["payoff"], values["penalty_s"])
            for name, values in document["conditions"].items()
        },
        speed=document["canoe"]["speed"],
        deadline=document["deadline_s"],
        overhead=sum(document["phases"].values()),
        block=document["block_s"],
        blocks=document.get("blocks", PAPER.blocks),
        hard_share=document.get("hard_share", PAPER.hard_share),
        experiment=document["experiment"],
        start=document["canoe"].get("start_px", 0.0),
        gate=_gate(document.get("gate")),
        step=document["canoe"].get("step_s", STEP),
    )


def _gate(document: Mapping[str, Any] | None) -> Gate | None:
    """Return the gate of a document."""
    if document is None:
        return None
    times = {name.removesuffix("_s"): value for name, value in document.items() if name != "sound"}
    return Gate(**times)


def check_gate(document: Mapping[str, Any], source: str) -> None:
    """Raise an :class:`InputError` that says which times of a gate do not fit together."""
    gate = document.get("gate")
    if gate is None:
        return
    earliest, latest, mean = (gate.get(f"{name}_s") for name in ("earliest", "latest", "mean"))
    problems = []
    if not earliest < latest < document["deadline_s"]:
        limits = f"earliest_s ({earliest:g}) and the deadline ({document['deadline_s']:g} s)"
        problems.append(f"gate.latest_s: {latest:g}; expected a time between {limits}")
    if gate["distribution"] == EXPONENTIAL and not earliest < (mean or 0.0) < latest:
        given = "missing" if mean is None else f"{mean:g}"
        limits = f"earliest_s ({earliest:g}) and latest_s ({latest:g})"
        problems.append(f"gate.mean_s: {given}; expected a time between {limits}")
    if gate["distribution"] == UNIFORM and mean is not None:
        problems.append(f"gate.mean_s: {mean:g}; a uniform gate has none: omit it")
    if problems:
        raise InputError(f"{source}: gate", problems)


def notes(folder: str | Path) -> list[str]:
    """Say how the data of a folder were recorded: departures from the paper, and frame gaps."""
    lines = departures(read_design(folder))
    gaps = []
    for file in sorted(Path(folder).glob("events/*.csv")):
        with file.open(encoding="utf-8", newline="") as opened:
            events = [row for row in csv.DictReader(opened) if row["event"] == "gap"]
        # Block 0 is practice.
        if flagged := {row["trial"] for row in events if row["block"] != "0"}:
            gaps.append(f"{file.stem}: {len(flagged)}")
    if gaps:
        lines.append(f"trials with a frame gap, by subject (events/): {', '.join(gaps)}")
    return lines


SIMULATIONS = "the optimum and the learning simulations (Figs. 16, 17; C16, C17)"
FIRST_LAST = "C01 and the first and last 20 blocks (Figs. 10 to 15)"
ASSUMED = (
    ("p0", "P0 of {} trials", "", f"C01 and {SIMULATIONS}"),
    ("payoff", "the payoff of {} trials", "", f"C01, C04, Figs. 1 and S2, {SIMULATIONS}"),
    ("penalty", "the wait after {} errors", " s", f"C01, {SIMULATIONS}"),
    ("speed", "the canoe's speed", " px/s", f"paths that were not recorded, {SIMULATIONS}"),
    ("deadline", "the deadline", " s", f"missed trials, Figs. 1, 10 to 14, S2 and {SIMULATIONS}"),
    ("overhead", "a trial without its decision", " s", f"C01, Figs. 1, S2, {SIMULATIONS}"),
    ("block", "a block", " s", "C01"),
    ("blocks", "the number of blocks", "", FIRST_LAST),
    ("hard_share", "the share of hard trials", "", SIMULATIONS),
)
"""A value of a design, what it is called, its unit, and what assumes the paper's value."""


LEFT_OUT = (
    "such trials need their recorded path; fits of stopping models and the posterior of rules use "
    "them, all other analyses leave them out, as they assume a start at the centre and responses "
    "at any time"
)


def _beyond_the_paper(design: StudyDesign) -> list[str]:
    """Say what a start or a gate changes, neither of which the paper has."""
    changes = []
    if design.start:
        changes.append(f"the canoe starts up to {design.start:g} px from the centre")
    if design.gate:
        share = f"on {100 * (1 - design.gate.ungated):g} % of the trials"
        times = f"{design.gate.earliest:g} to {design.gate.latest:g} s after the first movement"
        changes.append(f"{share} responses count after a signal only, {times}")
    return [f"{'; '.join(changes)}: {LEFT_OUT}"] * bool(changes)


def departures(design: StudyDesign) -> list[str]:
    """List where a design departs from the paper's, and which analyses assume the paper's."""
    pairs = [(condition, CONDITIONS[name], name) for name, condition in design.conditions.items()]
    lines = []
    for here, paper, name in (*pairs, (design, PAPER, "")):
        for value, what, unit, assumed in ASSUMED:
            ours, theirs = getattr(here, value, 0.0), getattr(paper, value, 0.0)
            if not math.isclose(ours, theirs):
                lines.append(
                    f"{what.format(name)} is {ours:g}{unit}, not the paper's {theirs:g}{unit}, "
                    f"as assumed by {assumed}"
                )
    lines += _beyond_the_paper(design)
    if design.experiment == "B":
        lines.append(
            "Experiment B, without cues: fits and groups of easy trials (Figs. 1, 8, 10 to 15) "
            "assume that subjects can tell easy from hard trials, as in Experiment A"
        )
    return lines
