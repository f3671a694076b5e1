"""Fuzzy rules as hazards.

Every premise has a graded consequent, a degree of stop in (0, 1), and the subject responds in a bin
with h = O(t, x) (Eq. fuzzy_O).  The paper's o and a lapse are contained in the consequents.

Labels start equidistant over the subject's own range of times and distances, and move from there as
in :mod:`fuzzybounds.paper.fuzzy.tuning`, whose penalty is the prior here: a standard deviation of
half a starting width for centres, and of a factor of 1.6 for widths.

The paper's own rules, learned from two-class points, give a fixed O(t, x) (:func:`pipeline`); the
subject then responds with lapse + (gain - lapse) O(t, x), where gain is 1 / o.

:class:`fuzzybounds.paper.fuzzy.controller.Controller` is the readable version of the compiled
output; tests compare the two, and the slopes with finite differences.
"""

from __future__ import annotations

from functools import cache
from math import exp
from typing import NamedTuple

import numpy as np
from scipy.special import expit

from fuzzybounds.core.compilation import njit
from fuzzybounds.core.fitting import Parameter
from fuzzybounds.paper.fuzzy.membership import equidistant, labels
from fuzzybounds.stopping.lattice import States
from fuzzybounds.stopping.model import Hazard, HazardFunction

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
    ranges = np.outer(points.ranges, [0.0, 1.0])
    first = np.stack([points.time[0], points.position[0]], axis=1)
    # Its base class takes a second or more to import, which fits of no rules need not wait for.
    from fuzzybounds.classifier import FuzzyClassifier

    fitted = FuzzyClassifier(number, ranges=ranges).fit(first, points.responded[0])
    return fitted.predict_proba(np.stack([where.time, where.position], axis=1))[:, -1]


