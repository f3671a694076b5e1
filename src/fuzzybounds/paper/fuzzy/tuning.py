"""Parameter estimation: tuning the membership functions.

Centres and widths start from structure learning and move so that the two-class cross-entropy
falls; the consequents stay (section "Parameter estimation using gradient descent").  The search is
over the deviations from the start, in units of the starting width:

    (mu - mu_start) / sigma_start   and   log(sigma / sigma_start)

so widths stay positive.  The paper descends along the gradient; L-BFGS-B reaches an optimum with
the same gradient in some forty steps.

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

from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize

from fuzzybounds.paper.fuzzy.network import Network

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


class Points(NamedTuple):
    """Two-class points of many fits, padded to the same number.

    `inputs` (fit, input, point) are time and position in the units of the memberships, and
    `responded` (fit, point) is bool.  A weight of 0 is padding; without `weights` all are 1.
    """

    inputs: np.ndarray
    responded: np.ndarray
    weights: np.ndarray | None = None


class Tuned(NamedTuple):
    """Tuned fits; fits are the first axis of every array.

    `centers` and `widths` have the shape (fit, neuron).  Losses are mean cross-entropies per point
    (chance is 0.693), without the penalty.  `iterations`, `converged` and `reason` say how many
    steps the optimiser took, and whether and why it stopped.  The `flags` of a fit are warnings:
    "separable" (all points can be classified without error; only the penalty limits the widths),
    "crossed" (centres left the order of their labels), "extreme width", "one consequent" (no rule
    allows what the subject did: the loss is infinite, nothing was tuned).
    """

    centers: np.ndarray
    widths: np.ndarray
    loss_before: np.ndarray
    loss_after: np.ndarray
    iterations: np.ndarray
    converged: np.ndarray
    reason: np.ndarray
    flags: list[tuple[str, ...]]


class Loss:
    """The cross-entropy of one fit, and its gradient by centres and by logs of widths.

    The loss of a point is log D - log N: D sums the premises of all rules, and N those of the
    rules that agree with what the subject did.  Its derivative by the log of a premise is then the
    difference of two shares.  These are the gradients of the appendix
    (:func:`fuzzybounds.paper.fuzzy.network.backward_pass`), in a form that cannot underflow.
    """

    def __init__(self, network, consequents, inputs, responded, weights):
        given = ~np.isnan(consequents)
        self.exponent, self.weights = network.exponent, weights
        self.x = inputs[network.inputs].T
        self.connections = np.zeros((given.sum(), network.inputs.size))
        np.put_along_axis(self.connections, network.premises[given], 1.0, axis=1)
        stop = consequents[given]
        with np.errstate(divide="ignore"):
            self.log_agreement = np.log(np.where(responded[:, None], stop, 1 - stop))
        self.possible = bool(np.isfinite(self.log_agreement).any(axis=1).all())
        """Whether some rule allows what the subject did, at every point."""

    def points(self, centers: np.ndarray, widths: np.ndarray) -> np.ndarray:
        """Return -log p of what was done at each point."""
        return self._shares(centers, widths)[-1] if self.possible else np.full(len(self.x), np.inf)

    def __call__(self, centers: np.ndarray, widths: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the weighted sum over points and its gradient, of shape (2 n_neurons,)."""
        distance, all_rules, agreeing, loss = self._shares(centers, widths)
        by_membership = self.weights[:, None] * (all_rules - agreeing) @ self.connections
        by_center = (2 * self.exponent * by_membership * distance).sum(axis=0) / widths
        by_log_width = (2 * self.exponent * by_membership * distance**2).sum(axis=0)
        return float(self.weights @ loss), np.concatenate([by_center, by_log_width])

    def _shares(self, centers: np.ndarray, widths: np.ndarray) -> tuple[np.ndarray, ...]:
        distance = (self.x - centers) / widths
        logs = -self.exponent * distance**2 @ self.connections.T
        all_rules, log_all = _softmax(logs)
        agreeing, log_agreeing = _softmax(logs + self.log_agreement)
        return distance, all_rules, agreeing, log_all - log_agreeing


def _softmax(logs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the softmax over the last axis, and the log of the sum of exponentials."""
    largest = logs.max(axis=-1, keepdims=True)
    shares = np.exp(logs - largest)
    total = shares.sum(axis=-1, keepdims=True)
    return shares / total, (largest + np.log(total))[..., 0]


def tune(
    network: Network,
    points: Points,
    consequents: np.ndarray,
    centers: np.ndarray,
    widths: np.ndarray,
    *,
    penalty: float = PENALTY,
) -> Tuned:
    """Tune centres and widths of some fits, which share a network and where they start.

    `consequents` (fit, rule) lie within [0, 1]; NaN leaves the rule out.  A `penalty` of 0 is the
    paper's.
    """
    if not penalty >= 0:
        raise ValueError(f"penalty = {penalty}: expected 0 (none, as in the paper) or more")
    all_weights = np.ones(points.responded.shape) if points.weights is None else points.weights
    fits = []
    for rules, inputs, responded, weights in zip(
        consequents, points.inputs, points.responded, all_weights, strict=True
    ):
        used = weights > 0
        loss = Loss(network, rules, inputs[:, used], responded[used], weights[used])
        fits.append(_tune_one(network, loss, centers, widths, penalty))
    *arrays, flags = zip(*fits, strict=True)
    return Tuned._make([*map(np.array, arrays), list(flags)])


def moved(
    deviation: np.ndarray, centers: np.ndarray, widths: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return centres and widths that deviate from the given ones."""
    by_center, by_width = np.split(deviation, 2)
    return centers + widths * by_center, widths * np.exp(by_width)


def penalised(
    deviation: np.ndarray, loss: Loss, centers: np.ndarray, widths: np.ndarray, penalty: float
) -> tuple[float, np.ndarray]:
    """Return the penalised loss per point at a deviation from the start, and its gradient."""
    value, gradient = loss(*moved(deviation, centers, widths))
    unit = np.concatenate([widths, np.ones(widths.size)])
    value += penalty * float(deviation @ deviation)
    total = loss.weights.sum()
    return value / total, (unit * gradient + 2 * penalty * deviation) / total


def _tune_one(
    network: Network, loss: Loss, centers: np.ndarray, widths: np.ndarray, penalty: float
) -> tuple[Any, ...]:
    """Return the attributes of :class:`Tuned` for one fit."""
    total = loss.weights.sum()
    before = loss.weights @ loss.points(centers, widths) / total
    if not loss.possible:
        reason = "the loss is not finite"
        return centers, widths, before, before, 0, False, reason, (ONE_CONSEQUENT,)
    minimum = minimize(
        penalised,
        np.zeros(2 * centers.size),
        (loss, centers, widths, penalty),
        jac=True,
        method="L-BFGS-B",
        bounds=[(-BOUND, BOUND)] * 2 * centers.size,
        options={"ftol": 1e-10, "gtol": 1e-5, "maxiter": 1000},
    )
    new_centers, new_widths = moved(minimum.x, centers, widths)
    each = loss.points(new_centers, new_widths)
    crossed = (np.diff(new_centers) <= 0) & (np.diff(network.inputs) == 0)
    flags = {
        SEPARABLE: each.max() < np.log(2),
        CROSSED: crossed.any(),
        EXTREME_WIDTH: (np.abs(np.log(new_widths / widths)) > np.log(EXTREME)).any(),
    }
    flagged = tuple(name for name, where in flags.items() if where)
    after, reason = loss.weights @ each / total, str(minimum.message)
    return new_centers, new_widths, before, after, minimum.nit, minimum.success, reason, flagged
