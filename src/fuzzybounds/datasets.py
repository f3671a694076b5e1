"""Data sets for library users: validated trials, recorded paths, and two-class points."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from numbers import Integral
from pathlib import Path
from typing import Any

import pandas as pd

from fuzzybounds.canoe.block_windows import FIRST, LAST, block_ranges, split
from fuzzybounds.canoe.samples import draw_points
from fuzzybounds.core.errors import InputError, counted, listed
from fuzzybounds.core.results import Results, find_results
from fuzzybounds.logs import recordings
from fuzzybounds.logs.dataset import check_logs
from fuzzybounds.logs.files import log_files, recorded_files
from fuzzybounds.logs.retrieval import published, retrieve, verify

ALL = "all"
"""Every block, or every condition."""
CONTINUE, STOP = "continue", "stop"
"""The classes of two-class points."""
SEED = 2017
"""The workflow's default seed: the same seed and name give the same random numbers."""


@dataclass(frozen=True, eq=False)
class Dataset:
    """Validated trials of some subjects.

    Attributes
    ----------
    name : str
        Names the random numbers, together with `seed`.
    trials : DataFrame
        One row per trial, with the columns of ``trials.parquet``.
    paths : DataFrame
        One row per frame of a recorded path: subject, trial, time (s), position (px).
    draws : int
        How many earlier points are drawn for each trial.
    seed : int
    truth : dict
        What simulated subjects follow, by subject; empty for real ones.
    """

    name: str
    trials: pd.DataFrame
    paths: pd.DataFrame = field(default_factory=recordings.empty)
    draws: int = 1
    seed: int = SEED
    truth: dict[str, Any] = field(default_factory=dict)
    _samples: pd.DataFrame | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        return f"Dataset({self.name!r}: {len(self.subjects)} subjects, {len(self.trials)} trials)"

    @property
    def subjects(self) -> list[str]:
        """The names of the subjects."""
        return list(dict.fromkeys(self.trials["subject"]))

    def of(self, subject: str | None = None, window: str = ALL, *, blocks: int = 20) -> Dataset:
        """Return the data of one subject, and of one window of blocks.

        Parameters
        ----------
        subject : str, optional
            May be omitted if there is only one.
        window : {"all", "first", "last"}
            All blocks, or the first or last of them, as the paper compares them.
        blocks : int
            Number of blocks of a window.
        """
        if subject is None and len(self.subjects) == 1:
            subject = self.subjects[0]
        if subject not in self.subjects:
            count = counted(self.subjects, "subject")
            what = f"has {count}" if subject is None else f"has no subject {subject!r}"
            shown = listed(self.subjects, 20)
            raise InputError(f"{self.name} {what}", [f"name one of them: {shown}"])
        trials = self.trials[self.trials["subject"] == subject]
        if window != ALL:
            trials = _in_window(trials, block_ranges(trials, blocks), window)
        paths = self.paths[self.paths["subject"] == subject]
        return replace(
            self,
            trials=trials.reset_index(drop=True),
            paths=paths[paths["trial"].isin(trials["trial"])].reset_index(drop=True),
            truth={name: truth for name, truth in self.truth.items() if name == subject},
        )

    def samples(self, subject: str | None = None) -> pd.DataFrame:
        """Return the two-class points of a subject: all windows, conditions and draws."""
        chosen = self.of(subject)
        if self._samples is None:
            return draw_points(chosen.trials, chosen.paths, self.draws, self.seed, self.name)
        drawn = self._samples[self._samples["subject"] == chosen.subjects[0]]
        return drawn[drawn["trial"].isin(chosen.trials["trial"])]

    def points(
        self,
        subject: str | None = None,
        window: str = ALL,
        *,
        condition: str = "easy",
        draw: int = 1,
        blocks: int = 20,
    ) -> tuple[pd.DataFrame, pd.Series, pd.Series]:
        """Return where a subject continued and where she responded, as a classifier takes it.

        Parameters
        ----------
        subject : str, optional
            May be omitted if there is only one.
        window : {"all", "first", "last"}
        condition : {"easy", "hard", "all"}
        draw : int
            Which draw of the earlier points, from 1.
        blocks : int
            Number of blocks of a window.

        Returns
        -------
        X : DataFrame
            Columns time (s) and position (px, distance from the centre).
        y : Series of str
            "continue" or "stop".
        trial : Series of int
            The trial of each point.  Its two points are not independent: leave trials out, not
            points (``groups=trial`` in scikit-learn's ``GroupKFold``).
        """
        subject_data = self.of(subject)
        samples = subject_data.samples()
        if window != ALL:
            samples = _in_window(samples, block_ranges(subject_data.trials, blocks), window)
        chosen = samples[samples["draw"] == draw]
        if condition != ALL:
            chosen = chosen[chosen["condition"] == condition]
        if chosen.empty:
            raise InputError(
                f"{self.name}, subject {subject_data.subjects[0]}: no points",
                [f"requested window {window}, condition {condition}, draw {draw}"],
            )
        chosen = chosen.reset_index(drop=True)
        answer = chosen["responded"].map({False: CONTINUE, True: STOP})
        return chosen[["time", "position"]], answer.rename("answer"), chosen["trial"]


def whole_number(name: str, value: Any, least: int) -> int:
    """Return a whole number of at least so much; anything else is an :class:`InputError`.

    >>> whole_number("n", 3, 1)
    3
    """
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise InputError(f"{name} = {value!r}", [f"expected a whole number, at least {least}"])
    return int(value)


