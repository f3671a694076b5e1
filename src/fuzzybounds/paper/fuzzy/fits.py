"""The stages of the fuzzy model: from two-class points to tables of rules, memberships and losses.

:func:`extract_rules` and :func:`tune_memberships` fit every subject, window and draw with every
number of labels.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.canoe.block_windows import block_ranges, split
from fuzzybounds.canoe.samples import normalise
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.membership import Convention, Memberships, equidistant, labels
from fuzzybounds.paper.fuzzy.network import Network
from fuzzybounds.paper.fuzzy.rules import EmptyPolicy, RuleBase, fill
from fuzzybounds.paper.fuzzy.tuning import PENALTY, Points, tune
from fuzzybounds.paper.fuzzy.wang_mendel import Resolution, learn_structure

KEYS = ["subject", "window", "draw"]
VARIABLES = ("time", "position")
ONE_SESSION, THREE_SESSION = "one_session", "three_session"
"""Subjects by their number of sessions, as the configuration names them."""


@dataclass(frozen=True)
class Recipe:
    """The choices that a fit needs.

    `labels` is the number of labels of each variable, `convention` what sigma means (A01),
    `normalised` whether degrees sum to 1 in structure learning (A02), `resolution` which rule wins
    a conflict, and `empty` how premises without points are treated (A08).  The `penalty` is that
    of :mod:`fuzzybounds.paper.fuzzy.tuning`.
    """

    labels: int
    convention: Convention = "width"
    normalised: bool = True
    resolution: Resolution = "largest"
    empty: EmptyPolicy = "omit"
    penalty: float = PENALTY

    def memberships(self) -> Memberships:
        """Return the membership functions of structure learning, on [0, 1]."""
        return equidistant(self.labels, convention=self.convention)


class FitTables(NamedTuple):
    """Tidy tables: `fits` has one row per fit, `rules` per cell, `memberships` per label."""

    fits: pd.DataFrame
    rules: pd.DataFrame
    memberships: pd.DataFrame

    def select(self, subjects: Iterable[str], labels: int) -> FitTables:
        """Return the fits of some subjects with one number of labels."""
        names = list(subjects)
        return FitTables(*(t[(t["labels"] == labels) & t["subject"].isin(names)] for t in self))


class TunedTables(NamedTuple):
    """What :func:`tune_memberships` returns: one table per output of the stage."""

    fits: pd.DataFrame
    memberships: pd.DataFrame


EMPTY = FitTables(*(TABLES[name].empty() for name in ("fuzzy_fits", "rules", "memberships")))
"""Empty tables, for subjects without data to fit."""


def extract_rules(trials: pd.DataFrame, samples: pd.DataFrame, **options: Any) -> pd.DataFrame:
    """Extract the rules of each subject's windows from two-class points (Wang and Mendel).

    Parameters
    ----------
    trials, samples : DataFrame
        Result tables.
    **options
        See :func:`points_to_fit`.

    Returns
    -------
    DataFrame
        The table ``rules``.
    """
    parts = [extract(*part) for part in points_to_fit(trials, samples, **options)]
    if not parts:
        logging.getLogger(__name__).info(
            "no response on a trial that is fitted (fuzzy.condition: %s): no rules",
            options["condition"],
        )
        return EMPTY.rules
    return pd.concat(parts, ignore_index=True)


def tune_memberships(
    trials: pd.DataFrame, samples: pd.DataFrame, rules: pd.DataFrame, **options: Any
) -> TunedTables:
    """Tune the memberships of each subject's rules by back-propagation.

    Parameters
    ----------
    trials, samples : DataFrame
        Result tables.
    rules : DataFrame
        What :func:`extract_rules` returns for the same tables and options.
    **options
        See :func:`points_to_fit`.
    """
    parts = []
    for points, recipe in points_to_fit(trials, samples, **options):
        chosen = (rules["labels"] == recipe.labels) & rules["subject"].isin(points["subject"])
        fits, memberships = tune_extracted(points, rules[chosen], recipe)
        scales = points[["subject", "draw", "time_range", "position_range"]].drop_duplicates()
        used = {name: options[name] for name in ("condition", "blocks")}
        parts.append((fits.merge(scales, on=["subject", "draw"]).assign(**used), memberships))
    if not parts:
        return TunedTables(EMPTY.fits, EMPTY.memberships)
    return TunedTables(
        *(pd.concat(tables, ignore_index=True) for tables in zip(*parts, strict=True))
    )


def fit_fuzzy(trials: pd.DataFrame, samples: pd.DataFrame, **options: Any) -> FitTables:
    """Extract rules and tune memberships: both stages in one call."""
    rules = extract_rules(trials, samples, **options)
    fits, memberships = tune_memberships(trials, samples, rules, **options)
    return FitTables(fits, rules, memberships)


def points_to_fit(
    trials: pd.DataFrame,
    samples: pd.DataFrame,
    *,
    labels: Mapping[str, Sequence[int]],
    blocks: int,
    condition: str,
    normalisation: str,
    **recipe: Any,
) -> Iterator[tuple[pd.DataFrame, Recipe]]:
    """Yield the points of subjects who are fitted alike, normalised, and how they are fitted.

    Parameters
    ----------
    trials, samples : DataFrame
        Result tables.
    labels : mapping
        Numbers of labels for subjects of one and of three sessions.
    blocks : int
        Number of blocks of a window.
    condition : {"easy", "hard", "all"}
        Which trials (A11).
    normalisation : {"subject", "design"}
        What maps time and position to [0, 1] (A09).
    **recipe
        See :class:`Recipe`.
    """
    ranges = block_ranges(trials, blocks)
    if condition != "all":
        samples = samples[samples["condition"] == condition]
    points = normalise(split(samples, ranges), normalisation)
    several = set(ranges.loc[ranges["sessions"] > 1, "subject"])
    kinds = points["subject"].isin(several).map({False: ONE_SESSION, True: THREE_SESSION})
    for kind, of_kind in points.groupby(kinds, sort=False):
        for number in labels[str(kind)]:
            yield of_kind, Recipe(labels=number, **recipe)


def fit_tables(points: pd.DataFrame, recipe: Recipe) -> FitTables:
    """Fit the fuzzy model to every (subject, window, draw) of some normalised points."""
    rules = extract(points, recipe)
    fits, memberships = tune_extracted(points, rules, recipe)
    return FitTables(fits, rules, memberships)


def extract(points: pd.DataFrame, recipe: Recipe) -> pd.DataFrame:
    """Return the table ``rules`` for every (subject, window, draw) of some points."""
    keys, batch = gather(points)
    structure = learn_structure(
        batch.inputs,
        batch.responded,
        [recipe.memberships()] * 2,
        weights=batch.weights,
        resolution=recipe.resolution,
        normalised=recipe.normalised,
    )
    consequents = [fill(table, recipe.empty) for table in structure.consequents]
    names = labels(recipe.labels)
    return _repeated(keys, recipe.labels**2).assign(
        labels=recipe.labels,
        time_label=np.tile(np.repeat(names, recipe.labels), len(keys)),
        position_label=np.tile(names, recipe.labels * len(keys)),
        consequent=np.ravel(consequents),
        certainty=structure.certainty.ravel(),
        support=structure.support.ravel(),
        conflicts=structure.conflicts.ravel(),
        vote_share=structure.vote_share.ravel(),
    )


def tune_extracted(points: pd.DataFrame, rules: pd.DataFrame, recipe: Recipe) -> TunedTables:
    """Return the tables ``fuzzy_fits`` and ``memberships`` for the rules of the same points."""
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
        penalty=recipe.penalty,
    )
    fits = keys.assign(
        labels=recipe.labels,
        n_points=points.groupby(KEYS, sort=False, observed=True).size().to_numpy(),
        n_stop=batch.responded.sum(axis=1),
        empty_cells=(rules["support"].to_numpy().reshape(-1, cells) == 0).sum(axis=1),
        loss_before=tuned.loss_before,
        loss_after=tuned.loss_after,
        iterations=tuned.iterations,
        converged=tuned.converged,
        reason=tuned.reason,
        flags=["; ".join(names) for names in tuned.flags],
    )
    memberships = _repeated(keys, 2 * recipe.labels).assign(
        labels=recipe.labels,
        convention=recipe.convention,
        variable=np.tile(np.repeat(VARIABLES, recipe.labels), len(keys)),
        label=np.tile(labels(recipe.labels), 2 * len(keys)),
        center=tuned.centers.ravel(),
        width=tuned.widths.ravel(),
    )
    return TunedTables(fits, memberships)


def gather(points: pd.DataFrame) -> tuple[pd.DataFrame, Points]:
    """Stack the points of every (subject, window, draw), padded with weight 0.

    Returns subject, window and draw of each set, in the order in which they first appear, and the
    stacked points.
    """
    group = points.groupby(KEYS, sort=False, observed=True)
    place = (group.ngroup().to_numpy(), group.cumcount().to_numpy())
    shape = (place[0].max() + 1, place[1].max() + 1)

    def padded(values: Any) -> np.ndarray:
        table = np.zeros(shape)
        table[place] = values
        return table

    inputs = np.stack([padded(points[variable]) for variable in VARIABLES], axis=1)
    if not ((inputs >= 0) & (inputs <= 1)).all():
        raise ValueError("two-class points: expected time and position normalised to [0, 1]")
    batch = Points(inputs, padded(points["responded"]).astype(bool), padded(1.0))
    return points[KEYS].drop_duplicates(ignore_index=True), batch


def controllers(tables: FitTables) -> dict[tuple, Controller]:
    """Rebuild the fitted controllers, on [0, 1], by (subject, window, labels, draw)."""
    columns = ["subject", "window", "labels", "draw"]
    memberships = dict(iter(tables.memberships.groupby(columns, sort=False, observed=True)))
    rebuilt = {}
    for key, rules in tables.rules.groupby(columns, sort=False, observed=True):
        names, labelled = labels(key[2]), memberships.pop(key, None)
        if labelled is None or len(labelled) != 2 * key[2] or len(rules) != key[2] ** 2:
            raise ValueError(f"fit {key}: expected {key[2]}² rules and {key[2]} labels twice")
        time, position = (
            Memberships(names, part["center"], part["width"], part["convention"].iloc[0])
            for part in (labelled[: key[2]], labelled[key[2] :])
        )
        consequents = rules["consequent"].to_numpy().reshape(key[2], key[2])
        rebuilt[key] = Controller(time, position, RuleBase(names, names, consequents))
    return rebuilt


def _repeated(keys: pd.DataFrame, times: int) -> pd.DataFrame:
    return keys.loc[keys.index.repeat(times)].reset_index(drop=True)
