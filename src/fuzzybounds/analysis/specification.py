"""The specification curve: every combination of the choices that the paper leaves open.

Group sizes and p-values follow from which trials count, how a quantile is defined, which
inequality, which summary of a subject and which test; the averaged tables besides from how points
are normalised, how many labels there are, which rule wins a conflict and how the earlier point of
a trial is drawn.  All combinations run through the code that makes the default results.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.analysis import comparisons, groups
from fuzzybounds.canoe.block_windows import FIRST, LAST, block_ranges, one_session, split
from fuzzybounds.canoe.samples import normalise
from fuzzybounds.fuzzy.fits import gather
from fuzzybounds.fuzzy.membership import equidistant, labels
from fuzzybounds.fuzzy.wang_mendel import learn_structure
from fuzzybounds.storage.seeds import generator

GROUPING = {
    "condition": ("easy", "hard", "all"),
    "missed": (True, False),
    "quantile": (
        "inverted_cdf",
        "averaged_inverted_cdf",
        "closest_observation",
        "interpolated_inverted_cdf",
        "hazen",
        "weibull",
        "linear",
        "median_unbiased",
        "normal_unbiased",
    ),
    "fast": ("<", "<="),
    "slow": (">", ">="),
}
"""Choices that make the groups; the quantiles are the nine of Hyndman and Fan (1996)."""

TESTING = {
    "summary": ("median", "mean"),
    "test": (
        comparisons.STUDENT,
        comparisons.WELCH,
        comparisons.MANN_WHITNEY,
        comparisons.PAIRED,
        comparisons.WILCOXON,
    ),
}
"""Choices that make the p-values; slow against fast has no pairs, so the two paired tests stand
with their unpaired counterparts there."""

TABULATING = {
    "normalisation": ("subject", "design"),
    "labels": (5, 3),
    "resolution": ("largest", "vote"),
    "normalised": (True, False),
    "path": ("first_draw", "mean_of_draws"),
}
"""Choices that make the averaged consequents."""

UNPAIRED = {comparisons.PAIRED: comparisons.STUDENT, comparisons.WILCOXON: comparisons.MANN_WHITNEY}

CELLS = {
    "fast_S_M": (groups.FAST, "S", "M"),
    "slow_S_M": (groups.SLOW, "S", "M"),
    "slow_M_S": (groups.SLOW, "M", "S"),
}
"""Cells whose values the paper prints (C11): group, time label, position label; first window."""


AT_ONCE = 26
"""So many subjects' points are held in memory at a time."""

FOUND = ("p_fast", "p_slow", "p_first", "p_last", "fast_change", "slow_change")
"""What a specification of groups and tests gives."""


def combinations(choices: Mapping[str, tuple]) -> Iterator[dict]:
    """Every combination of choices."""
    for values in itertools.product(*choices.values()):
        yield dict(zip(choices, values, strict=True))


class Specifications(NamedTuple):
    """What :func:`run_specifications` returns: one table per output of the stage."""

    curve: pd.DataFrame
    summary: pd.DataFrame


def run_specifications(
    trials: pd.DataFrame,
    samples: Callable[[Iterable[Iterable[str]]], Iterator[pd.DataFrame]],
    *,
    blocks: int,
    printed: Mapping[str, float],
) -> Specifications:
    """Run every combination of the open choices, and mark those that give the printed numbers.

    Parameters
    ----------
    trials : DataFrame
    samples : callable
        From groups of subjects to their two-class points, one group at a time: points are many.
    blocks : int
        Number of blocks of a window.
    printed : mapping
        The printed numbers, by the columns of the curve.
    """
    trials = one_session(trials)
    ranges = block_ranges(trials, blocks)
    curve = group_specifications(trials, ranges)
    of_groups = {name: value for name, value in printed.items() if name in curve}
    curve["matches_groups"] = matches(curve, of_groups)
    luck = chance_of_match(curve, ("p_fast", "p_slow"))
    members = curve[["condition", "members"]].drop_duplicates()
    subjects = ranges["subject"].unique()
    some = [subjects[first : first + AT_ONCE] for first in range(0, len(subjects), AT_ONCE)]
    tables = table_specifications(samples(some), ranges, members)
    whole = curve.merge(tables, on=["condition", "members"], how="left")
    of_all = {name: value for name, value in printed.items() if name in whole}
    whole["matches_paper"] = matches(whole, of_all)
    return Specifications(whole, summarise(curve, whole, luck))


