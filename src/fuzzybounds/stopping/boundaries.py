r"""Boundaries b(t), as hazards.

Noise within a trial: the subject responds in a bin with

    h = lapse + (gain - lapse) logistic((\|x\| - b(t)) / tau).

Noise between trials (the picture of the paper's Fig. 1): one boundary b(t) + sigma z is drawn per
trial, z standard normal, and the first crossing of it is the response.  That is the same hazard
with gain 1 and a tau of half the distance that the canoe moves in a bin, which is what a bin can
resolve.  With both kinds of noise, all parameters are free.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy import exp, log
from scipy.special import expit

from fuzzybounds.core.fitting import Parameter
from fuzzybounds.stopping.lattice import States
from fuzzybounds.stopping.model import Hazard, HazardFunction

LEVEL = Parameter("level", "hundred", 1.5, 1.0, -3.0, 8.0)
ASYMPTOTE = Parameter("asymptote", "hundred", 1.5, 1.0, -5.0, 8.0)
OFFSET = Parameter("offset", "hundred", 0.75, 1.0, -5.0, 8.0)
TIME_SCALE = Parameter("time_scale", "log", log(4.0), 1.0, log(0.1), log(60.0))
EXPONENT = Parameter("exponent", "log", log(2.0), 0.7, log(0.3), log(20.0))
LAPSE = Parameter("lapse", "logit", -5.0, 2.0, -12.0, 0.0)
GAIN = Parameter("gain", "logit", 0.0, 2.0, -7.0, 8.0)
TAU = Parameter("tau", "log", log(20.0), 1.0, log(1.0), log(400.0))
SIGMA = Parameter("sigma", "log", log(40.0), 1.0, log(2.0), log(400.0))

Curve = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]
"""Maps parameters and times to b(t) in px and its slopes by the parameters."""


def constant(theta: np.ndarray, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """B(t) = level."""
    return np.full(t.shape, 100.0 * theta[0]), np.full((1, *t.shape), 100.0)


def exponential(theta: np.ndarray, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """B(t) = asymptote + (level - asymptote) exp(-t / time_scale)."""
    level, asymptote, scale = theta[0], theta[1], exp(theta[2])
    left = exp(-t / scale)
    slopes = np.stack([left, 1 - left, (level - asymptote) * left * t / scale])
    return 100.0 * (asymptote + (level - asymptote) * left), 100.0 * slopes


def weibull(theta: np.ndarray, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """B(t) = level - (1 - e) (level / 2 - offset), e = exp(-(t / time_scale)^exponent) (A18)."""
    level, offset, scale, exponent = theta[0], theta[1], exp(theta[2]), exp(theta[3])
    log_time = log(t / scale)
    power = exp(exponent * log_time)
    e = exp(-power)
    fall = level / 2 - offset
    by_power = -fall * e
    by_scale = by_power * power * -exponent
    slopes = np.stack([1 - (1 - e) / 2, 1 - e, by_scale, -by_scale * log_time])
    return 100.0 * (level - (1 - e) * fall), 100.0 * slopes


class Shape(NamedTuple):
    """A shape of the boundary: its curve and the curve's parameters."""

    curve: Curve
    parameters: tuple[Parameter, ...]


SHAPES = {
    "constant": Shape(constant, (LEVEL,)),
    "exponential": Shape(exponential, (LEVEL, ASYMPTOTE, TIME_SCALE)),
    "weibull": Shape(weibull, (LEVEL, OFFSET, TIME_SCALE, EXPONENT)),
}


def flat(shape: str, level: float) -> list[float]:
    """Return the parameters of a shape that make it constant; `level` in 100 px."""
    return {
        "constant": [level],
        "exponential": [level, level, TIME_SCALE.mean],
        "weibull": [level, level / 2, TIME_SCALE.mean, EXPONENT.mean],
    }[shape]


def falling(shape: str, level: float) -> list[float]:
    """Return the parameters of a shape that falls to about half its level within some seconds."""
    return {
        "constant": [level],
        "exponential": [1.5 * level, 0.5 * level, TIME_SCALE.mean],
        "weibull": [1.25 * level, 0.0, TIME_SCALE.mean, EXPONENT.mean],
    }[shape]


def scaled(curve: np.ndarray, factor: float) -> np.ndarray:
    """Return the parameters of a boundary that is a multiple; of any shape the first two scale."""
    return np.append(curve[:2] * factor, curve[2:])


def as_weibull(curve: np.ndarray) -> list[float]:
    """Return the Weibull curve that is the same as an exponential one."""
    return [curve[0], curve[1] - curve[0] / 2, curve[2], 0.0]


def within(shape: str) -> HazardFunction:
    """Return the hazard with noise within a trial: parameters of the curve, lapse, gain, tau."""
    curve = SHAPES[shape].curve

    def hazard(theta: np.ndarray, where: States, shift: np.ndarray) -> Hazard:
        lapse, gain, tau = expit(theta[-3]), expit(theta[-2]), exp(theta[-1])
        boundary, curve_slopes = curve(theta[:-3], where.moments)
        past = where.position - boundary[where.of_moment] - shift[:, None]
        p = expit(past / tau)
        size = gain - lapse

        def vjp(slopes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            by_p = slopes * p
            by_boundary = -size / tau * by_p * (1 - p)
            by_moment = np.bincount(where.of_moment, by_boundary.sum(axis=0))
            noise = [
                lapse * (1 - lapse) * (slopes.sum() - by_p.sum()),
                gain * (1 - gain) * by_p.sum(),
                (by_boundary * past).sum(),
            ]
            return np.append(curve_slopes @ by_moment, noise), by_boundary.sum(axis=1)

        return Hazard(lapse + size * p, vjp)

    return hazard


CERTAIN = 14.0
"""Log-odds of the gain of a first crossing, 1 - 1e-6."""


def crossing(shape: str, tau: float) -> HazardFunction:
    """Return the hazard of a first crossing: parameters of the curve, lapse."""
    both = within(shape)

    def hazard(theta: np.ndarray, where: States, shift: np.ndarray) -> Hazard:
        found = both(np.append(theta, [CERTAIN, log(tau)]), where, shift)

        def vjp(slopes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            gradient, by_shift = found.vjp(slopes)
            return gradient[:-2], by_shift

        return Hazard(found.value, vjp)

    return hazard
