"""Figs. S7 and S8 on small made-up tables: every model and condition is drawn, or its lack said."""

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.figures import stopping_checks, stopping_comparison
from fuzzybounds.stopping.catalogue import CATALOGUE, FAMILIES
from fuzzybounds.storage.registry import TABLES

DATASET = {"kind": "simulated", "title": "Test"}


def made_up(conditions):
    names = list(CATALOGUE)
    comparison = pd.DataFrame(
        {
            "condition": np.repeat(conditions, len(names)),
            "scheme": "interleaved",
            "model": names * len(conditions),
            "family": [CATALOGUE[name].family for name in names] * len(conditions),
            "elpd": -1000.0 - np.arange(len(names) * len(conditions)),
            "elpd_difference": -1.0 * np.arange(len(names) * len(conditions)),
            "low": -200.0,
            "high": 20.0,
            "subjects": 4,
        }
    )
    questions = pd.DataFrame(
        {
            "condition": conditions[0],
            "scheme": "interleaved",
            "question": ["kind", "kind", "noise", "noise"],
            "answer": ["boundary", "rules", "within", "both"],
            "elpd_difference": [0.0, -5.0, 0.0, -8.0],
            "low": [0.0, -9.0, 0.0, -12.0],
            "high": [0.0, -1.0, 0.0, -4.0],
            "protected_exceedance": 0.5,
            "subjects": 4,
        }
    )
    return comparison, questions


@pytest.mark.parametrize("conditions", [["all"], ["easy", "hard"]])
def test_every_model_has_a_mark_in_every_condition(conditions):
    comparison, questions = made_up(conditions)
    recovery = pd.DataFrame(
        {
            "condition": conditions[0],
            "true_family": np.repeat(["rules", "control"], 2),
            "family": ["rules", "control"] * 2,
            "share": [0.75, 0.25, 0.0, 1.0],
            "subjects": 4,
        }
    )
    power = pd.DataFrame(
        {
            "condition": conditions[0],
            "question": "kind",
            "true_answer": ["boundary", "rules"],
            "true_model": ["within_linear", "graded_3"],
            "cohort": 26,
            "called_boundary": [0.875, 0.125],
            "undecided": [0.125, 0.25],
            "called_rules": [0.0, 0.625],
        }
    )
    nothing = TABLES["stopping_sensitivity"].empty()
    figure = stopping_comparison.draw(comparison, questions, recovery, power, nothing, DATASET)
    panels = [axes for part in figure.subfigs for axes in part.axes]
    assert len(panels) == len(conditions) + 4
    for axes in panels[: len(conditions)]:
        drawn = [x for line in axes.containers for x in line.lines[0].get_xdata()]
        assert len(drawn) == len(CATALOGUE)
    written = [{text.get_text() for text in axes.texts} for axes in panels[len(conditions) :]]
    assert any("insufficient data" in texts for texts in written)
    assert any({"75", "25", "100"} <= texts for texts in written)
    assert any({"0.88", "0.12", "0.62"} <= texts for texts in written)


def test_checks_show_the_best_model_of_each_family():
    comparison, _ = made_up(["easy"])
    statistics = [name for panel in stopping_checks.PANELS.values() for name in panel]
    rows = [
        {
            "condition": "easy",
            "model": model,
            "family": CATALOGUE[model].family,
            "statistic": statistic,
            "data": 1.0,
            "predicted": 1.5,
            "se": 0.1,
        }
        for model in CATALOGUE
        for statistic in statistics
    ]
    figure = stopping_checks.draw(pd.DataFrame(rows), comparison, DATASET)
    assert len(figure.axes) == 4
    for axes in figure.axes:
        assert len(axes.containers) == len(FAMILIES)
        marks = np.concatenate([own.lines[0].get_ydata() for own in axes.containers])
        assert marks == pytest.approx(0.5)


def test_every_family_and_model_has_a_name():
    assert set(stopping_comparison.FAMILIES) == set(FAMILIES)
    assert stopping_comparison.words("wang_mendel_tuned_5") == "Wang-Mendel tuned, 5 labels"
    assert stopping_comparison.words("within_weibull") == "within, Weibull"
    assert stopping_comparison.words("pipeline_free_3") == "pipeline without penalty, 3 labels"
