"""Pieces of the sentences about claims: what is more than one number, such as a list."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from fuzzybounds.core.errors import counted
from fuzzybounds.core.statistics import wilson
from fuzzybounds.core.words import BETWEEN, WITHIN
from fuzzybounds.paper.reinforcement.paper_simulation import CONTROL
from fuzzybounds.paper.worked_example import describe_time
from fuzzybounds.scorecard.boundary_counts import FAR, LEVEL
from fuzzybounds.scorecard.judges.judge import Judged
from fuzzybounds.scorecard.judges.rules import RECOVERED
from fuzzybounds.scorecard.words.words import words

BOUNDS = {"stable": "stable fits", "authors": "the authors' bounds (unstable)"}
Pieces = dict[str, Any]


def _spans(intervals: Iterable[tuple[str, Any]], form: str, between: str = ", ") -> str:
    """List intervals by name."""
    return between.join(f"{name} [{low:{form}}, {high:{form}}]" for name, (low, high) in intervals)


def _limits(rows: Mapping[str, pd.Series]) -> list[tuple[str, tuple[float, float]]]:
    return [(name, (row["low"], row["high"])) for name, row in rows.items()]


@words("C01")
def design(n: Judged) -> Pieces:
    """Give the intervals of P0, and say whose P0 is another."""
    other = ""
    if len(n.easy):
        largest = n.easy["value"].idxmax()
        other = (
            f" {n.outside} of {len(n.easy)} subjects have an own P0 on easy trials whose 95 % "
            f"interval excludes {n.printed['p0_easy']:g}; the largest is "
            f"{_interval(n.easy.loc[largest], 3)} (subject {largest})."
        )
    return {
        "spans": _spans(_limits(n.p0), ".3f"),
        "other_p0": other,
        "people": counted(int(n.subjects), "subject"),
    }


@words("C17")
def optimum(n: Judged) -> Pieces:
    """Give the optima, what subjects earned over that of their design, and who earned more."""
    pieces = {
        "steps": n.rates["paper_uncued", "steps"],
        "frames": n.rates["paper_uncued", "frames"],
        "cued": n.rates["paper_cued", "steps"],
        "begin": n.boundary.iloc[0],
        "end": n.boundary.iloc[-1],
        "logs": n.design.replace("_", " "),
    }
    if n.shares.empty:
        return pieces | {"earned": "efficiency not known", "earned_more": ""}
    best = n.rates[n.design, "frames"]
    more = [
        f" subject {name} ({_interval(row, 2)}), whose canoe went to the correct side of easy "
        f"trials with probability {_interval(row, 3, '_of_p0')}: of the optimum of such a task, "
        f"{row['optimum']:.2f}, it is {row['share']:.2f}"
        for name, row in n.more.iterrows()
    ]
    middle, low, high = (n.shares.agg(how) for how in ("median", "min", "max"))
    return pieces | {
        "earned": f"subjects earn {middle * best:.2f} of {best:.2f} coins/s, an efficiency of "
        f"{middle:.2f} ({low:.2f} to {high:.2f})",
        "earned_more": f" More than that is earned by{','.join(more)}."
        if more
        else " Nobody earns more than that.",
    }


@words("C23")
def time_on_hard_trials(n: Judged) -> Pieces:
    """Give the decision times of the best observer."""
    times = [
        f"at {name}: {row['decision_time_easy']:.2f} s on easy and "
        f"{row['decision_time_hard']:.2f} s on hard trials"
        for name, row in n.best.iterrows()
    ]
    return {"best_times": "; ".join(times)}


def _interval(row: pd.Series, digits: int, of: str = "") -> str:
    value, low, high = (f"{row[name + of]:.{digits}f}" for name in ("value", "low", "high"))
    return f"{value} [{low}, {high}]"


@words("C02")
def early_variation(n: Judged) -> Pieces:
    """Say how large a change may count."""
    none = f", and under none if only changes above {n.limit:g} of the noise count"
    return _compared(n) | _few_for_share(n) | {"none_above": none if n.holding else ""}


@words("C03")
def time_varying(n: Judged) -> Pieces:
    """Say what the comparison finds, and whether a constant boundary explains the responses."""
    pieces = {"on_controls_of_printed": _controls(n.of_printed), "on_direction": _direction(n)}
    return _compared(n) | pieces | {"rising": _rising(n)}


def _rising(n: Judged) -> str:
    """Give the correlation that the conclusion rests on."""
    if not n.direction:
        return ""
    within = n.direction[WITHIN]
    return (
        f"; time and distance at responses correlate by {within['observed']:.2f}, at a constant "
        f"boundary by {within['simulated']:.2f} (conclusion)"
    )


@words("C22")
def better_models(n: Judged) -> Pieces:
    """Say what the comparison finds where the truth is known, and under other choices."""
    return _compared(n) | _few_for_share(n)


@words("C04")
def best_model(n: Judged) -> Pieces:
    """Count the subjects for whom another model is as good."""
    return better_models(n) | {"edge_subjects": counted(int(n.edge), "subject")}


def _compared(n: Judged) -> Pieces:
    return {
        "by": n.criterion.upper(),
        "level": LEVEL,
        "on_controls": _controls(n.controls),
        "others": _others(n),
    }


def _few_for_share(n: Judged) -> Pieces:
    """Say that the interval of a share contains a threshold."""
    low, high = wilson(n.value, n.out_of)
    few = (
        f"The share of subjects, {n.value:.0f} of {n.out_of:.0f}, has the 95 % interval "
        f"[{low:.2f}, {high:.2f}], which contains {n.share:g}."
    )
    return {"low": low, "high": high, "few_for_share": few}


def _direction(n: Judged) -> str:
    """Say whether a constant boundary with noise could explain the responses."""
    if not n.direction:
        return "Too few responses to compare with a constant boundary."
    within, between = n.direction[WITHIN], n.direction[BETWEEN]
    text = (
        "Were the boundary constant, time and distance on easy trials would correlate by "
        f"{within['simulated']:.2f} with noise within trials and lapses, fitted to each subject, "
        f"and by {between['simulated']:.2f} with noise between trials. They do by "
        f"{within['observed']:.2f}; {within['below']} and {between['below']} of "
        f"{within['subjects']} subjects lie more than {FAR:g} standard deviations below."
    )
    if n.other:
        text += (
            f" Without subject {', '.join(n.other)}, whose P0 on easy trials was another, "
            f"{n.same['below']} of {n.same['subjects']} do."
        )
    return text


def _controls(rows: pd.DataFrame) -> str:
    """Say what a judge finds where the truth is known."""
    if rows.empty:
        return "There is no control on simulated subjects."
    counts = "; ".join(
        f"{row['truth']} {row['value']} of {row['out_of']} ({'right' if row['right'] else 'wrong'})"
        for _, row in rows.iterrows()
    )
    return f"On simulated subjects whose boundaries are known the same judge finds: {counts}."


def _others(n: Judged) -> str:
    """Describe the results of the other choices, unstable fits separately."""
    parts = []
    for bounds, label in BOUNDS.items():
        if bounds in n.by_bounds:
            counts, values = n.by_bounds[bounds]
            listed = ", ".join(f"{name} {count}" for name, count in counts.items())
            low, high = values.min(), values.max()
            span = f"{low:.0f} to {high:.0f}" if low < high else f"{low:.0f}"
            parts.append(f"{label} give {span} in {counted(values, 'specification')} ({listed})")
    return f"Over criterion and time axis {'; '.join(parts)}."


@words("C05")
def zero_likelihood(n: Judged) -> Pieces:
    """Give how far the output stays below one."""
    return {"below_one": 1 - n.most}


@words("C06")
def worked_degrees(n: Judged) -> Pieces:
    """Describe short, medium and long."""
    return {"labels_of_time": describe_time()}


@words("C21")
def active_rules(n: Judged) -> Pieces:
    """Say which rules are dominant at the response, and how active (L, M) was before."""
    dominant = "; ".join(
        f"at ({place[0]:.2f}, {place[1]:.2f}) {' or '.join(sorted(rules))}"
        for place, rules in n.strongest.items()
    )
    return {
        "dominant": dominant,
        "least_active": min(n.active),
        "most_active": max(n.active),
    }


@words("C13")
def between_groups(n: Judged) -> Pieces:
    """Say how far the groups are apart in either window."""
    return _tested(n, "{:.0f} px, p = {:.2g}")


@words("C14")
def within_groups(n: Judged) -> Pieces:
    """Say how either group changes."""
    return _tested(n, "{:+.0f} px, p = {:.3f}") | {"to_the_mean": _regression(n)}


def _tested(n: Judged, form: str) -> Pieces:
    """Describe differences, their intervals, and the power to find those of Experiment A."""
    differences = [
        f"{name}: {form.format(row['mean_difference'], row['p'])}" for name, row in n.rows.items()
    ]
    around = [f"[{row['low']:.0f}, {row['high']:.0f}] px ({name})" for name, row in n.rows.items()]
    power = (
        f"; power to find differences as large as Experiment A's at p < {n.alpha:g}: "
        f"{' and '.join(f'{value:.2f}' for value in n.powers)}"
    )
    return {
        "differences": "; ".join(differences),
        "spans": f"{_spans(_limits(n.rows), '.0f', ' px, ')} px",
        "around_zero": " and ".join(around),
        "power": power if n.powers else "",
    }


def _regression(n: Judged) -> str:
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


@words("C16")
def reward_rates(n: Judged) -> Pieces:
    """Compare the readings with their control."""
    return {
        "all_readings": n.rule["readings"] + n.reverse["readings"],
        "after_of_control": n.after[CONTROL],
        "against_control": compared(n.by_leak),
    }


def compared(by_leak: pd.DataFrame) -> str:
    """Say how many readings end above and below their control, for every leak."""
    return "; ".join(
        f"γ = {leak:g}, {row['better']:.0f} of {row['simulated']:.0f} readings end above and "
        f"{row['worse']:.0f} below"
        for leak, row in by_leak.iterrows()
    )


@words("C10")
def outputs(n: Judged) -> Pieces:
    """Give the intervals over subjects."""
    return {"spans": _spans(n.intervals.items(), "+.2f")}


@words("C11")
def consequents(n: Judged) -> Pieces:
    """Say what the printed cells are here, over draws of earlier points."""
    cells = {name: name.replace("_", " ") for name in n.mean.index}
    spans = [(cell, (n.low[name], n.high[name])) for name, cell in cells.items()]
    means = [f"{cell} {n.mean[name]:.2f} ± {n.sd[name]:.2f}" for name, cell in cells.items()]
    return _recovered(n) | {"cells": "; ".join(means), "spans": _spans(spans, ".2f", "; ")}


@words("C12")
def corner_changes(n: Judged) -> Pieces:
    """Describe how the cells of the lower left corner change, and how boundaries do."""
    spans = _spans(n.intervals.items(), ".2f", "; ")
    return _recovered(n) | {"spans": spans, "to_the_mean": _regression(n)}


@words("C20")
def _recovered(n: Judged) -> Pieces:
    """Describe the recovery of some premises."""
    low, high = n.recovery.min(), n.recovery.max()
    share = f"{low:.0%}" if low == high else f"{low:.0%} to {high:.0%}"
    text = f"Fits to known rules find the consequents of these premises in {share} of cases (C18)."
    return {"recovered": text}


@words("C15")
def three_sessions(n: Judged) -> Pieces:
    """Say in how many rules subjects with recorded paths continue."""
    if n.count is None:
        return _recovered(n) | {"nothing": True}
    counts = [
        f"{subject} {window}: {number} continue" for (subject, window), number in n.count.items()
    ]
    return _recovered(n) | {"continuing": "; ".join(counts)}


@words("C18")
def rules_of_subjects(n: Judged) -> Pieces:
    """Say how many rules a fit to known rules finds."""
    counts = [
        f"{labels} labels: {good} of {labels**2} consequents, {unseen} without points"
        for labels, (good, unseen) in n.counts.items()
    ]
    return {"per_labels": "; ".join(counts), "enough": RECOVERED}


@words("C26")
def label_widths(n: Judged) -> Pieces:
    """Say by how much the widths of labels change."""
    if n.change is None:
        return {"nothing": True}
    return {"factor_s": math.exp(n.change["S"]), "factor_m": math.exp(n.change["M"])}
