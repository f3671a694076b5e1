"""Trials whose path was recorded: their likelihood is a product over the decisions on the path.

Nothing has to be summed over: of every decision it is known what the subject saw.  The states may
be those of the canoe's lattice (:func:`on_recorded_paths`), or those of any other task in which the
experimenter knows what there was to see (:meth:`Watched.from_sequences`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.sparse import csr_array

from fuzzybounds.canoe.lattice import edge_row
from fuzzybounds.canoe.paths import frames_before, locate
from fuzzybounds.canoe.task import DEADLINE_FRAMES, FRAME_RATE, FRAMES_PER_STEP, STEP
from fuzzybounds.stopping.lattice import LatticeStates, States, whole_frames


@dataclass(frozen=True, eq=False)
class Watched:
    """Decisions of trials (rows) at states (columns): how often a subject went on, and responded.

    `log_widths` is the log of the width of the response's bin, in bins, as in
    :class:`~fuzzybounds.stopping.lattice.Outcomes`.
    """

    went_on: csr_array
    responded: csr_array
    log_widths: np.ndarray

    @property
    def trials(self) -> int:
        """Number of trials."""
        return self.log_widths.size

    @classmethod
    def from_sequences(
        cls,
        sequences: Sequence[np.ndarray],
        responded: Sequence[bool],
        states: int,
        log_widths: np.ndarray | None = None,
    ) -> Watched:
        """Return the decisions of trials, each given by the numbers of the states that it visited.

        Where the subject responded it did so at the last state; where not, it went on at all.
        """
        done = np.asarray(responded, dtype=bool)
        passed = [path[: len(path) - end] for path, end in zip(sequences, done, strict=True)]
        last = [path[len(path) - end :] for path, end in zip(sequences, done, strict=True)]
        widths = np.zeros(done.size) if log_widths is None else log_widths
        return cls(_counted(passed, states), _counted(last, states), widths)

    def logs(self, go_on: np.ndarray) -> np.ndarray:
        """Return the log-likelihood of every node and trial, given the chance to go on."""
        passed = (self.went_on @ np.log(go_on).T).T
        return passed + (self.responded @ np.log1p(-go_on).T).T - self.log_widths

    def count(self, responsibilities: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return how often subjects went on, and responded, at every node and state."""
        return responsibilities @ self.went_on, responsibilities @ self.responded


def states_of(t: np.ndarray, x: np.ndarray, outward: np.ndarray) -> tuple[States, np.ndarray]:
    """Number the different states of decisions, and return the number of each decision."""
    unique, number = np.unique(np.stack([t, x, outward], axis=1), axis=0, return_inverse=True)
    return States(*unique.T.copy()), number.ravel()


def on_recorded_paths(
    trials: pd.DataFrame, paths: pd.DataFrame, where: LatticeStates, delay: float
) -> Watched:
    """Return the decisions of a subject's trials, all of which have a recorded path.

    Parameters
    ----------
    trials : DataFrame
        The columns trial, rt and responded.
    paths : DataFrame
        The columns trial, time (s) and position (px).
    where : LatticeStates
    delay : float
        The motor delay in s.
    """
    later, bins = whole_frames("delay", delay, 0), where.bins
    recorded = dict(list(paths.groupby("trial", sort=False)))
    sequences, responded, widths = [], [], []
    for row in trials.itertuples():
        last = int(frames_before(row.rt)) if row.responded else DEADLINE_FRAMES
        decided = max(last - later, 1)
        edges = _edges(recorded[row.trial], (decided - 1) // FRAMES_PER_STEP + 1)
        within = decided - FRAMES_PER_STEP * (edges.size - 1)
        # A response is made in the bin that it falls into; a missed deadline passes all that fit.
        passed = int((bins.within < within).sum()) + 1
        if not row.responded:
            passed = int((bins.within <= within).sum())
        visited = where.of_edge[edges].ravel()
        sequences.append(visited[: bins.within.size * (edges.size - 1) + passed])
        responded.append(bool(row.responded))
        early = row.responded and decided <= int(bins.within[0])
        widths.append(np.log1p(later / bins.within[0]) if early else 0.0)
    return Watched.from_sequences(sequences, responded, where.time.size, np.array(widths))


def _edges(path: pd.DataFrame, steps: int) -> np.ndarray:
    """Return the edges of a path's first steps, from its positions at their ends."""
    frame = np.round(path["time"].to_numpy() * FRAME_RATE).astype(int)
    ends = np.minimum(FRAMES_PER_STEP * np.arange(steps + 1), frame.max())
    position = np.interp(ends, frame, path["position"].to_numpy())
    moved = np.diff(position)
    # A canoe that waits at the edge of the screen is still heading outward.
    way = (np.where(moved == 0, position[:-1], moved) > 0).astype(int)
    # How far the walk went on beyond the edge is not seen: each step begins at the nearest place.
    step = np.arange(steps)
    return edge_row(step, locate(STEP * step, position[:-1]).right, way)


def _counted(sequences: Sequence[np.ndarray], states: int) -> csr_array:
    """Return how often every trial visits every state."""
    rows = np.repeat(np.arange(len(sequences)), [len(path) for path in sequences])
    columns = np.concatenate([*sequences, np.zeros(0, dtype=int)]).astype(int)
    return csr_array((np.ones(rows.size), (rows, columns)), shape=(len(sequences), states))
