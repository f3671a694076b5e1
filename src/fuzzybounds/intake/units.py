"""In which unit positions were logged: the one that puts them where the canoe can be.

The canoe moves 90 px/s and draws a direction every 0.5 s, so that at every time it can only be at
a few positions (:func:`fuzzybounds.canoe.paths.locate`).  A position in px is at one of them; the
same number in another unit almost never is.  This identifies the unit: each that laboratories use
is tried, then any factor and any centre.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from fuzzybounds.canoe.paths import TOLERANCE, locate
from fuzzybounds.canoe.task import DEADLINE, EDGE, FRAME, SPEED, STEP

EARLIEST = 0.1
"""Responses before this time (s) are ignored: the canoe is near the centre in any unit."""
ENOUGH = 10
"""Number of later responses needed to identify a unit."""
MOSTLY = 0.5
"""Share of positions on the lattice below which they cannot be px."""
CONVINCING = 0.8
"""Share of positions on the lattice above which a unit is proposed."""
SAMPLED = 250
"""Responses by which factors and centres are searched."""
WIDEST = 10_000
"""Range of positions (px) up to which they may be screen coordinates."""
STEPS = (1.0, 0.75, 0.6, 0.4, 1 / 3, 0.25, 0.2)
"""Other times between two draws of the direction (s) that are tried."""
TIME_UNITS = {"s": 1.0, "ms": 1e-3}


@dataclass(frozen=True)
class Unit:
    """A unit of position: px = (value - centre) * scale.

    Attributes
    ----------
    text : str
        Its name, in words.
    option : str or dict
        What a mapping file says of it in ``units.position``.
    scale, centre : float
    """

    text: str
    option: str | dict[str, float]
    scale: float
    centre: float = 0.0

    def as_yaml(self) -> str:
        """Return what a mapping file says of it in ``units.position``."""
        if isinstance(self.option, str):
            return self.option
        return f"{{{', '.join(f'{key}: {value:.6g}' for key, value in self.option.items())}}}"

    def to_px(self, values: Any) -> Any:
        """Convert a number, or an array of them, to px from the centre."""
        return (values - self.centre) * self.scale


PX = Unit("px from the centre", "px", 1.0)
NORMALISED = Unit(f"shares of half the screen's width (1 is {EDGE:g} px)", "normalised", EDGE)
NAMED = (
    PX,
    NORMALISED,
    Unit(
        "shares of the screen's width, 0 at the centre",
        {"scale": 2 * EDGE, "centre": 0},
        2 * EDGE,
    ),
    Unit(
        "shares of the screen's width, 0 at the left edge",
        {"scale": 2 * EDGE, "centre": 0.5},
        2 * EDGE,
        0.5,
    ),
)


def time_unit(times: np.ndarray) -> str:
    """Return the unit of response times: ms if, read as seconds, most would miss any deadline."""
    times = times[np.isfinite(times) & (times > 0)]
    if not times.size or np.mean(times <= DEADLINE + FRAME) > MOSTLY:
        return "s"
    return "ms" if np.mean(times * TIME_UNITS["ms"] <= DEADLINE + FRAME) > MOSTLY else "s"


def share_on_lattice(times: np.ndarray, positions: np.ndarray, step: float = STEP) -> float:
    """Return the share of positions (px) at which the canoe can be at their times (s).

    Parameters
    ----------
    times, positions : array
    step : float
        Time between two draws of the direction.
    """
    # A canoe that draws its direction every `step` is one that draws it every 0.5 s, in another
    # unit of time and at another speed; only the tolerance stays.
    pace = STEP / step
    residual = locate(times * pace, np.clip(positions * pace, -EDGE, EDGE)).residual / pace
    beyond = np.abs(positions) > EDGE
    return float(np.mean((np.abs(residual) <= TOLERANCE) & ~beyond))


def telling(times: np.ndarray, positions: np.ndarray) -> np.ndarray:
    """Return which responses help to identify the unit of positions."""
    known = np.isfinite(times) & np.isfinite(positions)
    return known & (times >= EARLIEST) & (times <= DEADLINE + FRAME)


def find_unit(times: np.ndarray, positions: np.ndarray) -> tuple[Unit, float] | None:
    """Find the unit that puts responses on the lattice, and the share of them that it puts there.

    Parameters
    ----------
    times : array
        Response times in s.
    positions : array
        Positions in an unknown unit.

    Returns
    -------
    (Unit, float) or None
        None where no unit does, or where there are too few responses to tell.
    """
    chosen = np.flatnonzero(telling(times, positions))
    if chosen.size < ENOUGH:
        return None
    picked = chosen[np.linspace(0, chosen.size - 1, min(SAMPLED, chosen.size)).astype(int)]
    times, positions = times[picked], positions[picked]

    def share(unit: Unit) -> float:
        return share_on_lattice(times, unit.to_px(positions))

    for unit in NAMED:
        if (found := share(unit)) >= CONVINCING:
            return unit, found
    for search in (_shifted, _scaled, _shifted_and_scaled):
        unit = search(times, positions)
        if (found := share(unit)) >= CONVINCING:
            return unit, found
    return None


def find_step(times: np.ndarray, positions: np.ndarray) -> float | None:
    """Find another time between two draws of the direction that explains positions in px."""
    chosen = telling(times, positions)
    for step in STEPS:
        by_chance = 4 * TOLERANCE / (2 * SPEED * step)
        needed = max(CONVINCING, (1 + by_chance) / 2)
        if share_on_lattice(times[chosen], positions[chosen], step) >= needed:
            return step
    return None


def _shifted(times: np.ndarray, positions: np.ndarray) -> Unit:
    """Screen coordinates in px with the best centre."""
    centres = np.arange(np.floor(positions.min()), np.ceil(positions.max()) + 1)
    # A screen has some thousand px; other units may span a million.
    if centres.size > WIDEST:
        return PX
    centre = _best(centres, lambda own: share_on_lattice(times, positions - own))
    points, near = _lattice(times, positions - centre)
    centre = round(2 * float(np.mean((positions - points)[near]))) / 2 if near.any() else centre
    text = f"screen coordinates in px (the centre is at {centre:g})"
    return Unit(text, {"scale": 1, "centre": centre}, 1.0, centre)


def _scaled(times: np.ndarray, positions: np.ndarray) -> Unit:
    """Any unit about 0, by its best factor."""
    away = np.abs(positions).max()
    if away == 0:
        return PX
    # The furthest response is between one step from the centre and the edge of the screen.
    factors = np.geomspace(0.9 * SPEED * STEP / away, 1.01 * EDGE / away, 1200)
    factor = _best(factors, lambda own: share_on_lattice(times, positions * own))
    return _refined(times, positions, factor, 0.0)


def _shifted_and_scaled(times: np.ndarray, positions: np.ndarray) -> Unit:
    """Any unit about any centre.

    Within the first step the canoe is 90 px/s from the centre: each centre gives a factor.
    """
    first = times < 0.9 * STEP
    if first.sum() < ENOUGH:
        return PX
    early = positions[first]

    def factor(centre: float) -> float:
        return float(np.median(SPEED * times[first] / np.maximum(np.abs(early - centre), 1e-12)))

    centres = np.linspace(early.min(), early.max(), 600)
    centre = _best(centres, lambda own: share_on_lattice(times, (positions - own) * factor(own)))
    return _refined(times, positions, factor(centre), centre)


def _refined(times: np.ndarray, positions: np.ndarray, factor: float, centre: float) -> Unit:
    """Find factor and centre to four digits, by regression of positions on the lattice."""
    points, near = _lattice(times, (positions - centre) * factor)
    if near.sum() >= ENOUGH and np.ptp(points[near]) > 0:
        if centre:
            slope, centre = np.polyfit(points[near], positions[near], 1)
        else:
            slope = points[near] @ positions[near] / (points[near] @ points[near])
        factor = 1 / slope
    factor, centre = float(f"{factor:.4g}"), float(f"{centre:.4g}")
    about = f" about {centre:g}" if centre else ""
    text = f"units of {factor:g} px{about} (such as centimetres or degrees)"
    return Unit(text, {"scale": factor, "centre": centre}, factor, centre)


def _lattice(times: np.ndarray, positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The nearest position of the canoe, and whether it is near."""
    inside = np.clip(positions, -EDGE, EDGE)
    found = locate(times, inside)
    return inside - found.residual, found.fits & ~found.edge


def _best(values: np.ndarray, share: Callable[[float], float]) -> float:
    """The middle of the values that have the largest share."""
    shares = np.array([share(value) for value in values])
    return float(np.median(values[shares == shares.max()]))
