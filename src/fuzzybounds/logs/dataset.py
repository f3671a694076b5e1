"""A data set from its raw files to validated tables: the stage `validate_logs`."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from fuzzybounds.canoe.block_windows import block_ranges
from fuzzybounds.canoe.paths import plain as plain_trials
from fuzzybounds.core import folder_lock
from fuzzybounds.core.errors import counted, listed
from fuzzybounds.logs import reading, recordings, registration, retrieval, study_design, validation
from fuzzybounds.logs.files import data_set_folder

WINDOW = 20
"""Number of blocks of a window."""
GROUPED, TESTED = 3, 7
"""One-session subjects from which on the fast and the slow quarter have one subject each, and from
which on they have two, so that they can be tested."""
MOST_LOST = 0.2
"""Share of trials without a path above which a data set is hardly one of this task."""
FEW = 10
"""Responses to easy trials in a window below which a fit follows single points."""


class Checked(NamedTuple):
    """Validated logs, the validated paths, and notes on how the logs were read."""

    logs: validation.Validated
    paths: pd.DataFrame
    notes: list[str]


def check_logs(
    files: Sequence[Path],
    path_files: Sequence[Path] = (),
    actions: Mapping[str, str] | None = None,
    *,
    published: bool = False,
) -> Checked:
    """Read logs and recorded paths, and judge them by the design that lies beside them."""
    with ExitStack() as locks:
        # A folder may be growing while the task runs.
        for folder in sorted(set(map(data_set_folder, files))):
            locks.enter_context(folder_lock.reading(folder))
        if published:
            raw, notes = reading.Logs(reading.read_published(files[0]), [])
        else:
            raw, notes = reading.read_logs(files)
        recorded = recordings.read(path_files)
        design = study_design.design_of(files)
    logs = validation.validate(raw, actions, design)
    paths = recordings.validate(recorded, logs.trials, logs.exclusions, design)
    if (logs.exclusions["reason"] == validation.NO_PATH).any():
        there = recordings.among(logs.exclusions, paths)
        kept = ~there | (logs.exclusions["reason"] != validation.NO_PATH)
        logs = logs._replace(exclusions=logs.exclusions[kept].reset_index(drop=True))
    return Checked(logs, paths, notes)


def lost_paths(logs: validation.Validated, paths: pd.DataFrame) -> tuple[float, list[str]]:
    """Return the share of trials without a path, and what they are left out of, if there are any.

    Where none was recorded it follows from the response, unless the canoe cannot have been there.
    """
    key = ["subject", "trial"]
    lost = logs.exclusions.query("scope == 'paths'").merge(
        paths[key].drop_duplicates(), "left", key, indicator=True
    )
    number, every = int((lost["_merge"] == "left_only").sum()), len(logs.trials)
    share = number / every
    sentence = (
        f"{number} of {counted(every, 'trial')} ({100 * share:.3g} %) have no path: they are left "
        "out of two-class points, and so of fuzzy fits, and of stopping models"
    )
    return share, [sentence] * bool(number)


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
        Files.
    actions : mapping
        What to do about each irregularity (:data:`fuzzybounds.logs.validation.CHECKS`).
    cohort, published : mapping, optional
        Options of a simulated cohort; title, source and hash of a published log.
    subjects : int, optional
        How many subjects are used, the first ones by name; None for all.
    first_look, variant : str, optional
        What marks results of few subjects, or of other options.
    """
    files, path_files = list(map(Path, logs)), list(map(Path, paths))
    if published:
        retrieval.verify(files[0], sha256=published["sha256"], size=published["size"])
    checked = check_logs(files, path_files, actions, published=bool(published))
    for note in checked.notes:
        print(note)
    names = list(dict.fromkeys(checked.logs.trials["subject"]))
    used = names[:subjects]
    trials, recorded = (
        table[table["subject"].isin(used)].reset_index(drop=True)
        for table in (checked.logs.trials, checked.paths)
    )
    folder = data_set_folder(files[0])
    without_path, losses = lost_paths(checked.logs, checked.paths)
    title = published["title"] if published else name
    title = f"{title}, variant {variant}" if variant else title
    number = counted(names, "subject")
    described = {
        "name": name,
        "kind": kind,
        **({"follow": cohort.get("follow", "boundaries")} if cohort else {}),
        "title": f"{title}, {number if used == names else f'{len(used)} of {number}'}",
        "subjects_found": len(names),
        "subjects_used": len(used),
        "first_look": first_look,
        "variant": variant,
        "source": published["source"] if published else None,
        "without_path": without_path,
        "remarks": [
            *losses,
            *remarks(trials),
            *study_design.notes(folder),
            *registration.deviations(folder, actions, len(names)),
        ],
        "recorded_paths": sorted(recorded["subject"].unique()),
        # A log and the paths that belong to it may have the same name.
        "files": {path.name: _sha256(path) for path in files}
        | {f"paths/{path.name}": _sha256(path) for path in path_files},
    }
    return DatasetTables(trials, recorded, checked.logs.exclusions, checked.logs.counts, described)


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def remarks(trials: pd.DataFrame) -> list[str]:
    """List analyses for which validated trials are too few or too one-sided."""
    first = block_ranges(trials, WINDOW).query("window == 'first'").set_index("subject")
    n = int((first["sessions"] == 1).sum())
    missing = f"tests of fast and slow groups need {TESTED}"
    if n == 0:
        missing = "there are no fast and slow groups, and nothing is compared between them"
    elif n < GROUPED:
        missing = f"fast and slow groups need {GROUPED}, and tests of them {TESTED}"
    conditions = set(trials["condition"])
    responses = trials[trials["responded"]]
    outcomes = set(responses["correct"])
    subjects = pd.Index(trials["subject"].unique())
    silent = subjects[~subjects.isin(responses["subject"])]
    short = first.index[(first["overlap"] > 0) & (first["sessions"] == 1)]
    easy = responses[responses["condition"] == "easy"]
    early = easy[easy["block"] <= easy["subject"].map(first["to_block"]).astype(float)]
    counts = early["subject"].value_counts().reindex(subjects).fillna(0)
    few = subjects[(counts < FEW) & ~subjects.isin(silent) & ("easy" in conditions)]
    overlap = (
        f"fewer than {2 * WINDOW} blocks, so the first and the last {WINDOW} share blocks, and "
        "change with practice is underestimated"
    )
    points = f"fewer than {FEW} responses to easy trials in the first window; fits follow single"
    unfitted = "no response before the deadline, so there is nothing to fit"
    no_easy = "no easy trials: fuzzy fits, groups and boundaries of easy trials cannot be computed"
    no_hard = "no hard trials: the boundaries of hard trials are not estimated"
    no_error = "no errors: accuracy is 1 throughout, and the cost of an error cannot be measured"
    rows = pd.util.hash_pandas_object(trials.drop(columns="subject"), index=False)
    rows = rows.groupby(trials["subject"], sort=False).agg(tuple)
    copies = rows.index[rows.duplicated(keep=False) & (rows.str.len() > FEW)]
    same = "the same trials, row by row, under different names; is one a copy of another?"
    plain = plain_trials(trials)
    early = int(trials["early"].sum()) if "early" in trials else 0
    other = (
        f"{int((~plain).sum())} of {counted(trials, 'trial')} have a gate or another start: "
        f"{study_design.LEFT_OUT}; presses before the signal, no responses: {early}"
    )
    warnings = [
        (not plain.all(), other),
        (len(copies), f"{_named(copies)}: {same}"),
        (n < TESTED, f"{counted(n, 'subject')} of one session: {missing}"),
        ("easy" not in conditions, no_easy),
        ("hard" not in conditions, no_hard),
        (outcomes == {True}, no_error),
        (outcomes == {False}, "no correct responses: accuracy is 0 throughout"),
        (len(silent), f"{_named(silent)}: {unfitted}"),
        (len(short), f"{_named(short)}: {overlap}"),
        (len(few), f"{_named(few)}: {points} points"),
    ]
    return [text for holds, text in warnings if holds]


def _named(subjects: pd.Index) -> str:
    return f"subject{'s' * (len(subjects) > 1)} {listed(subjects, 8)}"
