"""The boundary models: boundary shape x learning class.

A model is composed of a shape (how the boundary runs within a trial), a noise (how far responses
scatter around it) and a learning class (how its level moves from trial to trial).  Each part names
its parameters and the bounds within which they are searched, the ones of the authors' search.

With cued conditions every condition has its own set of parameters, except those that a learning
class shares.  Without cues (Experiment B) there is one boundary, and so one set, for all trials.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from fuzzybounds.paper.boundaries.learning_classes import (
    LEARNING,
    LEARNING_CLASSES,
    BoundaryParameter,
)

SHAPES = ("constant", "weibull")
BOUNDARY_TIMES = ("decision", "total")
AUTHORS_TIME = "total"
"""The time at which the authors' code reads a boundary (A19)."""
CUED = ("easy", "hard")
"""Conditions that a cue tells apart: each has its own boundary."""
UNCUED = ("all",)
"""One boundary for every trial."""
LEVEL_RANGE = (0.0, 300.0)
"""Where the level of a boundary is kept, in px."""
SIGMA_RANGE = (5.0, 100.0)
"""Where the noise of a boundary is kept, in px."""
LARGEST_GAIN = 10.0
"""From here on an rl model counts as unstable; see :class:`Model`."""

SHAPE_PARAMETERS = {
    "constant": (BoundaryParameter("m", 0, 300),),
    "weibull": (
        BoundaryParameter("psi", 10, 300),
        BoundaryParameter("psi_prime", -100, 200),
        BoundaryParameter("lam", 0.1, 20),
        BoundaryParameter("phi", 1, 20),
    ),
}
SIGMA = BoundaryParameter("sigma", 0, 100)
SIGMA_CHANGE = BoundaryParameter("alpha_s", -1, 1, rate=True)
WIDE_MEAN = BoundaryParameter("m", 20, 400)
"""The constant mean where only its clipped value is used (classes utility and accuracy)."""
CRITIC = ("alpha_V", "V")
"""With one condition V(c') - V(c) is zero: the critic's parameters would change nothing."""


@dataclass(frozen=True)
class Model:
    """One boundary model: a shape, a learning class, and :data:`CUED` or :data:`UNCUED` conditions.

    `stable` leaves out unstable parameters of class rl.  Where α_m δ is negative the level moves
    away from the responses, and an error in it grows from trial to trial; a start tuned to the last
    digit then lets the boundary follow responses that are yet to come.  The authors' bounds allow
    it.  Stable parameters let no error grow more than :data:`LARGEST_GAIN`-fold.
    """

    shape: str
    learning: str
    conditions: tuple[str, ...] = CUED
    stable: bool = False

    def __post_init__(self):
        for name, value, known in (
            ("shape", self.shape, SHAPES),
            ("learning", self.learning, LEARNING_CLASSES),
            ("conditions", self.conditions, (CUED, UNCUED)),
        ):
            if value not in known:
                raise ValueError(f"{name} is {value!r}, expected one of {known}")

    @property
    def name(self) -> str:
        """Shape and learning class, for logs and seeds."""
        return f"{self.shape}-{self.learning}"

    @property
    def cued(self) -> bool:
        """Whether each condition has its own boundary."""
        return self.conditions == CUED

    @property
    def free(self) -> bool:
        """Whether errors in the level may grow without limit."""
        return self.learning == "rl" and not self.stable

    @property
    def shifts(self) -> bool:
        """Whether the level shifts the whole curve; otherwise it is ψ."""
        return LEARNING[self.learning].shifts

    @cached_property
    def parts(self) -> tuple[BoundaryParameter, ...]:
        """The parameters of a condition, in the order shape, noise, learning."""
        wide = self.shape == "constant" and self.shifts
        boundary = (WIDE_MEAN,) if wide else SHAPE_PARAMETERS[self.shape]
        noise = (SIGMA,) if self.learning == "none" else (SIGMA, SIGMA_CHANGE)
        learning = LEARNING[self.learning].parameters
        if not self.cued:
            learning = tuple(part for part in learning if part.name not in CRITIC)
        return boundary + noise + learning

    @cached_property
    def parameters(self) -> tuple[BoundaryParameter, ...]:
        """The free parameters: those of each condition, then those that the conditions share."""
        parts = [replace(part, part=part.name) for part in self.parts]
        if not self.cued:
            return tuple(parts)
        separate = [
            replace(part, name=f"{part.name}_{condition}", owner=c)
            for c, condition in enumerate(CUED)
            for part in parts
            if not part.common
        ]
        return (*separate, *(replace(part, owner=-1) for part in parts if part.common))

    def of_condition(self, theta: np.ndarray, c: int) -> dict[str, float]:
        """Return the parameters of condition c, by the names of their parts."""
        used = (self.owners == c) | (self.owners == -1)
        return dict(zip(self.part_names[used].tolist(), np.asarray(theta)[used], strict=True))

    @property
    def k(self) -> int:
        """Number of free parameters."""
        return len(self.parameters)

    def _each(self, field: str) -> np.ndarray:
        return np.array([getattr(parameter, field) for parameter in self.parameters])

    names = cached_property(lambda self: tuple(self._each("name").tolist()))
    part_names = cached_property(lambda self: self._each("part"))
    owners = cached_property(lambda self: self._each("owner"))
    lower = cached_property(lambda self: self._each("lower").astype(float))
    upper = cached_property(lambda self: self._each("upper").astype(float))
    cubic = cached_property(lambda self: self._each("cubic"))
    rates = cached_property(lambda self: self._each("rate"))
    whole = cached_property(lambda self: self._each("whole"))


def all_models(
    conditions: Sequence[str] = CUED, stable: Sequence[bool] = (False,)
) -> tuple[Model, ...]:
    """Return the ten models, the constant form of a class before its Weibull form.

    Those of class rl come once for each value of `stable`: with both there are twelve models.
    """
    return tuple(
        Model(shape, learning, tuple(conditions), kept and learning == "rl")
        for kept in stable
        for learning in LEARNING_CLASSES
        for shape in SHAPES
        if learning == "rl" or kept == stable[0]
    )
