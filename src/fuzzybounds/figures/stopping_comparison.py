"""Fig. S7: fuzzy rules against boundaries on one likelihood."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fuzzybounds.figures import style
from fuzzybounds.stopping.catalogue import CATALOGUE

FAMILIES = {
    "boundary_within": ("boundary, noise within trials", style.BLUE, "o"),
    "boundary_between": ("boundary, noise between trials", style.SKY, "s"),
    "boundary_both": ("boundary, both noises", style.GREEN, "D"),
    "boundary_two": ("two boundaries", style.BLACK, "P"),
    "boundary_inferred": ("two boundaries, inferred condition", style.BLACK, "v"),
    "rules": ("rules", style.VERMILLION, "o"),
    "rules_both": ("rules, noise between trials too", style.ORANGE, "D"),
    "pipeline": ("the paper's pipeline", style.PURPLE, "^"),
    "control": ("controls", style.GREY, "x"),
}
"""Name, colour and marker of every family of models."""
SHORT = {
    "boundary_within": "boundary, within",
    "boundary_between": "boundary, between",
    "boundary_both": "boundary, both",
    "boundary_two": "two boundaries",
    "boundary_inferred": "two, inferred",
    "rules": "rules",
    "rules_both": "rules, both",
    "pipeline": "pipeline",
    "control": "control",
}
"""Names of families where there is little room."""
QUESTIONS = {
    "kind": "which kind?",
    "kind, noise within trials": "which kind, noise within trials?",
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
CALLS = {
    "called_boundary": ("boundary", style.BLUE, "white"),
    "undecided": ("undecided", "0.85", "black"),
    "called_rules": ("rules", style.VERMILLION, "white"),
}
"""What a cohort can be called: name, colour, and colour of what is written on it."""


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
    """Return the rows of the scheme that comes first."""
    return table[table["scheme"] == table["scheme"].iloc[0]] if len(table) else table


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


def confusion(recovery: pd.DataFrame) -> pd.DataFrame:
    """Return shares of wins by family in the first condition, one row per truth."""
    own = recovery[recovery["condition"] == recovery["condition"].iloc[0]]
    names = [family for family in FAMILIES if family in set(own["true_family"])]
    table = own.pivot_table("share", "true_family", "family").reindex(index=names, columns=names)
    return table.rename(index=SHORT, columns=SHORT)


def _draw_recovery(axes: Axes, recovery: pd.DataFrame) -> None:
    """Draw which family is best for simulated subjects, by the family that was simulated."""
    shares = confusion(recovery)
    written = shares.map(lambda share: f"{100 * share:.0f}" if share > 0 else "")
    style.heat_map(axes, shares, written, SMALL)
    axes.tick_params(labelsize=SMALL)
    axes.tick_params(axis="y", rotation=0)
    plt.setp(axes.get_xticklabels(), rotation=40, ha="right")
    axes.set(xlabel="Best family")
    simulated = int(recovery["subjects"].max())
    axes.set_title(f"recovery, % of {simulated}", fontsize=7, loc="right")


def _draw_power(axes: Axes, power: pd.DataFrame) -> None:
    """Draw what cohorts with a known truth would be called."""
    own = power[power["condition"] == power["condition"].iloc[0]]
    own = own[(own["question"] == "kind") & own["true_answer"].isin(["boundary", "rules"])]
    family = own["true_model"].map(lambda model: CATALOGUE[model].family)
    own = own.iloc[np.argsort([list(FAMILIES).index(name) for name in family])]
    left = np.zeros(len(own))
    for column, (name, colour, letters) in CALLS.items():
        shown = axes.barh(range(len(own)), own[column], 0.7, left, color=colour, label=name)
        written = [f"{share:.2f}" if share >= 0.1 else "" for share in own[column]]
        axes.bar_label(shown, written, label_type="center", fontsize=SMALL, color=letters)
        left += own[column].to_numpy()
    names = [SHORT[CATALOGUE[model].family] for model in own["true_model"]]
    axes.set_yticks(range(len(own)), names, fontsize=SMALL)
    axes.set(xlim=(0, 1), ylim=(len(own) - 0.5, -0.5))
    axes.set(xlabel="Share of cohorts called")
    axes.set_title(f"cohorts of {int(own['cohort'].max())}", fontsize=7, loc="right")
    axes.legend(
        bbox_to_anchor=(0.4, -0.42),
        **{"loc": "upper center", "ncols": 3, "fontsize": SMALL, "frameon": False},
        **{"handlelength": 0.8, "columnspacing": 0.8},
    )


def _draw_sensitivity(axes: Axes, sensitivity: pd.DataFrame) -> None:
    """Draw the rank of every model under every setting."""
    own = sensitivity[sensitivity["condition"] == sensitivity["condition"].iloc[0]]
    settings = list(own["setting"].unique())
    ranks = own.pivot_table("rank", "setting", "model").loc[settings]
    for model in ranks:
        _, colour, marker = FAMILIES[CATALOGUE[str(model)].family]
        axes.plot(range(len(settings)), ranks[model], color=colour, marker=marker, ms=2.5, lw=0.8)
    last = ranks.iloc[-1].sort_values()
    names = axes.secondary_yaxis("right")
    names.set_yticks(last.to_numpy(), [words(str(model)) for model in last.index], fontsize=SMALL)
    names.tick_params(length=0)
    names.spines["right"].set_visible(False)
    axes.set_xticks(range(len(settings)), settings, rotation=40, ha="right", fontsize=SMALL)
    axes.set_yticks(range(1, int(ranks.to_numpy().max()) + 1))
    axes.set(
        xlim=(-0.3, len(settings) - 0.7), ylim=(ranks.to_numpy().max() + 0.5, 0.5), ylabel="Rank"
    )
    axes.set_title("other settings", fontsize=7, loc="right")


def draw(
    comparison: pd.DataFrame,
    questions: pd.DataFrame,
    recovery: pd.DataFrame,
    power: pd.DataFrame,
    sensitivity: pd.DataFrame,
    dataset: Mapping[str, Any],
) -> Figure:
    """Draw the comparison of all models, the pooled answers, recovery, power and other settings.

    Parameters
    ----------
    comparison, questions, recovery, power, sensitivity : DataFrame
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
    below = lower.subplot_mosaic(
        [["pooled", "recovery", "settings"], ["pooled", "power", "settings"]],
        width_ratios=(1, 1, 0.95),
        height_ratios=(1.5, 1),
    )
    _draw_questions(below["pooled"], questions)
    for name, table, part in (
        ("recovery", recovery, _draw_recovery),
        ("power", power, _draw_power),
        ("settings", sensitivity, _draw_sensitivity),
    ):
        if len(table):
            part(below[name], table)
        else:
            style.nothing(below[name], "insufficient data")
    style.letter_all(
        [*panels, *(below[name] for name in ("pooled", "recovery", "power", "settings"))]
    )
    handles = [
        panels[0].plot([], [], marker, color=colour, ms=3, label=name)[0]
        for family, (name, colour, marker) in FAMILIES.items()
        if family in set(comparison["family"])
    ]
    upper.legend(handles=handles, loc="outside upper center", ncols=4, fontsize=6)
    style.say_source(figure, dataset)
    return figure
