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

from typing import NamedTuple

import numpy as np

from fuzzybounds.fuzzy.membership import equidistant, labels
from fuzzybounds.stopping.boundaries import GAIN, LAPSE
from fuzzybounds.stopping.hazard_kernel import (
    logistic,
    membership_shares,
    products,
    pull_rules,
    rule_outputs,
)
from fuzzybounds.stopping.lattice import States
from fuzzybounds.stopping.model import Hazard, HazardFunction, Parameter
from fuzzybounds.storage.elementary import exp_of, log_all

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
        shifts = deviations.reshape(4, -1)
        return Labels(
            self.time_centers + self.time_widths * shifts[0],
            self.time_widths * exp_of(shifts[1]),
            self.position_centers + self.position_widths * shifts[2],
            self.position_widths * exp_of(shifts[3]),
        )

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


def starting_labels(number: int, time_range: float, position_range: float) -> Labels:
    """Return the labels of structure learning, in s and px."""
    own = equidistant(number, convention="width")
    return Labels(
        own.centers * time_range,
        own.widths * time_range,
        own.centers * position_range,
        own.widths * position_range,
    )


def names_of_consequents(number: int) -> list[str]:
    """Return the columns of a rule base: stop_TIME_POSITION."""
    return [f"stop_{time}_{position}" for time in labels(number) for position in labels(number)]


def names_of_labels(number: int) -> list[str]:
    """Return the columns of tuned labels: deviations of centres, factors of widths."""
    return [
        f"{variable}_{part}_{label}"
        for variable in ("time", "position")
        for part in ("center", "width")
        for label in labels(number)
    ]


