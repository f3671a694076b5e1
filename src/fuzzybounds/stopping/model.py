"""What a stopping model is: a hazard with its slopes, and parameters with priors and bounds.

All models are searched on scales on which a unit is about as much as subjects differ: positions in
100 px, rates and shares as log-odds, widths and times as logs.  Priors are normal on these scales
and wide; in every model they keep parameters finite that the data do not determine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np

from fuzzybounds.stopping.hazard_kernel import sums_by_row
from fuzzybounds.stopping.lattice import States
from fuzzybounds.storage.elementary import exp, exp_of, log


class Hazard(NamedTuple):
    """A hazard at given times and positions.

    Attributes
    ----------
    value : array, shape (nodes, states)
        h(t, x): the chance to respond in this bin.
    pull : callable
        Takes the derivatives of anything by the hazard, of the same shape, and returns those by
        the parameters, on their search scales, and by the shift of every node (px).
    slopes : callable
        Returns the derivatives of the hazard by the parameters, shape (parameters, nodes, states),
        and by the shift of the node as one more row if it is asked for (``by_shift=True``).
    """

    value: np.ndarray
    pull: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
    slopes: Callable[..., np.ndarray]


HazardFunction = Callable[[np.ndarray, States, np.ndarray], Hazard]
"""Maps parameters, states, and for every node how far (px) positions are shifted, to a hazard."""


def _same(value: float) -> float:
    return value


def _share(value: float) -> float:
    return float(1.0 / (1.0 + exp(-value)))


SCALES: dict[str, tuple[Callable[[float], float], Callable[[float], float]]] = {
    "identity": (_same, _same),
    "hundred": (lambda value: 100.0 * value, lambda value: value / 100.0),
    "ten": (lambda value: 10.0 * value, lambda value: value / 10.0),
    "log": (lambda value: float(exp(value)), lambda value: float(log(value))),
    "logit": (_share, lambda value: float(log(value / (1.0 - value)))),
}
"""From the search scale to the unit in which a parameter is reported, and back."""


@dataclass(frozen=True)
class Parameter:
    """One parameter.

    Attributes
    ----------
    name : str
        The name of its column.
    scale : str
        One of :data:`SCALES`.
    mean, sd : float
        Of the prior, on the search scale.
    low, high : float
        Bounds on the search scale.
    """

    name: str
    scale: str
    mean: float
    sd: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Model:
    """One stopping model, ready to be fitted.

    Attributes
    ----------
    name, family : str
    parameters : tuple of Parameter
    hazard : callable
        See :data:`HazardFunction`.
    starts : sequence of arrays
        Parameters from where the search starts.
    width_of_noise : callable, optional
        If the boundary shifts by sigma z, with z drawn once per trial: the width in px, given the
        parameters, over which the hazard rises.  The last parameter is then log sigma.
    notes : mapping
        What is stored with a fit in addition to its parameters, by column name.
    """

    name: str
    family: str
    parameters: tuple[Parameter, ...]
    hazard: HazardFunction
    starts: Sequence[np.ndarray]
    width_of_noise: Callable[[np.ndarray], float] | None = None
    notes: Mapping[str, float] = field(default_factory=dict)

    @property
    def mixed(self) -> bool:
        """Whether there is noise between trials."""
        return self.width_of_noise is not None

    @cached_property
    def mean(self) -> np.ndarray:
        """Means of the priors."""
        return np.array([parameter.mean for parameter in self.parameters])

    @cached_property
    def sd(self) -> np.ndarray:
        """Standard deviations of the priors."""
        return np.array([parameter.sd for parameter in self.parameters])

    @cached_property
    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Lower and upper bounds of the search."""
        low = np.array([parameter.low for parameter in self.parameters])
        return low, np.array([parameter.high for parameter in self.parameters])

    def at(self, theta: np.ndarray, where: States, nodes: int = 1) -> tuple[Hazard, np.ndarray]:
        """Return the hazard of every node and state, and the weights of the nodes.

        Parameters
        ----------
        theta : array
            Parameters on their search scales.
        where : States
        nodes : int
            Of a mixture; others have one.
        """
        if not self.mixed:
            return self.hazard(theta, where, UNMIXED[0]), UNMIXED[1]
        node, weights = normal_quadrature(nodes)
        shift = exp(theta[-1]) * node
        own = self.hazard(theta[:-1], where, shift)

        def pull(slopes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            gradient, by_shift = own.pull(slopes)
            return np.append(gradient, sums_by_row(shift[None], by_shift)), by_shift

        def slopes(*, by_shift: bool) -> np.ndarray:
            rows = own.slopes(by_shift=True)
            by_sigma = shift[:, None] * rows[-1:]
            return np.concatenate([rows[:-1], by_sigma, rows[rows.shape[0] - by_shift :]])

        return Hazard(own.value, pull, slopes), weights

    def nodes(self, theta: np.ndarray) -> int:
        """Return how many nodes the quadrature needs at these parameters."""
        if not self.mixed or self.width_of_noise is None:
            return 1
        ratio = exp(theta[-1]) / self.width_of_noise(theta)
        return next((n for n in NODES if ratio * 2 * REACH / (n - 1) <= COARSEST), NODES[-1])

    def natural(self, theta: np.ndarray) -> dict[str, float]:
        """Return the parameters by name, in the units of their columns."""
        return {
            parameter.name: SCALES[parameter.scale][0](float(value))
            for parameter, value in zip(self.parameters, theta, strict=True)
        }

    def search_scale(self, values: Mapping[str, float]) -> np.ndarray:
        """Return the parameters on their search scales, from what :meth:`natural` returned."""
        return np.array([SCALES[own.scale][1](float(values[own.name])) for own in self.parameters])


UNMIXED = np.zeros(1), np.ones(1)
"""Shift and weight of the only node without noise between trials."""
REACH = 6.0
NODES = (37, 97, 193, 385)
"""Numbers of nodes of which the search takes the first that is fine enough."""
COARSEST = 1.4
"""Largest distance of two nodes, in widths of the rise of the hazard; tests hold the error of a
subject's log-likelihood below 1e-3 nats."""


@cache
def normal_quadrature(number: int) -> tuple[np.ndarray, np.ndarray]:
    """Return nodes and weights for the mean over a standard normal variable.

    This is the trapezoidal rule on +-6.  On smooth functions it converges as fast as Gauss-Hermite
    quadrature does, and on steep ones much faster: its nodes are equally dense everywhere, while
    the density of Gauss-Hermite nodes grows only with the square root of their number.
    """
    nodes = np.linspace(-REACH, REACH, number)
    weights = exp_of(-(nodes**2) / 2)
    return nodes, weights / weights.sum()
