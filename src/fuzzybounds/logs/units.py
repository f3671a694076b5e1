"""In which units times and positions were logged: those that put the canoe where it can be.

The canoe moves 90 px/s and draws a direction every 0.5 s, so that at every time it can only be at
a few positions (:func:`fuzzybounds.canoe.paths.locate`).  A position in px is at one of them; the
same number in another unit almost never is.  This identifies the unit: each that laboratories use
is tried, then any factor and any centre.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.canoe.paths import locate
from fuzzybounds.canoe.task import DEADLINE, EDGE, FRAME, SPEED, STEP

TIME_SLACK = 0.002
"""Seconds by which logged sums of times may differ: they are printed with five digits."""
EARLIEST = 0.1
"""Responses before this time (s) are ignored: the canoe is near the centre in any unit."""
ENOUGH = 10
"""Number of later responses needed to identify a unit."""
MOSTLY, CONVINCING = 0.5, 0.8
"""Share of positions on the lattice below which they cannot be px, and above which a unit is
proposed."""
SAMPLED = 250
"""Responses by which factors and centres are searched."""
WIDEST = 10_000
"""Range of positions (px) up to which they may be screen coordinates."""
TIME_UNITS = {"s": 1.0, "ms": 1e-3}
IMPORT = "import the files with `units: {{{}}}` in the mapping, which `fuzzybounds import` proposes"


class Unit(NamedTuple):
    """A unit of position: px = (value - centre) * scale."""

    text: str
    scale: float
    centre: float = 0.0
    name: str = ""

    @property
    def option(self) -> str | dict[str, float]:
        """Return what a mapping file says of it in ``units.position``."""
        values = {"scale": self.scale, "centre": self.centre}
        return self.name or {key: int(n) if n == int(n) else n for key, n in values.items()}

    def to_px(self, values: Any) -> Any:
        """Convert a number, or an array of them, to px from the centre."""
        return (values - self.centre) * self.scale


PX = Unit("px from the centre", 1.0, name="px")
NORMALISED = Unit(f"shares of half the screen's width (1 is {EDGE:g} px)", EDGE, name="normalised")
NAMED = (
    PX,
    NORMALISED,
    Unit("shares of the screen's width, 0 at the centre", 2 * EDGE),
    Unit("shares of the screen's width, 0 at the left edge", 2 * EDGE, 0.5),
)


def time_unit(times: np.ndarray) -> str:
    """Return the unit of response times: ms if, read as seconds, most would miss any deadline."""
    times = times[np.isfinite(times) & (times > 0)]
    possible = {unit: times * factor <= DEADLINE + FRAME for unit, factor in TIME_UNITS.items()}
    if not times.size or possible["s"].mean() > MOSTLY:
        return "s"
    return "ms" if possible["ms"].mean() > MOSTLY else "s"


def share_on_lattice(times: np.ndarray, positions: np.ndarray) -> float:
    """Return the share of positions (px) at which the canoe can be at their times (s)."""
    fits = locate(times, np.clip(positions, -EDGE, EDGE)).fits
    return float(np.mean(fits & (np.abs(positions) <= EDGE)))


def telling(times: np.ndarray, positions: np.ndarray) -> np.ndarray:
    """Return which responses help to identify the unit of positions."""
    known = np.isfinite(times) & np.isfinite(positions)
    return known & (times >= EARLIEST) & (times <= DEADLINE + FRAME)


def find_unit(times: np.ndarray, positions: np.ndarray) -> tuple[Unit, float] | None:
    """Find the unit of positions at times (s) that puts most of them on the lattice.

    Its share on the lattice is returned with it; None if no unit convinces, or if there are too
    few responses to tell.
    """
    chosen = np.flatnonzero(telling(times, positions))
    if chosen.size < ENOUGH:
        return None
    picked = chosen[np.linspace(0, chosen.size - 1, min(SAMPLED, chosen.size)).astype(int)]
    times, positions = times[picked], positions[picked]
    for unit in (*NAMED, *_searched(times, positions)):
        share = share_on_lattice(times, unit.to_px(positions))
        if share >= CONVINCING:
            return unit, share
    return None


def _searched(times: np.ndarray, positions: np.ndarray) -> Iterator[Unit]:
    """Yield the best of all screen coordinates, of all factors, and of all factors and centres."""
    lowest, highest = np.floor(positions.min()), np.ceil(positions.max())
    # A screen has some thousand px; other units may span a million.
    if highest - lowest < WIDEST:
        yield _best(times, positions, ((1.0, centre) for centre in np.arange(lowest, highest + 1)))
    if away := np.abs(positions).max():
        # The furthest response is between one step from the centre and the edge of the screen.
        factors = np.geomspace(0.9 * SPEED * STEP / away, 1.01 * EDGE / away, 1200)
        yield _best(times, positions, ((factor, 0.0) for factor in factors))
    # Within the first step the canoe is 90 px/s from the centre: each centre gives a factor.
    first = times < 0.9 * STEP
    if first.sum() >= ENOUGH:
        early, due = positions[first], SPEED * times[first]
        centres = np.linspace(early.min(), early.max(), 600)
        medians = [np.median(due / np.maximum(np.abs(early - centre), 1e-12)) for centre in centres]
        yield _best(times, positions, zip(medians, centres, strict=True))


def _best(
    times: np.ndarray, positions: np.ndarray, candidates: Iterable[tuple[float, float]]
) -> Unit:
    """Return the best factor and centre, to four digits by regression on the lattice."""
    tried = list(candidates)
    shares = [share_on_lattice(times, (positions - centre) * factor) for factor, centre in tried]
    best = np.flatnonzero(np.array(shares) == max(shares))
    factor, centre = tried[best[best.size // 2]]
    shifted = np.clip((positions - centre) * factor, -EDGE, EDGE)
    lattice = locate(times, shifted)
    near = lattice.fits & ~lattice.edge
    points, values = (shifted - lattice.residual)[near], positions[near]
    if factor == 1:
        centre = round(2 * np.mean(values - points)) / 2 if near.any() else centre
        return Unit(f"screen coordinates in px (the centre is at {centre:g})", 1.0, float(centre))
    if near.sum() >= ENOUGH and np.ptp(points) > 0:
        through_zero = (points @ values / (points @ points), 0.0)
        slope, centre = np.polyfit(points, values, 1) if centre else through_zero
        factor = 1 / slope
    factor, centre = float(f"{factor:.4g}"), float(f"{centre:.4g}")
    about = f" about {centre:g}" if centre else ""
    return Unit(f"units of {factor:g} px{about} (such as centimetres or degrees)", factor, centre)


def wrong_positions(
    files: pd.Series, times: np.ndarray, positions: np.ndarray, responded: np.ndarray
) -> tuple[np.ndarray, str]:
    """Return the rows of files whose positions cannot be px, and a remedy with their unit."""
    times = times * TIME_UNITS[time_unit(times)]
    told = telling(times, positions) & responded
    foreign = _of_files(
        files, told, lambda rows: share_on_lattice(times[rows], positions[rows]) < MOSTLY
    )
    if not foreign.any():
        return foreign, ""
    times, positions = times[told & foreign], positions[told & foreign]
    now = (
        f"as px only {100 * share_on_lattice(times, positions):.0f} % of the positions, which "
        f"range from {positions.min():g} to {positions.max():g}, are where the canoe can be"
    )
    if match := find_unit(times, positions):
        unit, share = match
        option = str(unit.option).replace("'", "")
        remedy = (
            f"{IMPORT.format(f'position: {option}')} ({now}; as {unit.text} {100 * share:.0f} % "
            "are)"
        )
    else:
        remedy = (
            f"none is known ({now}, and no unit, screen coordinate or factor puts them there): are "
            "they positions at the response, in the rows of their own times, and the times in s? "
            f"did the canoe move {SPEED:g} px/s and draw its direction every {STEP:g} s?"
        )
    keep = "if they are px after all, set `validation.wrong_units: keep` in config.yaml"
    return foreign, f"{remedy}; {keep}"


def wrong_times(
    files: pd.Series, times: np.ndarray, positions: np.ndarray, responded: np.ndarray
) -> tuple[np.ndarray, str]:
    """Return the rows of files whose times are s taken for ms, and a remedy."""
    longer = times / TIME_UNITS["ms"]

    def wrong(rows: np.ndarray) -> bool:
        short = np.median(times[rows]) < EARLIEST
        return bool(short) and find_unit(longer[rows], positions[rows]) is not None

    reason = "these times are 1000 times too short: in s they fit the positions"
    told = telling(longer, positions) & responded
    return _of_files(files, told, wrong), f"{IMPORT.format('rt: s')} ({reason})"


def _of_files(
    files: pd.Series, told: np.ndarray, wrong: Callable[[np.ndarray], bool]
) -> np.ndarray:
    """Return the rows of files that are wrong, by those of their rows that tell something."""
    codes, names = pd.factorize(files)
    if told.sum() < ENOUGH:
        return np.zeros(len(files), dtype=bool)
    enough = np.bincount(codes[told], minlength=len(names)) >= ENOUGH
    if not enough.any():
        # Files with only a few trials are judged together.
        codes, enough = np.zeros(len(files), int), np.array([True])
    return np.isin(codes, [n for n in np.flatnonzero(enough) if wrong(told & (codes == n))])


def in_milliseconds(times: np.ndarray) -> str:
    """Return a remedy if the times would be possible in milliseconds."""
    reason = "in milliseconds most of these times are possible"
    return f"{IMPORT.format('rt: ms')} ({reason})" if time_unit(times) == "ms" else ""


def unit_of_total(totals: np.ndarray, expected: np.ndarray) -> str:
    """Return a remedy if the durations of trials would be as expected in another unit of time."""
    for unit, factor in (("ms", 1e-3), ("s", 1e3)):
        if np.mean(np.abs(totals * factor - expected) <= TIME_SLACK) > MOSTLY:
            return f"import the files with `units: {{total: {unit}}}` in the mapping"
    return ""
