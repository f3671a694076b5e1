"""Simulated subjects who follow fuzzy rules: the truth that rules found again are compared with.

A subject is a fuzzy controller for each condition (there are cues), whose labels move with
practice while its rules stay, as the paper concludes of its own subject 1.  At every frame the
subject responds with probability O(t, x) / o, where o is how many frames a response takes when
everything says stop.  The numbers that spread the subjects are set by eye, not fitted to people.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from fuzzybounds.canoe import task
from fuzzybounds.core.seeds import generator
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.membership import Memberships, labels
from fuzzybounds.paper.fuzzy.rules import RuleBase

ONE_SESSION_BLOCKS = 40
SESSIONS = 3

RULES = "rules"
"""The kind of truth, in ``truth.json`` and in the configuration."""
STYLES = {
    # From the shortest to the longest time label: the smallest position at which to stop.
    "fast": ("M", "M", "M", "S", "S"),
    "middle": ("M", "M", "M", "M", "S"),
    "slow": ("L", "L", "L", "M", "M"),
}
CAUTIOUS, HASTY = ("L", "M", "M"), ("M", "S", "S")
"""The three-session subjects: one says continue four times, the other only when all is small."""

GUESS, GLANCE, WATCH = "guess", "glance", "watch"
HARD_HABITS = {GUESS: 0.55, GLANCE: 0.2, WATCH: 0.25}
"""How subjects treat hard trials, and the share that does: respond to anything, respond to small
positions, or do as on easy trials."""
GLANCE_STYLE = ("S", "S", "S", "VS", "VS")


@dataclass(frozen=True)
class Policy:
    """How one subject treats one condition, with labels in s and px before any practice.

    `frames` is o, the frames that a response takes when every rule says stop; `stretch` the factor
    that practice in the end puts on the position labels.
    """

    rules: RuleBase
    time: Memberships
    position: Memberships
    frames: float
    stretch: float

    def controller(self, practice: float) -> Controller:
        """The controller after a share of all practice, from 0 to 1."""
        return Controller(self.time, self.position.scaled(self.stretch**practice), self.rules)


@dataclass(frozen=True)
class Subject:
    """A simulated subject: the truth that fits are to recover."""

    name: str
    style: str
    hard_habit: str
    blocks: int
    blocks_a_session: int
    practice_blocks: float
    recorded: bool
    policies: dict[str, Policy]

    def practice(self, block: int) -> float:
        """Share of all practice that the subject has had at the start of a block."""
        return 1.0 - float(np.exp(-(block - 1) / self.practice_blocks))

    def controller(self, condition: str, block: int) -> Controller:
        """The controller that the subject uses in a block."""
        return self.policies[condition].controller(self.practice(block))

    def to_json(self) -> dict[str, Any]:
        """Return the truth as plain data."""
        policies = {
            condition: {
                "controller": policy.controller(0.0).to_json(),
                "frames": policy.frames,
                "stretch": policy.stretch,
            }
            for condition, policy in self.policies.items()
        }
        content = {**vars(self), "policies": policies}
        return {"subject": content.pop("name"), "follows": RULES, **content}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Subject:
        """Read what :meth:`to_json` returned."""
        policies = {}
        for condition, policy in content["policies"].items():
            start = Controller.from_json(policy["controller"])
            policies[condition] = Policy(
                start.rules, start.time, start.position, policy["frames"], policy["stretch"]
            )
        named = ("subject", "follows")
        rest = {name: value for name, value in content.items() if name not in named}
        return cls(**{**rest, "name": content["subject"], "policies": policies})

    def player(self, rng: np.random.Generator) -> Subject:
        """Return the subject at the start of the task: what happened before has no effect."""
        return self

    def play(
        self, condition: task.Condition, block: int, used: np.ndarray, rng: np.random.Generator
    ) -> task.SimulatedTrials:
        """Do trials of one condition in a block."""
        controller = self.controller(condition.name, block)
        frames = self.policies[condition.name].frames
        return task.simulate_trials(
            lambda time, distance: controller.output(time, distance) / frames,
            condition,
            used.size,
            rng,
        )

    def stop(self, trials: int) -> None:
        """Nothing is remembered."""

    def mean_controller(
        self, condition: str, blocks: range, reach: tuple[float, float]
    ) -> Controller:
        """The controller at the mean practice of some blocks, in units of `reach` (s, px)."""
        practice = float(np.mean([self.practice(block) for block in blocks]))
        truth = self.policies[condition].controller(practice)
        return truth.scaled(time=1 / reach[0], position=1 / reach[1])


def rules_from(thresholds: tuple[str, ...]) -> RuleBase:
    """The rule base that says stop from one position label on, given for each time label."""
    names = labels(len(thresholds))
    rank = {name: place for place, name in enumerate(names)}
    consequents = [[float(rank[pos] >= rank[least]) for pos in names] for least in thresholds]
    return RuleBase(names, names, np.array(consequents))


def _memberships(n: int, reach: float, overlap: float, rng: np.random.Generator) -> Memberships:
    """Labels over [0, reach], slightly off an equidistant grid, as a person's would be."""
    spacing = reach / (n - 1)
    centers = np.linspace(0.0, reach, n)
    centers[1:-1] += rng.uniform(-0.12, 0.12, n - 2) * spacing
    widths = overlap * spacing * rng.uniform(0.85, 1.15, n)
    return Memberships(labels(n), centers.round(4), widths.round(4), "width")