def consequent_parameters(number: int) -> tuple[Parameter, ...]:
    """Return the parameters of graded consequents."""
    return tuple(
        Parameter(name, "logit", *CONSEQUENT_PRIOR, -13.0, 13.0)
        for name in names_of_consequents(number)
    )


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
    start, own : Labels
        Before and after tuning.
    where : States
    shift : array, shape (nodes,)
        How far positions are shifted, in px.
    """

    def __init__(self, consequents, given, start: Labels, own: Labels, where: States, shift):
        self._where, self._start, self._own = where, start, own
        self._positions = where.distances - shift[:, None]
        size = (*self._positions.shape, len(consequents))
        self._time = membership_shares(where.moments, own.time_centers, own.time_widths)
        place = membership_shares(
            self._positions.ravel(), own.position_centers, own.position_widths
        )
        self._at_place = tuple(
            products(place, rules.T).reshape(size) for rules in (consequents, given)
        )
        self._at_time = (products(self._time, consequents), products(self._time, given))
        self._place = place.reshape(size)
        self._index = (where.of_moment, where.of_distance)
        self.value, self._certainty = rule_outputs(
            self._time, *self._at_place, *self._index, LEAST_CERTAINTY
        )

    def pull(self, slopes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return derivatives by the consequents, by deviations of the labels, and by the shifts."""
        by_time, by_place, by_consequent = pull_rules(
            slopes,
            self.value,
            self._certainty,
            self._time,
            self._place,
            self._at_place,
            self._at_time,
            *self._index,
        )
        parts = []
        for by_log, (center, width, _) in zip(
            (by_time, by_place), self._by_labels(), strict=True
        ):
            over = tuple(range(by_log.ndim - 1))
            parts += [(by_log * center).sum(axis=over), (by_log * width).sum(axis=over)]
        by_shift = (by_place * self._by_labels()[1][2]).sum(axis=(1, 2))
        return by_consequent, np.concatenate(parts), by_shift

    def slopes(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the derivatives that :meth:`pull` sums up, one by one: nodes and states last."""
        moment, distance = self._index
        time = self._time[moment] / self._certainty[..., None]
        place, value = self._place[:, distance], self.value[..., None]
        stop_at, given_at = (rules[:, distance] for rules in self._at_place)
        stop_then, given_then = (rules[moment] for rules in self._at_time)
        by_consequent = time[..., :, None] * place[..., None, :]
        by_time = time * (stop_at - value * given_at)
        by_place = place * (stop_then - value * given_then) / self._certainty[..., None]
        (center, width, _), of_place = self._by_labels()
        parts = [by_time * center[moment], by_time * width[moment]]
        parts += [by_place * factor[:, distance] for factor in of_place[:2]]
        by_shift = (by_place * of_place[2][:, distance]).sum(axis=-1)
        by_labels = np.moveaxis(np.concatenate(parts, axis=-1), -1, 0)
        return np.moveaxis(by_consequent, (-2, -1), (0, 1)), by_labels, by_shift

    def _by_labels(self):
        """Return slopes of log memberships by deviations of centres and widths, and by the shift.

        One triple for time, one for position; labels are last.
        """
        start, own, factors = self._start, self._own, []
        for x, centers, widths, unit in (
            (self._where.moments, own.time_centers, own.time_widths, start.time_widths),
            (self._positions, own.position_centers, own.position_widths, start.position_widths),
        ):
            distance = (x[..., None] - centers) / widths
            # Shifting a position is moving all centres.
            factors.append((2 * distance * (unit / widths), 2 * distance**2, 2 * distance / widths))
        return factors


def binary(consequents: np.ndarray, start: Labels, *, tuned: bool) -> HazardFunction:
    """Return the hazard of rules that say stop (1), continue (0) or nothing (NaN).

    Parameters of the hazard: lapse, gain and, if tuned, the labels.
    """
    given = (~np.isnan(consequents)).astype(float)
    stop = np.nan_to_num(consequents)

    def hazard(theta: np.ndarray, where: States, shift: np.ndarray) -> Hazard:
        lapse, gain = logistic(theta[:2])
        own = start.moved(theta[2:]) if tuned else start
        output = Output(stop, given, start, own, where, shift)

        def pull(slopes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            total, stopped = slopes.sum(), (slopes * output.value).sum()
            response = [lapse * (1 - lapse) * (total - stopped), gain * (1 - gain) * stopped]
            _, by_labels, by_shift = output.pull((gain - lapse) * slopes)
            return np.append(response, by_labels if tuned else []), by_shift

        def slopes() -> tuple[np.ndarray, np.ndarray]:
            _, by_labels, by_shift = output.slopes()
            response = [lapse * (1 - lapse) * (1 - output.value), gain * (1 - gain) * output.value]
            labels_too = (gain - lapse) * by_labels if tuned else by_labels[:0]
            return np.concatenate([np.stack(response), labels_too]), (gain - lapse) * by_shift

        return Hazard(lapse + (gain - lapse) * output.value, pull, slopes)

    return hazard


def graded(number: int, start: Labels, *, tuned: bool) -> HazardFunction:
    """Return the hazard of rules with graded consequents, one for every premise.

    Parameters of the hazard: log-odds of the consequents and, if tuned, the labels.
    """
    cells = number * number
    given = np.ones((number, number))

    def hazard(theta: np.ndarray, where: States, shift: np.ndarray) -> Hazard:
        stop = logistic(theta[:cells].reshape(number, number))
        own = start.moved(theta[cells:]) if tuned else start
        output = Output(stop, given, start, own, where, shift)

        def pull(slopes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            by_consequent, by_labels, by_shift = output.pull(slopes)
            by_cells = (stop * (1 - stop) * by_consequent).ravel()
            return np.append(by_cells, by_labels if tuned else []), by_shift

        def slopes() -> tuple[np.ndarray, np.ndarray]:
            by_consequent, by_labels, by_shift = output.slopes()
            by_cells = (stop * (1 - stop))[..., None, None] * by_consequent
            by_cells = by_cells.reshape(cells, *output.value.shape)
            return np.concatenate([by_cells, by_labels if tuned else by_labels[:0]]), by_shift

        return Hazard(output.value, pull, slopes)

    return hazard
