"""Fuzzy rules as hazards.

With consequents of 0 and 1 (rules by Wang and Mendel) the subject responds in a bin with

    h = lapse + (gain - lapse) O(t, x),

which is the paper's O / o with gain = 1 / o, and the same lapse that the boundaries have.  Graded
consequents are degrees of stop in (0, 1), and o and the lapse are among them: h = O(t, x).

Labels start equidistant over the subject's own range of times and distances.  Tuned labels move
from there as in :mod:`fuzzybounds.fuzzy.tuning`, whose penalty is the prior here: a standard
deviation of half a starting width for centres, and of a factor of 1.6 for widths.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from fuzzybounds.fuzzy.membership import Memberships, equidistant, labels
from fuzzybounds.stopping.boundaries import GAIN, LAPSE
from fuzzybounds.stopping.hazard_kernel import logistic, move_labels, pull_rules, rule_outputs
from fuzzybounds.stopping.lattice import States
from fuzzybounds.stopping.model import Hazard, HazardFunction, Parameter
from fuzzybounds.storage.elementary import log_all

LEAST_CERTAINTY = 1e-280
"""Where no rule applies to a higher degree than this, the output is 0."""
CONSEQUENT_PRIOR = (-3.0, 2.0)
"""Mean and standard deviation of the log-odds of graded consequents."""
LABEL_SD = 0.5
"""Prior standard deviation of tuned labels, in starting widths (centres) and logs (widths)."""


class Labels(NamedTuple):
    """Centres and widths of the labels of time (s) and of position (px)."""

    time_centers: np.ndarray
    time_widths: np.ndarray
    position_centers: np.ndarray
    position_widths: np.ndarray

    def moved(self, deviations: np.ndarray) -> Labels:
        """Return tuned labels: deviations of centres and log widths, time first."""
        return Labels(*move_labels(np.stack(self), deviations))

    def deviations(self, start: Labels) -> np.ndarray:
        """Return what :meth:`moved` must be given to get from `start` to these labels."""
        return np.concatenate(
            [
                (self.time_centers - start.time_centers) / start.time_widths,
                log_all(self.time_widths / start.time_widths),
                (self.position_centers - start.position_centers) / start.position_widths,
                log_all(self.position_widths / start.position_widths),
            ]
        )


@cache
def unit_labels(number: int) -> Memberships:
    """Return the labels of structure learning over [0, 1]."""
    return equidistant(number, convention="width")


def starting_labels(number: int, time_range: float, position_range: float) -> Labels:
    """Return the labels of structure learning, in s and px."""
    own = unit_labels(number)
    return Labels(
        own.centers * time_range,
        own.widths * time_range,
        own.centers * position_range,
        own.widths * position_range,
    )


@cache
def names_of_consequents(number: int) -> list[str]:
    """Return the columns of a rule base: stop_TIME_POSITION."""
    return [f"stop_{time}_{position}" for time in labels(number) for position in labels(number)]


@cache
def names_of_labels(number: int) -> list[str]:
    """Return the columns of tuned labels: deviations of centres, factors of widths."""
    return [
        f"{variable}_{part}_{label}"
        for variable in ("time", "position")
        for part in ("center", "width")
        for label in labels(number)
    ]


@cache
def consequent_parameters(number: int) -> tuple[Parameter, ...]:
    """Return the parameters of graded consequents."""
    return tuple(
        Parameter(name, "logit", *CONSEQUENT_PRIOR, -13.0, 13.0)
        for name in names_of_consequents(number)
    )


@cache
def label_parameters(number: int) -> tuple[Parameter, ...]:
    """Return the parameters of tuned labels."""
    return tuple(
        Parameter(name, "log" if "_width_" in name else "identity", 0.0, LABEL_SD, -4.0, 4.0)
        for name in names_of_labels(number)
    )


RESPONSE_PARAMETERS = (LAPSE, GAIN)
"""Of rules with consequents of 0 and 1."""


class Output:
    """O(t, x) of Eq. fuzzy_O at every node and state, and its derivatives.

    Parameters
    ----------
    consequents, given : array, shape (labels, labels)
        Degrees of stop, and 1 where there is a rule, else 0.
    start : array, shape (4, labels)
        Labels before tuning.
    deviations : array
        Of the labels, or empty (:meth:`Labels.moved`).
    where : States
    shift : array, shape (nodes,)
        How far positions are shifted, in px.
    """

    def __init__(self, consequents, given, start, deviations, where: States, shift):
        self._start, self._labels = start, move_labels(start, deviations)
        index = (where.of_moment, where.of_distance)
        self._place = (where.moments, where.distances, *index, shift)
        self._parts = rule_outputs(*self._place, self._labels, consequents, given, LEAST_CERTAINTY)
        self.value = self._parts[0]

    def pull(self, slopes: np.ndarray):
        """Return derivatives by the consequents, by deviations of the labels, and by the shifts.

        Then the sums of the slopes, and of the slopes times the output.
        """
        return pull_rules(slopes, *self._place, self._labels, self._start, self._parts)

    def slopes_by_consequents(self) -> np.ndarray:
        """Return the derivatives by every consequent: shape (cells, nodes, states)."""
        _, _, of_moment, of_distance, _ = self._place
        _, certainty, time, place = self._parts[:4]
        by_time = time[of_moment].T[:, None] / certainty
        by_place = np.moveaxis(place[:, of_distance], -1, 0)
        return (by_time[:, None] * by_place[None]).reshape(-1, *certainty.shape)

    def slopes_by_labels(self) -> np.ndarray:
        """Return the derivatives by deviations of the labels, then those by the shift.

        Labels are in the order of :meth:`Labels.moved`; nodes and states come last.
        """
        moments, distances, of_moment, of_distance, shift = self._place
        value, certainty, time, place, stop_at, given_at, stop_then, given_then = self._parts
        value, certainty = value[..., None], certainty[..., None]
        by_time = stop_at[:, of_distance] - value * given_at[:, of_distance]
        by_place = stop_then[of_moment] - value * given_then[of_moment]
        parts = []
        for by_log, x, (centers, widths), unit in (
            (by_time * time[of_moment], moments[of_moment], self._labels[:2], self._start[1]),
            (
                by_place * place[:, of_distance],
                distances[of_distance] - shift[:, None],
                self._labels[2:],
                self._start[3],
            ),
        ):
            distance = (x[..., None] - centers) / widths
            pulled = 2 * by_log / certainty * distance
            parts += [pulled * unit / widths, pulled * distance]
        # Shifting a position is moving all centres.
        parts.append((pulled / self._labels[3]).sum(axis=-1, keepdims=True))
        return np.moveaxis(np.concatenate(parts, axis=-1), -1, 0)


def _with_labels(rows, output: Output, size: float, tuned: bool, by_shift: bool) -> np.ndarray:
    """Return slopes with those by labels and by the shift below, where they are asked for."""
    if not (tuned or by_shift):
        return rows
    more = size * output.slopes_by_labels()
    return np.concatenate([rows, more[0 if tuned else -1 : None if by_shift else -1]])


def binary(consequents: np.ndarray, start: Labels, *, tuned: bool) -> HazardFunction:
    """Return the hazard of rules that say stop (1), continue (0) or nothing (NaN).

    Parameters of the hazard: lapse, gain and, if tuned, the labels.
    """
    given = (~np.isnan(consequents)).astype(float)
    stop, first = np.nan_to_num(consequents), np.stack(start)

    def hazard(theta: np.ndarray, where: States, shift: np.ndarray) -> Hazard:
        lapse, gain = logistic(theta[:2])
        output = Output(stop, given, first, theta[2:], where, shift)
        size = gain - lapse

        def pull(slopes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            _, by_labels, by_shift, total, stopped = output.pull(slopes)
            gradient = np.empty(theta.size)
            gradient[0] = lapse * (1 - lapse) * (total - stopped)
            gradient[1] = gain * (1 - gain) * stopped
            if tuned:
                gradient[2:] = size * by_labels
            return gradient, size * by_shift

        def slopes(*, by_shift: bool) -> np.ndarray:
            value = output.value
            rows = np.stack([lapse * (1 - lapse) * (1 - value), gain * (1 - gain) * value])
            return _with_labels(rows, output, size, tuned, by_shift)

        return Hazard(lapse + size * output.value, pull, slopes)

    return hazard


def graded(number: int, start: Labels, *, tuned: bool) -> HazardFunction:
    """Return the hazard of rules with graded consequents, one for every premise.

    Parameters of the hazard: log-odds of the consequents and, if tuned, the labels.
    """
    cells = number * number
    given, first = np.ones((number, number)), np.stack(start)

    def hazard(theta: np.ndarray, where: States, shift: np.ndarray) -> Hazard:
        stop = logistic(theta[:cells]).reshape(number, number)
        output = Output(stop, given, first, theta[cells:], where, shift)

        def pull(slopes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            by_consequent, by_labels, by_shift, _, _ = output.pull(slopes)
            gradient = np.empty(theta.size)
            gradient[:cells] = (stop * (1 - stop) * by_consequent).ravel()
            if tuned:
                gradient[cells:] = by_labels
            return gradient, by_shift

        def slopes(*, by_shift: bool) -> np.ndarray:
            steep = (stop * (1 - stop)).reshape(-1, 1, 1)
            return _with_labels(
                steep * output.slopes_by_consequents(), output, 1.0, tuned, by_shift
            )

        return Hazard(output.value, pull, slopes)

    return hazard
