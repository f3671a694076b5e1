"""The engine of every multiverse: a grid of choices to a table of results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

import pandas as pd


def vary(
    choices: Mapping[str, Sequence[Any]],
    evaluate: Callable[..., Mapping[str, Any] | pd.DataFrame | None],
    results: Sequence[str] = (),
) -> pd.DataFrame:
    """Evaluate every combination of choices.

    Parameters
    ----------
    choices : mapping
        From the name of a choice to its values.
    evaluate : callable
        Takes one combination as keyword arguments, and returns its results by name, or a table of
        them; None where the combination has none.
    results : sequence of str
        Columns that the table has even where no combination has results.

    Returns
    -------
    DataFrame
        The rows of every combination, with a column per choice, the key, and one per result.
    """
    rows = []
    for values in product(*choices.values()):
        combination = dict(zip(choices, values, strict=True))
        result = evaluate(**combination)
        if isinstance(result, pd.DataFrame):
            rows += [{**combination, **row} for row in result.to_dict("records")]
        elif result is not None:
            rows.append({**combination, **result})
    return pd.DataFrame(rows, columns=None if rows else [*choices, *results])
