"""Structure learning: Wang and Mendel's three steps from points to a rule base.

1. Equidistant membership functions: :func:`fuzzybounds.paper.fuzzy.membership.equidistant`.
2. One rule for each point: the label of the largest degree for time and for position, and what
   the subject did.
3. Rules with the same premise conflict.  In the paper the one with the largest certainty degree
   (the product of the degrees) wins.  As an option every rule votes with its certainty: a single
   point near the centre of a cell then cannot outvote all others there.

Many sets of points are processed at once: sets are the first axis of every array.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np

from fuzzybounds.paper.fuzzy.membership import Memberships
from fuzzybounds.paper.fuzzy.rules import CONTINUE, STOP

Resolution = Literal["largest", "vote"]


class Structure(NamedTuple):
    """The rule bases, each array of shape (n_sets, n_time, n_position).

    `consequents` are 1 stop, 0 continue, NaN where no point has that premise.  `certainty` is the
    largest certainty degree among the points that support the consequent, `support` the number of
    points with that premise, `conflicts` how many of them contradict the consequent, and
    `vote_share` the share of the certainty (times weight) that supports it.
    """

    consequents: np.ndarray
    certainty: np.ndarray
    support: np.ndarray
    conflicts: np.ndarray
    vote_share: np.ndarray


def learn_structure(
    inputs: np.ndarray,
    responded: np.ndarray,
    memberships: Sequence[Memberships],
    *,
    weights: np.ndarray | None = None,
    resolution: Resolution = "largest",
    normalised: bool = True,
) -> Structure:
    """Learn a rule base from each set of points (steps 2 and 3).

    Parameters
    ----------
    inputs : array of shape (n_sets, n_inputs, n_points)
        Time and position (as distance from the centre).
    responded : array of bool, shape (n_sets, n_points)
    memberships : sequence of Memberships
        One for each input (step 1).
    weights : array of shape (n_sets, n_points), optional
        0 is padding; other weights count in votes only.
    resolution : {"largest", "vote"}
        Who wins a conflict: the largest certainty degree (the paper), or the larger sum of them.
        An exact tie goes to "continue".
    normalised : bool
        Whether degrees sum to 1, as in the paper's worked example (ambiguity A02).
    """
    labels, certainty = point_rules(inputs, memberships, normalised=normalised)
    counts = tuple(len(variable.labels) for variable in memberships)
    premise = np.ravel_multi_index(tuple(np.moveaxis(labels, 1, 0)), counts)
    weights = np.ones(premise.shape) if weights is None else weights
    rules = (premise, certainty, np.asarray(responded, dtype=bool), weights)
    flat = resolve(*rules, n_premises=int(np.prod(counts)), resolution=resolution)
    return Structure(*(values.reshape(len(inputs), *counts) for values in flat))


def point_rules(
    inputs: np.ndarray, memberships: Sequence[Memberships], *, normalised: bool = True
) -> tuple[np.ndarray, np.ndarray]:
    """Generate one rule for each point (step 2).

    Returns the labels of its premise, as numbers (set, input, point), and its certainty degree
    (set, point).
    """
    degrees = [
        variable.degrees(inputs[:, number], normalised)
        for number, variable in enumerate(memberships)
    ]
    # Rounded, so that halfway between two centres the smaller label wins on every processor.
    labels = np.stack([degree.round(12).argmax(axis=-1) for degree in degrees], axis=1)
    return labels, np.prod([degree.max(axis=-1) for degree in degrees], axis=0)


def resolve(
    premise: np.ndarray,
    certainty: np.ndarray,
    responded: np.ndarray,
    weights: np.ndarray,
    *,
    n_premises: int,
    resolution: Resolution,
) -> Structure:
    """Resolve the conflicts between rules with the same premise (step 3).

    The rules are those of points, all of shape (set, point), with premises numbered below
    `n_premises`.  The arrays of the result have the shape (set, premise).
    """
    if resolution not in get_args(Resolution):
        raise ValueError(f"resolution = {resolution!r}: expected one of {get_args(Resolution)}")
    used = weights > 0
    cell = (np.nonzero(used)[0], premise[used], responded[used].astype(int))
    shape = (len(premise), n_premises, 2)
    count, votes, largest = np.zeros(shape, dtype=int), np.zeros(shape), np.zeros(shape)
    np.add.at(count, cell, 1)
    np.add.at(votes, cell, (certainty * weights)[used])
    np.maximum.at(largest, cell, certainty[used])

    strength = largest if resolution == "largest" else votes
    stop = strength[..., 1] > strength[..., 0]
    support = count.sum(axis=-1)
    empty = support == 0

    def of_winner(by_consequent: np.ndarray) -> np.ndarray:
        return np.where(stop, by_consequent[..., 1], by_consequent[..., 0])

    return Structure(
        consequents=np.where(empty, np.nan, np.where(stop, STOP, CONTINUE)),
        certainty=np.where(empty, np.nan, of_winner(largest)),
        support=support,
        conflicts=support - of_winner(count),
        vote_share=of_winner(votes) / np.where(empty, np.nan, votes.sum(axis=-1)),
    )
