"""Supplementary figures on small made-up tables: each shows what the tables hold."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.checks.figures import figS6_after_errors as after_errors
from fuzzybounds.checks.figures import figS7_stopping_comparison as stopping_comparison
from fuzzybounds.checks.figures import figS11_rules_or_boundary as rules_or_boundary
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.stopping.catalogue import CATALOGUE

pytestmark = pytest.mark.usefixtures("closed")
DATASET = {"kind": "simulated", "title": "Test"}


def texts(axes) -> list[str]:
    return [text.get_text() for text in axes.texts]


def test_changes_after_errors_are_drawn_beside_those_after_permuted_errors():
    table = pd.DataFrame(
        product(("rt", "distance"), ("any", "easy", "hard"), ("regression", "difference")),
        columns=["quantity", "previous", "measure"],
    )
    table = table.assign(subjects=7, change=0.4, low=0.1, high=0.7)
    table = table.assign(permuted=0.0, permuted_low=-0.2, permuted_high=0.2)
    table.loc[table["previous"] == "hard", ["subjects", "change"]] = (9, 0.3)
    for axes in after_errors.draw(table, DATASET).axes:
        ticks = [tick.get_text() for tick in axes.get_yticklabels()]
        assert ticks == ["easy error\n(7 subjects)", "hard error\n(9 subjects)"]
        logged, permuted = axes.containers
        assert list(logged.lines[0].get_xdata()) == [0.4, 0.3]
        (bars,) = permuted.lines[2]
        assert bars.get_segments()[0][:, 0] == pytest.approx([-0.2, 0.2])
    left, right = after_errors.draw(table[table["quantity"] == "rt"], DATASET).axes
    assert (texts(left), texts(right)) == ([], ["insufficient data"])
    nobody = TABLES["post_error"].empty()
    assert all(
        texts(axes) == ["insufficient data"] for axes in after_errors.draw(nobody, DATASET).axes
    )


KEY = {"condition": "easy", "scheme": "interleaved", "delay": "fitted"}


def test_leads_are_drawn_beside_those_of_known_truths():
    models = [{"model": name, "family": own.family} for name, own in CATALOGUE.items()]
    comparison = pd.DataFrame(models).assign(**KEY, elpd=-1000.0)
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
    assert len(left.get_yticks()) == len(stopping_comparison.FAMILIES)
    marks = [x for own in right.containers for x in own.lines[0].get_xdata()]
    assert marks == [30.0, -10.0]
    bars = [line.get_xdata() for line in right.lines if len(line.get_xdata()) == 2]
    assert [60.0, 100.0] in [list(ends) for ends in bars]
