"""Intervals of shares."""

from __future__ import annotations


def wilson(successes: float, n: float) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share."""
    z = 1.959963984540054
    center = (successes + z**2 / 2) / (n + z**2)
    half = z / (n + z**2) * (successes * (n - successes) / n + z**2 / 4) ** 0.5
    return center - half, center + half