def one_session_subject(seed: int, dataset: str, name: str) -> Subject:
    """Draw a subject of 40 blocks with five labels."""
    rng = generator(seed, dataset, name, "truth")
    # The distance at which the subject means to respond, about as spread as Experiment A's.
    target = float(np.exp(rng.normal(np.log(125.0), 0.42)))
    style = "fast" if target < 105 else "slow" if target > 165 else "middle"
    crossing = 0.625 if style == "slow" else 0.375
    reach = target / crossing
    patience = float(rng.normal(12.0, 1.5) * (target / 130.0) ** 0.35)
    # The cautious get faster and the hasty slower, with much scatter.
    stretch = float(np.exp(-0.3 * np.log(target / 130.0) + rng.normal(0.0, 0.12)))
    easy = Policy(
        rules=rules_from(STYLES[style]),
        time=_memberships(5, patience, 0.6, rng),
        position=_memberships(5, reach, 0.68, rng),
        frames=float(rng.uniform(12, 45)),
        stretch=stretch,
    )
    # Who is slow on easy trials is more often slow on hard ones too.
    shares = dict(HARD_HABITS)
    if style == "slow":
        shares = {GUESS: 0.25, GLANCE: 0.1, WATCH: 0.65}
    habit = str(rng.choice(list(shares), p=list(shares.values())))
    hard = _hard_policy(habit, easy, rng)
    return Subject(
        name=name,
        style=style,
        hard_habit=habit,
        blocks=ONE_SESSION_BLOCKS,
        blocks_a_session=ONE_SESSION_BLOCKS,
        practice_blocks=10.0,
        recorded=False,
        policies={"easy": easy, "hard": hard},
    )


def _hard_policy(habit: str, easy: Policy, rng: np.random.Generator) -> Policy:
    if habit == WATCH:
        factor = rng.uniform(0.65, 0.95)
        return Policy(easy.rules, easy.time, easy.position.scaled(factor), easy.frames, 0.85)
    thresholds = GLANCE_STYLE if habit == GLANCE else ("VS",) * 5
    # Some guess before the canoe has moved three frames, others take half a second.
    frames = float(np.exp(rng.uniform(np.log(1.1), np.log(45.0))))
    return Policy(rules_from(thresholds), easy.time, easy.position, frames, 1.0)


def three_session_subject(seed: int, dataset: str, name: str, hasty: bool) -> Subject:
    """Draw a subject of three sessions with three labels, whose paths are recorded."""
    rng = generator(seed, dataset, name, "truth")
    easy = Policy(
        rules=rules_from(HASTY if hasty else CAUTIOUS),
        time=_memberships(3, 15.0, 0.45, rng),
        position=_memberships(3, 450.0 if hasty else 330.0, 0.36, rng),
        frames=float(rng.uniform(10, 18)),
        stretch=1.2 if hasty else 0.85,
    )
    hard = Policy(rules_from(("S",) * 3), easy.time, easy.position, 8.0 if hasty else 25.0, 1.0)
    return Subject(
        name=name,
        style="fast" if hasty else "slow",
        hard_habit=GUESS,
        blocks=SESSIONS * ONE_SESSION_BLOCKS,
        blocks_a_session=ONE_SESSION_BLOCKS,
        practice_blocks=30.0,
        recorded=True,
        policies={"easy": easy, "hard": hard},
    )