def load(source: str | Path, *, layout: str = "tidy", draws: int = 1, seed: int = SEED) -> Dataset:
    """Load a data set.

    Parameters
    ----------
    source : str or path
        A log, a folder of logs with recorded paths in its folder ``paths``, a folder of results, or
        the name of a data set with results of the workflow.
    layout : {"tidy", "published"}
        How a log is laid out; "published" is the layout without a header of the published logs.
    draws : int
        How many earlier points are drawn for each trial (ambiguity A10).  Results bring their own.
    seed : int

    Raises
    ------
    InputError
        Naming every row that is wrong, what was expected, and how to fix it.

    Examples
    --------
    >>> data = load("data/raw/my_lab")  # doctest: +SKIP
    >>> data.subjects  # doctest: +SKIP
    ['1', '2', '3']
    """
    try:
        path = Path(source)
    except TypeError as error:
        what = "expected a path or the name of a data set"
        raise InputError(f"source is a {type(source).__name__}", [what]) from error
    if (path / "trials.parquet").is_file():
        return _from_results(Results(path), seed)
    if not path.exists():
        if path.parent == Path() and not path.suffix:
            return _from_results(find_results(dataset=str(source)), seed)
        raise InputError(f"{path}: not found", ["expected a log, a folder of logs, or results"])
    if layout not in ("tidy", "published"):
        raise InputError(f"layout {layout!r}", ["expected 'tidy' or 'published'"])
    checked = check_logs(log_files(path), recorded_files(path), published=layout == "published")
    return Dataset(path.resolve().stem, checked.logs.trials, checked.paths, draws, seed)


def fetch(
    name: str, folder: str | Path | None = None, *, draws: int = 1, seed: int = SEED
) -> Dataset:
    """Get a published log, check that it is whole, and load it.

    Parameters
    ----------
    name : {"experiment_a", "experiment_b"}
    folder : str or path, optional
        Where the log is kept; by default ``fuzzybounds`` in the user's folder for caches.  A log
        that is there and whole is not fetched again.
    draws, seed
        As in :func:`load`.

    Notes
    -----
    The address is pinned to a commit, and the file to its sha256.  The environment variable
    FUZZYBOUNDS_MIRROR names a folder that holds the published files; then nothing is downloaded.
    The logs carry no licence and are not part of this package.

    Examples
    --------
    >>> fetch("experiment_a").subjects[:3]  # doctest: +SKIP
    ['1', '2', '3']
    """
    caches = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    default = Path(caches) if caches else Path.home() / ".cache"
    path = fetch_log(name, Path(folder) if folder else default / "fuzzybounds")
    return replace(load(path, layout="published", draws=draws, seed=seed), name=name)


def fetch_log(name: str, folder: Path) -> Path:
    """Get a published log into a folder, or check the one that is there; return its path."""
    entries = published()
    if name not in entries:
        raise InputError(f"{name!r}: no published log", [f"expected one of {', '.join(entries)}"])
    entry = entries[name]
    path = folder / name / entry["file"]
    pinned = {"sha256": entry["sha256"], "size": entry["size"]}
    where = {"url": entry["url"], "archive": entry["archive"]}
    if path.exists():
        verify(path, **pinned)
    else:
        mirror = os.environ.get("FUZZYBOUNDS_MIRROR")
        retrieve(entry["file"], **where, mirror=mirror, destination=path, **pinned)
    return path


def simulate_cohort(
    one_session: int = 4,
    three_session: int = 0,
    *,
    follow: str = "boundaries",
    name: str = "simulated",
    draws: int = 1,
    seed: int = SEED,
) -> Dataset:
    """Simulate subjects whose truth is known, so that fits can be compared with it.

    Parameters
    ----------
    one_session, three_session : int
        Subjects S01, S02, ... of 40 blocks without recorded paths, and T1, T2, ... of 120 blocks
        with them.
    follow : {"boundaries", "rules"}
        What subjects of one session follow: boundaries with the parameters of Experiment A's
        subjects, or fuzzy rules.  Those of three sessions follow rules.
    name, seed
        Name the random numbers; the defaults give the subjects of the workflow's cohort.
    draws : int
        How many earlier points are drawn for each trial.

    Examples
    --------
    >>> simulate_cohort(one_session=1).subjects
    ['S01']
    """
    from fuzzybounds.cohort.sessions import draw_cohort
    from fuzzybounds.cohort.validated import simulate_trials

    for argument, value in (("one_session", one_session), ("three_session", three_session)):
        whole_number(argument, value, 0)
    truth = draw_cohort(whole_number("seed", seed, 0), name, one_session, three_session, follow)
    if not truth:
        raise InputError("simulate_cohort", ["expected at least one subject"])
    trials, paths = simulate_trials(truth, seed, name)
    known = {subject.name: subject for subject in truth}
    return Dataset(name, trials, paths, draws, seed, known)


def _from_results(results: Results, seed: int) -> Dataset:
    samples, truth = results["samples"], {}
    if "truth" in results:
        from fuzzybounds.cohort.sessions import subject_of

        truth = {row["subject"]: subject_of(row) for row in results["truth"]}
    draws = int(samples["draw"].max()) if len(samples) else 1
    trials, paths = results["trials"], results["paths"]
    return Dataset(results.folder.name, trials, paths, draws, seed, truth, samples)


def _in_window(rows: pd.DataFrame, ranges: pd.DataFrame, window: str) -> pd.DataFrame:
    if window not in (FIRST, LAST):
        raise InputError(f"window {window!r}", [f"expected {ALL!r}, {FIRST!r} or {LAST!r}"])
    chosen = split(rows, ranges)
    return chosen[chosen["window"] == window].drop(columns="window")
