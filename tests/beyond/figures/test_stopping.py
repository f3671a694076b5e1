"""Figs. S7, S8, S11 and S12 on small made-up tables: all is drawn, or its lack said."""

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.beyond.figures import figS7_stopping_comparison as stopping_comparison
from fuzzybounds.beyond.figures import figS8_stopping_checks as stopping_checks
from fuzzybounds.beyond.figures import figS11_rules_or_boundary as rules_or_boundary
from fuzzybounds.beyond.figures import figS12_boundary_and_errors as boundary_and_errors
from fuzzybounds.beyond.stopping.catalogue import CATALOGUE, FAMILIES
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.errors import TooFew

DATASET = {"kind": "simulated", "title": "Test"}


KEY = {"condition": "easy", "scheme": "interleaved", "delay": "fitted"}


def made_up(conditions):
    """Comparisons of every model, and questions of the first condition."""
    names = list(CATALOGUE)
    order = np.arange(len(names) * len(conditions))
    comparison = pd.DataFrame(
        {
            **KEY,
            "condition": np.repeat(conditions, len(names)),
            "model": names * len(conditions),
            "family": [CATALOGUE[name].family for name in names] * len(conditions),
            "elpd": -1000.0 - order,
            "elpd_difference": -1.0 * order,
            **{"low": -200.0, "high": 20.0, "subjects": 4},
        }
    )
    questions = pd.DataFrame(
        {
            **KEY,
            "condition": conditions[0],
            "question": ["kind", "kind", "noise", "noise"],
            "answer": ["boundary", "rules", "within", "both"],
            "elpd_difference": [0.0, -5.0, 0.0, -8.0],
            "low": [0.0, -9.0, 0.0, -12.0],
            "high": [0.0, -1.0, 0.0, -4.0],
            **{"protected_exceedance": 0.5, "subjects": 4},
        }
    )
    return comparison, questions


@pytest.mark.parametrize("conditions", [["all"], ["easy", "hard"]])
def test_every_model_has_a_mark_in_every_condition(conditions):
    comparison, questions = made_up(conditions)
    *panels, last = stopping_comparison.draw(comparison, questions, DATASET).axes
    assert len(panels) == len(conditions)
    for axes in panels:
        drawn = [x for line in axes.containers for x in line.lines[0].get_xdata()]
        assert len(drawn) == len(CATALOGUE)
    assert len(last.get_yticks()) == len(questions)


def test_checks_show_the_best_model_of_each_family():
    comparison, _ = made_up(["easy"])
    statistics = [name for _, panel in stopping_checks.PANELS.values() for name in panel]
    rows = [
        {
            **{"condition": "easy", "delay": "fitted", "statistic": statistic},
            **{"model": model, "family": CATALOGUE[model].family},
            **{"data": 1.0, "predicted": 1.5, "se": 0.1},
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


def test_leads_are_drawn_beside_those_of_known_truths():
    comparison, _ = made_up(["easy"])
    comparison = pd.concat([comparison, comparison.assign(delay="none", elpd=-2000.0)])
    asked = list(rules_or_boundary.QUESTIONS)
    questions = pd.DataFrame(
        {
            **KEY,
            "question": np.repeat(asked, 2),
            "answer": ["boundary", "rules"] * 2,
            "elpd": [-100.0, -130.0, -110.0, -100.0],
            "se": [0.0, 12.0, 5.0, 0.0],
        }
    )
    leads = rules_or_boundary.leads(questions)
    assert leads["lead"].tolist() == [30.0, -10.0]
    assert leads["se"].tolist() == [12.0, 5.0]
    power = pd.DataFrame(
        {
            **KEY,
            "question": asked[0],
            "true_answer": ["boundary", "rules"],
            "boundary_ahead": [80.0, -60.0],
            "se": [10.0, 20.0],
        }
    )
    figure = rules_or_boundary.draw(comparison, questions, power, DATASET)
    left, right = figure.axes
    assert len(left.get_yticks()) == len(FAMILIES)
    marks = [x for own in right.containers for x in own.lines[0].get_xdata()]
    assert marks == [30.0, -10.0]
    bars = [line.get_xdata() for line in right.lines if len(line.get_xdata()) == 2]
    assert [60.0, 100.0] in [list(ends) for ends in bars]


def test_a_boundary_is_drawn_where_decisions_were_made():
    rows = [
        {
            **KEY,
            **{"subject": f"S{number}", "model": boundary_and_errors.MODEL, "scheme": "none"},
            **{"motor_delay": 0.2, "level": 200.0 + number, "asymptote": 80.0},
            **{"time_scale": 2.0, "sigma": 30.0, "tau": 15.0},
        }
        for number in range(4)
    ]
    trials = pd.DataFrame(
        {
            "subject": np.repeat([f"S{number}" for number in range(4)], 3),
            "condition": "easy",
            "rt": [1.0, 2.0, 3.0] * 4,
            "position": [100.0, -120.0, 90.0] * 4,
            "responded": True,
        }
    )
    errors = pd.DataFrame(
        {
            "quantity": ["rt", "distance"],
            "previous": "easy",
            "measure": "regression",
            **{"change": [0.3, 2.0], "low": [0.1, -3.0], "high": [0.5, 7.0]},
            **{"permuted": 0.0, "p_permuted": 0.01},
        }
    )
    nothing = TABLES["session_population"].empty()
    figure = boundary_and_errors.draw(trials, pd.DataFrame(rows), errors, nothing, DATASET)
    assert figure.axes[0].lines[0].get_xdata() == pytest.approx([0.8, 1.8, 2.8])
    with pytest.raises(TooFew, match="fewer than 3"):
        boundary_and_errors.draw(trials, pd.DataFrame(rows[:2]), errors, nothing, DATASET)
