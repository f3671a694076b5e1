"""C09, C13 and C14: fast and slow subjects, and how their boundaries change."""

from __future__ import annotations

import pandas as pd

from fuzzybounds.scorecard.judges.judge import Judged
from fuzzybounds.scorecard.words.words import Words, words


@words("C09")
def group_sizes(n: Judged) -> Words:
    """How large the groups are, and under which choices they are as printed."""
    return Words(
        f"{n.fast} fast, {n.slow} slow",
        f"Quantiles of {n.subjects} subjects by the configured definition (A11 to A14).",
        f"There are {n.subjects} subjects, fewer than {n.least:g}.",
        reason=f"Of {n.counts['groups']:.0f} specifications {n.counts['sizes']:.0f} give "
        f"{n.printed['n_fast']:.0f} and {n.printed['n_slow']:.0f}, "
        f"{n.counts['sizes_stated']:.0f} of them with the printed inequalities, "
        '"less than" and "larger than".',
    )


@words("C13")
def between_groups(n: Judged) -> Words:
    """How far the groups are apart in either window."""
    stated, readings, of_all, every = (
        int(n.counts[name]) for name in ("between_stated", "stated", "between", "groups")
    )
    return Words(
        "; ".join(
            f"{window}: {row['mean_difference']:.0f} px, p = {row['p']:.2g}"
            for window, row in n.rows.items()
        ),
        "Student's t-test; permutations give "
        f"{n.permuted['slow_vs_fast_first']:.4f} and {n.permuted['slow_vs_fast_last']:.4f}. The "
        "groups were chosen by the first window, where they must differ.",
        around_zero(n.rows, "differences"),
        interval=intervals(n),
        reason=f"Both p are below the printed value in {stated} of the {readings} specifications "
        f"that leave every printed statement as it is, and in {of_all} of all {every}.",
    )


@words("C14")
def within_groups(n: Judged) -> Words:
    """How either group changes, and under which choices it does so as printed."""
    counts = n.counts
    return Words(
        "; ".join(
            f"{group}: {row['mean_difference']:+.0f} px, p = {row['p']:.3f}"
            for group, row in n.rows.items()
        ),
        "Student's two-sample t-test of the configured summaries. Neither p is significant, and "
        "the windows are of the same subjects, so a paired test would have been in place. "
        f"{regression(n)}",
        around_zero(n.rows, "changes"),
        interval=intervals(n),
        reason=f"Of {counts['groups']:.0f} specifications that were tried, "
        f"{counts['matching']:.0f} give the printed digits, {counts['matching_stated']:.0f} of "
        "them with every printed statement as it is (inequalities, boundaries at responses only); "
        f"{counts['signs']:.0f} give the signs. Two-digit p drawn at random would be found with "
        f"probability {counts['chance_match']:.1%}.",
    )


def intervals(n: Judged) -> str:
    """Describe intervals of differences, and the power to find those of Experiment A."""
    said = [f"{name} [{row['low']:.0f}, {row['high']:.0f}] px" for name, row in n.rows.items()]
    found = f"95 % intervals: {', '.join(said)}"
    if n.powers:
        found += (
            f"; power to find differences as large as Experiment A's at p < {n.alpha:g}: "
            f"{' and '.join(f'{own:.2f}' for own in n.powers)}"
        )
    return found


def around_zero(rows: dict[str, pd.Series], what: str) -> str:
    """Give the intervals, one of which contains zero."""
    said = [f"[{row['low']:.0f}, {row['high']:.0f}] px ({name})" for name, row in rows.items()]
    return f"The 95 % intervals of the {what} are {' and '.join(said)}."


def regression(n: Judged) -> str:
    """Describe how boundaries change if groups are chosen by other blocks."""
    alone, free = (
        " and ".join(
            f"not known ({group})"
            if row is None
            else f"{row['change']:+.0f} px [{row['low']:+.0f}, {row['high']:+.0f}] ({group})"
            for group, row in n.regression[contrast].items()
        )
        for contrast in ("alone", "free")
    )
    return (
        "Groups are chosen by the first window, so part of any change is regression to the mean: "
        f"between two halves of the first blocks, one of which chooses the groups, boundaries "
        f"change by {alone}. From blocks that did not choose them to the last they change by "
        f"{free} (95 % bootstrap intervals)."
    )
