"""C02 to C04, C22 and C24: the shape of boundaries, and which boundary model describes subjects."""

from __future__ import annotations

import pandas as pd

from fuzzybounds.checks.controls.boundary_direction import BETWEEN, WITHIN
from fuzzybounds.core.statistics import wilson
from fuzzybounds.scorecard.judges.boundaries import FAR
from fuzzybounds.scorecard.judges.judge import Judged
from fuzzybounds.scorecard.words.words import Words, few_for_share, words

BOUNDS = {"stable": "stable fits", "authors": "the authors' bounds (unstable)"}


@words("C02")
def early_variation(n: Judged) -> Words:
    """How many boundaries vary, and how large a change may count."""
    low, high = wilson(n.value, n.out_of)
    return Words(
        f"{n.value:.0f} of {n.out_of} [{low:.2f}, {high:.2f}]",
        f"Subjects whose stable boundary for easy trials changes by more than {n.effect:g} of its "
        f"noise over the times they used, on the {n.boundary_time} time, and the 95 % interval of "
        "their share. The curve over thresholds is in boundary_variation.csv. In the model only "
        "the level of a boundary changes from block to block, so that its shape after the first "
        f"block is that of the whole session. {_controls(n.controls)} {_others(n)}",
        few_for_share(n.value, n.out_of, n.share),
        reason="The paper does not say how large a change counts. Most subjects' boundaries vary "
        f"under {n.holding} of {n.readings} readings (smallest change that counts, time axis, "
        "bounds)"
        + (
            f", and under none if only changes above {n.limit:g} of the noise count."
            if n.holding
            else "."
        ),
    )


@words("C03")
def time_varying(n: Judged) -> Words:
    """In how many classes the boundary varies, and whether a constant one explains responses."""
    return Words(
        f"{n.value:.0f} of {n.out_of:.0f} classes",
        f"Classes in which the Weibull form has a protected exceedance above {n.exceedance:g} by "
        f"{n.criterion.upper()} on the {n.boundary_time} time, with stable fits; it is better for "
        f"most subjects in {n.compared}. {_controls(n.of_printed)} This comparison decides the "
        "verdict alone; the conclusion rests on the direction of the responses. "
        f"{_direction(n)} {_controls(n.controls)} {_others(n)}",
        reason=_reason(n),
    )


def _direction(n: Judged) -> str:
    """Say whether a constant boundary with noise could explain the responses."""
    if not n.direction:
        return "Too few responses to compare with a constant boundary."
    within, between = n.direction[WITHIN], n.direction[BETWEEN]
    said = (
        "Were the boundary constant, time and |position| on easy trials would correlate by "
        f"{within['simulated']:.2f} with noise within trials and lapses, fitted to each subject, "
        f"and by {between['simulated']:.2f} with noise between trials. They do by "
        f"{within['observed']:.2f}; {within['below']} and {between['below']} of "
        f"{within['subjects']} subjects lie more than {FAR:g} standard deviations below."
    )
    if n.other:
        said += (
            f" Without subject {', '.join(n.other)}, whose P0 on easy trials was another, "
            f"{n.same['below']} of {n.same['subjects']} do."
        )
    return said


@words("C04")
def best_model(n: Judged) -> Words:
    """For how many subjects the model is best, and which other is."""
    return Words(
        f"{n.value:.0f} of {n.out_of}",
        "Subjects for whom the Weibull boundary with reinforcement learning is best by "
        f"{n.criterion.upper()} on the {n.boundary_time} time, with stable fits; the "
        f"{n.best['shape']} boundary with class {n.best['learning']} is for {n.best['n_best']}. "
        f"Within the authors' bounds {n.unstable:.0f} of its fits are unstable. For {n.edge:.0f} "
        f"subjects the best other model is within {n.level:g}, as far as searches may miss. "
        f"{_controls(n.controls)} {_others(n)}",
        few_for_share(n.value, n.out_of, n.share),
        reason=_reason(n),
    )


@words("C22")
def adjusted_boundary(n: Judged) -> Words:
    """Whom learning by reinforcement describes better."""
    return Words(
        f"{n.value:.0f} of {n.out_of}; summed {n.criterion.upper()} lower by {n.compared:.0f}",
        "Subjects whom the Weibull boundary describes better with reinforcement learning than "
        f"without learning, by {n.criterion.upper()} on the {n.boundary_time} time, with stable "
        "fits. A boundary that drifts with practice for another reason would also be described "
        f"better. {_controls(n.controls)} {_others(n)}",
        few_for_share(n.value, n.out_of, n.share),
        reason=_reason(n),
    )


@words("C24")
def implied_boundary(n: Judged) -> Words:
    """Whose boundary is like the one that the rules imply."""
    return Words(
        f"{n.alike} of {n.subjects} subjects; nearest {n.nearest:.0f} px",
        "Subjects whose boundary for easy trials after the first block differs, over the times "
        "they used, by less than its noise from the boundary at which the output of Fig. 6 is one "
        f"half. For {n.nearer} of them it is also nearer than the best constant boundary. Fig. 5's "
        "rules but one, and all labels but one, are chosen here.",
        reason="The paper prints one rule and one label, and does not say which subjects.",
    )


def _reason(n: Judged) -> str:
    return (
        f"It holds under {n.holding} of {n.readings} readings (criterion, time axis, and bounds of "
        "the search)."
    )


def _controls(rows: pd.DataFrame) -> str:
    """Say what a judge finds where the truth is known."""
    if rows.empty:
        return "There is no control on simulated subjects."
    said = "; ".join(
        f"{row['truth']} {row['value']} of {row['out_of']} ({'right' if row['right'] else 'wrong'})"
        for _, row in rows.iterrows()
    )
    return f"On simulated subjects whose boundaries are known the same judge finds: {said}."


def _others(n: Judged) -> str:
    """Describe the results of the other choices, unstable fits separately."""
    parts = []
    for bounds, label in BOUNDS.items():
        if bounds in n.by_bounds:
            counts, values = n.by_bounds[bounds]
            said = ", ".join(f"{name} {count}" for name, count in counts.items())
            low, high = values.min(), values.max()
            span = f"{low:.0f} to {high:.0f}" if low < high else f"{low:.0f}"
            parts.append(f"{label} give {span} in {len(values)} specifications ({said})")
    return f"Over criterion and time axis {'; '.join(parts)}."
