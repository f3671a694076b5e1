"""Kinds of data sets, and where their raw logs are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fuzzybounds.intake.files import is_table, log_files
from fuzzybounds.storage.errors import InputError, suggestion
from support.options import base_of

SIMULATED, PUBLISHED, OWN = "simulated", "published", "own"
RAW = Path("data/raw")


@dataclass(frozen=True)
class Dataset:
    """One data set: its kind, and the files that validation reads."""

    name: str
    kind: str
    logs: tuple[str, ...]
    paths: tuple[str, ...] = ()
    recorded: tuple[str, ...] = ()
    """Files that the canoe task wrote next to the logs: design and events."""
    follow: str = ""
    """What simulated subjects follow, boundaries or rules; empty for others."""

    @property
    def layout(self) -> str:
        """How the logs are laid out: as published (no header) or tidy."""
        return "published" if self.kind == PUBLISHED else "tidy"


def find(name: str, cohorts: Mapping[str, Any], published: Mapping[str, Any]) -> Dataset:
    """Find a data set by its name among cohorts, published logs and folders under data/raw."""
    if name in cohorts:
        follow = cohorts[name].get("follow", "boundaries")
        return Dataset(name, SIMULATED, (f"results/{name}/raw",), follow=follow)
    if name in published:
        return Dataset(name, PUBLISHED, (str(RAW / base_of(name) / published[name]["file"]),))
    folder = RAW / base_of(name)
    if not folder.is_dir():
        known = [*cohorts, *published, *own_names(published)]
        raise InputError(
            f"unknown data set {name!r}",
            [
                suggestion(name, known),
                f"for logs of your own, put files into {folder}/ (see docs/new-subjects.md)",
            ],
        )
    paths = sorted(str(file) for file in folder.glob("paths/*") if is_table(file))
    recorded = [*folder.glob("design.json"), *folder.glob("events/*.csv")]
    return Dataset(
        name,
        OWN,
        tuple(map(str, log_files(folder))),
        tuple(paths),
        tuple(sorted(map(str, recorded))),
    )


def own_names(published: Iterable[str]) -> list[str]:
    """Names of the folders under data/raw that are not published logs."""
    if not RAW.is_dir():
        return []
    return sorted(
        path.name for path in RAW.iterdir() if path.is_dir() and path.name not in published
    )
