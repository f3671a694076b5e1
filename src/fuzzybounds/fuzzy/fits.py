"""Fits of every subject: from two-class points to the tables of rules, memberships and losses.

One call fits a whole batch of (subject, window, draw).  A fit does not depend on what else is in
the batch, to the last bit: its points fill whole blocks of the kernel, padded with weight 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.fuzzy.controller import Controller
from fuzzybounds.fuzzy.membership import Convention, Memberships, equidistant, labels
from fuzzybounds.fuzzy.network import Network
from fuzzybounds.fuzzy.rules import EmptyPolicy, RuleBase
from fuzzybounds.fuzzy.tuning import PENALTY, Points, Tuned, tune
from fuzzybounds.fuzzy.wang_mendel import Resolution, Structure, learn_structure
from fuzzybounds.storage.errors import InputError
from fuzzybounds.storage.registry import TABLES

KEYS = ["subject", "window", "draw"]
VARIABLES = ("time", "position")


@dataclass(frozen=True)
class Recipe:
    """The choices that a fit needs.

    Parameters
    ----------
    labels : int
        Number of labels of each variable.
    convention : {"width", "deviation"}
        What sigma means (ambiguity A01).
    normalised : bool
        Whether degrees sum to 1 in structure learning (ambiguity A02).
    width : float, optional
        Width of structure learning (ambiguity A03); by default
        :func:`~fuzzybounds.fuzzy.membership.structure_width`.
    resolution : {"largest", "vote"}
        Which rule wins a conflict.
    empty : {"omit", "neighbours"}
        How premises without points are treated (ambiguity A08).
    optimiser : {"lbfgs", "gradient_descent"}
    penalty : float
        See :mod:`fuzzybounds.fuzzy.tuning`.
    options : mapping
        For the optimiser.
    """

    labels: int
    convention: Convention = "width"
    normalised: bool = True
    width: float | None = None
    resolution: Resolution = "largest"
    empty: EmptyPolicy = "omit"
    optimiser: str = "lbfgs"
    penalty: float = PENALTY
    options: Mapping[str, Any] | None = None

    def memberships(self) -> Memberships:
        """Return the membership functions of structure learning, on [0, 1]."""
        return equidistant(self.labels, width=self.width, convention=self.convention)


class FitTables(NamedTuple):
    """Tidy tables: `fits` has one row per fit, `rules` per cell, `memberships` per label."""

    fits: pd.DataFrame
    rules: pd.DataFrame
    memberships: pd.DataFrame

    def select(self, subjects: Iterable[str], labels: int) -> FitTables:
        """Return the fits of some subjects with one number of labels."""
        names = list(subjects)
        return FitTables(*(t[(t["labels"] == labels) & t["subject"].isin(names)] for t in self))


EMPTY = FitTables(*(TABLES[name].empty() for name in ("fuzzy_fits", "rules", "memberships")))
"""Empty tables, for subjects without data to fit."""


def fit_tables(points: pd.DataFrame, recipe: Recipe) -> FitTables:
    """Fit the fuzzy model to every (subject, window, draw): extract rules, then tune memberships.

    Parameters
    ----------
    points : DataFrame
        Columns subject, window, draw, time and position (both normalised to [0, 1]), responded
        (bool or 0 / 1), and, if points count differently, weight.
    recipe : Recipe
    """
    rules = extract(points, recipe)
    fits, memberships = tune_extracted(points, rules, recipe)
    return FitTables(fits, rules, memberships)


def extract(points: pd.DataFrame, recipe: Recipe) -> pd.DataFrame:
    """Extract the rules of every (subject, window, draw) by structure learning.

    Returns
    -------
    DataFrame
        The table ``rules``: one row per fit and cell.
    """
    keys, batch = gather(points)
    start = recipe.memberships()
    structure = learn_structure(
        batch.inputs,
        batch.responded,
        (start, start),
        weights=batch.weights,
        resolution=recipe.resolution,
        normalised=recipe.normalised,
    )
    return _rules_table(keys, recipe, structure, fill(structure.consequents, recipe.empty))


def tune_extracted(
    points: pd.DataFrame, rules: pd.DataFrame, recipe: Recipe
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Tune the memberships of extracted rules by back-propagation.

    Parameters
    ----------
    points : DataFrame
        The points from which the rules were extracted.
    rules : DataFrame
        What :func:`extract` returns for them.
    recipe : Recipe

    Returns
    -------
    fits, memberships : DataFrame
        Result tables: one row per fit, and one per fit, variable and label.
    """
    keys, batch = gather(points)
    cells = recipe.labels**2
    if not rules[KEYS].iloc[::cells].reset_index(drop=True).equals(keys):
        raise ValueError("rules: expected those of the same points, in the same order")
    start = recipe.memberships()
    tuned = tune(
        Network.grid((recipe.labels, recipe.labels), recipe.convention),
        batch,
        rules["consequent"].to_numpy().reshape(-1, cells),
        np.tile(start.centers, 2),
        np.tile(start.widths, 2),
        optimiser=recipe.optimiser,
        penalty=recipe.penalty,
        **(recipe.options or {}),
    )
    empty = (rules["support"].to_numpy().reshape(-1, cells) == 0).sum(axis=1)
    return _fits_table(keys, recipe, batch, empty, tuned), _memberships_table(keys, recipe, tuned)


