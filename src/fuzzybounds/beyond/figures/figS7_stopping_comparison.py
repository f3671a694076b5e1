"""Fig. S7: fuzzy rules against boundaries on one likelihood."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fuzzybounds.beyond.stopping.catalogue import CATALOGUE
from fuzzybounds.paper.figures import style

FAMILIES = {
    "boundary_within": ("boundary, noise within trials", style.BLUE, "o"),
    "boundary_between": ("boundary, noise between trials", style.SKY, "s"),
    "boundary_both": ("boundary, both noises", style.GREEN, "D"),
    "boundary_two": ("two boundaries", style.BLACK, "P"),
    "boundary_inferred": ("two boundaries, inferred condition", style.BLACK, "v"),
    "rules": ("rules", style.VERMILLION, "o"),
    "rules_both": ("rules, both noises", style.ORANGE, "D"),
    "rules_inferred": ("two rule bases, inferred condition", style.ORANGE, "v"),
    "wang_mendel": ("Wang-Mendel rules", style.YELLOW, "s"),
    "pipeline": ("the paper's pipeline", style.PURPLE, "^"),
    "control": ("controls", style.GREY, "x"),
}
"""Name, colour and marker of every family of models."""
QUESTIONS = {
    "kind": "which kind?",
    "kind, model chosen on training trials": "which kind, one model chosen?",
    "noise": "which noise of boundaries?",
    "conditions": "one boundary or two?",
    "shape": "which shape of boundaries?",
    "rules": "which rules?",
}
NEAR = 10
"""Nats per subject up to which the scale of differences is linear."""
TICKS = (-100, -10, -5, 0)
ROW = 0.119
"""Height of a model's row (inches), with its share of legend and axis."""
SMALL = 5.5
"""Size of the smallest letters (pt)."""


def words(model: str) -> str:
    """Return the name of a model for a label."""
    named = {
        "hazard_constant": "constant hazard",
        "hazard_time": "time only",
        "hazard_position": "position only",
        "logistic": "logistic",
        "quadratic": "logistic, quadratic",
        "optimal": "optimal policy, softmax",
    }
    if model in named:
        return named[model]
    *kind, last = model.split("_")
    text = " ".join(kind).replace("wang mendel", "Wang-Mendel").replace("free", "without penalty")
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
    axes.set(ylim=(len(order) - 0.3, -0.7), xlabel="elpd per subject minus the best (nats)")
    axes.set_yticks(range(len(order)), [words(model) for model in order], fontsize=5.8)
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


def _order(comparison: pd.DataFrame) -> list[str]:
    """Return the models by family, within a family in the order of the first condition."""
    first = comparison[comparison["condition"] == comparison["condition"].iloc[0]]
    return [model for family in FAMILIES for model in first.loc[first["family"] == family, "model"]]


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
            ticks.append(
                (place, name.replace("graded, noise between trials", "graded, both noises"))
            )
            place += 1
        place += 1.2
    axes.annotate("PXP", (1.02, 1.005), xycoords="axes fraction", fontsize=SMALL, va="bottom")
    _scale(axes)
    axes.set_yticks([y for y, _ in ticks], [name for _, name in ticks], fontsize=5.8)
    axes.set(ylim=(place - 1.4, -1.4), xlabel="elpd per subject minus the best (nats)")
    axes.set_title(f"pooled, {own['condition'].iloc[0]} trials", fontsize=7, loc="right")


def _draw_sensitivity(axes: Axes, sensitivity: pd.DataFrame) -> None:
    """Draw the rank of every model under every setting."""
    own = first_scheme(sensitivity)
    settings = [f"{width:g}" for width in own["bin_width"].unique()]
    ranks = own.pivot_table("rank", "bin_width", "model").loc[own["bin_width"].unique()]
    for model in ranks:
        _, colour, marker = FAMILIES[CATALOGUE[str(model)].family]
        axes.plot(range(len(settings)), ranks[model], color=colour, marker=marker, ms=2.5, lw=0.8)
    last = ranks.iloc[-1].sort_values()
    names = axes.secondary_yaxis("right")
    names.set_yticks(last.to_numpy(), [words(str(model)) for model in last.index], fontsize=SMALL)
    names.tick_params(length=0)
    names.spines["right"].set_visible(False)
    axes.set_xticks(range(len(settings)), settings, fontsize=SMALL)
    axes.set_yticks(range(1, int(ranks.to_numpy().max()) + 1))
    axes.set(
        xlim=(-0.3, len(settings) - 0.7),
        ylim=(ranks.to_numpy().max() + 0.5, 0.5),
        xlabel="Width of bins (s)",
        ylabel="Rank",
    )
    axes.set_title(f"{own['subjects'].iloc[0]:.0f} subjects", fontsize=7, loc="right")


def draw(
    comparison: pd.DataFrame,
    questions: pd.DataFrame,
    sensitivity: pd.DataFrame,
    dataset: Mapping[str, Any],
) -> Figure:
    """Draw the comparison of all models, the pooled answers, and bins of other widths.

    Parameters
    ----------
    comparison, questions, sensitivity : DataFrame
        Result tables ``stopping_*``.
    dataset : mapping
        Content of ``dataset.json``.
    """
    comparison, questions = first_scheme(comparison), first_scheme(questions)
    conditions = list(comparison["condition"].unique())
    order = _order(comparison)
    heights = (max(ROW * len(order), 2.0), 3.8)
    figure = style.new_figure(width=style.PAGE, height=sum(heights))
    upper, lower = figure.subfigures(2, 1, height_ratios=heights)
    panels = upper.subplots(1, len(conditions), sharey=True, squeeze=False)[0]
    for axes, condition in zip(panels, conditions, strict=True):
        _draw_models(axes, comparison[comparison["condition"] == condition], order)
    left, right = lower.subplots(1, 2)
    _draw_questions(left, questions)
    if len(sensitivity):
        _draw_sensitivity(right, sensitivity)
    else:
        style.nothing(right, "insufficient data")
    style.letter_all([*panels, left, right])
    handles = [
        panels[0].plot([], [], marker, color=colour, ms=3, label=name)[0]
        for family, (name, colour, marker) in FAMILIES.items()
        if family in set(comparison["family"])
    ]
    upper.legend(handles=handles, loc="outside upper center", ncols=4, fontsize=6)
    style.say_source(figure, dataset)
    return figure
