"""The two subjects whose fits Figs. 10 to 12 show, and those fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from fuzzybounds.canoe.block_windows import FIRST, LAST, block_ranges, split
from fuzzybounds.canoe.samples import RECONSTRUCTED, RECORDED
from fuzzybounds.core.errors import InputError, TooFew
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.fits import FitTables, controllers
from fuzzybounds.paper.fuzzy.membership import equidistant

LABELS = 3
WINDOWS = (FIRST, LAST)
LONGEST_LINE, LONGEST_NAME = 23, 16
"""Characters that fit above a panel next to its letter, and those of a subject's name."""


def choose(
    fits: pd.DataFrame,
    trials: pd.DataFrame,
    recorded: Sequence[str],
    subjects: Sequence[str] | None,
) -> list[str]:
    """Choose two subjects of the table ``fuzzy_fits``.

    Those that the configuration names; else the first two with recorded paths, as in the paper;
    else, of the subjects with two whole windows, the ones with the smallest and the largest median
    boundary on easy trials of the first window.
    """
    if fits.empty:
        raise TooFew("there are no fits to show")
    if subjects:
        return list(subjects)
    if len(recorded) >= 2:
        return list(recorded[:2])
    ranges = block_ranges(trials, int(fits["blocks"].iloc[0]))
    whole = ranges.loc[ranges["overlap"] == 0, "subject"]
    easy = trials[trials["responded"] & (trials["condition"] == "easy")]
    easy = easy[easy["subject"].isin(whole)] if len(whole) else easy
    first = split(easy, ranges).query("window == @FIRST")
    medians = first["position"].abs().groupby(first["subject"]).median()
    if medians.empty:
        raise TooFew("no subject responded to an easy trial, by which two are chosen")
    # A single subject is shown once, not twice.
    return list(dict.fromkeys([str(medians.idxmin()), str(medians.idxmax())]))


@dataclass(frozen=True)
class Fit:
    """All draws of one subject's window, which has the `blocks`.

    `tuned` has one controller per draw, on [0, 1], where `time_range` s and `position_range` px
    count as 1.  `points` are those of draw 1, in s and px.
    """

    subject: str
    window: str
    blocks: str
    tuned: list[Controller]
    time_range: float
    position_range: float
    points: pd.DataFrame

    @property
    def untuned(self) -> list[Controller]:
        """The controllers as structure learning left them."""
        return [
            Controller(*2 * (equidistant(LABELS, convention=fit.time.convention),), fit.rules)
            for fit in self.tuned
        ]

    def mean_center(self, variable: str, label: str) -> float:
        """Return the mean over draws of a label's centre, in s or px."""
        place = self.tuned[0].time.labels.index(label)
        scale = self.time_range if variable == "time" else self.position_range
        return scale * float(np.mean([getattr(own, variable).centers[place] for own in self.tuned]))

    @property
    def name(self) -> str:
        """Title of the panel: on one line, or on two if it would overlap the panel's letter."""
        long = len(self.subject) > LONGEST_NAME
        subject = f"{self.subject[: LONGEST_NAME - 1]}…" if long else self.subject
        line = f"Subj. {subject}, {self.blocks}"
        return line if len(line) <= LONGEST_LINE else f"Subj. {subject},\n{self.blocks}"


def load(
    tables: FitTables, trials: pd.DataFrame, samples: pd.DataFrame, subjects: Sequence[str]
) -> list[Fit]:
    """Collect the fits of each subject's windows, in the order of the figure's columns."""
    known = set(tables.fits["subject"])
    if missing := [subject for subject in subjects if subject not in known]:
        raise InputError(f"contrast_subjects {missing}", [f"known: {', '.join(sorted(known))}"])
    chosen = tables.select(subjects, LABELS)
    own = trials[trials["subject"].isin(subjects)]
    condition, blocks = tables.fits[["condition", "blocks"]].iloc[0]
    ranges = block_ranges(own, blocks).set_index(["subject", "window"])
    points = samples[samples["subject"].isin(subjects) & (samples["draw"] == 1)]
    if condition != "all":
        points = points[points["condition"] == condition]
    points = split(points, ranges.reset_index())
    fitted = controllers(chosen)
    there = {key[:2] for key in fitted}
    scales = chosen.fits.groupby("subject")[["time_range", "position_range"]].first()
    return [
        Fit(
            subject=subject,
            window=window,
            blocks="blocks {from_block}–{to_block}".format(**ranges.loc[subject, window]),
            tuned=[fit for key, fit in fitted.items() if key[:2] == (subject, window)],
            time_range=scales.loc[subject, "time_range"],
            position_range=scales.loc[subject, "position_range"],
            points=points[(points["subject"] == subject) & (points["window"] == window)],
        )
        for subject in subjects
        for window in WINDOWS
        if (subject, window) in there
    ]


def source(fits: Sequence[Fit]) -> str:
    """Note on paths and draws that a figure of these fits shows after its data set."""
    recorded = all((fit.points["path"] == RECORDED).all() for fit in fits)
    draws = len(fits[0].tuned)
    return f"{RECORDED if recorded else RECONSTRUCTED} paths, {draws} draws"


def consequents(fit: Fit) -> tuple[np.ndarray, np.ndarray]:
    """The consequent that most draws give each premise, and the share of the draws that do.

    A premise that is empty in most draws is empty (NaN); its share is that of the empty draws.
    """
    drawn = np.stack([controller.rules.consequents for controller in fit.tuned])
    empty = np.isnan(drawn).mean(axis=0)
    stop = (drawn == 1).mean(axis=0)
    go_on = 1 - empty - stop
    shares = np.stack([go_on, stop, empty])
    winner = shares.argmax(axis=0)
    return np.where(winner == 2, np.nan, winner.astype(float)), shares.max(axis=0)
