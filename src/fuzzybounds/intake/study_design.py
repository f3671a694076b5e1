"""The design of a data set, and which analyses assume the paper's design.

A data set may include ``design.json`` next to its logs, as the canoe task in the browser writes it.
Validation then judges its rows by that design.  Without the file the design is the paper's.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fuzzybounds.canoe.task import BLOCK, CONDITIONS, DEADLINE, OVERHEAD, SPEED, Condition
from fuzzybounds.storage.errors import InputError
from fuzzybounds.storage.schemas import check
from fuzzybounds.storage.tables import read_json

FILE = "design.json"
EVENTS = "events"
HARD_SHARE = 0.5
BLOCKS = 40
SLACK = 1e-9


@dataclass(frozen=True)
class StudyDesign:
    """What a study fixes, in the units of the library (s, px, coins).

    Attributes
    ----------
    conditions : mapping of str to Condition
    speed, deadline, overhead, block : float
        Speed of the canoe; longest decision; time of a trial without decision and penalty;
        length of a block.
    blocks : int
        Blocks of a session.
    hard_share : float
        Probability that a trial is hard.
    experiment : {"A", "B"}
        With cues, or without.
    """

    conditions: Mapping[str, Condition] = field(default_factory=lambda: dict(CONDITIONS))
    speed: float = SPEED
    deadline: float = DEADLINE
    overhead: float = OVERHEAD
    block: float = BLOCK
    blocks: int = BLOCKS
    hard_share: float = HARD_SHARE
    experiment: str = "A"

    def expectations(self) -> dict[str, str]:
        """Describe what :mod:`fuzzybounds.intake.checks` expects under this design."""
        payoffs = ", ".join(f"±{own.payoff:g} on {own.name}" for own in self.conditions.values())
        waits = ", ".join(
            f"{own.penalty:g} s after {own.name} errors" for own in self.conditions.values()
        )
        return {
            "time_out_of_range": f"0 to {self.deadline:g} s",
            "out_of_reach": f"at most {self.speed:g} px for each second of rt",
            "reward_mismatch": f"{payoffs} trials, positive when correct",
            "total_mismatch": f"rt + {self.overhead:g} s, {waits}",
            "missed_without_wait": f"{self.deadline:g} s of watching included",
        }


PAPER = StudyDesign()

_POSITIVE = {"type": "number", "exclusiveMinimum": 0}
_CONDITION = {
    "type": "object",
    "required": ["p0", "payoff", "penalty_s"],
    "properties": {
        "p0": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
        "payoff": _POSITIVE,
        "penalty_s": {"type": "number", "minimum": 0},
    },
}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["experiment", "conditions", "canoe", "deadline_s", "phases", "block_s"],
    "properties": {
        "experiment": {"enum": ["A", "B"]},
        "conditions": {
            "type": "object",
            "required": ["easy", "hard"],
            "properties": {"easy": _CONDITION, "hard": _CONDITION},
        },
        "canoe": {"type": "object", "required": ["speed"], "properties": {"speed": _POSITIVE}},
        "deadline_s": _POSITIVE,
        "phases": {"type": "object", "additionalProperties": {"type": "number", "minimum": 0}},
        "block_s": _POSITIVE,
        "blocks": {"type": "integer", "minimum": 1},
        "hard_share": {"type": "number", "minimum": 0, "maximum": 1},
    },
}


def read_design(folder: str | Path) -> StudyDesign:
    """Read the design that lies beside the logs in `folder`; the paper's where there is none."""
    file = Path(folder) / FILE
    return from_document(read_json(file), str(file)) if file.is_file() else PAPER


def design_of(files: list[Path]) -> StudyDesign:
    """The design of logs: that of their folders, which must agree."""
    designs = {folder: read_design(folder) for folder in {Path(file).parent for file in files}}
    if len({repr(design) for design in designs.values()}) > 1:
        raise InputError(
            "logs of different designs",
            [f"{folder / FILE}" for folder in sorted(designs)] + ["check each folder by itself"],
        )
    return next(iter(designs.values()), PAPER)


def from_document(document: Any, source: str) -> StudyDesign:
    """Check the content of ``design.json`` and return it in the library's terms."""
    check(document, SCHEMA, source)
    conditions = {
        name: Condition(name, own["p0"], own["payoff"], own["penalty_s"])
        for name, own in document["conditions"].items()
    }
    return StudyDesign(
        conditions=conditions,
        speed=document["canoe"]["speed"],
        deadline=document["deadline_s"],
        overhead=sum(document["phases"].values()),
        block=document["block_s"],
        blocks=document.get("blocks", BLOCKS),
        hard_share=document.get("hard_share", HARD_SHARE),
        experiment=document["experiment"],
    )


