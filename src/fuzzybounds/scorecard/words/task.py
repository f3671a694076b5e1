"""C01, C17, C23 and C27: the task as the logs show it, and the optimum."""

from __future__ import annotations

import pandas as pd

from fuzzybounds.scorecard.judges.judge import Judged
from fuzzybounds.scorecard.words.words import Words, words


@words("C01")
def design(n: Judged) -> Words:
    """What the design is, and whose P0 is another."""
    intervals = [f"{name} [{own['low']:.3f}, {own['high']:.3f}]" for name, own in n.p0.items()]
    note = f"Blocks per subject range from {n.blocks['low']:.0f} to {n.blocks['high']:.0f}."
    if len(n.easy):
        largest = n.easy["value"].idxmax()
        note += (
            f" {n.outside} of {len(n.easy)} subjects have an own P0 on easy trials whose 95 % "
            f"interval excludes {n.printed['p0_easy']:g}; the largest is "
            f"{_interval(n.easy.loc[largest], 3)} (subject {largest})."
        )
    return Words(
        f"{n.subjects:.0f} subjects; {n.blocks['value']:.0f} blocks of {n.duration:.0f} s; "
        f"P0 {n.p0['easy']['value']:.3f} / {n.p0['hard']['value']:.3f}; "
        f"penalty {n.penalty:.2f} s",
        note,
        interval=f"95 % intervals of P0: {', '.join(intervals)}",
    )


@words("C17")
def optimum(n: Judged) -> Words:
    """What the optimum is, and how near to it subjects come."""
    steps, frames = (n.rates["paper_uncued", name] for name in ("steps", "frames"))
    first, last = n.boundary.iloc[0], n.boundary.iloc[-1]
    earned, more = _efficiency(n)
    return Words(
        f"{steps:.4f} at steps, {frames:.4f} at any frame; {earned}",
        f"Boundary from {first['boundary']:.0f} px at {first['time']:.1f} s to "
        f"{last['boundary']:.0f} px at {last['time']:.1f} s; with cues "
        f"{n.rates['paper_cued', 'steps']:.4f}. Efficiency is what subjects earned over the "
        f"optimum of their own design ({n.design.replace('_', ' ')}), with responses at any frame. "
        f"{more}".rstrip(),
        reason="Left open, and chosen: responses at the end of a step; at any frame the rate is "
        f"{frames:.2f}.",
    )


def _efficiency(n: Judged) -> tuple[str, str]:
    """Describe what subjects earned over the optimum of their design, and who earned more."""
    if n.shares.empty:
        return "efficiency not known", ""
    best = n.rates[n.design, "frames"]
    said = [
        f" subject {name} ({_interval(own, 2)}), whose canoe went to the correct side of easy "
        f"trials with probability {_interval(own, 3, '_of_p0')}: of the optimum of such a task, "
        f"{own['optimum']:.2f}, it is {own['share']:.2f}"
        for name, own in n.more.iterrows()
    ]
    middle, low, high = (n.shares.agg(how) for how in ("median", "min", "max"))
    return (
        f"subjects earn {middle * best:.2f} of {best:.2f} coins/s, an efficiency of {middle:.2f} "
        f"({low:.2f} to {high:.2f})",
        f"More than that is earned by{','.join(said)}." if said else "Nobody earns more than that.",
    )


@words("C23")
def time_on_hard_trials(n: Judged) -> Words:
    """How long the best observer takes, and how long these subjects."""
    return Words(
        "; ".join(
            f"at {name}: {row['decision_time_easy']:.2f} s on easy and "
            f"{row['decision_time_hard']:.2f} s on hard trials"
            for name, row in n.best.iterrows()
        ),
        "Mean decision time of the observer who earns most in the paper's design with cues. "
        f"Median decision time was shorter on hard trials for {n.shorter} of {n.subjects} of these "
        f"subjects (median over subjects {n.medians['easy']:.1f} s easy, "
        f"{n.medians['hard']:.1f} s hard).",
    )


@words("C27")
def accuracy_by_distance(n: Judged) -> Words:
    """How often nearer and farther responses are correct."""
    return Words(
        f"{n.share['near']:.0%} of nearer and {n.share['far']:.0%} of farther responses",
        "Responses nearer and farther than the subject's median distance. With k more steps to one "
        "side than to the other the odds of that side are (P0 / (1 - P0))^k, whatever the time.",
        interval=f"95 % interval of the difference over subjects [{n.low:+.2f}, {n.high:+.2f}]",
    )


def _interval(row: pd.Series, digits: int, of: str = "") -> str:
    value, low, high = (f"{row[name + of]:.{digits}f}" for name in ("value", "low", "high"))
    return f"{value} [{low}, {high}]"
