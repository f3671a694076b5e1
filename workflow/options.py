"""The options of a run and its data set: checked before any rule is read."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fuzzybounds.core.documents import check
from fuzzybounds.core.errors import InputError, counted, listed
from fuzzybounds.core.suggestions import suggestion
from fuzzybounds.logs.files import RESERVED, log_files, recorded_files

SIMULATED, PUBLISHED, OWN = "simulated", "published", "own"
"""The kinds of data sets."""
RAW = Path("data/raw")
CHANGEABLE = ("validation", "samples", "fuzzy", "weibull", "stopping", "groups", "figures")
"""Sections that `datasets` may change for a single data set."""


def prepare_environment(source: Path) -> None:
    """Let jobs use the project's own library, installed or not, and one thread each."""
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(source), before]))
    for library in ("OMP", "OPENBLAS", "MKL", "NUMEXPR"):
        os.environ[f"{library}_NUM_THREADS"] = "1"
    # glibc then keeps the memory of arrays for the next ones, which need not be cleared again.
    os.environ.setdefault("MALLOC_MMAP_THRESHOLD_", str(32 << 20))
    os.environ.setdefault("MALLOC_TRIM_THRESHOLD_", str(256 << 20))


def for_dataset(config: Mapping[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """Return the options of the data set of this run, with its own changes, all checked."""
    from snakemake.utils import update_config

    check(config, schema, "config.yaml")
    name = config["dataset"]
    changes = config["datasets"].get(name) or {}
    wrong = [
        f"{key}: {suggestion(str(key), CHANGEABLE)}" for key in changes if key not in CHANGEABLE
    ]
    if wrong:
        raise InputError(
            f"config.yaml, datasets.{name}: {counted(wrong)}",
            [*wrong, "other options are the same for all data sets"],
        )
    options = dict(config)
    update_config(options, changes)
    where = f"options of {name}" if changes else "config.yaml"
    check(options, schema, where)
    if problems := list(contradictions(options)):
        raise InputError(f"{where}: {counted(problems)}", problems)
    return options


def contradictions(options: Mapping[str, Any]) -> Iterator[str]:
    """Yield which options contradict each other, before anything is computed from them."""
    fuzzy, groups, learning = options["fuzzy"], options["groups"], options["learning"]
    fitted = fuzzy["labels"]["one_session"]
    if groups["labels"] not in fitted:
        yield (
            f"groups.labels: {groups['labels']}, but fuzzy.labels.one_session: {fitted}; expected "
            f"groups.labels to be one of these: Figs. 13 and 14 average fits with so many labels"
        )
    if 3 not in fitted and 3 not in fuzzy["labels"]["three_session"]:
        yield (
            f"fuzzy.labels: {fuzzy['labels']}; Figs. 10 to 12 show fits with 3 labels: expected 3 "
            "among those of one_session or three_session"
        )
    base = learning["rule_base"]
    lengths = {len(row) for row in base.values()}
    if lengths != {len(base)}:
        yield (
            f"learning.rule_base: {len(base)} position labels with rows of "
            f"{listed(sorted(lengths))} letters; expected one letter for each time label, and as "
            "many as position labels"
        )


@dataclass(frozen=True)
class Dataset:
    """One data set: its kind, and the files that validation reads."""

    name: str
    kind: str
    logs: tuple[str, ...]
    paths: tuple[str, ...] = ()
    recorded: tuple[str, ...] = ()
    """Files that the canoe task wrote next to the logs: design and events."""


def find_dataset(
    name: str, cohorts: Mapping[str, Any], published: Mapping[str, Any], results: str
) -> Dataset:
    """Find a data set by its name among cohorts, published logs and folders under data/raw."""
    if RESERVED.fullmatch(name):
        raise InputError(
            f"a data set cannot be called {name!r}",
            [f"results/{name}/ has another use; rename the data set's folder or cohort"],
        )
    if name in cohorts:
        one, three = (cohorts[name][kind] for kind in ("one_session", "three_session"))
        practised = [f"T{number}" for number in range(1, three + 1)]
        subjects = [*(f"S{number:02d}" for number in range(1, one + 1)), *practised]
        logs = tuple(f"{results}raw/{subject}.csv" for subject in subjects)
        paths = tuple(f"{results}raw/paths/{subject}.parquet" for subject in practised)
        return Dataset(name, SIMULATED, logs, paths)
    folder = RAW / name
    if name in published:
        return Dataset(name, PUBLISHED, ((folder / published[name]["file"]).as_posix(),))
    if not folder.is_dir():
        there = RAW.iterdir() if RAW.is_dir() else ()
        local = sorted(path.name for path in there if path.is_dir() and path.name not in published)
        raise InputError(
            f"unknown data set {name!r}",
            [
                suggestion(name, [*cohorts, *published, *local]),
                f"for logs of your own, put files into {folder.as_posix()}/",
            ],
        )
    files = (
        log_files(folder),
        recorded_files(folder),
        sorted(
            [
                *folder.glob("design.json"),
                *folder.glob("registration.json"),
                *folder.glob("events/*.csv"),
            ]
        ),
    )
    return Dataset(name, OWN, *(tuple(file.as_posix() for file in names) for names in files))
