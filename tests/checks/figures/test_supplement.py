"""Supplementary figures on small made-up tables: each shows what the tables hold."""

from __future__ import annotations

from itertools import product

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from fuzzybounds.checks.figures import figS3_model_recovery as model_recovery
from fuzzybounds.checks.figures import figS6_after_errors as after_errors
from fuzzybounds.checks.figures import figS7_stopping_comparison as stopping_comparison
from fuzzybounds.checks.figures import figS10_rule_recovery as rule_recovery
from fuzzybounds.checks.figures import figS11_rules_or_boundary as rules_or_boundary
from fuzzybounds.checks.figures import figS12_boundary_and_errors as boundary_and_errors
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.errors import TooFew
from fuzzybounds.paper.fuzzy.membership import labels
from fuzzybounds.stopping.catalogue import CATALOGUE

DATASET = {"kind": "simulated", "title": "Test"}


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def texts(axes) -> list[str]:
    return [text.get_text() for text in axes.texts]


def test_confusion_matrices_have_a_row_per_truth():
    models = [name.split() for name in model_recovery.MODELS]
    rows = [
        (way, "bic", *true, *fitted, 0.75 if true == fitted else 0.0, 4)
        for way in model_recovery.WAYS
        for true, fitted in product(models, repeat=2)
    ]
    names = ["way", "criterion", "true_shape", "true_learning", "shape", "learning", "share", "n"]
    table = pd.DataFrame(rows, columns=names).assign(stable=True)
    shares = model_recovery.matrix(table, "bic", "walk").to_numpy()
    assert np.diag(shares) == pytest.approx(0.75)
    figure = model_recovery.draw(table, DATASET)
    assert texts(figure.axes[0]).count("0.75") == len(models)


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


def test_shares_of_recovered_rules_are_beside_the_averages():
    premises = list(product(labels(5), repeat=2))
    names = ["group", "window", "time_label", "position_label", "mean"]
    groups = {"fast": 0.9, "slow": 0.2}
    rows = [(group, "first", *own, mean) for group, mean in groups.items() for own in premises]
    consequents = pd.DataFrame(rows, columns=names).assign(n_subjects=2, labels=5, blocks=20)
    names = ["time_label", "position_label", "consequent"]
    cells = pd.DataFrame([(*own, rule) for own in premises for rule in (0.0, 1.0)], columns=names)
    cells = cells.assign(labels=5, subjects=2, empty=0.25, found=0.6, guess=0.5)
    cells.loc[0, ["empty", "found"]] = [1.0, 0.0]
    of = pd.DataFrame({"subject": ["a", "b"], "group": ["fast", "slow"]})
    figure = rule_recovery.draw(consequents, of, cells, DATASET)
    slow, fast, none, go, stop, _ = figure.axes[:6]
    assert texts(slow).count("0.20") == 25
    assert texts(fast).count("0.90") == 25
    assert texts(stop).count("0.60") == 25
    assert (texts(go).count("0.60"), texts(go).count("no\nrule")) == (24, 1)
    assert "no subjects with 3 labels" in " ".join(texts(none))


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
    assert len(left.get_yticks()) == len(stopping_comparison.FAMILIES)
    marks = [x for own in right.containers for x in own.lines[0].get_xdata()]
    assert marks == [30.0, -10.0]
    bars = [line.get_xdata() for line in right.lines if len(line.get_xdata()) == 2]
    assert [60.0, 100.0] in [list(ends) for ends in bars]


def test_a_boundary_is_drawn_where_decisions_were_made():
    rows = [
        {
            **KEY,
            **{"subject": f"S{number}", "model": boundary_and_errors.MODEL, "scheme": "all"},
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
    nothing = TABLES["session_population"].empty()
    figure = boundary_and_errors.draw(trials, pd.DataFrame(rows), nothing, DATASET)
    assert figure.axes[0].lines[0].get_xdata() == pytest.approx([0.8, 1.8, 2.8])
    with pytest.raises(TooFew, match="fewer than 3"):
        boundary_and_errors.draw(trials, pd.DataFrame(rows[:2]), nothing, DATASET)
