"""The lattice of the canoe's walk: a row for every step that it can make.

A step is an *edge* of the lattice: its number n, counted from 0, how many of the n steps before it
went one way (k), and whether it goes that way itself (1) or the other (0).
"""

from __future__ import annotations

import numpy as np

from fuzzybounds.canoe.task import EDGE_FRAMES
from fuzzybounds.core.compilation import njit


def edge_row(n, k, way):
    """Return the row of an edge; arguments may be arrays.  Step n has 2 (n + 1) edges."""
    return n * (n + 1) + 2 * k + way


compiled_edge_row = njit(nogil=True)(edge_row)


def edges_of(steps: int) -> np.ndarray:
    """Return number, net steps before it and direction (+-1) of every edge, by row."""
    return np.array(
        [(n, 2 * k - n, way) for n in range(steps) for k in range(n + 1) for way in (-1, 1)]
    )


@njit(nogil=True)
def distance_of(walked):
    """Return the distance that the display shows, both in frames of movement."""
    return min(abs(walked), EDGE_FRAMES)
