"""The two subjects whose fits Figs. 10 to 12 show, and those fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from fuzzybounds.canoe.block_windows import FIRST, LAST, block_ranges, split
from fuzzybounds.canoe.samples import RECONSTRUCTED, RECORDED
from fuzzybounds.core.errors import InputError, TooFew
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.fitted import FitTables, controllers
from fuzzybounds.paper.fuzzy.membership import equidistant

LABELS = 3
WINDOWS = (FIRST, LAST)
LONGEST_LINE, LONGEST_NAME = 23, 16
"""Characters that fit above a panel next to its letter, and those of a subject's name."""


STAND_INS = (
    "stand-ins: smallest and largest median boundary (recordings of the paper's two subjects are "
    "unpublished)"
)


class Chosen(NamedTuple):
    """The subjects to show, and why these, as the figures say it."""

    subjects: list[str]
    why: str


def choose(
    fits: pd.DataFrame,
    trials: pd.DataFrame,
    recorded: Sequence[str],
    subjects: Sequence[str] | None,
) -> Chosen:
    """Choose two subjects of the table ``fuzzy_fits``.

    Those that the configuration names; else the first two with recorded paths, as in the paper;
    else, of the subjects with two whole windows, the ones with the smallest and the largest median
    boundary on easy trials of the first window.
    """
    if fits.empty:
        raise TooFew("there are no fits to show")
    if subjects:
        return Chosen(list(subjects), "subjects named in the configuration")
    if len(recorded) >= 2:
        return Chosen(list(recorded[:2]), "the first two subjects with recorded paths")
    ranges = block_ranges(trials, int(fits["blocks"].iloc[0]))
    whole = ranges.loc[ranges["overlap"] == 0, "subject"]
    easy = trials[trials["responded"] & (trials["condition"] == "easy")]
    easy = easy[easy["subject"].isin(whole)] if len(whole) else easy
    first = split(easy, ranges).query("window == @FIRST")
    medians = first["position"].abs().groupby(first["subject"]).median()
    if medians.empty:
        raise TooFew("no subject responded to an easy trial, by which two are chosen")
    # A single subject is shown once, not twice.
    ends = dict.fromkeys([str(medians.idxmin()), str(medians.idxmax())])
    return Chosen(list(ends), STAND_INS)


@dataclass(frozen=True)
class Fit:
    """All draws of one subject's window, which has the `blocks`.

    `untuned` and `tuned` have one controller per draw, in s and px, as structure learning left it
    and after tuning.  `time_range` and `position_range` are the largest of the draws.  `points` are
    those of draw 1, in s and px.  `why` says why this subject is shown.
    """

    subject: str
    window: str
    blocks: str
    untuned: list[Controller]
    tuned: list[Controller]
    time_range: float
    position_range: float
    points: pd.DataFrame
    why: str

    def median_center(self, variable: str, label: str) -> float:
        """Return the median over draws of a label's centre, in s or px."""
        place = self.tuned[0].time.labels.index(label)
        centers = [getattr(controller, variable).centers[place] for controller in self.tuned]
        return float(np.median(centers))

    @property
    def name(self) -> str:
        """Title of the panel: on one line, or on two if it would overlap the panel's letter."""
        long = len(self.subject) > LONGEST_NAME
        subject = f"{self.subject[: LONGEST_NAME - 1]}…" if long else self.subject
        line = f"Subj. {subject}, {self.blocks}"
        return line if len(line) <= LONGEST_LINE else f"Subj. {subject},\n{self.blocks}"


def load(
    tables: FitTables, trials: pd.DataFrame, samples: pd.DataFrame, shown: Chosen
) -> list[Fit]:
    """Collect the fits of each subject's windows, in the order of the figure's columns."""
    subjects, known = shown.subjects, set(tables.fits["subject"])
    if missing := [subject for subject in subjects if subject not in known]:
        raise InputError(f"contrast_subjects {missing}", [f"known: {', '.join(sorted(known))}"])
    chosen = tables.select(subjects, LABELS)
    chosen_trials = trials[trials["subject"].isin(subjects)]
    condition, blocks = tables.fits[["condition", "blocks"]].iloc[0]
    ranges = block_ranges(chosen_trials, blocks).set_index(["subject", "window"])
    points = fitted_points(samples, ranges.reset_index(), condition)
    ranges_of_draws = chosen.fits.set_index(["subject", "window", "labels", "draw"])
    ranges_of_draws = ranges_of_draws[["time_range", "position_range"]]
    tuned: dict[tuple, list[Controller]] = {}
    untuned: dict[tuple, list[Controller]] = {}
    for key, controller in controllers(chosen).items():
        time, position = ranges_of_draws.loc[key]
        labels = equidistant(LABELS, convention=controller.time.convention)
        for kind, one in (
            (tuned, controller),
            (untuned, Controller(labels, labels, controller.rules)),
        ):
            kind.setdefault(key[:2], []).append(one.scaled(time=time, position=position))
    largest = chosen.fits.groupby("subject")[["time_range", "position_range"]].max()
    return [
        Fit(
            subject=subject,
            window=window,
            blocks="blocks {from_block}–{to_block}".format(**ranges.loc[subject, window]),
            untuned=untuned[subject, window],
            tuned=tuned[subject, window],
            **largest.loc[subject],
            points=points[(points["subject"] == subject) & (points["window"] == window)],
            why=shown.why,
        )
        for subject in subjects
        for window in WINDOWS
        if (subject, window) in tuned
    ]


def fitted_points(samples: pd.DataFrame, ranges: pd.DataFrame, condition: str) -> pd.DataFrame:
    """Return draw 1 of the points that are fitted: those of a condition, by window."""
    points = samples[samples["draw"] == 1]
    if condition != "all":
        points = points[points["condition"] == condition]
    return split(points, ranges)


def source(fits: Sequence[Fit]) -> str:
    """Note on subjects, paths and draws that a figure of these fits shows after its data set."""
    recorded = all((fit.points["path"] == RECORDED).all() for fit in fits)
    draws = len(fits[0].tuned)
    paths = RECORDED if recorded else RECONSTRUCTED
    return f"{paths} paths, {draws} draws;\n{fits[0].why}"


def shares(fit: Fit) -> np.ndarray:
    """Return the shares of draws in which each premise says stop, says continue and has no rule.

    The shape is (3, time labels, position labels).
    """
    drawn = np.stack([controller.rules.consequents for controller in fit.tuned])
    stop, go_on = (drawn == 1).mean(axis=0), (drawn == 0).mean(axis=0)
    return np.stack([stop, go_on, np.isnan(drawn).mean(axis=0)])