def gather(points: pd.DataFrame) -> tuple[pd.DataFrame, Points]:
    """Stack the points of every (subject, window, draw), padded with weight 0.

    Returns
    -------
    keys : DataFrame
        Columns subject, window, draw, in the order in which they first appear.
    batch : Points
    """
    from fuzzybounds.fuzzy.kernel import BLOCK

    _check(points)
    group = points.groupby(KEYS, sort=False, observed=True)
    number, place = group.ngroup().to_numpy(), group.cumcount().to_numpy()
    shape = (number.max() + 1, -(-(place.max() + 1) // BLOCK) * BLOCK)
    inputs = np.zeros((shape[0], 2, shape[1]))
    for i, variable in enumerate(VARIABLES):
        inputs[number, i, place] = points[variable]
    responded = np.zeros(shape, dtype=bool)
    responded[number, place] = points["responded"]
    weights = np.zeros(shape)
    weights[number, place] = points.get("weight", 1.0)
    return points[KEYS].drop_duplicates(ignore_index=True), Points(inputs, responded, weights)


def fill(consequents: np.ndarray, policy: EmptyPolicy) -> np.ndarray:
    """Apply the policy for empty cells to rule bases of shape (n_fits, n_time, n_position)."""
    if policy == "omit":
        return consequents.copy()
    return np.stack(
        [RuleBase.from_consequents(table).filled(policy).consequents for table in consequents]
    )


def controllers(tables: FitTables) -> dict[tuple, Controller]:
    """Rebuild the fitted controllers from their tables.

    Returns
    -------
    dict
        From (subject, window, labels, draw) to the controller, on [0, 1].
    """
    rebuilt = {}
    for n_labels, rules in tables.rules.groupby("labels", sort=False):
        variables = tables.memberships[tables.memberships["labels"] == n_labels]
        keys = _keys_of_blocks(rules, n_labels**2)
        if keys != _keys_of_blocks(variables, 2 * n_labels):
            raise ValueError("tables: expected rules and memberships of the same fits, in order")
        consequents = rules["consequent"].to_numpy().reshape(-1, n_labels, n_labels)
        centers, widths = (
            variables[name].to_numpy().reshape(-1, 2, n_labels) for name in ("center", "width")
        )
        conventions = variables["convention"].to_numpy()[:: 2 * n_labels]
        names = labels(n_labels)
        for key, table, mu, sigma, own in zip(
            keys, consequents, centers, widths, conventions, strict=True
        ):
            time, position = (Memberships(names, mu[i], sigma[i], own) for i in (0, 1))
            rebuilt[key] = Controller(time, position, RuleBase(names, names, table))
    return rebuilt


def _keys_of_blocks(table: pd.DataFrame, size: int) -> list[tuple]:
    """Return (subject, window, labels, draw) of each fit, whose rows are adjacent."""
    columns = ["subject", "window", "labels", "draw"]
    fit = table.groupby(columns, sort=False, observed=True).ngroup().to_numpy()
    if not np.array_equal(fit, np.repeat(np.arange(-(-len(fit) // size)), size)[: len(fit)]):
        raise ValueError(
            "tables: expected the rows of each fit together, as fit_tables writes them"
        )
    return list(table[columns].iloc[::size].itertuples(index=False, name=None))


def _check(points: pd.DataFrame) -> None:
    missing = [name for name in (*KEYS, *VARIABLES, "responded") if name not in points]
    if missing:
        raise InputError(f"two-class points: no column {', '.join(missing)}")
    if points.empty:
        raise InputError("two-class points: the table has no rows, expected at least one point")
    problems = []
    for variable in VARIABLES:
        bad = ~points[variable].between(0, 1)
        if bad.any():
            row = points[bad].iloc[0]
            problems.append(
                f"{variable} = {row[variable]} of subject {row['subject']}, "
                f"{row['window']} window, draw {row['draw']}: "
                f"expected a value normalised to [0, 1] ({bad.sum()} such rows)"
            )
    if not points["responded"].isin((0, 1)).all():
        problems.append("responded: expected true or false in every row")
    if problems:
        raise InputError("two-class points cannot be fitted", problems)


def _fits_table(
    keys: pd.DataFrame, recipe: Recipe, batch: Points, empty: np.ndarray, tuned: Tuned
) -> pd.DataFrame:
    return keys.assign(
        labels=recipe.labels,
        n_points=(batch.weights > 0).sum(axis=1),
        n_stop=((batch.weights > 0) & batch.responded).sum(axis=1),
        empty_cells=empty,
        loss_before=tuned.loss_before,
        loss_after=tuned.loss_after,
        iterations=tuned.iterations,
        converged=tuned.converged.astype(bool),
        reason=tuned.reason.astype(str),
        flags=["; ".join(names) for names in tuned.flags],
    )


def _rules_table(
    keys: pd.DataFrame, recipe: Recipe, structure: Structure, consequents: np.ndarray
) -> pd.DataFrame:
    n_cells = recipe.labels**2
    names = np.array(labels(recipe.labels))
    return _repeated(keys, n_cells).assign(
        labels=recipe.labels,
        time_label=np.tile(np.repeat(names, recipe.labels), len(keys)),
        position_label=np.tile(names, recipe.labels * len(keys)),
        consequent=consequents.ravel(),
        certainty=structure.certainty.ravel(),
        support=structure.support.ravel(),
        conflicts=structure.conflicts.ravel(),
        vote_share=structure.vote_share.ravel(),
    )


def _memberships_table(keys: pd.DataFrame, recipe: Recipe, tuned: Tuned) -> pd.DataFrame:
    return _repeated(keys, 2 * recipe.labels).assign(
        labels=recipe.labels,
        convention=recipe.convention,
        variable=np.tile(np.repeat(VARIABLES, recipe.labels), len(keys)),
        label=np.tile(labels(recipe.labels), 2 * len(keys)),
        center=tuned.centers.ravel(),
        width=tuned.widths.ravel(),
    )


def _repeated(keys: pd.DataFrame, times: int) -> pd.DataFrame:
    return keys.loc[keys.index.repeat(times)].reset_index(drop=True)
