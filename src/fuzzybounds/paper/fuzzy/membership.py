"""Linguistic labels and their Gaussian membership functions (Eq. 2, A1).

The paper's formula and its words for sigma, the standard deviation, differ, and its worked values
agree with either (ambiguity A01).  Both are implemented, and the one in use is always named:

========== =========================== ==================================
convention membership m(x)             where
========== =========================== ==================================
width      exp(-(x - mu)² / sigma²)    Eq. 2, Eq. A1
deviation  exp(-(x - mu)² / 2 sigma²)  "standard deviation", below Eq. 2
========== =========================== ==================================
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

Convention = Literal["width", "deviation"]

EXPONENT: dict[str, float] = {"width": 1.0, "deviation": 0.5}
"""The factor before (x - mu)² / sigma² in the exponent of each convention."""


def labels(n_labels: int) -> tuple[str, ...]:
    """Name `n_labels` labels from the smallest to the largest: S M L; VS S M L VL; ...

    Every "V" is one "very"; an even number of labels has no M.
    """
    if n_labels < 1:
        raise ValueError(f"n_labels = {n_labels}: expected at least one label")
    small = tuple("V" * veries + "S" for veries in reversed(range(n_labels // 2)))
    middle = ("M",) * (n_labels % 2)
    return (*small, *middle, *(name[:-1] + "L" for name in reversed(small)))


def label_words(variable: str, label: str) -> str:
    """Return a label in words: "very short" for time, "very small" for any other variable."""
    small, large = ("short", "long") if variable == "time" else ("small", "large")
    stems = {"S": small, "M": "medium", "L": large}
    veries, stem = label[:-1], label[-1:]
    if stem not in stems or veries.strip("V"):
        raise ValueError(f"label {label!r}: expected S, M or L after any number of V")
    return "very " * len(veries) + stems[stem]


@dataclass(frozen=True, eq=False)
class Memberships:
    """The membership functions of one variable.

    `labels` run from the smallest to the largest, and `centers` and `widths` are mu and sigma of
    each label in the units of the variable.  The `convention` says what sigma means (A01).
    """

    labels: tuple[str, ...]
    centers: np.ndarray
    widths: np.ndarray
    convention: Convention

    def __post_init__(self):
        if self.convention not in EXPONENT:
            raise ValueError(f"convention = {self.convention!r}: expected one of {[*EXPONENT]}")
        object.__setattr__(self, "labels", tuple(self.labels))
        for name in ("centers", "widths"):
            values = np.array(getattr(self, name), dtype=float)
            if values.shape != (len(self.labels),) or not np.isfinite(values).all():
                raise ValueError(
                    f"{name} = {values.tolist()}: expected one finite number for each of the "
                    f"labels {self.labels}"
                )
            values.setflags(write=False)
            object.__setattr__(self, name, values)
        if not (self.widths > 0).all():
            raise ValueError(f"widths = {self.widths.tolist()}: expected positive numbers")

    def log_degrees(self, x: ArrayLike) -> np.ndarray:
        """Return log m_i(x), Eq. 2, of shape (..., n_labels)."""
        distance = (np.asarray(x, dtype=float)[..., None] - self.centers) / self.widths
        return -EXPONENT[self.convention] * distance**2

    def degrees(self, x: ArrayLike, normalised: bool) -> np.ndarray:
        """Return the certainty that x belongs to each label, of shape (..., n_labels).

        Whether the degrees of each x sum to 1 is ambiguity A02.
        """
        logs = self.log_degrees(x)
        if not normalised:
            return np.exp(logs)
        # Relative to the largest, so that they sum to 1 even far from every centre.
        shares = np.exp(logs - logs.max(axis=-1, keepdims=True))
        return shares / shares.sum(axis=-1, keepdims=True)

    def scaled(self, factor: float) -> Memberships:
        """Return the same memberships in other units: one old unit is `factor` new ones."""
        centers, widths = factor * self.centers, factor * self.widths
        return Memberships(self.labels, centers, widths, self.convention)

    def to_json(self) -> dict[str, Any]:
        """Return plain data: the arguments of another :class:`Memberships`."""
        lists = {"centers": self.centers.tolist(), "widths": self.widths.tolist()}
        return {"labels": list(self.labels), **lists, "convention": self.convention}


def structure_width(
    n_labels: int, *, low: float = 0.0, high: float = 1.0, convention: Convention
) -> float:
    """Return the width of the membership functions of structure learning (ambiguity A03).

    The paper's worked degrees (0.75, 0.25, 0; 0.04, 0.96, 0) need 0.0452 <= sigma² <= 0.0466 in
    Eq. 2 with three labels on [0, 1]; nothing is said for five.  The rule here is a width of 3/7
    of the distance between two centres, sigma² = 0.0459 for three labels, so that neighbouring
    labels overlap by the same amount however many there are.
    """
    spacing = (high - low) / max(n_labels - 1, 1)
    return 3 / 7 * spacing * float(np.sqrt(EXPONENT[convention]))


def equidistant(
    n_labels: int,
    *,
    low: float = 0.0,
    high: float = 1.0,
    width: float | None = None,
    convention: Convention,
) -> Memberships:
    """Return memberships whose centres are equally far apart and cover [low, high].

    This is step 1 of structure learning.  `width` is sigma in the named convention, by default
    :func:`structure_width`.
    """
    if not high > low:
        raise ValueError(f"low = {low}, high = {high}: expected low < high")
    if width is None:
        width = structure_width(n_labels, low=low, high=high, convention=convention)
    centers = np.linspace(low, high, n_labels) if n_labels > 1 else np.array([(low + high) / 2])
    return Memberships(labels(n_labels), centers, np.full(n_labels, float(width)), convention)
