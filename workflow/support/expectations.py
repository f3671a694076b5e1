"""What is known about a run before its first job, for its first line and its progress bar."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fuzzybounds.storage.sharding import assign
from support.datasets import PUBLISHED, SIMULATED, Dataset


def subjects_of(
    dataset: Dataset, cohorts: Mapping[str, Any], published: Mapping[str, Any]
) -> list[str]:
    """Names of the subjects, if they can be known before the logs are read properly."""
    if dataset.kind == SIMULATED:
        counts = cohorts[dataset.name]
        ones = [f"S{number:02d}" for number in range(1, counts["one_session"] + 1)]
        return ones + [f"T{number}" for number in range(1, counts["three_session"] + 1)]
    if dataset.kind == PUBLISHED:
        return [str(number) for number in range(1, published[dataset.name]["subjects"] + 1)]
    found: set[str] = set()
    for path in dataset.logs:
        try:
            with open(path, encoding="utf-8-sig", newline="") as file:
                found.update(row["subject"] for row in csv.DictReader(file))
        except (OSError, ValueError, KeyError, csv.Error):
            # Validation says what is wrong with it; here it is one subject.
            found.add(Path(path).stem)
    return sorted(found)


def shards_of(dataset: Dataset, subjects: Sequence[str], size: int | None) -> int:
    """How many shards there are, or will be."""
    folder = Path("results", dataset.name, "shards")
    there = sum(path.is_dir() for path in folder.iterdir()) if folder.is_dir() else 0
    return there or len(assign(subjects, size))


def describe(dataset: Dataset, subjects: Sequence[str], published: Mapping[str, Any]) -> str:
    """Describe the data of a run in a few words."""
    if dataset.kind == SIMULATED:
        return f"{len(subjects)} simulated subjects"
    if dataset.kind == PUBLISHED:
        return published[dataset.name]["title"]
    many = f"{len(subjects)} subject{'s' if len(subjects) != 1 else ''}"
    return f"the logs of {many} in {Path(dataset.logs[0]).parent}"
