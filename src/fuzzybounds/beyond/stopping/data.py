"""The trials of one subject in one condition, ready for every model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np
import pandas as pd

from fuzzybounds.beyond.stopping.catalogue import Context
from fuzzybounds.beyond.stopping.lattice import Bins, States, on_lattice, outcomes, states
from fuzzybounds.beyond.stopping.likelihood import Likelihood
from fuzzybounds.beyond.stopping.observer import beliefs
from fuzzybounds.beyond.stopping.rules import Points
from fuzzybounds.canoe.task import CONDITIONS
from fuzzybounds.paper.reinforcement.design import Design, design

ALL = "all"
"""The condition of data sets without cues: one hazard serves both kinds of trial."""
FEWEST = 20
"""Responses below which a subject's trials of a condition are not fitted."""
INTERLEAVED, CONTIGUOUS = "interleaved", "contiguous"
SCHEMES = (INTERLEAVED, CONTIGUOUS)
DRAWS = 5
"""Draws of two-class points whose largest time and distance are the ranges of labels."""


@dataclass(frozen=True, eq=False)
class Data:
    """One subject's trials of one condition that lie on the lattice.

    `off_lattice` is the number of trials that were left out; likelihoods are by motor delay (s);
    `point_trial` is the trial of each of the two-class points.
    """

    subject: str
    condition: str
    trials: pd.DataFrame
    off_lattice: int
    likelihoods: dict[float, Likelihood]
    points: Points
    point_trial: np.ndarray
    task: Design

    @property
    def states(self) -> States:
        """The states that decisions can have, the same for every delay."""
        return next(iter(self.likelihoods.values())).states

    def context(self, chosen: np.ndarray) -> Context:
        """Return what models need to know about the chosen trials."""
        names = ("trial", "position", "responded")
        trial, position, responded = (self.trials[name].to_numpy() for name in names)
        level = np.median(np.abs(position[chosen & responded])) / 100
        use = np.isin(self.point_trial, trial[chosen])
        points = Points(*(values[:, use] for values in self.points))
        own = context_of(self.states, self.task, self.condition)
        return replace(own, level=float(level), points=points)


def design_of(check: pd.DataFrame, *, cued: bool) -> Design:
    """Return the design of a data set, with P0 estimated from its logs (``design_check.csv``)."""
    own = check[check["quantity"] == "p0"].set_index("condition")["value"].dropna()
    return design("logs", cued=cued, **{name: float(p0) for name, p0 in own.items()})


cached_states = cache(states)


@cache
def beliefs_of(where: States, task: Design, condition: str) -> dict[str, np.ndarray]:
    """Return the probability of conditions at every state, on trials that are cued so."""
    possible = tuple(own for own in task.conditions if condition in (ALL, own.name))
    return beliefs(possible, where)


def context_of(where: States, task: Design, condition: str) -> Context:
    """Return a context without trials, for rebuilding models that were fitted."""
    nobody = Points(np.ones((1, 1)), np.ones((1, 1)), np.ones((1, 1), dtype=bool))
    return Context(where, 1.0, nobody, partial(beliefs_of, where, task, condition))


def prepare(
    trials: pd.DataFrame,
    samples: pd.DataFrame,
    bins: Bins,
    task: Design,
    conditions: Iterable[str] = tuple(CONDITIONS),
    delays: Sequence[float] = (0.0,),
) -> Iterator[Data]:
    """Yield the data of every subject and condition (with cues) that has enough responses.

    The first of the motor delays (s) is the smallest.
    """
    for subject, own in trials.groupby("subject", sort=False):
        points = samples[(samples["subject"] == subject) & (samples["draw"] <= DRAWS)]
        for condition in conditions if task.cued else [ALL]:
            tables = (own, points)
            if condition != ALL:
                tables = tuple(table[table["condition"] == condition] for table in tables)
            if tables[0]["responded"].sum() >= FEWEST:
                yield _prepare(str(subject), condition, *tables, bins, task, delays)


def _prepare(subject, condition, trials, points, bins, task, delays) -> Data:
    fits = on_lattice(trials)
    kept = trials[fits].reset_index(drop=True)
    found = {delay: outcomes(kept, bins, delay) for delay in delays}
    where = cached_states(bins, max(own.steps for own in found.values()))
    drawn = [own for _, own in points.groupby("draw")]
    columns = ("time", "position", "responded")
    return Data(
        subject,
        condition,
        kept,
        int((~fits).sum()),
        {delay: Likelihood(own, where) for delay, own in found.items()},
        Points(*(np.stack([own[name].to_numpy() for own in drawn]) for name in columns)),
        drawn[0]["trial"].to_numpy(),
        task,
    )


def folds(blocks: np.ndarray, scheme: str, number: int) -> np.ndarray:
    """Return the fold, 1 to `number`, of every trial; a block is never divided.

    With five folds, every fifth block is left out (interleaved), or a fifth of the session
    (contiguous).
    """
    unique, rank = np.unique(blocks, return_inverse=True)
    if scheme == INTERLEAVED:
        return rank % number + 1
    if scheme == CONTIGUOUS:
        return rank * number // unique.size + 1
    raise ValueError(f"scheme = {scheme!r}: expected one of {SCHEMES}")
