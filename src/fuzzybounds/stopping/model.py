"""What a stopping model is, parameters and a hazard with its slopes, and how it is fitted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

import numpy as np

from fuzzybounds.core import fitting
from fuzzybounds.core.fitting import Fit, Parameter, Start
from fuzzybounds.stopping.lattice import States
from fuzzybounds.stopping.likelihood import Likelihood


class Hazard(NamedTuple):
    """A hazard at given times and positions.

    Attributes
    ----------
    value : array, shape (nodes, states)
        h(t, x): the chance to respond in this bin.
    vjp : callable
        Takes the derivatives of anything by the hazard, of the same shape, and returns those by
        the parameters, on their search scales, and by the shift of every node (px).
    """

    value: np.ndarray
    vjp: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]


HazardFunction = Callable[[np.ndarray, States, np.ndarray], Hazard]
"""Maps parameters, states, and for every node how far (px) positions are shifted, to a hazard."""


def mixed(one: HazardFunction, own: int, shares: np.ndarray) -> HazardFunction:
    """Return the hazard of a subject who infers the condition of a trial.

    It is the mean of the hazards of all conditions, weighted by their probability at every state
    (:func:`~fuzzybounds.stopping.data.beliefs`).  Every condition has the first `own`
    parameters for itself; the common ones follow.
    """
    end = own * len(shares)

    def hazard(theta: np.ndarray, where: States, shift: np.ndarray) -> Hazard:
        parts = [
            one(np.append(first, theta[end:]), where, shift)
            for first in theta[:end].reshape(-1, own)
        ]
        value = np.sum([w * part.value for w, part in zip(shares, parts, strict=True)], axis=0)

        def vjp(slopes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            pulled = [part.vjp(w * slopes) for w, part in zip(shares, parts, strict=True)]
            gradients, by_shift = (np.array(parts) for parts in zip(*pulled, strict=True))
            common = gradients[:, own:].sum(axis=0)
            return np.append(gradients[:, :own], common), by_shift.sum(axis=0)

        return Hazard(value, vjp)

    return hazard


class Counted(NamedTuple):
    """How many trials had each outcome, and nodes of the quadrature over draws per trial."""

    likelihood: Likelihood
    counts: np.ndarray
    nodes: int = 1


@dataclass(frozen=True, eq=False)
class Model:
    """One stopping model, ready to be fitted (:class:`fuzzybounds.core.fitting.Fittable`).

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

    def at(self, theta: np.ndarray, where: States, nodes: int = 1) -> tuple[Hazard, np.ndarray]:
        """Return the hazard of every node and state, and the weights of the nodes."""
        if not self.mixed:
            return self.hazard(theta, where, UNMIXED[0]), UNMIXED[1]
        node, weights = normal_quadrature(nodes)
        shift = np.exp(theta[-1]) * node
        own = self.hazard(theta[:-1], where, shift)

        def vjp(slopes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            gradient, by_shift = own.vjp(slopes)
            return np.append(gradient, shift @ by_shift), by_shift

        return Hazard(own.value, vjp), weights

    def nodes(self, theta: np.ndarray) -> int:
        """Return how many nodes the quadrature needs at these parameters."""
        if self.width_of_noise is None:
            return 1
        ratio = np.exp(theta[-1]) / self.width_of_noise(theta)
        return next((n for n in NODES if ratio * 2 * REACH / (n - 1) <= COARSEST), NODES[-1])

    def log_likelihood(self, theta: np.ndarray, data: Counted) -> tuple[float, np.ndarray]:
        """Return the log-likelihood of all trials and its gradient."""
        hazard, weights = self.at(theta, data.likelihood.states, data.nodes)
        value, slopes, _ = data.likelihood.slopes(hazard.value, weights, data.counts)
        return value, hazard.vjp(slopes)[0]

    def information(self, theta: np.ndarray, data: Counted) -> np.ndarray:
        """Return the information that trials would carry if all paths were known.

        What is drawn once per trial counts as known, too.  With n decisions expected at a state of
        hazard h, that is the sum over states of n / (h (1 - h)) times the products of the
        derivatives of h.  It only guides the search, so numeric derivatives suffice.
        """
        where, nodes = data.likelihood.states, data.nodes
        hazard, weights = self.at(theta, where, nodes)
        weight = data.likelihood.slopes(hazard.value, weights, data.counts)[2].ravel()
        known = weight >= RARE
        moved = [self.at(theta + step, where, nodes)[0] for step in SMALL * np.eye(theta.size)]
        slopes = [(own.value.ravel() - hazard.value.ravel())[known] / SMALL for own in moved]
        return (slopes * weight[known]) @ np.transpose(slopes)

    def log_likelihoods(self, theta: np.ndarray, likelihood: Likelihood) -> np.ndarray:
        """Return the log-likelihood of every outcome."""
        hazard, weights = self.at(theta, likelihood.states, self.nodes(theta))
        return likelihood.log_likelihoods(hazard.value, weights)

    def natural(self, theta: np.ndarray) -> dict[str, float]:
        """Return the parameters by name, in the units of their columns."""
        return fitting.natural(self.parameters, theta)


SMALL = 1e-6
"""Step of numeric derivatives of the hazard, on the search scales."""
RARE = 1e-3
"""States with less information than this are left out."""
UNMIXED = np.zeros(1), np.ones(1)
"""Shift and weight of the only node without noise between trials."""
REACH = 6.0
NODES = (37, 49, 65, 97, 129, 193, 257, 385)
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
    weights = np.exp(-(nodes**2) / 2)
    return nodes, weights / weights.sum()


def fit(
    model: Model, likelihood: Likelihood, counts: np.ndarray, starts: Sequence[Start] = ()
) -> Fit:
    """Fit a model to so many trials of each outcome, by default from the model's own starts."""
    starts = starts or [Start(theta) for theta in model.starts]
    nodes = min(model.nodes(start.theta) for start in starts)
    found = fitting.fit(model, Counted(likelihood, counts, nodes), starts)
    # If the quadrature is too coarse where the search ended, it is refined there.
    while nodes < model.nodes(found.theta):
        nodes = model.nodes(found.theta)
        again = [Start(found.theta, found.curvature)]
        refined = fitting.fit(model, Counted(likelihood, counts, nodes), again)
        found = refined._replace(starts=found.starts, agree=found.agree)
    return found
