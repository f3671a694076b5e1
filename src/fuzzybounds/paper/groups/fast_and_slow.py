"""Fast and slow subjects: who they are, how their boundaries differ, and what their rules say.

The paper assigns subjects by the median of their decision boundary (the canoe's distance from the
centre when they responded) in the first 20 blocks: below its 0.25 quantile over subjects they are
fast, above the 0.75 quantile slow.  It does not say which trials, which definition of a quantile
and which test were used (A11 to A14); here each is an argument.  :func:`assign_groups` and
:func:`average_rules` are the stages.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd

from fuzzybounds.canoe.block_windows import block_ranges, one_session, split
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.errors import TooFew
from fuzzybounds.core.seeds import generator
from fuzzybounds.core.words import FAST, FIRST, LAST, MIDDLE, SLOW
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.fitted import FitTables, controllers
from fuzzybounds.paper.groups.comparisons import PAIRED_TESTS, UNPAIRED_TESTS, compare

GRID = np.linspace(0.0, 1.0, 61)
"""Normalised times and positions at which outputs are averaged."""
PREMISE = ["group", "window", "time_label", "position_label"]
INEQUALITIES: dict[str, Callable] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class GroupTables(NamedTuple):
    """What :func:`assign_groups` returns: one table per output of the stage."""

    groups: pd.DataFrame
    tests: pd.DataFrame


class AveragedTables(NamedTuple):
    """What :func:`average_rules` returns: one table per output of the stage."""

    consequents: pd.DataFrame
    draws: pd.DataFrame
    outputs: pd.DataFrame
    subjects: pd.DataFrame


def assign_groups(
    trials: pd.DataFrame,
    *,
    blocks: int,
    condition: str,
    missed: bool,
    summary: str,
    quantile: str,
    fast: str,
    slow: str,
    seed: int,
    dataset: str,
) -> GroupTables:
    """Assign one-session subjects to groups by their boundaries, and test these.

    Parameters
    ----------
    trials : DataFrame
        Result table.
    blocks : int
        Number of blocks of a window.
    condition, missed, summary
        See :func:`boundaries`; the groups are by the median, the tests of the `summary`.
    quantile, fast, slow
        See :func:`assign`.
    seed, dataset
        Name the random numbers of permutation tests and resamples.
    """
    trials = one_session(trials)
    ranges = block_ranges(trials, blocks)
    medians, table = (
        boundaries(trials, ranges, condition=condition, missed=missed, summary=statistic)
        for statistic in ("median", summary)
    )
    group = assign(medians[FIRST], quantile=quantile, fast=fast, slow=slow)
    # Figures say what tables were computed with, so the tables have it.
    used = {"condition": condition, "blocks": blocks}
    table = table.assign(median_boundary=medians[FIRST], group=group, **used).rename_axis("subject")
    return GroupTables(
        groups=table.reset_index()[TABLES["groups"].names],
        tests=run_tests(table, seed, dataset),
    )


def boundaries(
    trials: pd.DataFrame, ranges: pd.DataFrame, *, condition: str, missed: bool, summary: str
) -> pd.DataFrame:
    """Summarise each subject's decision boundary (px) in both windows.

    `ranges` are from :func:`fuzzybounds.canoe.block_windows.block_ranges`; `condition` ("easy",
    "hard" or "all") says which trials (A11), `missed` whether the canoe's position at a missed
    deadline counts as a boundary, and `summary` is "mean" or "median" (A14).  A subject without
    such trials has no row, and NaN in a window in which there are none.
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
    """Assign subjects to groups by their median boundary in the first window (claim C09).

    `quantile` is a definition of a quantile as :func:`numpy.quantile` names it (A12), and `fast`
    and `slow` are the inequalities by which a subject is below the 0.25, above the 0.75 quantile.
    A subject without a median (NaN) is in the middle, and does not count for the quantiles.
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


def run_tests(table: pd.DataFrame, seed: int, dataset: str) -> pd.DataFrame:
    """Test slow against fast in each window, and last against first in each group (Fig. 15).

    `table` has the columns group, first and last, and one row per subject.
    """
    slow, fast = (table[table["group"] == group] for group in (SLOW, FAST))
    planned = [
        *((f"slow_vs_fast_{window}", slow[window], fast[window]) for window in (FIRST, LAST)),
        (f"{FAST}_last_vs_first", fast[LAST], fast[FIRST]),
        (f"{SLOW}_last_vs_first", slow[LAST], slow[FIRST]),
    ]
    rows = []
    for name, a, b in planned:
        paired = () if name.startswith("slow_vs_fast") else PAIRED_TESTS
        for test in (*UNPAIRED_TESTS, *paired):
            result = compare(a, b, test, generator(seed, dataset, name, test))
            difference = float(a.mean() - b.mean())
            samples = {"comparison": name, "n": len(a), "mean_difference": difference}
            rows.append({**samples, **result._asdict()})
    return pd.DataFrame(rows)


def average_rules(
    groups_of: pd.DataFrame,
    fits: pd.DataFrame,
    rules: pd.DataFrame,
    memberships: pd.DataFrame,
    *,
    labels: int,
) -> AveragedTables:
    """Average the consequents and the outputs of the fast and the slow subjects.

    Parameters
    ----------
    groups_of : DataFrame
        The table ``groups``.
    fits, rules, memberships : DataFrame
        Result tables.
    labels : int
        Number of labels of the fits to average.
    """
    group = groups_of.set_index("subject")["group"]
    chosen = FitTables(fits, rules, memberships).select(group.index[group != MIDDLE], labels)
    by_draw = consequents_by_draw(rules, group.to_dict(), labels)
    by_subject = output_by_subject(controllers(chosen), labels, GRID)
    averaged = {
        "labels": labels,
        "condition": next(iter(fits["condition"]), ""),
        "blocks": next(iter(fits["blocks"]), 0),
    }
    return AveragedTables(
        consequents=average_consequents(by_draw).assign(**averaged),
        draws=by_draw,
        outputs=average_output(by_subject, group.to_dict(), GRID).assign(**averaged),
        subjects=describe_output(by_subject, group.to_dict()),
    )


def consequents_by_draw(
    rules: pd.DataFrame, groups: Mapping[str, str], labels: int
) -> pd.DataFrame:
    """Average each premise's consequents over the subjects of a group: ``consequent_draws``.

    `groups` maps subjects to their group; only fits with so many `labels` count.
    """
    chosen = rules[rules["labels"] == labels]
    chosen = chosen.assign(group=chosen["subject"].map(groups))
    chosen = chosen[chosen["group"].isin([FAST, SLOW])]
    by_draw = chosen.groupby([*PREMISE, "draw"], sort=False)["consequent"].agg(["mean", "count"])
    return by_draw.rename(columns={"count": "n_subjects"}).reset_index()


def average_consequents(by_draw: pd.DataFrame) -> pd.DataFrame:
    """Average the table of :func:`consequents_by_draw` over draws: ``consequents`` (Fig. 14).

    The mean is NaN where nobody has the rule in any draw.
    """
    table = by_draw.groupby(PREMISE, sort=False).agg(
        mean=("mean", "mean"), sd_over_draws=("mean", "std"), n_subjects=("n_subjects", "mean")
    )
    first = by_draw[by_draw["draw"] == 1].set_index(PREMISE)["mean"].rename("first_draw")
    return table.join(first).reset_index()


def output_by_subject(
    fitted: Mapping[tuple, Controller], labels: int, grid: np.ndarray
) -> dict[tuple[str, str], np.ndarray]:
    """Average the output of :func:`~fuzzybounds.paper.fuzzy.fitted.controllers` over draws.

    It is evaluated at every time and every position of the normalised `grid`, by (subject, window).
    """
    draws: dict[tuple[str, str], list[np.ndarray]] = {}
    for (subject, window, number, _), controller in fitted.items():
        if number == labels:
            draws.setdefault((subject, window), []).append(controller.output_grid(grid, grid))
    return {key: np.mean(grids, axis=0) for key, grids in draws.items()}


def average_output(
    outputs: Mapping[tuple[str, str], np.ndarray], groups: Mapping[str, str], grid: np.ndarray
) -> pd.DataFrame:
    """Average what :func:`output_by_subject` returns over the subjects of a group (Fig. 13)."""
    time, position = (axis.ravel() for axis in np.meshgrid(grid, grid, indexing="ij"))
    parts = [pd.DataFrame(columns=["group", "window", "time", "position", "output", "n_subjects"])]
    for group, window in itertools.product((SLOW, FAST), (FIRST, LAST)):
        members = [name for name, assigned in groups.items() if assigned == group]
        grids = [outputs[name, window] for name in members if (name, window) in outputs]
        if grids:
            table = {"time": time, "position": position, "output": np.mean(grids, axis=0).ravel()}
            table |= {"group": group, "window": window, "n_subjects": len(grids)}
            parts.append(pd.DataFrame(table)[list(parts[0])])
    return pd.concat(parts[1:] or parts, ignore_index=True)


def describe_output(
    outputs: Mapping[tuple[str, str], np.ndarray], groups: Mapping[str, str]
) -> pd.DataFrame:
    """Summarise the output of every fast and slow subject: the table ``subject_output``."""
    rows = [
        (subject, groups[subject], window, output.mean(), output.min(), (output < 0.5).mean())
        for (subject, window), output in outputs.items()
        if groups.get(subject) in (FAST, SLOW)
    ]
    columns = ["subject", "group", "window", "mean_output", "least_output", "blue_area"]
    return pd.DataFrame(rows, columns=columns)
