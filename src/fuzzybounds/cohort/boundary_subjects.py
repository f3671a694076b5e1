r"""Simulated subjects who do as people do: boundaries that are met, with the parameters of people.

On every trial the subject has one boundary b(t) + shift, and responds where the canoe meets it, in
a bin of 0.1 s with the probability

    lapse + (1 - lapse) logistic((\|x\| - b(t) - shift) / tau),
    b(t) = asymptote + (level - asymptote) exp(-t / time_scale),

with a tau of half the distance that the canoe moves in a bin.  So most responses are made while the
canoe moves outward, as those of people are (docs/verdict.md).  The decision falls on any
frame of the bin; the response follows a motor delay later, on the side where the canoe is then.
The shift of the boundary changes from trial to trial: it drifts over the session, and around the
drift it has the standard deviation sigma and the given correlation from one trial of a condition to
the next.  :mod:`stopping.session_fits` fits these numbers; ``people.csv`` keeps them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from functools import cache
from importlib import resources
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from fuzzybounds.canoe import task
from fuzzybounds.core.seeds import generator

BOUNDARIES = "boundaries"
"""The kind of truth, in ``truth.json`` and in the configuration."""
BIN = 6
"""Frames of a bin, 0.1 s: as in the fits."""
SURE = 1e-6
"""Probabilities are kept this far from 0 and 1: as in the fits."""
TAU = task.SPEED * BIN * task.FRAME / 2
"""Width in px over which the chance to respond rises to one: what a bin can resolve."""
DIGITS = 6
"""Decimals of disturbances that are kept, so that they are the same on every processor."""


@dataclass(frozen=True)
class Boundary:
    """How one subject treats one condition.

    Attributes
    ----------
    level, asymptote : float
        Of the boundary at the start and in the end, in px.
    time_scale : float
        Seconds in which the difference falls to 1/e.
    lapse : float
        Probability of responding in a bin far below the boundary.
    sigma : float
        Standard deviation of the boundary between trials, in px.
    correlation : float
        Of the boundary on two successive trials of the condition.
    drift : float
        By how many px the boundary has moved at the end of the session since its start.
    motor_delay : float
        Seconds from the decision to the response.
    """

    level: float
    asymptote: float
    time_scale: float
    lapse: float
    sigma: float
    correlation: float
    drift: float
    motor_delay: float

    def curve(self, time: np.ndarray) -> np.ndarray:
        """Return the boundary in px without any shift."""
        return self.asymptote + (self.level - self.asymptote) * np.exp(-time / self.time_scale)

    def hazard(self, time: np.ndarray, distance: np.ndarray, shift: np.ndarray) -> np.ndarray:
        """Return the probability of responding in bins (columns), on trials (rows) with a shift."""
        beyond = (distance - self.curve(time) - shift[:, None]) / TAU
        rate = self.lapse + (1.0 - self.lapse) / (1.0 + np.exp(-beyond))
        return np.clip(rate, SURE, 1.0 - SURE)


PARAMETERS = tuple(field.name for field in fields(Boundary))


@dataclass(frozen=True)
class BoundarySubject:
    """A simulated subject: the truth that fits are to recover."""

    name: str
    person: int
    blocks: int
    blocks_a_session: int
    policies: dict[str, Boundary]
    recorded: ClassVar[bool] = False

    def to_json(self) -> dict[str, Any]:
        """Return the truth as plain data."""
        content = asdict(self)
        return {"subject": content.pop("name"), "follows": BOUNDARIES, **content}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> BoundarySubject:
        """Read what :meth:`to_json` returned."""
        policies = {name: Boundary(**values) for name, values in content["policies"].items()}
        plain = {name: content[name] for name in ("person", "blocks", "blocks_a_session")}
        return cls(content["subject"], policies=policies, **plain)

    def player(self, rng: np.random.Generator) -> BoundaryPlayer:
        """Return the subject at the start of the task."""
        first = {name: [round(rng.standard_normal(), DIGITS)] for name in self.policies}
        return BoundaryPlayer(self, first)


@dataclass
class BoundaryPlayer:
    """A subject who does the task, with the disturbances of the last block in units of sigma."""

    subject: BoundarySubject
    disturbances: dict[str, list[float]]

    def play(
        self, condition: task.Condition, block: int, used: np.ndarray, rng: np.random.Generator
    ) -> task.SimulatedTrials:
        """Do trials of one condition in a block, of which some are used."""
        policy = self.subject.policies[condition.name]
        fresh = float(np.sqrt(1.0 - policy.correlation**2))
        last, noises = self.disturbances[condition.name][-1], []
        for use, noise in zip(used, rng.standard_normal(used.size), strict=True):
            if use:
                last = round(policy.correlation * last + fresh * float(noise), DIGITS)
            noises.append(last)
        self.disturbances[condition.name] = noises
        middle, reach = (self.subject.blocks + 1) / 2, max(self.subject.blocks - 1, 1)
        shift = policy.drift * (block - middle) / reach + policy.sigma * np.array(noises)
        return simulate_trials(policy, shift, condition, rng)

    def stop(self, trials: int) -> None:
        """Forget what came after so many trials: the block was over."""
        self.disturbances = {name: values[:trials] for name, values in self.disturbances.items()}


def simulate_trials(
    boundary: Boundary, shift: np.ndarray, condition: task.Condition, rng: np.random.Generator
) -> task.SimulatedTrials:
    """Simulate a trial of one condition for each shift of the boundary (px)."""
    trials = shift.size
    heading = rng.choice((-1, 1), size=trials)
    paths = task.free_walk(task.draw_directions(condition.p0, heading, rng))
    ends = np.arange(BIN, task.DEADLINE_FRAMES + 1, BIN)
    stop = boundary.hazard(ends * task.FRAME, np.abs(paths[:, ends]), shift)
    responds = rng.random(stop.shape) < stop
    # Whoever decides in a bin responds a motor delay after any frame of it.  In the first bin, when
    # nothing has been seen, the decision may have come before the trial: after any shorter delay.
    place, delay = responds.argmax(axis=1), round(boundary.motor_delay * task.FRAME_RATE)
    soonest = np.where(place == 0, 0, BIN * place + delay)
    frame = rng.integers(soonest + 1, BIN * (place + 1) + delay + 1)
    frame = np.where(responds.any(axis=1), frame, task.DEADLINE_FRAMES)
    frame = np.minimum(frame, task.DEADLINE_FRAMES)
    return task.end_trials(paths, heading, frame, rng.choice((-1, 1), size=trials))


@cache
def people() -> pd.DataFrame:
    """Return the parameters of people: one row per person and condition."""
    with resources.files(__package__).joinpath("people.csv").open(encoding="utf-8") as file:
        return pd.read_csv(file)


def boundary_subject(
    seed: int, dataset: str, name: str, number: int, blocks: int
) -> BoundarySubject:
    """Return a subject with the parameters of a person.

    Where there are more subjects than people, those after the last one take a random person.
    """
    table = people()
    count = int(table["person"].max())
    person = number
    if number > count:
        person = int(generator(seed, dataset, name, "person").integers(1, count + 1))
    parameters = table[table["person"] == person].set_index("condition")
    policies = {
        condition: Boundary(**{key: float(parameters.loc[condition, key]) for key in PARAMETERS})
        for condition in task.CONDITIONS
    }
    return BoundarySubject(name, person, blocks, blocks, policies)
