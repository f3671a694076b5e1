"""Parameter estimation: tuning the membership functions of many fits at once.

Centres and widths start from structure learning and move so that the two-class cross-entropy
falls; the consequents stay (section "Parameter estimation using gradient descent").  Both
optimisers work on the deviations from the start, in units of the starting width:

    (mu - mu_start) / sigma_start   and   log(sigma / sigma_start)

so widths stay positive, and one learning rate suits all.  To first order a step of gradient
descent with rate eta is the paper's with rate eta * sigma_start².

Where a subject's points can be separated without error the likelihood keeps growing as widths
shrink, and for a label that no point reaches it has no maximum at all.  A small penalty keeps both
finite: :data:`PENALTY` times the sum of squared deviations is taken from the log-likelihood (of
some 170 points), which is a normal prior around the start with a standard deviation of half a
starting width for centres and of a factor of 1.6 for widths.  Losses are reported without it.
Without the penalty models of five labels predict left-out trials far worse than chance;
``benchmarks/fuzzy_heldout.py`` shows how the left-out loss falls and where it is smallest.  Even
without the penalty, no deviation exceeds :data:`BOUND`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from fuzzybounds.fuzzy import optimisers
from fuzzybounds.fuzzy.controller import Controller
from fuzzybounds.fuzzy.membership import Memberships
from fuzzybounds.fuzzy.network import Network, flatten
from fuzzybounds.storage import elementary

PENALTY = 2.0
"""Weight of the squared deviations in the penalised log-likelihood: 1 / (2 * 0.5²)."""

BOUND = 10.0
"""The largest deviation, whatever the penalty: ten starting widths, a factor of e^10."""

EXTREME = 10.0
"""A width that changed by more than this factor is flagged."""

SEPARABLE = "separable"
CROSSED = "crossed"
EXTREME_WIDTH = "extreme width"
ONE_CONSEQUENT = "one consequent"

Evaluator = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, ...]]

OPTIMISERS: dict[str, Callable[..., optimisers.Minimum]] = {
    "lbfgs": optimisers.lbfgs,
    "gradient_descent": optimisers.gradient_descent,
}


@dataclass(frozen=True, eq=False)
class Points:
    """Two-class points of many fits, padded to the same number.

    Parameters
    ----------
    inputs : array of shape (n_fits, n_inputs, n_points)
        Time and position, in the units of the memberships.
    responded : array of bool, shape (n_fits, n_points)
    weights : array of shape (n_fits, n_points), optional
        0 is padding; by default all 1.
    """

    inputs: np.ndarray
    responded: np.ndarray
    weights: np.ndarray = None  # type: ignore[assignment] # filled in by __post_init__

    def __post_init__(self):
        inputs = np.ascontiguousarray(self.inputs, dtype=float)
        responded = np.ascontiguousarray(self.responded, dtype=bool)
        weights = np.ones(responded.shape) if self.weights is None else self.weights
        weights = np.ascontiguousarray(weights, dtype=float)
        shapes_agree = inputs.ndim == 3 and inputs[:, 0].shape == responded.shape == weights.shape
        if not shapes_agree:
            raise ValueError(
                f"inputs {inputs.shape}, responded {responded.shape}, weights {weights.shape}: "
                "expected (n_fits, n_inputs, n_points), and (n_fits, n_points) twice"
            )
        if not (np.isfinite(inputs).all() and np.isfinite(weights).all() and (weights >= 0).all()):
            raise ValueError("inputs and weights: expected finite numbers, and no weight below 0")
        if not (weights > 0).any(axis=1).all():
            raise ValueError("weights: a fit has no points, expected at least one")
        object.__setattr__(self, "inputs", inputs)
        object.__setattr__(self, "responded", responded)
        object.__setattr__(self, "weights", weights)

    @property
    def total(self) -> np.ndarray:
        """Sum of each fit's weights, of shape (n_fits,)."""
        return self.weights.sum(axis=1)


@dataclass(frozen=True, eq=False)
class Tuned:
    """Tuned fits; fits are the first axis of every array.

    Attributes
    ----------
    centers, widths : array of shape (n_fits, n_neurons)
    loss_before, loss_after : array of shape (n_fits,)
        Mean cross-entropy per point (chance is 0.693), without the penalty.
    iterations : array of int
    converged : array of bool
    reason : array of str
        Why the optimiser stopped.
    flags : tuple of tuple of str
        Warnings: "separable" (all points can be classified without error; only the penalty limits
        the widths), "crossed" (centres left the order of their labels), "extreme width",
        "one consequent" (no rule allows what the subject did: the loss is infinite, nothing was
        tuned).
    """

    centers: np.ndarray
    widths: np.ndarray
    loss_before: np.ndarray
    loss_after: np.ndarray
    iterations: np.ndarray
    converged: np.ndarray
    reason: np.ndarray
    flags: tuple[tuple[str, ...], ...]


