"""Rules from two-class points: Wang and Mendel's, and the paper's own pipeline.

The points are those of the paper: every response, and one random earlier point of its trial, per
draw.  The rules depend on which points are drawn, so several draws are tried and the best is kept.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.beyond.stopping.rules import starting_labels, unit_labels
from fuzzybounds.paper.fuzzy.network import Network
from fuzzybounds.paper.fuzzy.tuning import Points, tune
from fuzzybounds.paper.fuzzy.wang_mendel import learn_structure


class TwoClass(NamedTuple):
    """Two-class points of one subject, one row per draw.

    Attributes
    ----------
    time, position : array, shape (draws, points)
        In s and px.
    responded : array of bool, shape (draws, points)
    """

    time: np.ndarray
    position: np.ndarray
    responded: np.ndarray

    @property
    def first(self) -> TwoClass:
        """The first draw alone, as in the paper."""
        return TwoClass(*(values[:1] for values in self))

    @property
    def ranges(self) -> tuple[float, float]:
        """The largest time and distance (A09: the subject's own)."""
        return float(self.time.max()), float(max(self.position.max(), 1.0))


class RuleSet(NamedTuple):
    """Rules and labels from the points of one draw.

    Attributes
    ----------
    consequents : array, shape (labels, labels)
        1 stop, 0 continue, NaN without a rule.
    labels : array, shape (4, labels)
        See :func:`fuzzybounds.beyond.stopping.rules.starting_labels`.
    draw : int
    """

    consequents: np.ndarray
    labels: np.ndarray
    draw: int


def gather(points: pd.DataFrame, draws: int) -> TwoClass:
    """Take the first draws of one subject's points (``samples.parquet``)."""
    drawn = [points[points["draw"] == draw] for draw in range(1, draws + 1)]
    columns = ("time", "position", "responded")
    return TwoClass(*(np.stack([own[name].to_numpy() for own in drawn]) for name in columns))


def learn_rules(points: TwoClass, number: int) -> list[RuleSet]:
    """Return the different rule bases that Wang and Mendel's method finds, over the draws."""
    start = starting_labels(number, *points.ranges)
    found: dict[bytes, RuleSet] = {}
    for draw, consequents in enumerate(_structures(points, number), start=1):
        found.setdefault(consequents.tobytes(), RuleSet(consequents, start, draw))
    return list(found.values())


def run_pipeline(points: TwoClass, number: int, penalty: float) -> list[RuleSet]:
    """Return the result of the paper's pipeline for every draw: rules, then tuned labels."""
    own = unit_labels(number)
    consequents = _structures(points, number)
    tuned = tune(
        Network.grid((number, number), "width"),
        _unit_points(points),
        consequents.reshape(len(consequents), -1),
        np.tile(own.centers, 2),
        np.tile(own.widths, 2),
        penalty=penalty,
    )
    ranges = np.array(points.ranges)[:, None]
    rule_sets = []
    for draw, found in enumerate(consequents):
        parts = [own[draw].reshape(2, -1) * ranges for own in (tuned.centers, tuned.widths)]
        moved = np.stack(parts, axis=1).reshape(4, -1)
        rule_sets.append(RuleSet(found, moved, draw + 1))
    return rule_sets


def _unit_points(points: TwoClass) -> Points:
    time_range, position_range = points.ranges
    inputs = np.stack([points.time / time_range, points.position / position_range], axis=1)
    return Points(inputs, points.responded)


def _structures(points: TwoClass, number: int) -> np.ndarray:
    own = unit_labels(number)
    unit = _unit_points(points)
    return learn_structure(unit.inputs, unit.responded, (own, own)).consequents
