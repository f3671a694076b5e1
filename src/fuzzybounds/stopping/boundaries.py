r"""Boundaries b(t), as hazards.

Noise within a trial: the subject responds in a bin with

    h = lapse + (gain - lapse) logistic((\|x\| - b(t)) / tau).

A boundary that is met (the picture of the paper's Fig. 1): one boundary b(t) + sigma z is drawn per
trial, z standard normal, and whoever meets it responds.  That is the same hazard with gain 1 and a
tau of half the distance that the canoe moves in a bin, which is what a bin can resolve.  With both
kinds of noise, all parameters are free.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy import exp, log
from scipy.special import expit

from fuzzybounds.core.fitting import Parameter
from fuzzybounds.stopping.model import HazardFunction, HazardSlopes

LEVEL = Parameter("level", "hundred", 1.5, 1.0, -3.0, 8.0)
ASYMPTOTE = Parameter("asymptote", "hundred", 1.5, 1.0, -5.0, 8.0)
OFFSET = Parameter("offset", "hundred", 0.75, 1.0, -5.0, 8.0)
TIME_SCALE = Parameter("time_scale", "log", log(4.0), 1.0, log(0.1), log(60.0))
EXPONENT = Parameter("exponent", "log", log(2.0), 0.7, log(0.3), log(20.0))
LAPSE = Parameter("lapse", "logit", -5.0, 2.0, -12.0, 0.0)
GAIN = Parameter("gain", "logit", 0.0, 2.0, -7.0, 8.0)
TAU = Parameter("tau", "log", log(20.0), 1.0, log(1.0), log(400.0))
SIGMA = Parameter("sigma", "log", log(40.0), 1.0, log(2.0), log(400.0))
INWARD = Parameter("inward", "logit", 0.0, 2.0, -8.0, 8.0)
"""The ratio of hazards, inward to outward.  Within (0, 1): nobody prefers to respond inward."""
CERTAIN = 1.0 - 1e-6
"""The gain of a boundary that is met."""
SMALL = 1e-6
"""Relative step of the derivatives of curves."""


def constant(t: np.ndarray, level: float) -> np.ndarray:
    """B(t) = level."""
    return np.full(np.shape(t), level)


def exponential(t: np.ndarray, level: float, asymptote: float, time_scale: float) -> np.ndarray:
    """B(t) = asymptote + (level - asymptote) exp(-t / time_scale)."""
    return asymptote + (level - asymptote) * exp(-t / time_scale)


def weibull(
    t: np.ndarray, level: float, offset: float, time_scale: float, exponent: float
) -> np.ndarray:
    """B(t) = level - (1 - e) (level / 2 - offset), e = exp(-(t / time_scale)^exponent) (A18)."""
    return level - (1 - exp(-((t / time_scale) ** exponent))) * (level / 2 - offset)


class Shape(NamedTuple):
    """A shape of the boundary: its curve in px and the curve's parameters."""

    curve: Callable[..., np.ndarray]
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


def as_weibull(curve: np.ndarray) -> list[float]:
    """Return the Weibull curve that is the same as an exponential one."""
    return [curve[0], curve[1] - curve[0] / 2, curve[2], 0.0]


def within(shape: str) -> tuple[HazardFunction, HazardSlopes]:
    """Return the hazard with noise within a trial, and its slopes: curve, lapse, gain, tau."""
    curve = SHAPES[shape].curve

    def hazard(t, x, outward, theta):
        *of_curve, lapse, gain, tau = theta
        return lapse + (gain - lapse) * expit((x - curve(t, *of_curve)) / tau)

    def slopes(t, x, outward, theta):
        *of_curve, lapse, gain, tau = theta
        boundary = curve(t, *of_curve)
        past = (x - boundary) / tau
        p = expit(past)
        steepness = (gain - lapse) / tau * p * (1 - p)
        by_curve = []
        for step in SMALL * np.diag(np.maximum(np.abs(of_curve), 1.0)):
            by_curve.append((curve(t, *(of_curve + step)) - boundary) / step.sum())
        by_noise = 1 - p, p, -steepness * past
        slopes = np.stack([*(-steepness * each for each in by_curve), *by_noise])
        return lapse + (gain - lapse) * p, slopes

    return hazard, slopes


def met(shape: str, tau: float) -> tuple[HazardFunction, HazardSlopes]:
    """Return the hazard of a boundary that is met, and its slopes: curve, lapse."""
    blurred, blurred_slopes = within(shape)

    def hazard(t, x, outward, theta):
        return blurred(t, x, outward, np.append(theta, [CERTAIN, tau]))

    def slopes(t, x, outward, theta):
        value, by_parameter = blurred_slopes(t, x, outward, np.append(theta, [CERTAIN, tau]))
        return value, by_parameter[:-2]

    return hazard, slopes
