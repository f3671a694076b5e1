"""Fig. S10: every rule of the truth has its share, and what is missing is said."""

import pandas as pd
import pytest

from fuzzybounds.beyond.figures import figS1_recovery
from fuzzybounds.beyond.figures import figS10_rule_recovery as rule_recovery
from fuzzybounds.paper.fuzzy.membership import labels

DATASET = {"kind": "simulated", "title": "tiny"}
GROUPS = pd.DataFrame({"subject": ["a", "b"], "group": ["fast", "slow"]})


def premises(n_labels):
    return [(time, position) for time in labels(n_labels) for position in labels(n_labels)]


@pytest.fixture
def consequents():
    rows = [
        (group, "first", time, position, mean, 2, 5, 20)
        for group, mean in (("fast", 0.9), ("slow", 0.2))
        for time, position in premises(5)
    ]
    names = [
        "group",
        "window",
        "time_label",
        "position_label",
        "mean",
        "n_subjects",
        "labels",
        "blocks",
    ]
    return pd.DataFrame(rows, columns=names)


@pytest.fixture
def cells():
    rows = [
        (5, time, position, consequent, 20, 2, 3.0, 0.25, 0.6, 0.8, 0.7, 0.5)
        for time, position in premises(5)
        for consequent in (0.0, 1.0)
    ]
    names = "labels time_label position_label consequent n subjects support empty found recovered"
    return pd.DataFrame(rows, columns=[*names.split(), "at_place", "guess"])


def texts(axes):
    return [text.get_text() for text in axes.texts]


def test_shares_are_beside_the_averages(consequents, cells):
    cells.loc[0, ["empty", "found"]] = [1.0, 0.0]
    figure = rule_recovery.draw(consequents, GROUPS, cells, DATASET)
    slow, fast, none, go, stop, _ = figure.axes[:6]
    assert texts(slow).count("0.20") == 25
    assert texts(fast).count("0.90") == 25
    assert texts(stop).count("0.60") == 25
    assert (texts(go).count("0.60"), texts(go).count("no\nrule")) == (24, 1)
    assert "no subjects with 3 labels" in " ".join(texts(none))


def test_shares_of_a_premise_are_pooled_over_its_true_consequents(cells):
    two = cells[:2].assign(n=[30, 10], empty=[0.5, 0.0], recovered=[1.0, 0.2], support=[1.0, 5.0])
    (row,) = figS1_recovery.by_premise(two).itertuples()
    assert row.recovered == pytest.approx((15 + 2) / 25)
    assert row.support == pytest.approx(2.0)
