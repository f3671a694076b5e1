"""C10 to C12, C15, C18 to C20, C25 and C26: outputs and rules, of groups and of subjects."""

from __future__ import annotations

import math

from fuzzybounds.core.words import FAST, SLOW
from fuzzybounds.scorecard.judges.judge import Judged
from fuzzybounds.scorecard.judges.rules import RECOVERED
from fuzzybounds.scorecard.words.groups import regression
from fuzzybounds.scorecard.words.words import Words, words

LEFT_OPEN = (
    "Left open, and chosen: the trials, the ranges, the width of five labels, premises without "
    "points, and the earlier point of each trial (A03, A08 to A11)."
)
UNPUBLISHED_PATHS = "The paths of the paper's two subjects are unpublished."


def _recovery(n: Judged) -> str:
    """Describe the recovery of some premises."""
    low, high = n.recovery.min(), n.recovery.max()
    share = f"{low:.0%}" if low == high else f"{low:.0%} to {high:.0%}"
    return f"Fits to known rules find the consequents of these premises in {share} of cases (C18)."


def _few(n: Judged) -> str:
    return f"A group has {n.subjects} subjects, fewer than {n.least:g}."


@words("C10")
def outputs(n: Judged) -> Words:
    """How the outputs of the groups compare."""
    said = [f"{name} [{low:+.2f}, {high:+.2f}]" for name, (low, high) in n.intervals.items()]
    return Words(
        f"fast above slow in {n.larger} of 2 windows; least output {n.first:.2f}, "
        f"then {n.last:.2f}",
        "Means over the unit square of the fitted output with five labels. C18 is about "
        "whether its rules can be read off.",
        _few(n),
        interval=f"95 % intervals of fast minus slow over subjects: {', '.join(said)}",
        reason=f"{LEFT_OPEN} The least outputs were read off a colour scale.",
    )


@words("C19")
def blue_area(n: Judged) -> Words:
    """How the area of continue has changed."""
    return Words(
        f"{n.first:.0%} of the square, then {n.last:.0%}",
        f"Output of the slow group below {n.below:g}. A larger area of continue means slower "
        "subjects, the opposite of what the caption concludes from it.",
        _few(n),
        interval="95 % interval of a subject's change [{:+.2f}, {:+.2f}]".format(*n.change),
        reason=LEFT_OPEN,
    )


@words("C11")
def consequents(n: Judged) -> Words:
    """What the printed cells are here, over draws of earlier points."""
    cells = {name: name.replace("_", " ") for name in n.mean.index}
    said = "; ".join(f"{own} {n.mean[name]:.2f} ± {n.sd[name]:.2f}" for name, own in cells.items())
    spans = (f"{own} [{n.low[name]:.2f}, {n.high[name]:.2f}]" for name, own in cells.items())
    return Words(
        f"{said}; all three as printed in {n.exact} of {n.draws} draws",
        "Mean and standard deviation over draws of the earlier points. Fast is above slow for "
        f"(time S, position M) in {n.ordered} of {n.draws} draws. {_recovery(n)}",
        _few(n),
        interval=f"95 % of the draws of earlier points: {'; '.join(spans)}",
        reason=LEFT_OPEN,
    )


@words("C20")
def main_difference(n: Judged) -> Words:
    """Where the groups differ most."""
    time, place = n.largest
    return Words(
        f"fast minus slow {n.main:+.2f} where time and position are S or M, {n.rest:+.2f} "
        f"elsewhere; largest for time {time}, position {place}",
        f"Premises for which at least {n.rules:g} subjects of either group have a rule on "
        f"average. {_recovery(n)}",
        _few(n),
        reason=LEFT_OPEN,
    )


@words("C12")
def corner_changes(n: Judged) -> Words:
    """How the cells of the lower left corner change."""
    said = [f"{group} [{low:.2f}, {high:.2f}]" for group, (low, high) in n.intervals.items()]
    return Words(
        f"slow: {n.rise[SLOW]} of {n.cells[SLOW]} cells rise, {n.fall[SLOW]} fall, mean "
        f"{n.mean[SLOW]:+.2f}; fast: {n.fall[FAST]} of {n.cells[FAST]} fall, {n.rise[FAST]} rise, "
        f"mean {n.mean[FAST]:+.2f}",
        f"Lower left: time and position VS, S or M. {_recovery(n)} {regression(n)}",
        _few(n),
        interval=f"Mean change, 95 % of the draws of earlier points: {'; '.join(said)}",
        reason=LEFT_OPEN,
    )


@words("C15")
def three_sessions(n: Judged) -> Words:
    """In how many rules subjects with recorded paths continue."""
    note = f"{UNPUBLISHED_PATHS} {_recovery(n)}"
    if n.count is None:
        return Words("no recorded paths", note)
    return Words(
        "; ".join(
            f"{subject} {window}: {number} continue"
            for (subject, window), number in n.count.items()
        ),
        f"Rules that most draws give. {note}",
        "There is one subject with recorded paths.",
        reason=LEFT_OPEN,
    )


@words("C18")
def rules_of_subjects(n: Judged) -> Words:
    """How many rules a fit to known rules finds."""
    return Words(
        "; ".join(
            f"{labels} labels: {good} of {labels**2} consequents, {unseen} without points"
            for labels, (good, unseen) in n.counts.items()
        ),
        f"A rule table can be fitted to each of {n.subjects} subjects. A consequent counts if at "
        f"least {RECOVERED:.0%} of the fits to simulated subjects with known rules find it where "
        "it is stop and where it is continue; the table per cell is recovery_cells.csv.",
    )


@words("C25")
def tuning(n: Judged) -> Words:
    """How well the model fits before and after its memberships are tuned."""
    return Words(
        f"loss {n.before:.2f} before and {n.after:.2f} after; above ln 2 before for {n.poor} and "
        f"below it after for {n.good} of {n.subjects} subjects",
        f"Mean cross-entropy per point over draws and windows, with {n.labels} labels, "
        "on the points that were fitted.",
        interval=f"95 % interval of the loss after tuning less ln 2: [{n.low:.2f}, {n.high:.2f}]",
        reason=f"The paper prints no loss. {LEFT_OPEN}",
    )


@words("C26")
def label_widths(n: Judged) -> Words:
    """By how much the widths of labels change."""
    note = (
        f"{UNPUBLISHED_PATHS} The logarithm of a width that is fitted to a subject whose labels "
        f"are known has a standard deviation of {n.sd['S']:.2f} (S) and {n.sd['M']:.2f} (M)."
    )
    if n.change is None:
        return Words("no recorded paths", note)
    return Words(
        f"{n.subject}: S by a factor of {math.exp(n.change['S']):.2f}, M by "
        f"{math.exp(n.change['M']):.2f}",
        note,
        "There is one such subject.",
        reason=LEFT_OPEN,
    )
