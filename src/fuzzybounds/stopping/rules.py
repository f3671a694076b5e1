"""Fuzzy rules as hazards.

Every premise has a consequent, a degree of stop, and the output O(t, x) is their mean, weighted by
the memberships of time and position (Eq. fuzzy_O).  Three kinds of rules:

- *graded*: consequents in (0, 1), and h = O, which contains the paper's o and a lapse;
- *graded with the direction as a third input*: IF the canoe moves outward AND ...;
- *of the paper*: consequents of 0 or 1, and h = lapse + (gain - lapse) O, where gain is 1 / o.

Labels start equidistant over the subject's own range of times and distances, and move from there as
in :mod:`fuzzybounds.paper.fuzzy.tuning`, whose penalty is the prior here: a standard deviation of
half a starting width for centres, and of a factor of 1.6 for widths.

:class:`fuzzybounds.paper.fuzzy.controller.Controller` is another version of the output; tests
compare the two, and the slopes with finite differences.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.core.fitting import Parameter
from fuzzybounds.paper.fuzzy.fits import fit_points
from fuzzybounds.paper.fuzzy.fitted import controllers
from fuzzybounds.paper.fuzzy.membership import equidistant, labels
from fuzzybounds.stopping.lattice import States
from fuzzybounds.stopping.model import HazardFunction, HazardSlopes

CONSEQUENT_PRIOR = (-3.0, 2.0)
"""Mean and standard deviation of the log-odds of graded consequents."""
LABEL_SD = 0.5
"""Prior standard deviation of tuned labels, in starting widths (centres) and logs (widths)."""


class Points(NamedTuple):
    """Two-class points of one subject (``samples.parquet``), one row per draw: s, px."""

    time: np.ndarray
    position: np.ndarray
    responded: np.ndarray

    @property
    def ranges(self) -> tuple[float, float]:
        """The largest time and distance (A09: the subject's own)."""
        return float(self.time.max()), float(max(self.position.max(), 1.0))


def pipeline(points: Points, number: int, where: States) -> np.ndarray:
    """Return O(t, x) of the paper's pipeline, from the points of the first draw, at every state."""
    longest, farthest = points.ranges
    first = pd.DataFrame(
        {
            "time": points.time[0] / longest,
            "position": points.position[0] / farthest,
            "responded": points.responded[0],
        }
    ).assign(subject="", window="", draw=1)
    (controller,) = controllers(fit_points(first, number)).values()
    return controller.output(where.time / longest, where.position / farthest)


def fixed(output: np.ndarray) -> HazardFunction:
    """Return the hazard lapse + (gain - lapse) O, with O known at the states of a model."""

    def hazard(t, x, outward, theta):
        lapse, gain = theta
        return lapse + (gain - lapse) * output

    return hazard


def starting_labels(number: int, time_range: float, position_range: float) -> np.ndarray:
    """Return the labels of structure learning, in s and px.

    Returns
    -------
    array, shape (4, labels)
        Centres of time, widths of time, centres of position, widths of position.
    """
    unit = equidistant(number, convention="width")
    return np.outer([time_range, position_range], [unit.centers, unit.widths]).reshape(4, -1)


def move(start: np.ndarray, deviations: np.ndarray) -> np.ndarray:
    """Return tuned labels: centres move by starting widths, widths change by factors."""
    by, moved = np.reshape(deviations, (4, -1)), start.copy()
    moved[::2] += start[1::2] * by[::2]
    moved[1::2] *= by[1::2]
    return moved


@cache
def consequent_parameters(number: int, when: str = "") -> tuple[Parameter, ...]:
    """Return the parameters of graded consequents: stop_TIME_POSITION."""
    return tuple(
        Parameter(f"stop{when}_{time}_{position}", "logit", *CONSEQUENT_PRIOR, -13.0, 13.0)
        for time in labels(number)
        for position in labels(number)
    )


@cache
def label_parameters(number: int) -> tuple[Parameter, ...]:
    """Return the parameters of tuned labels: deviations of centres, factors of widths."""
    return tuple(
        Parameter(f"{variable}_{part}_{label}", scale, 0.0, LABEL_SD, -4.0, 4.0)
        for variable in ("time", "position")
        for part, scale in (("center", "identity"), ("width", "log"))
        for label in labels(number)
    )


def shares(value: np.ndarray, centers: np.ndarray, widths: np.ndarray) -> np.ndarray:
    """Return memberships exp(-((x - c) / w)^2) over their sum: labels by values."""
    exponent = -(((value - centers[:, None]) / widths[:, None]) ** 2)
    degrees = np.exp(exponent - exponent.max(axis=0))
    return degrees / degrees.sum(axis=0)


def output(t: np.ndarray, x: np.ndarray, labels: np.ndarray, stop: np.ndarray) -> np.ndarray:
    """Return O(t, x) of labels (:func:`starting_labels`) and consequents (time, position)."""
    t, x = np.broadcast_arrays(t, x)
    time, place = shares(t.ravel(), *labels[:2]), shares(x.ravel(), *labels[2:])
    return ((stop.T @ time) * place).sum(axis=0).reshape(x.shape)


def _output_slopes(t, x, labels, stop, start):
    """Return :func:`output`, and derivatives by consequents and deviations as in :func:`move`."""
    t, x = np.broadcast_arrays(t, x)
    t, x, shape = t.ravel(), x.ravel(), x.shape
    time, place = shares(t, *labels[:2]), shares(x, *labels[2:])
    stop_at, stop_then = stop @ place, stop.T @ time
    value = (stop_then * place).sum(axis=0)
    parts = [(time[:, None] * place).reshape(stop.size, -1)]
    for share, mean, at, (centers, widths), start_width in (
        (time, stop_at, t, labels[:2, :, None], start[1, :, None]),
        (place, stop_then, x, labels[2:, :, None], start[3, :, None]),
    ):
        distance = (at - centers) / widths
        pulled = 2.0 * share * (mean - value) * distance * (start_width / widths)
        parts += [pulled, pulled * distance]
    return value.reshape(shape), np.concatenate(parts).reshape(-1, *shape)


def graded(number: int, start: np.ndarray) -> tuple[HazardFunction, HazardSlopes]:
    """Return the hazard of graded rules, and its slopes: consequents, then deviations of labels."""
    cells = number * number

    def hazard(t, x, outward, theta):
        stop = theta[:cells].reshape(number, number)
        return output(t, x, move(start, theta[cells:]), stop)

    def slopes(t, x, outward, theta):
        stop = theta[:cells].reshape(number, number)
        return _output_slopes(t, x, move(start, theta[cells:]), stop, start)

    return hazard, slopes


def three_inputs(number: int, start: np.ndarray) -> tuple[HazardFunction, HazardSlopes]:
    """Return the hazard of rules with a third input, and its slopes.

    Consequents where the canoe moves outward come first, then those where it moves inward, then
    the deviations of the labels, which both have in common.
    """
    cells = number * number
    one, one_slopes = graded(number, start)

    def sides(theta):
        away, toward, common = np.split(theta, [cells, 2 * cells])
        return np.append(away, common), np.append(toward, common)

    def hazard(t, x, outward, theta):
        away, toward = (one(t, x, outward, side) for side in sides(theta))
        return outward * away + (1 - outward) * toward

    def slopes(t, x, outward, theta):
        both_sides = (one_slopes(t, x, outward, side) for side in sides(theta))
        values, slopes = zip(*both_sides, strict=True)
        away, toward = outward * slopes[0], (1 - outward) * slopes[1]
        both = away[cells:] + toward[cells:]
        value = outward * values[0] + (1 - outward) * values[1]
        return value, np.concatenate([away[:cells], toward[:cells], both])

    return hazard, slopes


def of_the_paper(stop: np.ndarray, start: np.ndarray) -> tuple[HazardFunction, HazardSlopes]:
    """Return the hazard of rules with known consequents, and its slopes: lapse, gain, labels."""

    def hazard(t, x, outward, theta):
        lapse, gain = theta[:2]
        return lapse + (gain - lapse) * output(t, x, move(start, theta[2:]), stop)

    def slopes(t, x, outward, theta):
        lapse, gain = theta[:2]
        value, by_output = _output_slopes(t, x, move(start, theta[2:]), stop, start)
        by_labels = (gain - lapse) * by_output[stop.size :]
        slopes = np.concatenate([[1 - value, value], by_labels])
        return lapse + (gain - lapse) * value, slopes

    return hazard, slopes


@cache
def monotone_bases(number: int) -> tuple[np.ndarray, ...]:
    """Return all rule bases that never take back "stop", later or further away, but two.

    An array is 1 where a premise (time, position) says stop.  Those that never or always say so
    are left out.
    """
    # From how many position labels on a time says stop: never more of them later.
    firsts = combinations_with_replacement(range(number, -1, -1), number)
    bases = [
        np.array([[float(p >= first) for p in range(number)] for first in first_labels])
        for first_labels in firsts
    ]
    return tuple(base for base in bases if 0 < base.sum() < base.size)
