"""The trials of one subject in one condition, ready for every model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from fuzzybounds.canoe.paths import plain
from fuzzybounds.canoe.task import CONDITIONS, FRAME, FRAMES_PER_STEP
from fuzzybounds.paper.reinforcement.design import Design, design
from fuzzybounds.stopping.catalogue import Context
from fuzzybounds.stopping.designs import likelihoods_on, recorded_positions
from fuzzybounds.stopping.lattice import Bins, LatticeStates, on_lattice, outcomes, states
from fuzzybounds.stopping.likelihood import Likelihood
from fuzzybounds.stopping.recorded import on_recorded_paths
from fuzzybounds.stopping.rules import Points
from fuzzybounds.stopping.variable_delay import REACH, VariableDelay

ALL = "all"
"""The condition of data sets without cues: one hazard serves both kinds of trial."""
FEWEST = 20
"""Responses below which a subject's trials of a condition are not fitted."""
INTERLEAVED, CONTIGUOUS = "interleaved", "contiguous"
SCHEMES = (INTERLEAVED, CONTIGUOUS)
GRID = 3 * FRAME
"""Distance in s of the delays over which one that varies is averaged."""
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
    def states(self) -> LatticeStates:
        """The states that decisions can have, the same for every delay."""
        return next(iter(self.likelihoods.values())).states

    def context(self, chosen: np.ndarray) -> Context:
        """Return what models need to know about the chosen trials."""
        names = ("trial", "position", "responded")
        trial, position, responded = (self.trials[name].to_numpy() for name in names)
        level = np.median(np.abs(position[chosen & responded])) / 100
        use = np.isin(self.point_trial, trial[chosen])
        points = Points(*(values[:, use] for values in self.points))
        return Context(self.states, float(level), points)


def design_of(check: pd.DataFrame, *, cued: bool) -> Design:
    """Return the design of a data set, with P0 estimated from its logs (``design_check.csv``)."""
    estimates = check[check["quantity"] == "p0"].set_index("condition")["value"].dropna()
    return design("logs", cued=cued, **{name: float(p0) for name, p0 in estimates.items()})


def of_condition(trials: pd.DataFrame, condition: str) -> pd.DataFrame:
    """Return the trials of a condition, or all."""
    return trials if condition == ALL else trials[trials["condition"] == condition]


def likelihoods(
    trials: pd.DataFrame,
    bins: Bins,
    delays: Sequence[float],
    paths: pd.DataFrame | None = None,
    delay_sd: float = 0.0,
    *,
    marked: bool = False,
) -> dict[float, Likelihood]:
    """Return the likelihood of trials on the lattice for every motor delay, on the same states.

    Recorded paths of the subject (trial, time, position) are used as they are; over others the
    likelihood is summed.  With a gate or another start somewhere, all have to be recorded.  With
    `delay_sd` a delay varies from trial to trial about each mean; `marked` is as in
    :func:`~fuzzybounds.stopping.designs.likelihoods_on`.
    """
    if delay_sd > 0:
        # A finer grid, of whole frames, that reaches far enough about every mean.
        last = round((max(delays) + REACH * delay_sd) / GRID)
        grid = [number * GRID for number in range(min(last, FRAMES_PER_STEP // 3 - 1) + 1)]
        by_delay = likelihoods(trials, bins, grid, paths)
        return {delay: VariableDelay(by_delay, delay, delay_sd) for delay in delays}
    if paths is not None and not plain(trials).all():
        positions = recorded_positions(trials, paths, bins)
        ends = trials["trial"].map(paths.groupby("trial")["time"].max()).to_numpy()
        return likelihoods_on(trials, positions, bins, delays, ends, marked=marked)
    known = np.zeros(len(trials), dtype=bool)
    if paths is not None and len(paths):
        known = trials["trial"].isin(paths["trial"]).to_numpy()
    summed = {d: outcomes(trials[~known], bins, d) if not known.all() else None for d in delays}
    steps = [each.steps for each in summed.values() if each is not None]
    # A recorded trial may last until the deadline.
    where = states(bins) if known.any() else states(bins, max(steps))
    watched = {
        d: on_recorded_paths(trials[known], paths, where, d) if known.any() else None
        for d in delays
    }
    return {d: Likelihood(summed[d], where, watched[d], known) for d in delays}


def with_path(trials: pd.DataFrame, paths: pd.DataFrame | None) -> np.ndarray:
    """Return which trials have a path: known, or one that starts at the centre without a gate.

    If a subject has trials of another start, or with a gate, all paths have to be known.
    """
    if plain(trials).all():
        return on_lattice(trials)
    known = [] if paths is None else paths["trial"]
    return trials["trial"].isin(known).to_numpy()


def responses(trials: pd.DataFrame) -> pd.DataFrame:
    """Return the responses as two-class points: trials with a gate have no others."""
    done = trials[trials["responded"]]
    return pd.DataFrame(
        {
            "trial": done["trial"],
            "time": done["rt"],
            "position": done["position"].abs(),
            "responded": True,
        }
    )


def context_of(where: LatticeStates) -> Context:
    """Return a context without trials, for rebuilding models that were fitted."""
    nobody = Points(np.ones((1, 1)), np.ones((1, 1)), np.ones((1, 1), dtype=bool))
    return Context(where, 1.0, nobody)


def prepare(
    trials: pd.DataFrame,
    samples: pd.DataFrame,
    bins: Bins,
    task: Design,
    conditions: Iterable[str] = tuple(CONDITIONS),
    delays: Sequence[float] = (0.0,),
    paths: pd.DataFrame | None = None,
    delay_sd: float = 0.0,
) -> Iterator[Data]:
    """Yield the data of every subject and condition (with cues) that has enough responses.

    The first of the motor delays (s) is the smallest.  Recorded paths (subject, trial, time,
    position) are used where there are any; `delay_sd` is as in :func:`likelihoods`.
    """
    for subject, subject_trials in trials.groupby("subject", sort=False):
        points = samples[(samples["subject"] == subject) & (samples["draw"] <= DRAWS)]
        seen = None if paths is None else paths[paths["subject"] == subject]
        for condition in conditions if task.cued else [ALL]:
            chosen, drawn = (of_condition(table, condition) for table in (subject_trials, points))
            if chosen["responded"].sum() < FEWEST:
                continue
            fits = with_path(chosen, seen)
            kept = chosen[fits].reset_index(drop=True)
            if not kept["responded"].any():
                continue
            draws = [one for _, one in drawn.groupby("draw")]
            if not plain(kept).all():
                draws = [responses(kept)]
            columns = ("time", "position", "responded")
            yield Data(
                str(subject),
                condition,
                kept,
                int((~fits).sum()),
                likelihoods(kept, bins, delays, seen, delay_sd),
                Points(*(np.stack([one[name].to_numpy() for one in draws]) for name in columns)),
                draws[0]["trial"].to_numpy(),
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
