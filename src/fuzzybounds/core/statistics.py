"""Small statistics of several packages: AIC and BIC, intervals of shares, printed numbers."""

from __future__ import annotations

from collections.abc import Mapping
from math import log
from typing import Protocol

import numpy as np
import pandas as pd


class _Fitted(Protocol):
    @property
    def nll(self) -> float: ...
    @property
    def k(self) -> int: ...
    @property
    def n(self) -> int: ...


class InformationCriteria:
    """AIC and BIC of a fit with a negative log-likelihood, k parameters and n responses."""

    @property
    def aic(self: _Fitted) -> float:
        """Akaike's criterion, 2 NLL + 2 k."""
        return 2 * self.nll + 2 * self.k

    @property
    def bic(self: _Fitted) -> float:
        """Schwarz's criterion, 2 NLL + k log n."""
        return 2 * self.nll + self.k * log(self.n)


def wilson(successes: float, n: float) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share."""
    z = 1.959963984540054
    center = (successes + z**2 / 2) / (n + z**2)
    half = z / (n + z**2) * (successes * (n - successes) / n + z**2 / 4) ** 0.5
    return center - half, center + half


def prints_as(value: pd.Series, printed: float) -> pd.Series:
    """Whether values print as a two-digit number of the paper does, rounded or cut (A22).

    The paper rounds some values (0.748 to 0.75) and cuts others (1/6 to 0.16).
    """
    cut, rounded = np.floor(value * 100 + 1e-9), np.floor(value * 100 + 0.5)
    wanted = round(printed * 100)
    return (cut == wanted) | (rounded == wanted)


def matches(curve: pd.DataFrame, printed: Mapping[str, float]) -> pd.Series:
    """Whether each specification gives every printed number.

    `printed` maps columns to values: n_fast and n_slow must be equal to theirs, p_first and p_last
    below, and the others must print as it.
    """
    agree = pd.Series(True, index=curve.index)
    for column, value in printed.items():
        if column.startswith("n_"):
            agree &= curve[column] == value
        elif column in ("p_first", "p_last"):
            agree &= curve[column] < value
        else:
            agree &= prints_as(curve[column], value)
    return agree


def chance_of_match(curve: pd.DataFrame, columns: tuple[str, str]) -> float:
    """Return the share of all pairs of two-digit p-values that some specification prints.

    A search as wide as this one would match a pair drawn at random with this probability.
    """
    pairs = curve[list(columns)].dropna().drop_duplicates().to_numpy()
    hit = {
        (int(a), int(b))
        for one, other in pairs
        for a in {np.floor(100 * one), np.floor(100 * one + 0.5)}
        for b in {np.floor(100 * other), np.floor(100 * other + 0.5)}
    }
    return len(hit) / 101**2
