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

SHAPES = ("constant", "weibull")
LEARNING_CLASSES = ("none", "utility", "accuracy", "window", "rl")
BOUNDARY_TIMES = ("decision", "total")
CUED = ("easy", "hard")
"""Conditions that a cue tells apart: each has its own boundary."""
UNCUED = ("all",)
"""One boundary for every trial."""
LARGEST_WINDOW = 50
LEVEL_RANGE = (0.0, 300.0)
"""Where the level of a boundary is kept, in px."""
SIGMA_RANGE = (5.0, 100.0)
"""Where the noise of a boundary is kept, in px."""
LARGEST_GAIN = 10.0
"""From here on an rl model counts as unstable; see :class:`Model`."""


@dataclass(frozen=True)
class Parameter:
    """A free parameter of one part of a model.

    Parameters
    ----------
    name : str
    lower, upper : float
        The bounds of the search.
    common : bool
        The conditions share one value.
    power : {1, 3}
        The search runs over the signed root of this order, so that values near zero get their
        share where they do most of the work and the bounds are far.
    rate : bool
        The parameter is a rate: with all rates at zero nothing changes from trial to trial.
    """

    name: str
    lower: float
    upper: float
    common: bool = False
    power: int = 1
    rate: bool = False


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
LEARNING_PARAMETERS = {
    "none": (),
    "utility": (
        Parameter("alpha_gain", 0, 15, common=True, power=3, rate=True),
        Parameter("beta_gain", -5, 15, common=True, power=3),
        Parameter("alpha_loss", 0, 5, common=True, power=3, rate=True),
        Parameter("beta_loss", -5, 15, common=True, power=3),
    ),
    "accuracy": (
        Parameter("prior_a", 0, 20),
        Parameter("prior_b", 0, 20),
        Parameter("theta", 0, 1),
        Parameter("alpha", -10, 10, power=3, rate=True),
    ),
    "window": (
        Parameter("w_r", 1, LARGEST_WINDOW, common=True),
        Parameter("w_t", 1, LARGEST_WINDOW, common=True),
        Parameter("alpha_1", -10, 10, common=True, power=3, rate=True),
        Parameter("alpha_2", -10, 10, common=True, power=3, rate=True),
        Parameter("const", -10, 10, power=3, rate=True),
    ),
    "rl": (
        Parameter("alpha_m", -0.1, 0.1, power=3, rate=True),
        Parameter("kappa", -20, 20, power=3),
        Parameter("alpha_V", -0.01, 0.01, common=True, power=3),
        Parameter("V", -5, 5),
    ),
}
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

    @cached_property
    def parts(self) -> tuple[Parameter, ...]:
        """The parameters of a condition, in the order shape, noise, learning."""
        boundary = SHAPE_PARAMETERS[self.shape]
        if self.shape == "constant" and self.learning in ("utility", "accuracy"):
            boundary = (WIDE_MEAN,)
        noise = (SIGMA,) if self.learning == "none" else (SIGMA, SIGMA_CHANGE)
        learning = LEARNING_PARAMETERS[self.learning]
        if len(self.conditions) == 1:
            learning = tuple(part for part in learning if part.name not in CRITIC)
        return boundary + noise + learning

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """The free parameters, one for each condition where the conditions do not share it."""
        if len(self.conditions) == 1:
            return self.parts
        return tuple(
            replace(part, name=f"{part.name}_{condition}")
            for condition in self.conditions
            for part in self.parts
            if not part.common
        ) + tuple(part for part in self.parts if part.common)

    @cached_property
    def owners(self) -> np.ndarray:
        """Which condition each parameter belongs to, by its position; -1 where all share it."""
        if len(self.conditions) == 1:
            return np.zeros(self.k, np.int64)
        own = sum(not part.common for part in self.parts)
        each = np.repeat(np.arange(len(self.conditions)), own)
        return np.concatenate([each, np.full(self.k - len(each), -1)])

    @cached_property
    def part_names(self) -> np.ndarray:
        """The name of the part that each parameter is, without its condition."""
        if len(self.conditions) == 1:
            return np.array([part.name for part in self.parts])
        own = [part.name for part in self.parts if not part.common]
        common = [part.name for part in self.parts if part.common]
        return np.array(own * len(self.conditions) + common)

    @property
    def separable(self) -> bool:
        """Whether nothing is shared by the conditions, so that each can be fitted on its own."""
        return len(self.conditions) > 1 and self.learning in ("none", "accuracy")

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the free parameters."""
        return tuple(parameter.name for parameter in self.parameters)

    @property
    def k(self) -> int:
        """Number of free parameters."""
        return len(self.parameters)

    @cached_property
    def lower(self) -> np.ndarray:
        """Lower bounds of the search."""
        return np.array([parameter.lower for parameter in self.parameters], float)

    @cached_property
    def upper(self) -> np.ndarray:
        """Upper bounds of the search."""
        return np.array([parameter.upper for parameter in self.parameters], float)

    @cached_property
    def power(self) -> np.ndarray:
        """Order of the root over which the search runs."""
        return np.array([parameter.power for parameter in self.parameters])

    @cached_property
    def rates(self) -> np.ndarray:
        """Which parameters are rates."""
        return np.array([parameter.rate for parameter in self.parameters])


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
