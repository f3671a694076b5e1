"""Two-class points: where a subject responded, and one earlier point of each trial.

To keep the many points at which a subject went on watching from drowning the one at which she
responded, the paper takes one random earlier point of each path (section "Fitting fuzzy model to
data").  The paper uses one draw; several show how much the results depend on it.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from fuzzybounds.canoe.paths import draw_bridges, frames_before, locate, positions_at
from fuzzybounds.canoe.task import DEADLINE, EDGE, FRAME
from fuzzybounds.core.seeds import generator

RECORDED, RECONSTRUCTED = "recorded", "reconstructed"

DESIGN, SUBJECT = "design", "subject"
"""What maps time and position to [0, 1] (A09): the deadline and the edge of the screen, or the
largest values of the subject's points, those of one draw at a time."""


def draw_points(
    trials: pd.DataFrame, paths: pd.DataFrame, draws: int, seed: int, dataset: str
) -> pd.DataFrame:
    """Draw two-class points for every responded trial that has a path.

    Parameters
    ----------
    trials : DataFrame
        Validated trials.
    paths : DataFrame
        Recorded paths (subject, trial, time, position); may be empty.
    draws : int
        Number of draws; the paper uses one.
    seed, dataset
        Name the random numbers, together with each subject.

    Returns
    -------
    DataFrame
        Columns subject, block, trial, condition, draw, time (s), position (px, distance from the
        centre), responded, path (``recorded`` or ``reconstructed``); for each trial and draw one
        row at which the subject went on and one at which she responded.
    """
    recorded = dict(tuple(paths.groupby("subject", sort=False)))
    drawn = []

    def streams_of(subject: str) -> list[np.random.Generator]:
        # One stream per draw: draw 1 does not depend on how many follow.
        return [generator(seed, dataset, subject, "samples", draw) for draw in range(1, draws + 1)]

    for subject, subject_trials in trials[trials["responded"]].groupby("subject", sort=False):
        streams = streams_of(subject)
        seen = recorded.get(subject, paths.iloc[:0])
        has_path = subject_trials["trial"].isin(seen["trial"])
        parts = []
        if has_path.any():
            parts.append(_from_recorded(subject_trials[has_path], seen, streams))
        if not has_path.all():
            parts.append(_from_bridges(subject_trials[~has_path], streams))
        points = pd.concat(parts, ignore_index=True)
        if len(points):
            drawn.append(points)
    if not drawn:
        # Without any response the table is empty but keeps its columns.
        nothing = _from_bridges(trials[:0], streams_of(""))
        return nothing.astype(dict.fromkeys(("subject", "condition", "path"), "str"))
    return pd.concat(drawn, ignore_index=True)


def _from_bridges(trials: pd.DataFrame, streams: list[np.random.Generator]) -> pd.DataFrame:
    """Points on reconstructed paths; trials off the lattice have none."""
    lattice = locate(trials["rt"], trials["position"])
    trials = trials[lattice.fits]
    lattice = locate(trials["rt"], trials["position"])
    directions = np.concatenate([draw_bridges(lattice, 1, rng) for rng in streams])
    time = _choose(frames_before(trials["rt"]), streams) * FRAME
    return _points(trials, time, positions_at(directions, time), RECONSTRUCTED)


def _from_recorded(
    trials: pd.DataFrame, paths: pd.DataFrame, streams: list[np.random.Generator]
) -> pd.DataFrame:
    """Points on recorded paths: a random frame of those before the response."""
    paths = paths.sort_values(["trial", "time"], kind="stable")
    response = paths["trial"].map(trials.set_index("trial")["rt"])
    # The last frame is the response, and a recording may run on after it.
    paths = paths[(paths["time"] < response - FRAME / 2) | (paths["time"] == 0)]
    path_trial = paths["trial"].to_numpy()
    first = np.searchsorted(path_trial, trials["trial"], side="left")
    frames = np.searchsorted(path_trial, trials["trial"], side="right") - first
    chosen = first + _choose(frames, streams)
    return _points(
        trials, paths["time"].to_numpy()[chosen], paths["position"].to_numpy()[chosen], RECORDED
    )


def _choose(frames: np.ndarray, streams: list[np.random.Generator]) -> np.ndarray:
    """Choose one of each trial's frames, for every draw."""
    return np.stack([rng.integers(0, frames) for rng in streams])


def _points(
    trials: pd.DataFrame, time: np.ndarray, position: np.ndarray, path: str
) -> pd.DataFrame:
    """Interleave the points at which the subject went on with those at which she responded."""
    draws, n = time.shape

    def paired(went_on: np.ndarray, responded: np.ndarray) -> np.ndarray:
        return np.stack([went_on, np.broadcast_to(responded, (draws, n))], axis=-1).ravel()

    repeated = {
        name: np.tile(np.repeat(trials[name].to_numpy(), 2), draws)
        for name in ("subject", "block", "trial", "condition")
    }
    return pd.DataFrame(
        {
            **repeated,
            "draw": np.repeat(np.arange(1, draws + 1, dtype=np.int16), 2 * n),
            "time": paired(time, trials["rt"].to_numpy()),
            "position": paired(np.abs(position), np.abs(trials["position"].to_numpy())),
            "responded": np.tile([False, True], draws * n),
            "path": path,
        }
    )


def normalise(points: pd.DataFrame, normalisation: str) -> pd.DataFrame:
    """Map time and position of two-class points to [0, 1] (A09).

    The normalisation is :data:`DESIGN` or :data:`SUBJECT`.  The columns time_range (s) and
    position_range (px) say what became 1.  A draw is normalised by its own points, so that draw 1
    is what one draw alone would be.
    """
    if normalisation == DESIGN:
        time, position = DEADLINE, EDGE
    elif normalisation == SUBJECT:
        sets = points.groupby(["subject", "draw"], sort=False)
        time, position = (sets[name].transform("max") for name in ("time", "position"))
        # A subject who responded only at the centre has no range of positions.
        position = position.where(position > 0, EDGE)
    else:
        raise ValueError(f"normalisation {normalisation!r}; expected {DESIGN!r} or {SUBJECT!r}")
    return points.assign(
        time_range=time,
        position_range=position,
        time=points["time"] / time,
        position=points["position"] / position,
    )
