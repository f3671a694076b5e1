"""A fuzzy controller that follows the optimal boundary, where it has labels enough.

Responding at the end of steps, the optimal observer responds beyond a distance that falls with time
in a few jumps (:meth:`optimum.Optimum.boundary`).  One label of time for each level, and one of
position for each zone between two levels, say the same in rules.  :mod:`reach` starts from there.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from fuzzybounds.canoe.task import FRAMES_PER_STEP
from fuzzybounds.fuzzy.controller import Controller
from fuzzybounds.fuzzy.membership import Convention, Memberships, labels
from fuzzybounds.fuzzy.rules import RuleBase
from fuzzybounds.learning.design import EDGE_FRAMES

NARROWEST = 0.02
"""The smallest width of a label; time and position run from 0 to 1."""
SOFTENED = (1e-5, 0.99)
"""Consequents of "continue" and "stop" from which an ascent can still go both ways."""


def boundary_levels(boundary: np.ndarray) -> list[tuple[int, float]]:
    """Return the levels of a boundary: from which step on, and at which distance in steps.

    After n steps the net number of steps has the parity of n, so a boundary b stands for any
    distance above b - 2 and up to b.  Steps whose ranges have a distance in common share a level.

    Parameters
    ----------
    boundary : array of float, shape (epochs,)
        The smallest net number of steps at which to respond; inf where none is reachable.
    """
    levels: list[tuple[int, float]] = []
    low, high = -np.inf, np.inf
    for n, own in enumerate(boundary):
        if not np.isfinite(own):
            continue
        if not levels or max(low, own - 2) >= min(high, own):
            low, high = own - 2, own
            levels.append((n, 0.0))
        low, high = max(low, own - 2), min(high, own)
        levels[-1] = (levels[-1][0], (low + high) / 2)
    return levels


def follow_boundary(
    boundary: np.ndarray, n_labels: int, convention: Convention
) -> Controller | None:
    """Return a controller that stops beyond a falling boundary, or None if it needs more labels.

    Parameters
    ----------
    boundary : array of float, shape (epochs,)
        As :func:`boundary_levels` takes it; the last epoch is the deadline.
    n_labels : int
    convention : {"width", "deviation"}
    """
    levels = boundary_levels(boundary)
    distances = [distance for _, distance in levels]
    falls = all(later < earlier for earlier, later in pairwise(distances))
    zones = sorted(distance for distance in distances if distance > 0)
    if not levels or not falls or max(len(levels), len(zones) + 1) > n_labels:
        return None
    times = (np.array([n for n, _ in levels[1:]]) - 0.5) / (len(boundary) - 1)
    time = _zoned(times, n_labels, convention)
    position = _zoned(np.array(zones) * FRAMES_PER_STEP / EDGE_FRAMES, n_labels, convention)
    table = np.full((n_labels, n_labels), SOFTENED[1])
    for row in range(n_labels):
        distance = distances[min(row, len(distances) - 1)]
        table[row, : sum(zone <= distance for zone in zones if distance > 0)] = SOFTENED[0]
    return Controller(time, position, RuleBase.from_consequents(table))


def _zoned(borders: np.ndarray, n_labels: int, convention: Convention) -> Memberships:
    """Return memberships of which two neighbours are equal at each border; the last ones alike.

    A label in the middle of its zone, as wide as a share of it, is equal to the next at the border.
    """
    edges = np.concatenate([[-borders[0]], borders, [2 - borders[-1]]])
    centers, halves = (edges[1:] + edges[:-1]) / 2, np.diff(edges) / 2
    widths = halves * NARROWEST / halves.min()
    added = n_labels - centers.size
    return Memberships(
        labels(n_labels),
        np.append(centers, np.full(added, centers[-1])),
        np.append(widths, np.full(added, widths[-1])),
        convention,
    )
