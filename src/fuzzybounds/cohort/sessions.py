"""Sessions of simulated subjects: who takes part, and what their logs and paths are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from fuzzybounds.canoe import task
from fuzzybounds.cohort.boundary_subjects import (
    BOUNDARIES,
    BoundaryPlayer,
    BoundarySubject,
    boundary_subject,
)
from fuzzybounds.cohort.fuzzy_subjects import (
    ONE_SESSION_BLOCKS,
    RULES,
    Subject,
    one_session_subject,
    three_session_subject,
)
from fuzzybounds.core.seeds import generator

TRIALS_A_BLOCK = int(np.ceil(task.BLOCK / task.OVERHEAD))
"""No block holds more trials than this."""
KINDS = (BOUNDARIES, RULES)


def draw_cohort(
    seed: int, dataset: str, one_session: int, three_session: int, follow: str = BOUNDARIES
) -> list[BoundarySubject | Subject]:
    """Draw a cohort: subjects S01, S02, ... of one session and T1, T2, ... of three.

    Subjects of one session follow boundaries with the parameters of people, or fuzzy rules.  Those
    of three sessions, whom the paper only describes by their rules, follow rules.
    """
    if follow not in KINDS:
        raise ValueError(f"follow = {follow!r}: expected one of {KINDS}")
    subjects: list[BoundarySubject | Subject] = []
    for number in range(1, one_session + 1):
        name = f"S{number:02d}"
        if follow == RULES:
            subjects.append(one_session_subject(seed, dataset, name))
        else:
            subjects.append(boundary_subject(seed, dataset, name, number, ONE_SESSION_BLOCKS))
    subjects += [
        three_session_subject(seed, dataset, f"T{number}", hasty=number % 2 == 1)
        for number in range(1, three_session + 1)
    ]
    return subjects


def subject_of(truth: Mapping[str, Any]) -> BoundarySubject | Subject:
    """Return a subject from its entry in ``truth.json``."""
    kind = Subject if truth["follows"] == RULES else BoundarySubject
    return kind.from_json(truth)


def simulate_logs(
    subject: BoundarySubject | Subject, seed: int, dataset: str
) -> tuple[pd.DataFrame, pd.DataFrame | None]:
    """Let a subject do the task.

    Returns
    -------
    logs : DataFrame
        A tidy log (:data:`fuzzybounds.logs.reading.COLUMNS`).
    paths : DataFrame or None
        Columns trial, time (s) and position (px), one row per frame, where paths are recorded.
    """
    rng = generator(seed, dataset, subject.name, "logs")
    player, blocks, paths, done = subject.player(rng), [], [], 0
    for block in range(1, subject.blocks + 1):
        trials, seen = _simulate_block(player, block, rng)
        trials.insert(0, "trial", np.arange(done + 1, done + len(trials) + 1))
        trials.insert(0, "block", block)
        trials.insert(0, "session", 1 + (block - 1) // subject.blocks_a_session)
        blocks.append(trials)
        if subject.recorded:
            paths.append(_path_rows(trials, seen))
        done += len(trials)
    logs = pd.concat(blocks, ignore_index=True)
    logs.insert(0, "subject", subject.name)
    return logs, pd.concat(paths, ignore_index=True) if paths else None


def _simulate_block(
    player: BoundaryPlayer | Subject, block: int, rng: np.random.Generator
) -> tuple[pd.DataFrame, np.ndarray]:
    """Run trials until the minute is over; the trial that runs then is finished."""
    hard = rng.random(TRIALS_A_BLOCK) < 0.5
    # Both conditions are simulated for every trial, of which one counts.
    easy_trials, hard_trials = (
        player.play(condition, block, hard == (condition.name == "hard"), rng)
        for condition in task.CONDITIONS.values()
    )

    def of_trials(values: Callable[[task.Condition, task.SimulatedTrials], np.ndarray]):
        return np.where(hard, values(task.HARD, hard_trials), values(task.EASY, easy_trials))

    total = of_trials(lambda design, done: design.total_time(done.decision_time, done.correct))
    fits = np.concatenate([[True], np.cumsum(total)[:-1] < task.BLOCK])
    player.stop(int(fits.sum()))
    frames = of_trials(lambda _, done: done.frame)
    responded = of_trials(lambda _, done: done.responded)
    log = pd.DataFrame(
        {
            "rt": np.where(responded, frames * task.FRAME, 0.0).round(5),
            "total": total.round(5),
            "reward": of_trials(lambda design, done: design.reward(done.correct)),
            "condition": np.where(hard, "hard", "easy"),
            "correct": of_trials(lambda _, done: done.correct).astype(int),
            "position": of_trials(lambda _, done: done.position),
        }
    )
    seen = np.where(hard[:, None], hard_trials.paths, easy_trials.paths)
    seen = np.where(np.arange(seen.shape[1]) <= frames[:, None], seen, np.nan)
    return log[fits].reset_index(drop=True), seen[fits]


def _path_rows(trials: pd.DataFrame, seen: np.ndarray) -> pd.DataFrame:
    trial, frame = np.nonzero(~np.isnan(seen))
    return pd.DataFrame(
        {
            "trial": trials["trial"].to_numpy()[trial],
            "time": (frame * task.FRAME).round(5),
            "position": seen[trial, frame],
        }
    )
