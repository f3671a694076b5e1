"""Fig. S7: fuzzy rules against boundaries on one likelihood."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import seaborn
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fuzzybounds.figures import style

FAMILIES = {
    "boundary_within": ("boundary, noise within trials", style.BLUE, "o"),
    "boundary_between": ("boundary, noise between trials", style.SKY, "s"),
    "boundary_both": ("boundary, both noises", style.GREEN, "D"),
    "rules": ("rules", style.VERMILLION, "o"),
    "rules_both": ("rules, noise between trials too", style.ORANGE, "D"),
    "pipeline": ("the paper's pipeline", style.PURPLE, "^"),
    "control": ("controls", style.GREY, "x"),
}
"""Name, colour and marker of every family of models."""
SHORT = {
    "boundary_within": "b. within",
    "boundary_between": "b. between",
    "boundary_both": "b. both",
    "rules": "rules",
    "rules_both": "rules both",
    "pipeline": "pipeline",
    "control": "control",
}
QUESTIONS = ("kind", "kind, noise within trials", "noise", "shape", "rules")
NEAR = 10
"""Nats per subject up to which the scale of differences is linear."""


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
    axes.axvline(0, color=style.BLACK, lw=0.5, zorder=0)
    axes.set_xscale("symlog", linthresh=NEAR, linscale=1.5)
    axes.set(ylim=(len(order) - 0.3, -0.7), xlabel="elpd per subject minus the best (nats)")
    axes.set_yticks(range(len(order)), [words(model) for model in order], fontsize=5.8)
    axes.set_title(f"{own['condition'].iloc[0]} trials", fontsize=7)


def _order(comparison: pd.DataFrame) -> list[str]:
    """Return the models by family, within a family in the order of the first condition."""
    first = comparison[comparison["condition"] == comparison["condition"].iloc[0]]
    return [model for family in FAMILIES for model in first.loc[first["family"] == family, "model"]]


def _draw_questions(axes: Axes, questions: pd.DataFrame) -> None:
    """Draw the answers to every question: differences per subject, and protected exceedance."""
    own = questions[questions["condition"] == questions["condition"].iloc[0]]
    place, ticks = 0.0, []
    for question in QUESTIONS:
        part = own[own["question"] == question]
        axes.annotate(
            question,
            (0.02, place - 0.55),
            xycoords=("axes fraction", "data"),
            **{"fontsize": 5.5, "style": "italic", "color": style.GREY, "va": "center"},
        )
        for row in part.itertuples():
            n = row.subjects
            reach = [[(row.elpd_difference - row.low) / n], [(row.high - row.elpd_difference) / n]]
            colour = style.BLACK if row.elpd_difference == 0 else style.GREY
            axes.errorbar(
                row.elpd_difference / n, place, xerr=reach, fmt="o", color=colour, ms=3, lw=0.8
            )
            axes.annotate(
                f"{row.protected_exceedance:.2f}",
                (1.02, place),
                xycoords=("axes fraction", "data"),
                va="center",
                fontsize=5.5,
            )
            ticks.append((place, str(row.answer).replace("weibull", "Weibull")))
            place += 1
        place += 1.0
    axes.annotate("p. exc.", (1.02, 1.0), xycoords="axes fraction", fontsize=5.5, va="bottom")
    axes.axvline(0, color=style.BLACK, lw=0.5, zorder=0)
    axes.set_xscale("symlog", linthresh=NEAR, linscale=1.5)
    axes.set_yticks([y for y, _ in ticks], [name for _, name in ticks], fontsize=5.8)
    axes.set(ylim=(place - 1.1, -1.1), xlabel="elpd per subject minus the best answer (nats)")
    axes.set_title(f"     pooled, {own['condition'].iloc[0]} trials", fontsize=7)


def confusion(recovery: pd.DataFrame) -> pd.DataFrame:
    """Return shares of wins by family in the first condition, one row per truth."""
    own = recovery[recovery["condition"] == recovery["condition"].iloc[0]]
    names = [family for family in FAMILIES if family in set(own["true_family"])]
    table = own.pivot_table("share", "true_family", "family").reindex(index=names, columns=names)
    return table.rename(index=SHORT, columns=SHORT)


def _draw_recovery(axes: Axes, recovery: pd.DataFrame) -> None:
    shares = confusion(recovery)
    written = shares.map(lambda share: f"{share:.2f}" if share > 0 else "")
    seaborn.heatmap(
        shares,
        ax=axes,
        **{"vmin": 0, "vmax": 1, "cmap": style.OUTPUT_MAP, "cbar": False},
        **{"annot": written, "fmt": "", "annot_kws": {"fontsize": 5.5}},
    )
    axes.set(xlabel="Best family", ylabel="Simulated family")
    axes.tick_params(length=0, labelsize=5.8)
    axes.tick_params(axis="x", rotation=40)
    axes.tick_params(axis="y", rotation=0)
    axes.set_title(f"recovery, {int(recovery['subjects'].max())} subjects each", fontsize=7)


def _draw_sensitivity(axes: Axes, sensitivity: pd.DataFrame) -> None:
    """Draw the rank of every model under every setting."""
    own = sensitivity[sensitivity["condition"] == sensitivity["condition"].iloc[0]]
    settings = list(own["setting"].unique())
    ranks = own.pivot_table("rank", "setting", "model").loc[settings]
    families = {"within": "boundary_within", "between": "boundary_between", "both": "boundary_both"}
    families |= {"pipeline": "pipeline", "logistic": "control"}
    for model in ranks:
        _, colour, marker = FAMILIES[families.get(model.split("_")[0], "rules")]
        axes.plot(range(len(settings)), ranks[model], color=colour, marker=marker, ms=2.5, lw=0.8)
        axes.annotate(
            words(model), (len(settings) - 0.85, ranks[model].iloc[-1]), fontsize=5, va="center"
        )
    axes.set_xticks(range(len(settings)), settings, rotation=40, ha="right", fontsize=5.5)
    axes.set(
        xlim=(-0.3, len(settings) + 1.8), ylim=(ranks.to_numpy().max() + 0.5, 0.5), ylabel="Rank"
    )
    axes.set_title("other settings", fontsize=7)


def draw(
    comparison: pd.DataFrame,
    questions: pd.DataFrame,
    recovery: pd.DataFrame,
    sensitivity: pd.DataFrame,
    dataset: Mapping[str, Any],
) -> Figure:
    """Draw the comparison of all models, the pooled answers, recovery, and other settings.

    Parameters
    ----------
    comparison, questions, recovery, sensitivity : DataFrame
        Result tables ``stopping_*``.
    dataset : mapping
        Content of ``dataset.json``.
    """
    comparison, questions = first_scheme(comparison), first_scheme(questions)
    conditions = list(comparison["condition"].unique())
    figure = style.new_figure(width=style.PAGE, height=7.0)
    upper, lower = figure.subfigures(2, 1, height_ratios=(1.15, 1))
    panels = upper.subplots(1, len(conditions), sharey=True, squeeze=False)[0]
    order = _order(comparison)
    for axes, condition in zip(panels, conditions, strict=True):
        _draw_models(axes, comparison[comparison["condition"] == condition], order)
    below = lower.subplots(1, 3, width_ratios=(1, 0.9, 1.15))
    _draw_questions(below[0], questions)
    for axes, table, part in (
        (below[1], recovery, _draw_recovery),
        (below[2], sensitivity, _draw_sensitivity),
    ):
        if len(table):
            part(axes, table)
        else:
            style.nothing(axes, "insufficient data")
    style.letter_all([*panels, *below])
    handles = [
        panels[0].plot([], [], marker, color=colour, ms=3, label=name)[0]
        for name, colour, marker in FAMILIES.values()
    ]
    upper.legend(handles=handles, loc="outside upper center", ncols=4, fontsize=6)
    style.say_source(figure, dataset)
    return figure
