"""What a stopping model is, a hazard with parameters, and how it is fitted.

A *hazard* is a plain function ``h(t, x, outward, theta)``: the chance to respond in a bin that ends
at time t (s) with the canoe x px from the centre, moving away from it (outward = 1) or toward it
(0).  The arguments are arrays that broadcast, theta the parameters in their units, in the order in
which the model lists them.  Its derivatives are numeric unless the model brings them.

The simplest model of one's own:

>>> def steady(t, x, outward, theta):
...     return theta[0] * outward
>>> rate = Parameter("rate", "logit", -3.0, 2.0, -12.0, 8.0)
>>> Model("steady", "control", (rate,), steady, [np.array([-3.0])]).natural(np.zeros(1))
{'rate': 0.5}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import NamedTuple

import numpy as np

from fuzzybounds.core import fitting
from fuzzybounds.core.fitting import LEAST_GAIN, SCALES, Fit, Parameter, Start
from fuzzybounds.stopping.lattice import States
from fuzzybounds.stopping.likelihood import Likelihood

HazardFunction = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], np.ndarray]
"""Maps times, distances, directions and parameters to the chance to respond."""
HazardSlopes = Callable[
    [np.ndarray, np.ndarray, np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]
]
"""Maps the same to the chance to respond, and its derivatives: by every parameter, first axis."""
SMALL = 1e-6
"""Step of numeric derivatives, on the search scales."""
SMALL_SHIFT = 1e-4
"""The same of positions, in px."""
RARE = 1e-3
"""States with less information than this are left out."""
TOGETHER = 16
"""Nodes whose derivatives are computed at a time, as they then stay in the cache."""
UNMIXED = np.zeros(1), np.ones(1)
"""Shift and weight of the only node without noise between trials."""


REACH = 6.0
NODES = (25, 33, 41, 49, 65, 81, 97, 129, 193, 257, 385)
"""Numbers of nodes of which the search takes the first that is fine enough."""
COARSEST = 1.7
"""Largest distance of two nodes, in widths of the rise of the hazard; tests hold the error of a
subject's log-likelihood below 5e-3 nats."""
SEARCH = 2.0
"""How much coarser the quadrature is while a search is far from its end."""
ROUGHLY = 1e-5
"""Then a search ends when its next step promises less, in nats."""


def with_direction(hazard: HazardFunction) -> HazardFunction:
    """Return the hazard times a ratio, one more parameter, wherever the canoe moves inward."""

    def directed(t, x, outward, theta):
        return hazard(t, x, outward, theta[:-1]) * (outward + theta[-1] * (1 - outward))

    return directed


