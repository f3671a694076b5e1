"""The paper's own worked example: the model and the points that Figs. 2 to 6 explain.

Values that the text gives are used as they are; the others are chosen here, with the reason.
"""

from __future__ import annotations

import numpy as np

from fuzzybounds.canoe.task import STEP, STEP_PIXELS
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.membership import Memberships, labels
from fuzzybounds.paper.fuzzy.rules import RuleBase

WEIBULL = {"psi": 200.0, "psi_prime": 50.0, "lam": 5.0, "phi": 2.0}
"""(ψ, ψ', λ, φ) of the section on zero-likelihood paths."""

RESPONSE = (8.0, 90.0)
"""The data point of that section: 8 s and 90 px."""

CROSSING_STEPS = np.array([1, 1, 1, 1, 1, -1, -1, 1, -1, 1, -1, -1, 1, -1, -1, 1])
"""A possible path of the canoe to :data:`RESPONSE` that crosses the boundary on the way."""

TIME = Memberships(labels(3), np.array([0.0, 5.0, 10.0]), np.array([2.0, 2.0, 2.0]), "deviation")
"""Short, medium and long.  Medium is (5 s, 2 s) in the text; 1.5 s is short to 0.76 and medium to
0.22 if short is (0, 2 s).  The text does not say where long lies."""

POSITION = Memberships(
    labels(3), np.array([0.0, 150.0, 300.0]), np.array([67.5, 67.5, 67.5]), "deviation"
)
"""Small, medium and large.  The text gives one value, that 200 px is medium to 0.76: with medium at
150 px that is a width of 67.5 px."""

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

BASIS_CENTERS = np.linspace(0.0, 12.0, 7)
BASIS_WIDTH = 1.7
BASIS_WEIGHTS = np.array([120.0, 112.0, 98.0, 76.0, 56.0, 44.0, 40.0])
"""Fig. 3: Gaussian basis functions (s) whose weights (px) fall with time."""


def steps_to_path(steps: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Corners of a path, in s and px, from the direction of its steps."""
    return np.arange(steps.size + 1) * STEP, np.concatenate([[0], np.cumsum(steps)]) * STEP_PIXELS
