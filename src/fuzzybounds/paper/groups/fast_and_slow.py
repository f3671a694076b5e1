"""Fast and slow subjects: who they are, how their boundaries differ, and what their rules say.

The paper assigns subjects by the median of their decision boundary (the canoe's distance from the
centre when they responded) in the first 20 blocks: below its 0.25 quantile over subjects they are
fast, above the 0.75 quantile slow.  It does not say which trials, which
definition of a quantile and which test were used (A11 to A14); here each is an argument.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Mapping
from typing import Any, cast

import numpy as np
import pandas as pd

from fuzzybounds.canoe.block_windows import split
from fuzzybounds.core.errors import TooFew
from fuzzybounds.core.words import FAST, FIRST, LAST, MIDDLE, SLOW
from fuzzybounds.paper.fuzzy.controller import Controller

PREMISE = ["group", "window", "time_label", "position_label"]
INEQUALITIES: dict[str, Callable] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def boundaries(
    trials: pd.DataFrame, ranges: pd.DataFrame, *, condition: str, missed: bool, summary: str
) -> pd.DataFrame:
    """Summarise each subject's decision boundary in both windows.

    Parameters
    ----------
    trials : DataFrame
    ranges : DataFrame
        From :func:`fuzzybounds.canoe.block_windows.block_ranges`.
    condition : {"easy", "hard", "all"}
        Which trials (A11).
    missed : bool
        Whether the canoe's position at a missed deadline counts as a boundary.
    summary : {"mean", "median"}
        Of a subject's boundaries (A14).

    Returns
    -------
    DataFrame
        Indexed by subject, columns first and last (px); without the subjects who have no such
        trials, and NaN in a window in which there are none.
    """
    rows = trials if missed else trials[trials["responded"]]
    if condition != "all":
        rows = rows[rows["condition"] == condition]
    rows = split(rows, ranges)
    if rows.empty:
        return pd.DataFrame(columns=[FIRST, LAST], dtype=float)
    distance = rows["position"].abs().groupby([rows["subject"], rows["window"]], sort=False)
    table = distance.agg(summary).unstack("window")  # noqa: PD010 (a pivot of one column)
    order = [subject for subject in ranges["subject"].unique() if subject in table.index]
    return table.reindex(index=order, columns=[FIRST, LAST])


def assign(medians: pd.Series, *, quantile: str, fast: str, slow: str) -> pd.Series:
    """Assign subjects to groups by their median boundary (claim C09).

    Parameters
    ----------
    medians : Series
        Median boundary of each subject in the first window; a subject without one (NaN) is in the
        middle, and does not count for the quantiles.
    quantile : str
        Definition of a quantile, as :func:`numpy.quantile` names it (A12).
    fast, slow : str
        The inequality by which a subject is below the 0.25, above the 0.75 quantile.
    """
    chosen = members(medians.to_numpy(), quantile=quantile, fast=fast, slow=slow)
    names = np.select(list(chosen), [FAST, SLOW], MIDDLE)
    return pd.Series(names, index=medians.index, name="group")


def members(
    medians: np.ndarray, *, quantile: str, fast: str, slow: str
) -> tuple[np.ndarray, np.ndarray]:
    """Return who is fast and who is slow; see :func:`assign`.

    A subject who satisfies both inequalities, because all subjects are alike, is neither.
    """
    known = medians[~np.isnan(medians)]
    low = high = np.nan
    if known.size:
        low, high = np.quantile(known, (0.25, 0.75), method=cast(Any, quantile))
    is_fast, is_slow = INEQUALITIES[fast](medians, low), INEQUALITIES[slow](medians, high)
    return is_fast & ~is_slow, is_slow & ~is_fast


def need_both(groups: pd.Series) -> None:
    """Raise :class:`~fuzzybounds.core.errors.TooFew` unless there are fast and slow subjects."""
    missing = [name for name in (FAST, SLOW) if not (groups == name).any()]
    if missing:
        raise TooFew(f"there are no {' and no '.join(missing)} subjects to compare")


def consequents_by_draw(
    rules: pd.DataFrame, groups: Mapping[str, str], labels: int
) -> pd.DataFrame:
    """Average the consequents of each premise over the subjects of a group, in every draw.

    Parameters
    ----------
    rules : DataFrame
        Fitted rules, as in ``rules.parquet``.
    groups : mapping
        From subject to group.
    labels : int
        Number of labels of the fits.

    Returns
    -------
    DataFrame
        The table ``consequent_draws``.
    """
    own = rules[rules["labels"] == labels]
    own = own.assign(group=own["subject"].map(groups))
    own = own[own["group"].isin([FAST, SLOW])]
    by_draw = own.groupby([*PREMISE, "draw"], sort=False)["consequent"].agg(["mean", "count"])
    return by_draw.rename(columns={"count": "n_subjects"}).reset_index()


def average_consequents(by_draw: pd.DataFrame) -> pd.DataFrame:
    """Average the consequents of each premise over draws (Fig. 14).

    Parameters
    ----------
    by_draw : DataFrame
        From :func:`consequents_by_draw`.

    Returns
    -------
    DataFrame
        The table ``consequents``; NaN where nobody has the rule in any draw.
    """
    table = by_draw.groupby(PREMISE, sort=False).agg(
        mean=("mean", "mean"), sd_over_draws=("mean", "std"), n_subjects=("n_subjects", "mean")
    )
    first = by_draw[by_draw["draw"] == 1].set_index(PREMISE)["mean"].rename("first_draw")
    return table.join(first).reset_index()


def output_by_subject(
    fitted: Mapping[tuple, Controller], labels: int, grid: np.ndarray
) -> dict[tuple[str, str], np.ndarray]:
    """Average the fitted output over draws, by (subject, window).

    Parameters
    ----------
    fitted : mapping
        From (subject, window, labels, draw) to the controller, as
        :func:`fuzzybounds.paper.fuzzy.fits.controllers` returns it.
    labels : int
        Number of labels of the fits.
    grid : array
        Normalised times, and normalised positions, at which to evaluate.
    """
    draws: dict[tuple[str, str], list[np.ndarray]] = {}
    for (subject, window, number, _), controller in fitted.items():
        if number == labels:
            draws.setdefault((subject, window), []).append(controller.output_grid(grid, grid))
    return {key: np.mean(own, axis=0) for key, own in draws.items()}


def average_output(
    outputs: Mapping[tuple[str, str], np.ndarray], groups: Mapping[str, str], grid: np.ndarray
) -> pd.DataFrame:
    """Average the output over the subjects of a group (Fig. 13).

    Parameters
    ----------
    outputs : mapping
        From :func:`output_by_subject`.
    groups : mapping
        From subject to group.
    grid : array
        Where they were evaluated.

    Returns
    -------
    DataFrame
        Columns group, window, time, position, output, n_subjects.
    """
    time, position = (own.ravel() for own in np.meshgrid(grid, grid, indexing="ij"))
    parts = [pd.DataFrame(columns=["group", "window", "time", "position", "output", "n_subjects"])]
    for group, window in itertools.product((SLOW, FAST), (FIRST, LAST)):
        members = [name for name, own in groups.items() if own == group]
        own = [outputs[name, window] for name in members if (name, window) in outputs]
        if own:
            table = {"time": time, "position": position, "output": np.mean(own, axis=0).ravel()}
            table |= {"group": group, "window": window, "n_subjects": len(own)}
            parts.append(pd.DataFrame(table)[list(parts[0])])
    return pd.concat(parts[1:] or parts, ignore_index=True)


def describe_output(
    outputs: Mapping[tuple[str, str], np.ndarray], groups: Mapping[str, str]
) -> pd.DataFrame:
    """Summarise the output of every fast and slow subject: the table ``subject_output``."""
    rows = [
        (subject, groups[subject], window, own.mean(), own.min(), (own < 0.5).mean())
        for (subject, window), own in outputs.items()
        if groups.get(subject) in (FAST, SLOW)
    ]
    columns = ["subject", "group", "window", "mean_output", "least_output", "blue_area"]
    return pd.DataFrame(rows, columns=columns)
