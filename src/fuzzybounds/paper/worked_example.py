"""The paper's own worked example: the model and the points that Figs. 2 to 6 explain.

Values that the text gives are used as they are; the others are chosen here, with the reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.canoe.task import STEP, STEP_PIXELS
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.membership import (
    EXPONENT,
    Convention,
    Memberships,
    label_words,
    labels,
)
from fuzzybounds.paper.fuzzy.rules import RuleBase
from fuzzybounds.paper.printed import printed as numbers_of

WEIBULL = {"psi": 200.0, "psi_prime": 50.0, "lam": 5.0, "phi": 2.0}
"""(ψ, ψ', λ, φ) of the section on zero-likelihood paths."""

RESPONSE = (8.0, 90.0)
"""The data point of that section: 8 s and 90 px."""

CROSSING_STEPS = np.array([1, 1, 1, 1, 1, -1, -1, 1, -1, 1, -1, -1, 1, -1, -1, 1])
"""A possible path of the canoe to :data:`RESPONSE` that crosses the boundary on the way."""

MEDIUM = (5.0, 2.0)
"""Centre and width (s) of medium, which the text gives."""

WORKED_TIME, WORKED_POSITION = 1.5, 200.0
"""The time (s) and the position (px) whose degrees the text gives."""

DEGREES = numbers_of("C06")
"""What the text prints: degrees of that time, and the product of its degree of medium with that of
the position, 0.76."""

SHORT_CENTERS = np.arange(0.0, 1.5, 0.5)
LONG_CENTERS = np.arange(8.0, 15.5, 0.5)
SHORT_WIDTHS, LONG_WIDTHS = np.arange(50, 501) / 100, np.arange(5, 51) / 10
"""Centres and widths (s) of short and long that :func:`readings` tries.  By Eq. 2 steps of 0.1 s in
the width of short are too coarse: no setting rounds to all digits."""

TIME = Memberships(
    labels(3), np.array([0.0, MEDIUM[0], 10.0]), np.array([1.11, MEDIUM[1], 3.5]), "width"
)
"""Short, medium and long: one of the :func:`readings` that round to the text's digits, by Eq. 2 and
normalised, as it says."""

POSITION = Memberships(labels(3), np.array([0.0, 150.0, 300.0]), np.full(3, 80.0), "width")
"""Small, medium and large.  The text gives one value, that 200 px is medium to 0.76: with these
centres and one width for all, a width of 80 px."""

OUTPUT = Memberships(("continue", "stop"), np.array([0.0, 1.0]), np.array([0.5, 0.5]), "width")
"""Labels of the output.  The text gives their centres, which alone matter, and no widths."""


def describe_time() -> str:
    """Return centre and width of short, medium and long in words."""
    parts = zip(TIME.labels, TIME.centers, TIME.widths, strict=True)
    return ", ".join(f"{label_words('time', name)} ({c:g} s, {w:g} s)" for name, c, w in parts)


class Readings(NamedTuple):
    """How many settings of short and long were tried, and how many round to the text's digits.

    `pairs` counts the different pairs of degrees, in two digits, that the settings give.
    """

    tried: int
    agree: int
    pairs: int


def readings(
    convention: Convention, normalised: bool = True, printed: Mapping[str, float] = DEGREES
) -> Readings:
    """Try every short and long on a grid, with the printed medium, in one form of the Gaussian.

    The degree of the position is that of :data:`POSITION` in every form: its centre and width are
    free, so that each form can give it.
    """

    def degree(center: np.ndarray | float, width: np.ndarray | float) -> np.ndarray:
        return np.exp(-EXPONENT[convention] * ((WORKED_TIME - center) / width) ** 2)

    short = degree(SHORT_CENTERS[:, None], SHORT_WIDTHS).reshape(-1, 1)
    long = degree(LONG_CENTERS[:, None], LONG_WIDTHS).reshape(1, -1)
    medium = degree(*MEDIUM)
    sums = short + medium + long
    total = sums if normalised else np.ones_like(sums)
    tried = pd.DataFrame({"short": (short / total).ravel(), "medium": (medium / total).ravel()})
    place = POSITION.degrees(WORKED_POSITION, normalised=True)[1]
    tried = tried.assign(product=tried["medium"] * place).round(2)
    agree = (tried[list(printed)] == pd.Series(printed).round(2)).all(axis=1)
    return Readings(len(tried), int(agree.sum()), len(tried[["short", "medium"]].drop_duplicates()))


RULES = RuleBase.from_table({"L": "SSS", "M": "CCS", "S": "CCC"})
"""Fig. 5.  The text gives one cell, (medium, long) -> stop; the others are such that the boundary
falls with time, as the text says it does."""
HIGHLIGHTED = ("L", "M")
"""Time and position label of that cell."""

CONTROLLER = Controller(TIME, POSITION, RULES)

OUTPUT_RESPONSE = (9.5, 270.0)
"""The response that the text names for Fig. 6.  The canoe cannot be there: at 9.5 s, after 19 steps
of 45 px, it is at an odd multiple of 45 px."""

OUTPUT_STEPS = np.array([1, -1, 1, 1, -1, 1, -1, 1, 1, -1, 1, 1, -1, 1, 1, -1, 1, 1])
"""A path to 270 px at 9.0 s, the nearest to it that the canoe can take."""

BASIS_CENTERS = np.arange(-2.0, 13.0, 2.0)
BASIS_WIDTH = 1.7
BASIS_WEIGHTS = np.array([128.0, 120.0, 112.0, 98.0, 76.0, 56.0, 44.0, 40.0])
"""Fig. 3: Gaussian basis functions (s) whose weights (px) fall with time, as their sum does.  The
text gives no numbers.  Without a function centred before 0 s the sum would rise at first (A27)."""


def weighted_basis(time: np.ndarray) -> np.ndarray:
    """ω_j B_j(t) of Fig. 3 for every basis function j, of shape (functions, times)."""
    shapes = np.exp(-(((time - BASIS_CENTERS[:, None]) / BASIS_WIDTH) ** 2))
    return BASIS_WEIGHTS[:, None] * shapes


def steps_to_path(steps: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Corners of a path, in s and px, from the direction of its steps."""
    return np.arange(steps.size + 1) * STEP, np.concatenate([[0], np.cumsum(steps)]) * STEP_PIXELS
