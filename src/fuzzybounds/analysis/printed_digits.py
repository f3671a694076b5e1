"""Whether our numbers print like the paper's, and how often this would happen by chance."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd


def prints_as(value: pd.Series, printed: float, digits: int = 2) -> pd.Series:
    """Whether values print as a number of the paper does, rounded or cut (A22).

    The paper rounds some values (0.755 to 0.76) and cuts others (1/6 to 0.16).
    """
    scale = 10**digits
    cut, rounded = np.floor(value * scale + 1e-9), np.floor(value * scale + 0.5)
    wanted = round(printed * scale)
    return (cut == wanted) | (rounded == wanted)


def matches(curve: pd.DataFrame, printed: Mapping[str, float]) -> pd.Series:
    """Whether a specification gives every printed number.

    Parameters
    ----------
    curve : DataFrame
    printed : mapping
        From a column to its printed value; n_fast and n_slow must be equal to it, p_first and
        p_last below it, and the others print as it.
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
    """Return how often two printed p-values would be matched by chance.

    The share of all pairs of two-digit p-values that at least one specification prints: how often
    a search as wide as this one would succeed on a pair drawn at random.
    """
    pairs = curve[list(columns)].dropna().drop_duplicates().to_numpy()
    hit = {
        (int(a), int(b))
        for one, other in pairs
        for a in {np.floor(100 * one), np.floor(100 * one + 0.5)}
        for b in {np.floor(100 * other), np.floor(100 * other + 0.5)}
    }
    return len(hit) / 101**2
