"""Fig. S11: the main result of the stopping models, with and without a motor delay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fuzzybounds.checks.figures.figS7_stopping_comparison import FAMILIES
from fuzzybounds.paper.figures import style

QUESTIONS = {"kind": "no direction", "kind with direction": "with direction"}
"""The questions that are drawn, and how the two kinds are compared in them."""
TRUTHS = {
    "boundary": ("if boundaries were true", style.BLUE),
    "rules": ("if rules were true", style.VERMILLION),
    "directed boundary": ("if boundaries with direction were true", style.SKY),
    "directed rules": ("if rules with direction were true", style.ORANGE),
    "control": ("if neither were (the best control)", style.GREY),
}
FAR = 1000.0
"""Nats beyond which families are drawn at the edge."""
DELAYS = {"none": ("no delay", "white"), "fitted": ("delay fitted", None)}


def leads(questions: pd.DataFrame) -> pd.DataFrame:
    """Return by how much boundaries are ahead of rules: one row per question, scheme and delay."""
    asked = questions[questions["question"].isin(QUESTIONS)]
    asked = asked.set_index(["question", "scheme", "delay", "answer"])[["elpd", "se"]]
    boundary, rules = (asked.xs(answer, level="answer") for answer in ("boundary", "rules"))
    se = boundary["se"].combine(rules["se"], max)
    return pd.DataFrame({"lead": boundary["elpd"] - rules["elpd"], "se": se}).reset_index()


def _draw_families(axes: Axes, comparison: pd.DataFrame) -> None:
    """Draw the best model of each family without and with a delay, one mark per scheme."""
    best = comparison.groupby(["scheme", "delay", "family"], sort=False)["elpd"].max()
    table = best.reset_index()
    with_delay = table[table["delay"] == "fitted"].groupby("scheme")["elpd"].max()
    table["difference"] = table["elpd"] - table["scheme"].map(with_delay)
    present = [family for family in FAMILIES if family in set(table["family"])]
    for place, family in enumerate(present):
        _, colour, _ = FAMILIES[family]
        for number, (_, part) in enumerate(
            table[table["family"] == family].groupby("scheme", sort=False)
        ):
            y = place + (number - 0.5) * 0.3
            by_delay = part.set_index("delay")["difference"].clip(lower=-FAR)
            axes.plot(by_delay, [y] * len(by_delay), color=colour, lw=0.6, zorder=1)
            for delay, value in by_delay.items():
                face = DELAYS[str(delay)][1] or colour
                marker = "o" if number == 0 else "s"
                axes.plot(value, y, marker, ms=3.2, mew=0.8, mec=colour, mfc=face)
    axes.set_xscale("symlog", linthresh=50)
    ticks = (-1000, -200, -50, 0)
    axes.set_xticks(ticks, [f"{tick}".replace("-", "\N{MINUS SIGN}") for tick in ticks])
    axes.minorticks_off()
    axes.set_yticks(range(len(present)), [FAMILIES[family][0] for family in present], fontsize=6)
    axes.set(ylim=(len(present) - 0.4, -0.6), xlabel="elpd minus the best with delay (nats)")
    axes.axvline(0, color=style.BLACK, lw=0.5, zorder=0)


def _draw_leads(axes: Axes, questions: pd.DataFrame, power: pd.DataFrame) -> None:
    """Draw the lead of boundaries over rules, and what it would be under known truths."""
    rows, ticks = leads(questions), []
    for place, row in enumerate(rows.to_dict("records")):
        known = power[
            (power["question"] == row["question"])
            & (power["scheme"] == row["scheme"])
            & (power["delay"] == row["delay"])
        ]
        for truth, (_, colour) in TRUTHS.items():
            cohorts = known[known["true_answer"] == truth]
            for mean, se in zip(cohorts["ahead"], cohorts["se"], strict=True):
                axes.plot(
                    [mean - 2 * se, mean + 2 * se],
                    [place + 0.22] * 2,
                    color=colour,
                    lw=3,
                    alpha=0.5,
                )
                axes.plot(mean, place + 0.22, "|", color=colour, ms=6)
        axes.errorbar(
            row["lead"], place - 0.1, xerr=2 * row["se"], fmt="o", color=style.BLACK, ms=3.2, lw=0.9
        )
        ticks.append(f"{QUESTIONS[row['question']]},\n{row['scheme']}, {DELAYS[row['delay']][0]}")
    axes.axvline(0, color=style.BLACK, lw=0.5, zorder=0)
    axes.set_yticks(range(len(ticks)), ticks, fontsize=6)
    axes.set(ylim=(len(ticks) - 0.4, -0.6), xlabel="Lead of boundaries over rules (nats)")


def draw(
    comparison: pd.DataFrame,
    questions: pd.DataFrame,
    power: pd.DataFrame,
    dataset: Mapping[str, Any],
) -> Figure:
    """Draw held-out density by family and the lead of boundaries, for every condition."""
    conditions = list(comparison["condition"].unique())
    figure, panels = style.subplots(
        len(conditions), 2, width=style.PAGE, height=0.6 + 2.9 * len(conditions), squeeze=False
    )
    for (left, right), condition in zip(panels, conditions, strict=True):
        compared, asked, known = (
            table[table["condition"] == condition] for table in (comparison, questions, power)
        )
        _draw_families(left, compared)
        _draw_leads(right, asked, known)
        left.set_title(f"{condition} trials", fontsize=7)
    style.letter_all(panels.flat)
    first = panels[0, 0]
    handles = [
        first.plot([], [], marker, color=style.BLACK, mfc=face, ms=3.2, label=name)[0]
        for marker, face, name in (
            ("o", "white", "every fifth block left out, no delay"),
            ("o", style.BLACK, "delay fitted"),
            ("s", "white", "a fifth of the session left out, no delay"),
            ("s", style.BLACK, "delay fitted"),
        )
    ]
    handles += [
        first.plot([], [], color=c, lw=3, alpha=0.5, label=n)[0] for n, c in TRUTHS.values()
    ]
    figure.legend(handles=handles, loc="outside upper center", ncols=4, fontsize=6)
    style.say_source(figure, dataset, "two standard errors over subjects, or over cohorts")
    return figure
