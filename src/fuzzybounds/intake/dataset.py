"""A data set from its raw files to validated tables: the stage `validate_logs`."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from fuzzybounds.intake import logs as logs_of
from fuzzybounds.intake import recordings, retrieval, study_design, validation
from fuzzybounds.intake.data_warnings import remarks
from fuzzybounds.intake.subjects import keep_first
from fuzzybounds.storage import folder_lock


class DatasetTables(NamedTuple):
    """What :func:`validate_logs` returns: one table per output of the stage."""

    trials: pd.DataFrame
    paths: pd.DataFrame
    exclusions: pd.DataFrame
    validation: pd.DataFrame
    dataset: dict[str, Any]


def validate_logs(
    logs: Sequence[str],
    paths: Sequence[str] = (),
    *,
    name: str,
    kind: str,
    actions: Mapping[str, str],
    cohort: Mapping[str, Any] | None = None,
    published: Mapping[str, Any] | None = None,
    subjects: int | None = None,
    first_look: str | None = None,
    variant: str | None = None,
) -> DatasetTables:
    """Read raw logs and paths of any source, check them, and describe the data set.

    Parameters
    ----------
    logs, paths : sequence of str
        Files; a folder of logs stands for its CSV files, and for those in its folder ``paths``.
    name, kind : str
        Of the data set.
    actions : mapping
        What to do about each irregularity (:mod:`fuzzybounds.intake.checks`).
    cohort, published : mapping, optional
        Options of a simulated cohort; title, source and hash of a published log.
    subjects : int, optional
        How many subjects are used; None for all.
    first_look, variant : str, optional
        What marks results of few subjects, or of other options.
    """
    files = _expand(logs, "*.csv")
    path_files = list(map(Path, paths)) or _expand(logs, "paths/*")
    path_files = [path for path in path_files if path not in files]
    if published:
        retrieval.verify(files[0], sha256=published["sha256"], size=published["size"])
    folder = files[0].parent
    with folder_lock.reading(folder):
        raw = logs_of.read_published(files[0]) if published else _read(files)
        recorded = recordings.read(path_files)
        design, notes = study_design.read_design(folder), study_design.notes(folder)
    validated = validation.validate(raw, actions, design)
    of_trials = recordings.validate(recorded, validated.trials, validated.exclusions, design)
    kept = keep_first(validated.trials, of_trials, subjects)
    title = published["title"] if published else name
    described = {
        "name": name,
        "kind": kind,
        **({"follow": cohort.get("follow", "boundaries")} if cohort else {}),
        **kept.described(f"{title}, variant {variant}" if variant else title, first_look),
        "variant": variant,
        "source": published["source"] if published else None,
        "remarks": [*remarks(kept.trials), *notes],
        "recorded_paths": sorted(kept.paths["subject"].unique()),
        # A log and the paths that belong to it may have the same name.
        "files": {path.name: _sha256(path) for path in files}
        | {f"paths/{path.name}": _sha256(path) for path in path_files},
    }
    return DatasetTables(kept.trials, kept.paths, validated.exclusions, validated.counts, described)


def _read(files: list[Path]) -> Any:
    raw, notes = logs_of.read_logs(files)
    for note in notes:
        print(note)
    return raw


def _expand(paths: Sequence[str], pattern: str) -> list[Path]:
    """Replace folders by the files in them."""
    found: list[Path] = []
    for path in map(Path, paths):
        found += sorted(path.glob(pattern)) if path.is_dir() else [path]
    return found


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
