"""Fig. S7: fuzzy rules against boundaries on one likelihood."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fuzzybounds.paper.figures import style

FAMILIES = {
    "boundary_within": ("boundary, noise within trials", style.BLUE, "o"),
    "boundary_between": ("boundary, noise between trials", style.SKY, "s"),
    "boundary_both": ("boundary, both noises", style.GREEN, "D"),
    "boundary_inferred": ("two boundaries, inferred condition", style.BLACK, "v"),
    "boundary_ignored": ("two boundaries, whatever the condition", style.GREY, "v"),
    "rules": ("rules", style.VERMILLION, "o"),
    "rules_both": ("rules, both noises", style.ORANGE, "D"),
    "rules_inferred": ("two rule bases, inferred condition", style.ORANGE, "v"),
    "pipeline": ("the paper's pipeline", style.PURPLE, "^"),
    "control": ("controls", style.GREY, "x"),
}
"""Name, colour and marker of every family of models."""
QUESTIONS = {
    "kind": "which kind?",
    "kind, model chosen on training trials": "which kind, one model chosen?",
    "noise": "which noise of boundaries?",
    "noise, rules": "which noise of rules?",
    "conditions": "one boundary or two?",
    "shape": "which shape of boundaries?",
}
NEAR = 10
"""Nats per subject up to which the scale of differences is linear."""
TICKS = (-100, -10, -5, 0)
ROW = 0.16
"""Height of a model's row (inches), with its share of legend and axis."""
SMALL = 5.5
"""Size of the smallest letters (pt)."""


def name_families(figure: Figure, present: Container[str]) -> None:
    """Name the marks of some families above a figure."""
    handles = [
        figure.axes[0].plot([], [], marker, color=colour, ms=3, label=name)[0]
        for family, (name, colour, marker) in FAMILIES.items()
        if family in present
    ]
    figure.legend(handles=handles, loc="outside upper center", ncols=4, fontsize=6)


def words(model: str) -> str:
    """Return the name of a model for a label."""
    named = {
        "hazard_time": "time only",
        "hazard_position": "position only",
        "quadratic": "logistic, quadratic",
    }
    if model in named:
        return named[model]
    *kind, last = model.split("_")
    text = " ".join(kind).replace("graded tuned", "rules")
    last = last.replace("weibull", "Weibull")
    return f"{text}, {last} labels" if last.isdigit() else f"{text}, {last}"


def first_scheme(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the scheme that comes first, with the motor delay fitted."""
    own = table[table["delay"] == "fitted"]
    return own[own["scheme"] == own["scheme"].iloc[0]] if len(own) else table


def _draw_models(axes: Axes, own: pd.DataFrame, order: list[str]) -> None:
    """Draw every model's difference to the best, per subject, with its 95 % interval."""
    place = {model: number for number, model in enumerate(order)}
    for family, part in own.groupby("family", sort=False):
        _, colour, marker = FAMILIES[str(family)]
        y = part["model"].map(place)
        size = part["subjects"]
        x = part["elpd_difference"] / size
        reach = np.stack(
            [part["elpd_difference"] - part["low"], part["high"] - part["elpd_difference"]]
        )
        axes.errorbar(
            x, y, xerr=reach / size.to_numpy(), fmt=marker, color=colour, ms=3, lw=0.8, mew=0.8
        )
    _scale(axes)
    axes.set(ylim=(len(order) - 0.3, -0.7), xlabel="Behind the best (nats per subject)")
    axes.set_yticks(range(len(order)), [words(model) for model in order], fontsize=6)
    families = own.set_index("model")["family"].reindex(order)
    for number in range(1, len(order)):
        if families.iloc[number] != families.iloc[number - 1]:
            axes.axhline(number - 0.5, color="0.85", lw=0.5, zorder=0)
    axes.set_title(f"{own['condition'].iloc[0]} trials", fontsize=7)


def _scale(axes: Axes) -> None:
    """Make differences linear up to :data:`NEAR` and logarithmic beyond, with a line at 0."""
    axes.axvline(0, color=style.BLACK, lw=0.5, zorder=0)
    axes.set_xscale("symlog", linthresh=NEAR, linscale=1.5)
    axes.set_xticks(TICKS, [f"{tick:g}".replace("-", "\N{MINUS SIGN}") for tick in TICKS])
    axes.minorticks_off()


def _draw_questions(axes: Axes, questions: pd.DataFrame) -> None:
    """Draw the answers to every question: differences per subject, and protected exceedance."""
    own = questions[questions["condition"] == questions["condition"].iloc[0]]
    place, ticks = 0.0, []
    for question, asked in QUESTIONS.items():
        part = own[own["question"] == question]
        if part.empty:
            continue
        axes.annotate(
            asked,
            (0.02, place - 0.75),
            xycoords=("axes fraction", "data"),
            **{"fontsize": SMALL, "style": "italic", "color": "0.35", "va": "center"},
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.3},
        )
        for row in part.itertuples():
            n = row.subjects
            reach = [[(row.elpd_difference - row.low) / n], [(row.high - row.elpd_difference) / n]]
            colour = style.BLACK if row.elpd_difference == 0 else "0.45"
            axes.errorbar(
                row.elpd_difference / n, place, xerr=reach, fmt="o", color=colour, ms=3, lw=0.8
            )
            axes.annotate(
                f"{row.protected_exceedance:.2f}",
                (1.02, place),
                xycoords=("axes fraction", "data"),
                va="center",
                fontsize=SMALL,
            )
            name = str(row.answer).replace("weibull", "Weibull")
            ticks.append((place, name))
            place += 1
        place += 1.2
    axes.annotate("PXP", (1.02, 1.005), xycoords="axes fraction", fontsize=SMALL, va="bottom")
    _scale(axes)
    axes.set_yticks([y for y, _ in ticks], [name for _, name in ticks], fontsize=6)
    axes.set(ylim=(place - 1.4, -1.4), xlabel="Behind the best (nats per subject)")
    axes.set_title(f"pooled, {own['condition'].iloc[0]} trials", fontsize=7, loc="right")


def draw(comparison: pd.DataFrame, questions: pd.DataFrame, dataset: Mapping[str, Any]) -> Figure:
    """Draw the comparison of all models, and the pooled answers."""
    comparison, questions = first_scheme(comparison), first_scheme(questions)
    conditions = list(comparison["condition"].unique())
    # By family, and within a family in the order of the first condition.
    first = comparison[comparison["condition"] == conditions[0]]
    order = [name for family in FAMILIES for name in first.loc[first["family"] == family, "model"]]
    height = 0.8 + max(ROW * len(order), 3.0)
    figure, panels = style.subplots(1, len(conditions) + 1, width=style.PAGE, height=height)
    *upper, last = panels
    for axes, condition in zip(upper, conditions, strict=True):
        _draw_models(axes, comparison[comparison["condition"] == condition], order)
        if axes is not upper[0]:
            axes.set_yticklabels([])
    _draw_questions(last, questions)
    style.letter_all(panels)
    name_families(figure, set(comparison["family"]))
    style.say_source(figure, dataset)
    return figure
