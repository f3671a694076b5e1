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
    "boundary_within_directed": ("the same, with direction", style.BLUE, "D"),
    "boundary_met": ("boundary that is met", style.SKY, "o"),
    "boundary_met_directed": ("the same, with direction", style.SKY, "D"),
    "boundary_both": ("boundary, both noises", style.GREEN, "o"),
    "boundary_both_directed": ("the same, with direction", style.GREEN, "D"),
    "rules": ("graded rules", style.VERMILLION, "o"),
    "rules_directed": ("the same, with direction", style.VERMILLION, "D"),
    "rules_three_inputs": ("rules of three inputs", style.ORANGE, "D"),
    "paper_rules": ("the paper's rules (0 or 1)", style.PURPLE, "o"),
    "pipeline": ("the paper's pipeline", style.PURPLE, "^"),
    "control": ("controls", style.GREY, "x"),
    "ceiling": ("smooth surface", style.BLACK, "o"),
    "ceiling_directed": ("the same, with direction", style.BLACK, "D"),
}
"""Name, colour and marker of every family of models."""
QUESTIONS = {
    "kind": "which kind?",
    "kind with direction": "which kind with direction?",
    "direction": "does the direction matter?",
    "reading": "what acts outward?",
    "consequents": "which consequents?",
    "paper's rules": "rules of 0 and 1?",
    "ceiling": "how far from a surface?",
    "ceiling with direction": "the same with direction?",
    "noise": "which noise of boundaries?",
    "shape": "which shape of boundaries?",
}
NEAR = 10
"""Nats per subject up to which the scale of differences is linear."""
BEHIND = "Behind the best\n(nats per subject)"
TICKS = (-100, -10, -5, 0)
LATE = 0.3
"""Where the phases of a step (s) begin in which directions at responses are shown."""
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
        "surface": "smooth surface",
        "paper_rules_3": "rules of 0 and 1, 3 labels",
        "graded_three_inputs_3": "rules of three inputs, 3 labels",
    }
    plain = model.removesuffix("_directed")
    direction = ", direction" if plain != model else ""
    if plain in named:
        return named[plain] + direction
    kind, last = plain.rsplit("_", 1)
    kind, last = kind.replace("graded", "rules"), last.replace("weibull", "Weibull")
    text = f"{kind}, {last} labels" if last.isdigit() else f"{kind}, {last}"
    return text + direction


def first_scheme(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the scheme that comes first, with the motor delay fitted."""
    fitted = table[table["delay"] == "fitted"]
    return fitted[fitted["scheme"] == fitted["scheme"].iloc[0]] if len(fitted) else table


def _draw_models(axes: Axes, compared: pd.DataFrame, order: list[str]) -> None:
    """Draw every model's difference to the best, per subject, with its 95 % interval."""
    place = {model: number for number, model in enumerate(order)}
    for family, part in compared.groupby("family", sort=False):
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
    axes.set(ylim=(len(order) - 0.3, -0.7), xlabel=BEHIND)
    axes.set_yticks(range(len(order)), [words(model) for model in order], fontsize=6)
    axes.set_title(f"{compared['condition'].iloc[0]} trials", fontsize=7)


def _draw_outward(axes: Axes, outward: pd.DataFrame, families: pd.Series) -> None:
    """Draw the share of outward responses late in a step: of every model, and of people.

    `families` are those of the models, in the order of the rows.
    """
    late = outward[np.isclose(outward["phase_low"], LATE)]
    for number, (condition, rows) in enumerate(late.groupby("condition", sort=False)):
        people = rows[rows["source"] == "data"].iloc[0]
        axes.axvspan(people["low"], people["high"], color=style.PALE, alpha=0.6, lw=0, zorder=-2)
        axes.axvline(people["outward"], color=style.BLACK, lw=0.8, zorder=-1)
        axes.annotate(
            str(condition), (people["outward"], 1.0), xycoords=("data", "axes fraction"),
            ha="center", va="bottom", fontsize=SMALL,
        )  # fmt: skip
        fitted = rows[rows["delay"] == "fitted"].set_index("source").reindex(families.index)
        for place, (family, row) in enumerate(zip(families, fitted.itertuples(), strict=True)):
            _, colour, marker = FAMILIES[family]
            axes.plot([row.low, row.high], [place, place], color=colour, lw=0.6)
            filled = colour if number == 0 else "white"
            axes.plot(row.outward, place, marker, color=colour, mfc=filled, ms=3, mew=0.8)
    axes.set(ylim=(len(families) - 0.3, -0.7), xlabel="Share of responses\nmoving outward")
    axes.set_yticks(range(len(families)), [])


def _scale(axes: Axes) -> None:
    """Make differences linear up to :data:`NEAR` and logarithmic beyond, with a line at 0."""
    axes.axvline(0, color=style.BLACK, lw=0.5, zorder=0)
    axes.set_xscale("symlog", linthresh=NEAR, linscale=1.5)
    axes.set_xticks(TICKS, [f"{tick:g}".replace("-", "\N{MINUS SIGN}") for tick in TICKS])
    axes.minorticks_off()


def _part(axes: Axes, families: pd.Series) -> None:
    """Draw lines between families of models; `families` are those of the rows."""
    for number in range(1, len(families)):
        if families.iloc[number] != families.iloc[number - 1]:
            axes.axhline(number - 0.5, color="0.85", lw=0.5, zorder=-3)


def _draw_questions(axes: Axes, questions: pd.DataFrame) -> None:
    """Draw the answers to every question: differences per subject, and protected exceedance."""
    answers = questions[questions["condition"] == questions["condition"].iloc[0]]
    place, ticks = 0.0, []
    for question, asked in QUESTIONS.items():
        part = answers[answers["question"] == question]
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
    axes.set(ylim=(place - 1.4, -1.4), xlabel=BEHIND)
    axes.set_title(f"pooled, {answers['condition'].iloc[0]} trials", fontsize=7, loc="right")


def draw(
    comparison: pd.DataFrame,
    questions: pd.DataFrame,
    outward: pd.DataFrame,
    dataset: Mapping[str, Any],
) -> Figure:
    """Draw the comparison of all models, what they say of directions, and the pooled answers."""
    comparison, questions = first_scheme(comparison), first_scheme(questions)
    conditions = list(comparison["condition"].unique())
    # By family, and within a family in the order of the first condition.
    first = comparison[comparison["condition"] == conditions[0]]
    order = [name for family in FAMILIES for name in first.loc[first["family"] == family, "model"]]
    height = 1.0 + max(ROW * len(order), 3.0)
    figure, panels = style.subplots(1, len(conditions) + 2, width=style.PAGE, height=height)
    *upper, directions, last = panels
    for axes, condition in zip(upper, conditions, strict=True):
        _draw_models(axes, comparison[comparison["condition"] == condition], order)
        if axes is not upper[0]:
            axes.set_yticklabels([])
    families = first.set_index("model")["family"].reindex(order)
    _draw_outward(directions, outward, families)
    for axes in (*upper, directions):
        _part(axes, families)
    _draw_questions(last, questions)
    style.letter_all(panels)
    name_families(figure, set(comparison["family"]))
    style.say_source(figure, dataset, "C: 0.3 to 0.4 s after a draw")
    return figure
