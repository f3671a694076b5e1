"""The ten boundary models: boundary shape x learning class.

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

from fuzzybounds.weibull.learning_classes import (
    LEARNING,
    LEARNING_CLASSES,
    LearningClass,
    Parameter,
)

SHAPES = ("constant", "weibull")
BOUNDARY_TIMES = ("decision", "total")
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
    "constant": (Parameter("m", 0, 300),),
    "weibull": (
        Parameter("psi", 10, 300),
        Parameter("psi_prime", -100, 200),
        Parameter("lam", 0.1, 20),
        Parameter("phi", 1, 20),
    ),
}
SIGMA = Parameter("sigma", 0, 100)
SIGMA_CHANGE = Parameter("alpha_s", -1, 1, rate=True)
WIDE_MEAN = Parameter("m", 20, 400)
"""The constant mean where only its clipped value is used (classes utility and accuracy)."""
CRITIC = ("alpha_V", "V")
"""With one condition V(c') - V(c) is zero: the critic's parameters would change nothing."""


@dataclass(frozen=True)
class Model:
    """One boundary model.

    Parameters
    ----------
    shape : {"constant", "weibull"}
    learning : {"none", "utility", "accuracy", "window", "rl"}
    conditions : tuple of str
        :data:`CUED`, or :data:`UNCUED` for one boundary that all trials share.
    stable : bool
        Leave out unstable parameters of class rl.  Where α_m δ is negative the level moves away
        from the responses, and an error in it grows from trial to trial; a start tuned to the last
        digit then lets the boundary follow responses that are yet to come.  Such parameters lie
        within the authors' bounds, so they are searched by default, and flagged.  Stable ones let
        no error grow more than :data:`LARGEST_GAIN`-fold.
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
    def learning_class(self) -> LearningClass:
        """How the level moves from trial to trial."""
        return LEARNING[self.learning]

    @property
    def shifts(self) -> bool:
        """Whether the level shifts the whole curve; otherwise it is ψ."""
        return self.learning_class.shifts

    @cached_property
    def parts(self) -> tuple[Parameter, ...]:
        """The parameters of a condition, in the order shape, noise, learning."""
        boundary = SHAPE_PARAMETERS[self.shape]
        if self.shape == "constant" and self.shifts:
            boundary = (WIDE_MEAN,)
        noise = (SIGMA,) if self.learning == "none" else (SIGMA, SIGMA_CHANGE)
        learning = self.learning_class.parameters
        if not self.cued:
            learning = tuple(part for part in learning if part.name not in CRITIC)
        return boundary + noise + learning

    @cached_property
    def _owned(self) -> list[tuple[int, Parameter]]:
        """Condition and part of every free parameter; condition -1 where all share it."""
        if not self.cued:
            return [(0, part) for part in self.parts]
        own = [part for part in self.parts if not part.common]
        shared = [(-1, part) for part in self.parts if part.common]
        return [(c, part) for c in range(len(self.conditions)) for part in own] + shared

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """The free parameters, one for each condition where the conditions do not share it."""
        return tuple(
            replace(part, name=f"{part.name}_{self.conditions[c]}")
            if self.cued and c >= 0
            else part
            for c, part in self._owned
        )

    @cached_property
    def owners(self) -> np.ndarray:
        """Which condition each parameter belongs to, by its position; -1 where all share it."""
        return np.array([c for c, _ in self._owned])

    @cached_property
    def part_names(self) -> np.ndarray:
        """The name of the part that each parameter is, without its condition."""
        return np.array([part.name for _, part in self._owned])

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the free parameters."""
        return tuple(parameter.name for parameter in self.parameters)

    @property
    def k(self) -> int:
        """Number of free parameters."""
        return len(self.parameters)

    def _each(self, field: str) -> np.ndarray:
        return np.array([getattr(parameter, field) for parameter in self.parameters])

    lower = cached_property(lambda self: self._each("lower").astype(float))
    """Lower bounds of the search."""
    upper = cached_property(lambda self: self._each("upper").astype(float))
    """Upper bounds of the search."""
    power = cached_property(lambda self: self._each("power"))
    """Order of the root over which the search runs."""
    rates = cached_property(lambda self: self._each("rate"))
    """Which parameters are rates."""
    whole = cached_property(lambda self: self._each("whole"))
    """Of which parameters only the whole part counts."""


def all_models(conditions: Sequence[str] = CUED, stable: bool = False) -> tuple[Model, ...]:
    """Return the ten models, the constant form of a class before its Weibull form."""
    return tuple(
        Model(shape, learning, tuple(conditions), stable and learning == "rl")
        for learning in LEARNING_CLASSES
        for shape in SHAPES
    )


def stable_models(conditions: Sequence[str] = CUED) -> tuple[Model, ...]:
    """Return the models of class rl without their unstable parameters."""
    return tuple(Model(shape, "rl", tuple(conditions), stable=True) for shape in SHAPES)
