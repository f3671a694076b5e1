"""The engine of every multiverse: a grid of choices to a table of results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

import pandas as pd

Choices = Mapping[str, Sequence[Any]]


def vary(
    choices: Choices,
    evaluate: Callable[..., Mapping[str, Any] | None],
    results: Sequence[str] = (),
) -> pd.DataFrame:
    """Evaluate every combination of choices.

    Parameters
    ----------
    choices : mapping
        From the name of a choice to its values.
    evaluate : callable
        Takes one combination as keyword arguments, and returns its results by name; None where
        the combination has none.
    results : sequence of str
        Columns that the table has even where no combination has results.

    Returns
    -------
    DataFrame
        One row per combination, with a column per choice, the key, and one per result.
    """
    rows = []
    for values in product(*choices.values()):
        combination = dict(zip(choices, values, strict=True))
        found = evaluate(**combination)
        if found is not None:
            rows.append({**combination, **found})
    return pd.DataFrame(rows, columns=None if rows else [*choices, *results])