def group_specifications(trials: pd.DataFrame, ranges: pd.DataFrame) -> pd.DataFrame:
    """Groups and p-values for every combination of :data:`GROUPING` and :data:`TESTING`.

    Returns
    -------
    DataFrame
        The choices; n_fast, n_slow; members, which names the groups; p_fast and p_slow (last
        against first), p_first and p_last (slow against fast), fast_change and slow_change (px).
    """
    cache: dict[tuple, dict[str, float]] = {}
    rows = []
    for which in combinations({name: GROUPING[name] for name in ("condition", "missed")}):
        tables = {
            summary: groups.boundaries(trials, ranges, **which, summary=summary)
            for summary in TESTING["summary"]
        }
        medians = tables["median"][FIRST].dropna()
        if medians.empty:
            continue  # no such trials
        for how in combinations({name: GROUPING[name] for name in ("quantile", "fast", "slow")}):
            group = groups.assign(medians, **how)
            fast, slow = (tuple(group.index[group == name]) for name in (groups.FAST, groups.SLOW))
            for testing in combinations(TESTING):
                key = (*which.values(), fast, slow, *testing.values())
                if key not in cache:
                    cache[key] = _p_values(tables[testing["summary"]], fast, slow, testing["test"])
                sizes = {"n_fast": len(fast), "n_slow": len(slow)}
                members = ",".join(fast) + "|" + ",".join(slow)
                rows.append({**which, **how, **testing, **sizes, "members": members, **cache[key]})
    curve = pd.DataFrame(rows, columns=[*GROUPING, *TESTING, "n_fast", "n_slow", "members", *FOUND])
    return curve.astype(dict.fromkeys(FOUND, float))


def _p_values(table: pd.DataFrame, fast: tuple, slow: tuple, test: str) -> dict[str, float]:
    rng = generator(0)  # no test of the curve draws random numbers
    of_fast, of_slow = table.loc[list(fast)].dropna(), table.loc[list(slow)].dropna()
    between = UNPAIRED.get(test, test)

    def p(a, b, name):
        return comparisons.compare(a, b, name, rng).p

    return {
        "p_fast": p(of_fast[LAST], of_fast[FIRST], test),
        "p_slow": p(of_slow[LAST], of_slow[FIRST], test),
        "p_first": p(of_slow[FIRST], of_fast[FIRST], between),
        "p_last": p(of_slow[LAST], of_fast[LAST], between),
        "fast_change": float((of_fast[LAST] - of_fast[FIRST]).mean()),
        "slow_change": float((of_slow[LAST] - of_slow[FIRST]).mean()),
    }


def table_specifications(
    samples: Iterable[pd.DataFrame], ranges: pd.DataFrame, memberships: pd.DataFrame
) -> pd.DataFrame:
    """The key cells for every combination of :data:`TABULATING`, and every way to make the groups.

    Parameters
    ----------
    samples : iterable of DataFrame
        Two-class points, of some subjects at a time: they are many.
    ranges : DataFrame
        From :func:`fuzzybounds.canoe.block_windows.block_ranges`.
    memberships : DataFrame
        The distinct pairs of condition and members of :func:`group_specifications`.

    Returns
    -------
    DataFrame
        The choices, condition and members, and a column for each of :data:`CELLS`.
    """
    extracting = {name: values for name, values in TABULATING.items() if name != "path"}
    parts: dict[tuple, list[pd.DataFrame]] = {}
    for some in samples:
        for condition in GROUPING["condition"]:
            chosen = some if condition == "all" else some[some["condition"] == condition]
            points = split(chosen, ranges)
            points = points[points["window"] == FIRST]
            if points.empty:
                continue
            for choice in combinations(extracting):
                key = (condition, *choice.values())
                parts.setdefault(key, []).append(_consequents(points, choice))
    rows = []
    for condition, members in memberships[["condition", "members"]].itertuples(index=False):
        for choice in combinations(extracting):
            extracted = parts.get((condition, *choice.values()))
            if extracted is None:
                continue
            if len(extracted) > 1:
                extracted[:] = [pd.concat(extracted, ignore_index=True)]
            for path, cells in _key_cells(extracted[0], members).items():
                made = {"path": path, "condition": condition, "members": members}
                rows.append({**choice, **made, **cells})
    table = pd.DataFrame(rows, columns=[*TABULATING, "condition", "members", *CELLS])
    return table.astype(dict.fromkeys(CELLS, float))