def tune(
    network: Network,
    points: Points,
    consequents: np.ndarray,
    centers: np.ndarray,
    widths: np.ndarray,
    *,
    optimiser: str = "lbfgs",
    penalty: float = PENALTY,
    **options: Any,
) -> Tuned:
    """Tune centres and widths of a batch of fits.

    Parameters
    ----------
    network : Network
        Shared by all fits.
    points : Points
    consequents : array of shape (n_fits, n_rules)
        Within [0, 1]; NaN leaves the rule out.
    centers, widths : array of shape (n_neurons,) or (n_fits, n_neurons)
        Where to start.
    optimiser : {"lbfgs", "gradient_descent"}
    penalty : float
        0 as in the paper.
    **options
        For the optimiser (see :mod:`fuzzybounds.fuzzy.optimisers`).
    """
    if optimiser not in OPTIMISERS:
        raise ValueError(f"optimiser = {optimiser!r}: expected one of {tuple(OPTIMISERS)}")
    shape = (len(points.inputs), network.inputs.size)
    centers, widths = np.broadcast_to(centers, shape), np.broadcast_to(widths, shape)
    start = np.concatenate([centers, elementary.log_all(np.array(widths))], axis=1)
    unit = np.concatenate([widths, np.ones(shape)], axis=1)
    total = points.total
    evaluate = _evaluator(network, points, consequents)

    def objective(rows: np.ndarray, free: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        deviation, slope = _bounded(free)
        loss, gradient, _ = evaluate(rows, start[rows] + unit[rows] * deviation)
        value = loss + penalty * (deviation**2).sum(axis=1)
        gradient = gradient * unit[rows] + 2 * penalty * deviation
        return value / total[rows], slope * gradient / total[rows, None]

    everyone = np.arange(len(start))
    before, _, _ = evaluate(everyone, start)
    optimum = OPTIMISERS[optimiser](objective, np.zeros_like(start), **options)
    deviation, _ = _bounded(optimum.parameters)
    end = start + unit * deviation
    after, _, worst = evaluate(everyone, end)
    tuned_centers, log_widths = np.split(end, 2, axis=1)
    return Tuned(
        centers=tuned_centers,
        widths=elementary.exp_of(np.ascontiguousarray(log_widths)),
        loss_before=before / total,
        loss_after=after / total,
        iterations=optimum.iterations,
        converged=optimum.converged,
        reason=optimum.reason,
        flags=_flags(network, optimum.reason, tuned_centers, deviation, worst),
    )


def tune_controller(
    controller: Controller, points: Points, **options: Any
) -> tuple[Controller, Tuned]:
    """Tune one controller to the points of a single fit."""
    network, centers, widths, consequents = flatten(controller)
    tuned = tune(network, points, consequents[None], centers, widths, **options)
    return unflatten(controller, tuned.centers[0], tuned.widths[0]), tuned


def unflatten(controller: Controller, centers: np.ndarray, widths: np.ndarray) -> Controller:
    """Return the controller with other centres and widths, numbered as the network's neurons."""
    split = len(controller.time.labels)
    convention = controller.time.convention
    return Controller(
        Memberships(controller.time.labels, centers[:split], widths[:split], convention),
        Memberships(controller.position.labels, centers[split:], widths[split:], convention),
        controller.rules,
    )


def _evaluator(network: Network, points: Points, consequents: np.ndarray) -> Evaluator:
    """Bind the compiled kernel to the data: rows and parameters to loss, gradient, worst point."""
    from fuzzybounds.fuzzy.kernel import loss_and_gradient

    consequents = np.ascontiguousarray(consequents, dtype=float)
    given = ~np.isnan(consequents)
    if consequents.shape != (len(points.inputs), len(network.premises)):
        raise ValueError(
            f"consequents {consequents.shape}: expected "
            f"{(len(points.inputs), len(network.premises))}, one for each fit and rule"
        )
    if ((consequents < 0) | (consequents > 1)).any():
        raise ValueError("consequents: expected degrees of stop within [0, 1], or NaN")
    if not given.any(axis=1).all():
        raise ValueError("consequents: a fit has no rule, expected at least one")
    connections = (network.inputs, network.premises, network.exponent)
    data = (points.inputs, points.responded, points.weights, given, consequents)

    def evaluate(rows: np.ndarray, parameters: np.ndarray) -> tuple[np.ndarray, ...]:
        return loss_and_gradient(rows, *data, *connections, parameters)

    return evaluate


def _bounded(free: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return deviations within the bound, and the slope; up to half the bound nothing changes."""
    half = BOUND / 2
    size = np.abs(free)
    bend = _tanh(np.maximum(size - half, 0.0) / half)
    return np.copysign(np.minimum(size, half) + half * bend, free), 1 - bend**2


def _tanh(x: np.ndarray) -> np.ndarray:
    """Return the hyperbolic tangent of positive numbers, the same bits on every processor."""
    if not x.any():
        return x
    falling = elementary.exp_of(-2 * x)
    return (1 - falling) / (1 + falling)


def _flags(
    network: Network,
    reason: np.ndarray,
    centers: np.ndarray,
    deviation: np.ndarray,
    worst: np.ndarray,
) -> tuple[tuple[str, ...], ...]:
    same_input = np.diff(network.inputs) == 0
    log_change = deviation[:, centers.shape[1] :]
    found = {
        SEPARABLE: worst < np.log(2),
        CROSSED: ((np.diff(centers, axis=1) <= 0) & same_input).any(axis=1),
        EXTREME_WIDTH: (np.abs(log_change) > np.log(EXTREME)).any(axis=1),
        ONE_CONSEQUENT: reason == optimisers.UNBOUNDED,
    }
    return tuple(
        tuple(name for name, where in found.items() if where[fit]) for fit in range(len(centers))
    )
