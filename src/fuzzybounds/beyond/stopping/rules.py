"""Fuzzy rules as hazards.

With consequents of 0 and 1 (rules by Wang and Mendel) the subject responds in a bin with

    h = lapse + (gain - lapse) O(t, x),

which is the paper's O / o with gain = 1 / o, and the same lapse that the boundaries have.  Graded
consequents are degrees of stop in (0, 1), and o and the lapse are among them: h = O(t, x).

Labels start equidistant over the subject's own range of times and distances.  Tuned labels move
from there as in :mod:`fuzzybounds.paper.fuzzy.tuning`, whose penalty is the prior here: a standard
deviation of half a starting width for centres, and of a factor of 1.6 for widths.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy.special import expit

from fuzzybounds.beyond.stopping.boundaries import GAIN, LAPSE
from fuzzybounds.beyond.stopping.lattice import States
from fuzzybounds.beyond.stopping.model import Hazard, HazardFunction
from fuzzybounds.beyond.stopping.rule_kernel import pull_rules, rule_outputs
from fuzzybounds.core.fitting import Parameter
from fuzzybounds.paper.fuzzy.membership import Memberships, equidistant, labels

LEAST_CERTAINTY = 1e-280
"""Where no rule applies to a higher degree than this, the output is 0."""
CONSEQUENT_PRIOR = (-3.0, 2.0)
"""Mean and standard deviation of the log-odds of graded consequents."""
LABEL_SD = 0.5
"""Prior standard deviation of tuned labels, in starting widths (centres) and logs (widths)."""


def move(start: np.ndarray, deviations: np.ndarray) -> np.ndarray:
    """Return tuned labels (see :func:`starting_labels`).

    Deviations have the same order, those of centres in starting widths and those of widths in logs.
    """
    by, moved = deviations.reshape(4, -1), start.copy()
    moved[::2] += start[1::2] * by[::2]
    moved[1::2] *= np.exp(by[1::2])
    return moved


def deviations(labels: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Return what :func:`move` must be given to get from `start` to these labels."""
    centers = (labels[::2] - start[::2]) / start[1::2]
    return np.stack([centers, np.log(labels[1::2] / start[1::2])], axis=1).ravel()


@cache
def unit_labels(number: int) -> Memberships:
    """Return the labels of structure learning over [0, 1]."""
    return equidistant(number, convention="width")


def starting_labels(number: int, time_range: float, position_range: float) -> np.ndarray:
    """Return the labels of structure learning, in s and px.

    Returns
    -------
    array, shape (4, labels)
        Centres of time, widths of time, centres of position, widths of position.
    """
    own = unit_labels(number)
    return np.outer([time_range, position_range], [own.centers, own.widths]).reshape(4, -1)


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


def _output(stop, given, start, deviations, where: States, shift):
    """Return O(t, x) of Eq. fuzzy_O at every node and state, and how slopes by it are pulled."""
    tuned = move(start, deviations) if deviations.size else start
    index = (where.of_moment, where.of_distance)
    place = (where.moments, where.distances, *index, shift, tuned)
    parts = rule_outputs(*place, stop, given, LEAST_CERTAINTY)
    return parts[0], lambda slopes: pull_rules(slopes, *place, start, parts)


def binary(consequents: np.ndarray, start: np.ndarray, *, tuned: bool) -> HazardFunction:
    """Return the hazard of rules that say stop (1), continue (0) or nothing (NaN).

    Parameters of the hazard: lapse, gain and, if tuned, the labels.
    """
    given, stop = (~np.isnan(consequents)).astype(float), np.nan_to_num(consequents)

    def hazard(theta: np.ndarray, where: States, shift: np.ndarray) -> Hazard:
        lapse, gain = expit(theta[:2])
        output, pull_output = _output(stop, given, start, theta[2:], where, shift)
        size = gain - lapse

        def pull(slopes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            _, by_labels, by_shift, total, stopped = pull_output(slopes)
            response = [lapse * (1 - lapse) * (total - stopped), gain * (1 - gain) * stopped]
            return np.append(response, size * by_labels if tuned else []), size * by_shift

        return Hazard(lapse + size * output, pull)

    return hazard


def graded(number: int, start: np.ndarray, *, tuned: bool) -> HazardFunction:
    """Return the hazard of rules with graded consequents, one for every premise.

    Parameters of the hazard: log-odds of the consequents and, if tuned, the labels.
    """
    cells, given = number * number, np.ones((number, number))

    def hazard(theta: np.ndarray, where: States, shift: np.ndarray) -> Hazard:
        stop = expit(theta[:cells]).reshape(number, number)
        output, pull_output = _output(stop, given, start, theta[cells:], where, shift)

        def pull(slopes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            by_consequent, by_labels, by_shift, _, _ = pull_output(slopes)
            by_cell = stop * (1 - stop) * by_consequent
            return np.append(by_cell, by_labels if tuned else []), by_shift

        return Hazard(output, pull)

    return hazard
