"""Validated trials of simulated subjects, without files."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from fuzzybounds.cohort.boundary_subjects import BoundarySubject
from fuzzybounds.cohort.fuzzy_subjects import Subject
from fuzzybounds.cohort.sessions import simulate_logs
from fuzzybounds.logs import recordings, validation


def simulate_trials(
    subjects: Iterable[BoundarySubject | Subject], seed: int, dataset: str
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Let subjects do the task; return their validated trials, and what paths were recorded."""
    logs, paths = [], [recordings.empty()]
    for subject in subjects:
        of_subject, seen = simulate_logs(subject, seed, dataset)
        logs.append(of_subject)
        if seen is not None:
            paths.append(seen.assign(subject=subject.name))
    raw = pd.concat(logs, ignore_index=True).astype(str)
    raw.insert(0, "row", range(2, len(raw) + 2))
    raw.insert(0, "file", dataset)
    frames = pd.concat(paths, ignore_index=True)[list(recordings.COLUMNS)]
    return validation.validate(raw).trials, frames
