"""Linguistic labels and their Gaussian membership functions (Eq. 2, A1).

The paper writes the Gaussian in one way and computes its worked values in another (ambiguity A01).
Both are implemented, and the one in use is always named:

========== =========================== ===============================================
convention membership m(x)             where
========== =========================== ===============================================
width      exp(-(x - mu)² / sigma²)    Eq. 2, Eq. A1
deviation  exp(-(x - mu)² / 2 sigma²)  the worked values 0.76 and 0.22 with sigma = 2
========== =========================== ===============================================
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

Convention = Literal["width", "deviation"]
Variable = Literal["time", "position"]

EXPONENT: dict[str, float] = {"width": 1.0, "deviation": 0.5}
"""The factor before (x - mu)² / sigma² in the exponent of each convention."""

SPACING_WIDTH = 3 / 7
"""Structure-learning width as a share of the distance between two centres (ambiguity A03)."""


def labels(n_labels: int) -> tuple[str, ...]:
    """Name `n_labels` labels from the smallest to the largest: S M L; VS S M L VL; ...

    Every "V" is one "very"; an even number of labels has no M.
    """
    if n_labels < 1:
        raise ValueError(f"n_labels = {n_labels}: expected at least one label")
    small = tuple("V" * veries + "S" for veries in reversed(range(n_labels // 2)))
    middle = ("M",) * (n_labels % 2)
    return (*small, *middle, *(name[:-1] + "L" for name in reversed(small)))


LABELS: dict[int, tuple[str, ...]] = {n: labels(n) for n in range(1, 10)}

_STEMS: dict[str, dict[str, str]] = {
    "time": {"S": "short", "M": "medium", "L": "long"},
    "position": {"S": "small", "M": "medium", "L": "large"},
}


def label_words(variable: str, label: str) -> str:
    """Return a label in words: ``label_words("time", "VS")`` is "very short".

    Variables other than time use the words for positions: small, medium, large.
    """
    stems = _STEMS.get(variable, _STEMS["position"])
    veries, stem = label[:-1], label[-1:]
    if stem not in stems or veries.strip("V"):
        raise ValueError(f"label {label!r}: expected S, M or L after any number of V")
    return "very " * len(veries) + stems[stem]


LABEL_WORDS: dict[str, dict[str, str]] = {
    variable: {label: label_words(variable, label) for names in LABELS.values() for label in names}
    for variable in _STEMS
}


@dataclass(frozen=True, eq=False)
class Memberships:
    """The membership functions of one variable.

    Parameters
    ----------
    labels : tuple of str
        From the smallest to the largest.
    centers, widths : array of shape (n_labels,)
        mu and sigma of each label, in the units of the variable.
    convention : {"width", "deviation"}
        What sigma means (ambiguity A01).
    """

    labels: tuple[str, ...]
    centers: np.ndarray
    widths: np.ndarray
    convention: Convention

    def __post_init__(self):
        check_convention(self.convention)
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

    def relative_log_degrees(self, x: ArrayLike, scale: ArrayLike = 1.0) -> np.ndarray:
        """Return log m_i(x) - log m_1(x), in units of scale², of shape (..., n_labels).

        The difference of two squares is factored: far from the centres both are large, and
        subtracting them would lose what distinguishes the labels.
        """
        return np.moveaxis(self._relative_log_degrees(x, scale), 0, -1)

    def degrees(self, x: ArrayLike, normalised: bool) -> np.ndarray:
        """Return the certainty that x belongs to each label, of shape (..., n_labels).

        Parameters
        ----------
        x : array_like
        normalised : bool
            Whether the degrees of each x sum to 1 (ambiguity A02).
        """
        if not normalised:
            return np.exp(self.log_degrees(x))
        # Relative to the largest, so that far from every centre they still sum to 1.
        logs = self._relative_log_degrees(x, 1.0)
        shares = np.exp(logs - logs.max(axis=0))
        return np.moveaxis(shares / shares.sum(axis=0), 0, -1)

    def _relative_log_degrees(self, x: ArrayLike, scale: ArrayLike) -> np.ndarray:
        """Return :meth:`relative_log_degrees` with the labels first: long inner loops are fast."""
        difference, difference_at_0, total, total_at_0 = self._factors
        outer = np.multiply.outer
        x = np.asarray(x, dtype=float) / scale
        unit = 1 / np.broadcast_to(scale, x.shape)
        return (outer(difference, x) - outer(difference_at_0, unit)) * (
            outer(total, x) - outer(total_at_0, unit)
        )

    @cached_property
    def _factors(self) -> tuple[np.ndarray, ...]:
        """Slopes and offsets of the two linear factors of :meth:`relative_log_degrees`."""
        slopes, offsets = 1 / self.widths, self.centers / self.widths
        sign = -EXPONENT[self.convention]
        return (
            sign * (slopes - slopes[0]),
            sign * (offsets - offsets[0]),
            slopes + slopes[0],
            offsets + offsets[0],
        )

    def scaled(self, factor: float) -> Memberships:
        """Return the same memberships in other units: one old unit is `factor` new ones."""
        return Memberships(
            self.labels, factor * self.centers, factor * self.widths, self.convention
        )

    def to_json(self) -> dict[str, Any]:
        """Return plain data that :meth:`from_json` reads."""
        return {
            "labels": list(self.labels),
            "centers": self.centers.tolist(),
            "widths": self.widths.tolist(),
            "convention": self.convention,
        }

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Memberships:
        """Read what :meth:`to_json` returned."""
        return cls(**content)


def check_convention(convention: str) -> None:
    """Raise ValueError unless `convention` is one of the two."""
    if convention not in get_args(Convention):
        raise ValueError(f"convention = {convention!r}: expected one of {get_args(Convention)}")


def structure_width(
    n_labels: int, *, low: float = 0.0, high: float = 1.0, convention: Convention
) -> float:
    """Return the width of the membership functions of structure learning (ambiguity A03).

    The paper's worked degrees (0.75, 0.25, 0; 0.04, 0.96, 0) need 0.0452 <= sigma² <= 0.0466 in
    Eq. 2 with three labels on [0, 1]; nothing is said for five.  The rule here is a width of 3/7
    of the distance between two centres, sigma² = 0.0459 for three labels, so that neighbouring
    labels overlap by the same amount however many there are.
    """
    check_convention(convention)
    spacing = (high - low) / max(n_labels - 1, 1)
    return SPACING_WIDTH * spacing * float(np.sqrt(EXPONENT[convention]))


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
