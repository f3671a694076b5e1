"""Likelihoods of the fuzzy model: of two-class points, and of whole paths.

The paper's probability of responding is p = O / o with a constant o that it never gives (ambiguity
A07).  For two-class points o is 1.  Along a path p is a probability per step, so it depends on
the step dt; here

    p(t, x) = O(t, x) * dt / scale

with `scale` in the units of time: how long a response takes on average when every rule says stop.
The paper's o is scale / dt, and as dt goes to 0 the survival goes to exp(-∫ O dt / scale).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from fuzzybounds.paper.fuzzy.controller import Controller


def cross_entropy(controller: Controller, t: ArrayLike, x: ArrayLike, y: ArrayLike) -> float:
    """Return L of Eq. cross_entropy with p = O: a log-likelihood, not a loss (ambiguity A06).

    `y` is 1 where the subject responded and 0 where she continued.
    """
    y = np.asarray(y)
    if not np.isin(y, (0, 1)).all():
        raise ValueError(f"y = {np.unique(y).tolist()}: expected 0 (continued) and 1 (responded)")
    log_p, log_q = controller.log_output(t, x)
    return float(np.where(y == 1, log_p, log_q).sum())


def mean_loss(controller: Controller, t: ArrayLike, x: ArrayLike, y: ArrayLike) -> float:
    """Return the cross-entropy loss per point, -L / n; guessing costs log 2 = 0.693."""
    return -cross_entropy(controller, t, x, y) / np.size(y)


def response_logs(
    controller: Controller, t: ArrayLike, x: ArrayLike, *, dt: float, scale: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return log p and log(1 - p) of responding in a step, with p = O * dt / scale."""
    if not 0 < dt <= scale:
        raise ValueError(f"dt = {dt}, scale = {scale}: expected 0 < dt <= scale, so that p <= 1")
    log_p, log_q = controller.log_output(t, x)
    share = dt / scale
    with np.errstate(divide="ignore"):
        # 1 - share * O = (1 - share) + share * (1 - O): a sum of positive terms.
        return log_p + np.log(share), np.logaddexp(np.log1p(-share), log_q + np.log(share))


def path_log_likelihood(
    controller: Controller,
    positions: ArrayLike,
    responded: ArrayLike,
    *,
    dt: float,
    scale: float,
) -> np.ndarray:
    """Return the log of Eq. Fuzzy_likelihood for every path.

    `positions` (..., point) says where the canoe was at times dt, 2 dt, ...; NaN after the path's
    last point.  A path that is not `responded` ran into the deadline: the subject continued at all
    of its points.
    """
    positions, responded = np.asarray(positions, dtype=float), np.asarray(responded, dtype=bool)
    seen = ~np.isnan(positions)
    lengths = seen.sum(axis=-1)
    if not (seen == (np.arange(positions.shape[-1]) < lengths[..., None])).all():
        raise ValueError("positions: expected NaN only after a path's last point")
    if (responded & (lengths == 0)).any():
        raise ValueError("positions: a path with a response has no point, expected at least one")
    number = np.arange(1, positions.shape[-1] + 1)
    filled = np.where(seen, positions, 0.0)
    log_p, log_q = response_logs(controller, dt * number, filled, dt=dt, scale=scale)
    is_response = responded[..., None] & (number == lengths[..., None])
    return np.where(is_response, log_p, np.where(seen, log_q, 0.0)).sum(axis=-1)
