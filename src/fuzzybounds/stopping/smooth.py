"""The ceiling: a penalised smooth surface over time, distance and direction.

The log-odds to respond are those of a boundary plus a smooth surface with a normal prior: a
Gaussian process, of which the leading components are kept.  What no smooth hazard explains, no
rules or boundary can: how far a model falls behind shows how much it leaves out.

The covariance of the surface at two states is the product of exp(-d²/2) of the difference of the
square roots of their times (people's hazards change fast at first) and of their distances, each in
units of its length.  It is a product, so the components are products as well.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from fuzzybounds.canoe.task import DEADLINE, EDGE
from fuzzybounds.core.fitting import Parameter
from fuzzybounds.stopping.model import HazardFunction, HazardSlopes

TIME_LENGTH, POSITION_LENGTH = 0.7, 70.0
"""Over which the surface changes: square roots of s, and px."""
TIMES, POSITIONS = 5, 6
"""Components of time and of distance that are kept."""
AMPLITUDE = 1.0
"""Prior standard deviation of the surface, in log-odds."""
SURE = 1e-9


@cache
def _components(end: float, length: float, number: int) -> tuple[np.ndarray, np.ndarray]:
    """Return knots up to `end`, and the weights of kernels at them that make each component."""
    knots = np.arange(0.0, end + length, length)
    kernel = np.exp(-0.5 * ((knots[:, None] - knots) / length) ** 2)
    values, vectors = np.linalg.eigh(kernel)
    largest = slice(None, -number - 1, -1)
    return knots, vectors[:, largest] / np.sqrt(values[largest])


def _features(values: np.ndarray, end: float, length: float, number: int) -> np.ndarray:
    knots, weights = _components(end, length, number)
    return weights.T @ np.exp(-0.5 * ((values - knots[:, None]) / length) ** 2)


def surface_parameters(name: str, amplitude: float = AMPLITUDE) -> tuple[Parameter, ...]:
    """Return the parameters of a surface: one for every pair of components."""
    return tuple(
        Parameter(f"{name}_{i}_{j}", "identity", 0.0, amplitude, -6 * amplitude, 6 * amplitude)
        for i in range(TIMES)
        for j in range(POSITIONS)
    )


def basis(t: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Return the components at times (s) and distances (px), on the first axis."""
    time = _features(np.sqrt(t).ravel(), float(np.sqrt(DEADLINE)), TIME_LENGTH, TIMES)
    place = _features(x.ravel(), EDGE, POSITION_LENGTH, POSITIONS)
    return (time[:, None] * place).reshape(-1, *x.shape)


def surface(
    base: HazardFunction, base_slopes: HazardSlopes, size: int, *, directed: bool
) -> tuple[HazardFunction, HazardSlopes]:
    """Return the hazard of a surface on top of another hazard of `size` parameters, and its slopes.

    With `directed`, a second surface says how inward movement differs from outward movement.
    """

    def add(under, t, x, outward, theta):
        """Return the components, the base within (0, 1), and the hazard."""
        columns = basis(*np.broadcast_arrays(t, x))
        if directed:
            columns = np.concatenate([columns, columns * (1 - outward)])
        under = np.clip(under, SURE, 1 - SURE)
        odds = under / (1 - under) * np.exp(np.tensordot(theta[size:], columns, 1))
        return columns, under, odds / (1 + odds)

    def hazard(t, x, outward, theta):
        return add(base(t, x, outward, theta[:size]), t, x, outward, theta)[2]

    def slopes(t, x, outward, theta):
        under, by_base = base_slopes(t, x, outward, theta[:size])
        columns, under, value = add(under, t, x, outward, theta)
        steepness = value * (1 - value)
        by_base = by_base / (under * (1 - under)) * steepness
        return value, np.concatenate([by_base, columns * steepness])

    return hazard, slopes