def slopes_with_direction(slopes: HazardSlopes) -> HazardSlopes:
    """Return the slopes of :func:`with_direction`, from those of the hazard."""

    def directed(t, x, outward, theta):
        value, by_parameter = slopes(t, x, outward, theta[:-1])
        factor = outward + theta[-1] * (1 - outward)
        by_ratio = value * (1 - outward)
        return value * factor, np.concatenate([by_parameter * factor, by_ratio[None]])

    return directed


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
        Parameters on their search scales from where the search starts.
    slopes : callable, optional
        See :data:`HazardSlopes`.
    width_of_noise : callable, optional
        If positions shift by sigma z, with z drawn once per trial: the width in px, given the other
        parameters, over which the hazard rises.  The last parameter is then sigma.
    notes : mapping
        What is stored with a fit in addition to its parameters, by column name.
    """

    name: str
    family: str
    parameters: tuple[Parameter, ...]
    hazard: HazardFunction
    starts: Sequence[np.ndarray]
    slopes: HazardSlopes | None = None
    width_of_noise: Callable[[np.ndarray], float] | None = None
    notes: Mapping[str, float] = field(default_factory=dict)

    @property
    def mixed(self) -> bool:
        """Whether there is noise between trials."""
        return self.width_of_noise is not None

    def values(self, theta: np.ndarray) -> np.ndarray:
        """Return parameters on their search scales in their units."""
        pairs = zip(self.parameters, theta.tolist(), strict=False)
        return np.array([SCALES[each.scale][0](value) for each, value in pairs])

    def shifted(self, theta: np.ndarray, where: States, shift: np.ndarray) -> np.ndarray:
        """Return the hazard of every state with positions shifted by each of some px (rows).

        `theta` are the parameters of the hazard alone, without sigma.
        """
        x = where.position - shift[:, None]
        value = self.hazard(where.time, x, where.outward, self.values(theta))
        return np.broadcast_to(value, x.shape)

    def jacobian(
        self, theta: np.ndarray, where: States, shift: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return :meth:`shifted`, and its derivatives by the search scales."""
        if self.slopes is None:
            value = self.shifted(theta, where, shift)
            moved = [
                self.shifted(theta + step, where, shift) for step in SMALL * np.eye(len(theta))
            ]
            return value, (np.array(moved) - value) / SMALL
        x = where.position - shift[:, None]
        value, slopes = self.slopes(where.time, x, where.outward, self.values(theta))
        by_scale = (self.values(theta + SMALL) - self.values(theta - SMALL)) / (2 * SMALL)
        return value, slopes * by_scale[:, None, None]

    def draws(self, theta: np.ndarray, nodes: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the shifts (px) of the nodes of the quadrature over draws, and their weights."""
        if not self.mixed:
            return UNMIXED
        node, weights = normal_quadrature(nodes)
        return np.exp(theta[-1]) * node, weights

    def at(self, theta: np.ndarray, where: States, nodes: int = 1) -> tuple[np.ndarray, np.ndarray]:
        """Return the hazard of every node and state, and the weights of the nodes."""
        shift, weights = self.draws(theta, nodes)
        return self.shifted(theta[:-1] if self.mixed else theta, where, shift), weights

    def slopes_at(
        self, theta: np.ndarray, where: States, shift: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the hazard of some nodes and every state, and derivatives by the parameters."""
        if not self.mixed:
            return self.jacobian(theta, where, shift)
        value, inner = self.jacobian(theta[:-1], where, shift)
        by_shift = (self.shifted(theta[:-1], where, shift + SMALL_SHIFT) - value) / SMALL_SHIFT
        return value, np.concatenate([inner, (shift[:, None] * by_shift)[None]])

    def nodes(self, theta: np.ndarray, coarsest: float = COARSEST) -> int:
        """Return how many nodes the quadrature needs at these parameters."""
        if self.width_of_noise is None:
            return 1
        ratio = np.exp(theta[-1]) / self.width_of_noise(self.values(theta[:-1]))
        return next((n for n in NODES if ratio * 2 * REACH / (n - 1) <= coarsest), NODES[-1])

    def log_likelihood(self, theta: np.ndarray, data: Counted) -> tuple[float, np.ndarray]:
        """Return the log-likelihood of all trials and its gradient."""
        shift, weights = self.draws(theta, data.nodes)
        firsts = range(0, shift.size, TOGETHER)
        where = data.likelihood.states
        parts = [self.slopes_at(theta, where, shift[at : at + TOGETHER]) for at in firsts]
        hazard = np.concatenate([value for value, _ in parts])
        value, slopes, _ = data.likelihood.slopes(hazard, weights, data.counts)
        pairs = zip(parts, firsts, strict=True)
        gradient = [summed(part[1], slopes[at : at + TOGETHER]) for part, at in pairs]
        return value, np.sum(gradient, axis=0)

    def information(self, theta: np.ndarray, data: Counted) -> np.ndarray:
        """Return the information that trials would carry if all paths were known.

        What is drawn once per trial counts as known, too.  With n decisions expected at a state of
        hazard h, that is the sum over states of n / (h (1 - h)) times the products of the
        derivatives of h.
        """
        shift, weights = self.draws(theta, data.nodes)
        hazard, slopes = self.slopes_at(theta, data.likelihood.states, shift)
        weight = data.likelihood.slopes(hazard, weights, data.counts)[2].ravel()
        known = weight >= RARE
        slopes = slopes.reshape(len(theta), -1)[:, known]
        return (slopes * weight[known]) @ slopes.T

    def log_likelihoods(self, theta: np.ndarray, likelihood: Likelihood) -> np.ndarray:
        """Return the log-likelihood of every outcome."""
        hazard, weights = self.at(theta, likelihood.states, self.nodes(theta))
        return likelihood.log_likelihoods(hazard, weights)

    def with_priors(self, width: float) -> Model:
        """Return the same model with priors so many times as wide."""
        parameters = (replace(each, sd=width * each.sd) for each in self.parameters)
        return self if width == 1.0 else replace(self, parameters=tuple(parameters))

    def natural(self, theta: np.ndarray) -> dict[str, float]:
        """Return the parameters by name, in the units of their columns."""
        return fitting.natural(self.parameters, theta)


def summed(jacobian: np.ndarray, slopes: np.ndarray) -> np.ndarray:
    """Return derivatives by parameters, given those by the hazard at every node and state."""
    return jacobian.reshape(len(jacobian), -1) @ slopes.ravel()


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
    return refine(fit_roughly(model, likelihood, counts, starts), likelihood, counts)


def fit_roughly(
    model: Model, likelihood: Likelihood, counts: np.ndarray, starts: Sequence[Start] = ()
) -> Fit:
    """Fit a model as :func:`fit` does, but with a coarser quadrature, and not to the end.

    Without noise between trials there is no quadrature, and this is the fit.
    """
    starts = starts or [Start(theta) for theta in model.starts]
    nodes = min(model.nodes(start.theta, SEARCH * COARSEST) for start in starts)
    gain = ROUGHLY if model.mixed else LEAST_GAIN
    best = fitting.fit(model, Counted(likelihood, counts, nodes), starts, gain)
    return _with_nodes(best, nodes, likelihood, counts, SEARCH * COARSEST, gain)


def refine(rough: Fit, likelihood: Likelihood, counts: np.ndarray) -> Fit:
    """Continue a search where it has ended, with a quadrature that is fine enough."""
    return _with_nodes(rough, 1, likelihood, counts, COARSEST, LEAST_GAIN)


def _with_nodes(
    best: Fit,
    nodes: int,
    likelihood: Likelihood,
    counts: np.ndarray,
    coarsest: float,
    least_gain: float,
) -> Fit:
    model = best.model
    while nodes < model.nodes(best.theta, coarsest):
        nodes = model.nodes(best.theta, coarsest)
        again = [Start(best.theta, best.curvature)]
        refined = fitting.fit(model, Counted(likelihood, counts, nodes), again, least_gain)
        best = refined._replace(starts=best.starts, agree=best.agree)
    return best
