"""Tables of fuzzy fits, and the controllers that they hold."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import pandas as pd

from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.membership import Memberships, labels
from fuzzybounds.paper.fuzzy.rules import RuleBase

KEYS = ["subject", "window", "draw"]
VARIABLES = ("time", "position")


class FitTables(NamedTuple):
    """Tidy tables: `fits` has one row per fit, `rules` per cell, `memberships` per label."""

    fits: pd.DataFrame
    rules: pd.DataFrame
    memberships: pd.DataFrame

    def select(self, subjects: Iterable[str], labels: int) -> FitTables:
        """Return the fits of some subjects with one number of labels."""
        names = list(subjects)
        return FitTables(*(t[(t["labels"] == labels) & t["subject"].isin(names)] for t in self))


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