def _consequents(points: pd.DataFrame, choice: Mapping) -> pd.DataFrame:
    """Consequents of every (subject, draw) under one set of choices: structure learning alone."""
    keys, batch = gather(normalise(points, choice["normalisation"]))
    start = equidistant(choice["labels"], convention="width")
    structure = learn_structure(
        batch.inputs,
        batch.responded,
        (start, start),
        weights=batch.weights,
        resolution=choice["resolution"],
        normalised=choice["normalised"],
    )
    names = labels(choice["labels"])
    wanted = sorted({cell[1:] for cell in CELLS.values()})
    columns = {
        (time, position): structure.consequents[:, names.index(time), names.index(position)]
        for time, position in wanted
    }
    return keys.assign(
        **{f"{time}_{position}": values for (time, position), values in columns.items()}
    )


def _key_cells(rules: pd.DataFrame, members: str) -> dict[str, dict[str, float]]:
    """Mean of each key cell over the members of its group, by the first draw and over draws."""
    fast, slow = (names.split(",") for names in members.split("|"))
    of_group = {groups.FAST: fast, groups.SLOW: slow}
    found = {"first_draw": {}, "mean_of_draws": {}}
    for cell, (group, time, position) in CELLS.items():
        own = rules[rules["subject"].isin(of_group[group])]
        by_draw = own.groupby("draw")[f"{time}_{position}"].mean()
        found["first_draw"][cell] = float(by_draw.get(1, np.nan))
        found["mean_of_draws"][cell] = float(by_draw.mean())
    return found


def prints_as(value: pd.Series, printed: float, digits: int = 2) -> pd.Series:
    """Whether a value is printed so, rounded or cut (the paper prints 1/6 as 0.16)."""
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
    """How often two printed p-values would be matched by luck.

    The share of all pairs of two-digit p-values that at least one specification prints as: what a
    reader of any paper with such a pair would find.
    """
    pairs = curve[list(columns)].dropna().drop_duplicates().to_numpy()
    hit = {
        (int(a), int(b))
        for one, other in pairs
        for a in {np.floor(100 * one), np.floor(100 * one + 0.5)}
        for b in {np.floor(100 * other), np.floor(100 * other + 0.5)}
    }
    return len(hit) / 101**2


def summarise(curve: pd.DataFrame, whole: pd.DataFrame, luck: float) -> pd.DataFrame:
    """What the curve says in a few numbers.

    Parameters
    ----------
    curve : DataFrame
        The group specifications, with the column matches_groups.
    whole : DataFrame
        All specifications, with the column matches_paper.
    luck : float
        From :func:`chance_of_match`.
    """
    matching = curve[curve["matches_groups"]]
    same_sizes = (curve["n_fast"] == 7) & (curve["n_slow"] == 6)
    rows = [
        ("specifications of groups and tests", len(curve)),
        ("specifications in all, tables included", len(whole)),
        ("distinct pairs of groups", curve["members"].nunique()),
        ("group specifications with 7 fast and 6 slow", int(same_sizes.sum())),
        ("group specifications that print as the paper", len(matching)),
        ("distinct groups among those", matching["members"].nunique()),
        ("distinct tests among those", matching["test"].nunique()),
        ("whole specifications that print as the paper", int(whole["matches_paper"].sum())),
        ("share of two-digit p pairs that some specification prints", luck),
    ]
    for name in (*GROUPING, *TESTING):
        chosen = ", ".join(map(str, matching[name].unique()))
        rows.append((f"{name} in those that print as the paper", chosen or "none"))
    return pd.DataFrame(rows, columns=["quantity", "value"])