def notes(folder: str | Path) -> list[str]:
    """What the design and the event logs beside the logs in `folder` say about them."""
    said = departures(read_design(folder))
    gaps = {name: count for name, count in frame_gaps(folder).items() if count}
    if gaps:
        counts = ", ".join(f"{name}: {count}" for name, count in gaps.items())
        said.append(f"trials with a frame gap, by subject ({EVENTS}/): {counts}")
    return said


def frame_gaps(folder: str | Path) -> dict[str, int]:
    """Trials that the event logs flag for a frame that was shown for too long, by subject."""
    flags = {}
    for file in sorted(Path(folder).glob(f"{EVENTS}/*.csv")):
        with file.open(encoding="utf-8", newline="") as opened:
            rows = csv.DictReader(opened)
            # Block 0 is practice.
            flagged = {
                row["trial"] for row in rows if row["event"] == "gap" and row["block"] != "0"
            }
        flags[file.stem] = len(flagged)
    return flags


def departures(design: StudyDesign) -> list[str]:
    """List where a design departs from the paper's, and which analyses assume the paper's.

    Returns
    -------
    list of str
        One sentence for each value that differs; none for Experiment A as the paper has it.
    """
    return list(_departures(design))


def _differs(one: float, other: float) -> bool:
    return abs(one - other) > SLACK


def _sentence(what: str, here: float, paper: float, unit: str, assumed_by: str) -> str:
    unit = f" {unit}" if unit else ""
    return f"{what} is {here:g}{unit}, not the paper's {paper:g}{unit}: {assumed_by}"


SIMULATIONS = "the optimum and the learning simulations (Figs. 16, 17, S5; C16, C17)"
PEOPLE = "the learning models fitted to people (Fig. S6)"


def _departures(design: StudyDesign) -> Iterator[str]:
    for name, own in design.conditions.items():
        paper = CONDITIONS[name]
        if _differs(own.p0, paper.p0):
            yield _sentence(
                f"P0 of {name} trials", own.p0, paper.p0, "", f"C01 and {SIMULATIONS} assume that"
            )
        if _differs(own.payoff, paper.payoff):
            assumed = (
                f"C01, {SIMULATIONS} and {PEOPLE} assume that, and so do the search bounds of the "
                "boundary models that learn from reward (Figs. 1, S2; C04)"
            )
            yield _sentence(f"the payoff of {name} trials", own.payoff, paper.payoff, "", assumed)
        if _differs(own.penalty, paper.penalty):
            assumed = f"C01, {SIMULATIONS} and {PEOPLE} assume that"
            yield _sentence(
                f"the wait after {name} errors", own.penalty, paper.penalty, "s", assumed
            )
    if _differs(design.speed, SPEED):
        assumed = (
            "reconstructed paths, P0 estimated from responses (C01), fits that weight paths by "
            f"survival, {PEOPLE} and {SIMULATIONS} assume that; recorded paths are used as they are"
        )
        yield _sentence("the canoe's speed", design.speed, SPEED, "px/s", assumed)
    if _differs(design.deadline, DEADLINE):
        assumed = (
            "missed trials, time scaled to [0, 1] in fuzzy fits (Figs. 10 to 14), the boundary "
            f"models (Figs. 1, S2) and {SIMULATIONS} assume that"
        )
        yield _sentence("the deadline", design.deadline, DEADLINE, "s", assumed)
    if _differs(design.overhead, OVERHEAD):
        assumed = (
            f"C01, boundaries on total time (Figs. 1, S2), {SIMULATIONS} and {PEOPLE} assume that"
        )
        yield _sentence("a trial without its decision", design.overhead, OVERHEAD, "s", assumed)
    if _differs(design.block, BLOCK):
        yield _sentence("a block", design.block, BLOCK, "s", "C01 assumes that")
    if design.blocks != BLOCKS:
        assumed = "C01 and the first and last 20 blocks (Figs. 10 to 15) assume that"
        yield _sentence("the number of blocks", design.blocks, BLOCKS, "", assumed)
    if _differs(design.hard_share, HARD_SHARE):
        yield _sentence(
            "the share of hard trials",
            design.hard_share,
            HARD_SHARE,
            "",
            f"{SIMULATIONS} assume that",
        )
    if design.experiment == "B":
        yield (
            "Experiment B, without cues: fits and groups of easy trials (Figs. 1, 8, 10 to 15) "
            "assume that subjects can tell easy from hard trials, as in Experiment A"
        )