def fixed(output: np.ndarray) -> HazardFunction:
    """Return the hazard lapse + (gain - lapse) O, with O known at every state."""

    def hazard(theta: np.ndarray, where: States, shift: np.ndarray) -> Hazard:
        lapse, gain = expit(theta)

        def vjp(slopes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            stopped = slopes[0] @ output
            by_lapse = lapse * (1 - lapse) * (slopes.sum() - stopped)
            return np.array([by_lapse, gain * (1 - gain) * stopped]), np.zeros(1)

        return Hazard((lapse + (gain - lapse) * output)[None], vjp)

    return hazard


def starting_labels(number: int, time_range: float, position_range: float) -> np.ndarray:
    """Return the labels of structure learning, in s and px.

    Returns
    -------
    array, shape (4, labels)
        Centres of time, widths of time, centres of position, widths of position.
    """
    own = equidistant(number, convention="width")
    return np.outer([time_range, position_range], [own.centers, own.widths]).reshape(4, -1)


def move(start: np.ndarray, deviations: np.ndarray) -> np.ndarray:
    """Return tuned labels: centres move by starting widths, widths by factors (as logs)."""
    by, moved = deviations.reshape(4, -1), start.copy()
    moved[::2] += start[1::2] * by[::2]
    moved[1::2] *= np.exp(by[1::2])
    return moved


@cache
def consequent_parameters(number: int) -> tuple[Parameter, ...]:
    """Return the parameters of graded consequents: stop_TIME_POSITION."""
    return tuple(
        Parameter(f"stop_{time}_{position}", "logit", *CONSEQUENT_PRIOR, -13.0, 13.0)
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


def graded(number: int, start: np.ndarray) -> HazardFunction:
    """Return the hazard of rules: log-odds of the consequents, then deviations of the labels."""
    cells = number * number

    def hazard(theta: np.ndarray, where: States, shift: np.ndarray) -> Hazard:
        stop = expit(theta[:cells]).reshape(number, number)
        tuned = move(start, theta[cells:])
        index = (where.of_moment, where.of_distance)
        place = (where.moments, where.distances, *index, shift, tuned)
        parts = rule_outputs(*place, stop)

        def vjp(slopes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            by_consequent, by_labels, by_shift = pull_rules(slopes, *place, start, parts)
            return np.append(stop * (1 - stop) * by_consequent, by_labels), by_shift

        return Hazard(parts[0], vjp)

    return hazard


@njit(nogil=True)
def membership_shares(x, centers, widths):
    """Return memberships exp(-((x - c) / w)^2) over their sum: shape (values, labels)."""
    shares = np.empty((x.size, centers.size))
    for p in range(x.size):
        nearest, total = np.inf, 0.0
        for i in range(centers.size):
            shares[p, i] = ((x[p] - centers[i]) / widths[i]) ** 2
            nearest = min(nearest, shares[p, i])
        for i in range(centers.size):
            shares[p, i] = exp(nearest - shares[p, i])
            total += shares[p, i]
        for i in range(centers.size):
            shares[p, i] /= total
    return shares


@njit(nogil=True)
def rule_outputs(moments, distances, of_moment, of_distance, shift, labels, consequents):
    """Return O of all rules, and the parts of it that slopes need.

    Parameters
    ----------
    moments, distances : array
        Different times and distances.
    of_moment, of_distance : array of int, shape (states,)
    shift : array, shape (nodes,)
        How far positions are shifted.
    labels : array, shape (4, labels)
        As :func:`starting_labels` has them.
    consequents : array, shape (labels, labels)
        Degrees of stop.

    Returns
    -------
    outputs : array, shape (nodes, states)
    time : array, shape (moments, labels)
        Shares of the labels of time.
    place : array, shape (nodes, distances, labels)
        Shares of the labels of position.
    stop_at : array, shape (nodes, distances, labels of time)
        Consequents summed over the shares of the labels of position.
    stop_then : array, shape (moments, labels of position)
        The same summed over the shares of the labels of time.
    """
    nodes, number, states = shift.size, labels.shape[1], of_moment.size
    positions = (distances - shift.reshape(-1, 1)).ravel()
    time = membership_shares(moments, labels[0], labels[1])
    flat = membership_shares(positions, labels[2], labels[3])
    size = (nodes, distances.size, number)
    stop_at = (flat @ consequents.T.copy()).reshape(size)
    outputs = np.empty((nodes, states))
    for node in range(nodes):
        for s in range(states):
            m, d, stop = of_moment[s], of_distance[s], 0.0
            for i in range(number):
                stop += time[m, i] * stop_at[node, d, i]
            outputs[node, s] = stop
    return outputs, time, flat.reshape(size), stop_at, time @ consequents


@njit(nogil=True)
def pull_rules(slopes, moments, distances, of_moment, of_distance, shift, labels, start, parts):
    """Return derivatives by consequents, labels and shifts, given those by the output.

    Parameters are those of :func:`rule_outputs`, what it returned, and the labels before tuning.
    Derivatives by labels are by deviations of centres in starting widths, and of widths in logs.
    """
    outputs, time, place, stop_at, stop_then = parts
    (nodes, states), number = slopes.shape, labels.shape[1]
    by_time, by_place, pairs = np.zeros_like(time), np.zeros_like(place), np.zeros_like(stop_at)
    for node in range(nodes):
        for s in range(states):
            g = slopes[node, s]
            if g == 0.0:
                continue
            m, d, output = of_moment[s], of_distance[s], outputs[node, s]
            for i in range(number):
                share = g * time[m, i]
                by_time[m, i] += share * (stop_at[node, d, i] - output)
                pairs[node, d, i] += share
            for j in range(number):
                by_place[node, d, j] += g * place[node, d, j] * (stop_then[m, j] - output)
    by_consequent, by_labels = np.zeros((number, number)), np.zeros((4, number))
    by_shift = np.zeros(nodes)
    for m in range(moments.size):
        for i in range(number):
            distance = (moments[m] - labels[0, i]) / labels[1, i]
            pulled = 2.0 * by_time[m, i] * distance
            by_labels[0, i] += pulled * start[1, i] / labels[1, i]
            by_labels[1, i] += pulled * distance
    for node in range(nodes):
        for d in range(distances.size):
            for i in range(number):
                for j in range(number):
                    by_consequent[i, j] += pairs[node, d, i] * place[node, d, j]
            for j in range(number):
                distance = (distances[d] - shift[node] - labels[2, j]) / labels[3, j]
                pulled = 2.0 * by_place[node, d, j] * distance
                by_labels[2, j] += pulled * start[3, j] / labels[3, j]
                by_labels[3, j] += pulled * distance
                # Shifting a position is moving all centres.
                by_shift[node] += pulled / labels[3, j]
    return by_consequent, by_labels.reshape(-1), by_shift
