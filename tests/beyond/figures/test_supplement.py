"""Figs. S1, S3, S5, S6, S9 and S10 on small made-up tables: each shows what the tables hold."""

from __future__ import annotations

from itertools import product

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from fuzzybounds.beyond.figures import figS1_recovery as recovery
from fuzzybounds.beyond.figures import figS3_model_recovery as model_recovery
from fuzzybounds.beyond.figures import figS5_beyond_learning as beyond_learning
from fuzzybounds.beyond.figures import figS6_human_learning as human_learning
from fuzzybounds.beyond.figures import figS9_regression_to_mean as regression_to_mean
from fuzzybounds.beyond.figures import figS10_rule_recovery as rule_recovery
from fuzzybounds.core.errors import TooFew
from fuzzybounds.paper.fuzzy.membership import labels

DATASET = {"kind": "simulated", "title": "Test"}


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def texts(axes) -> list[str]:
    return [text.get_text() for text in axes.texts]


def test_centres_and_losses_are_those_of_the_tables():
    centers = pd.DataFrame(product(("time", "position"), labels(3)), columns=["variable", "label"])
    centers = centers.assign(labels=3, center_bias=0.1, center_sd=0.05)
    losses = pd.DataFrame({"subject": ["a", "b"], "labels": 3, "true_loss": 0.5})
    losses = losses.assign(loss_before=[0.9, 1.0], loss_after=[0.4, 0.5])
    left, right = recovery.draw(centers, losses, n_labels=3).axes
    assert [list(own.lines[0].get_ydata()) for own in left.containers] == [[0.1] * 3] * 2
    medians = [line.get_ydata()[0] for line in right.lines if line.get_color() == "#D55E00"]
    assert medians == pytest.approx([0.95, 0.45, 0.5])


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


def test_every_line_of_the_learning_curves_is_named():
    reach = pd.DataFrame(product((3, 5), ("fixed", "tuned")), columns=["labels", "memberships"])
    reach = reach.assign(respond_at="steps", reward_rate=0.86, share_of_optimum=0.96)
    rules = pd.DataFrame(
        product(beyond_learning.RULES, ("slow", "fast")), columns=["rule", "start"]
    )
    curves = pd.concat(
        rules.assign(trial=trial, median=0.7, low=0.6, high=0.8) for trial in (0, 1000)
    )
    needed = [f"trials_needed{end}" for end in ("_low", "", "_high")]
    summary = rules.assign(replicates=4, **dict.fromkeys(needed, np.inf))
    figure = beyond_learning.draw(reach, curves, summary, 0.894)
    named = {text.get_text() for text in figure.legends[0].texts}
    assert named == {*beyond_learning.RULES, "optimum", "best rate of these labels"}


def test_learning_in_people_is_drawn_with_its_control():
    models = list(human_learning.NAMES)
    selection = pd.DataFrame(product(("aic", "bic"), models), columns=["criterion", "model"])
    selection = selection.assign(total=1000.0, n_best=2, protected_exceedance=0.1)
    selection.loc[selection["model"] == models[0], "total"] = 1010.0
    fits = pd.DataFrame(product("ab", models, (0, 1, 2)), columns=["subject", "model", "shuffle"])
    fits = fits.assign(nll=100.0 - fits["shuffle"])
    control = pd.DataFrame(product(human_learning.CONTROLLED, (1, 2)), columns=["model", "shuffle"])
    control = control.assign(nll=190.0, nll_shuffled=195.0, nll_drift=200.0, nll_serial=180.0)
    figure = human_learning.draw(fits, selection, control, DATASET)
    panels = [axes for part in figure.subfigs for axes in part.axes]
    heights = {bar.get_height() for bars in panels[0].containers for bar in bars}
    assert heights == {0.0, 10.0}
    gains = human_learning.gains_over_drift(fits, "outcome")
    assert gains["logged"].tolist() == [0.0, 0.0]
    assert gains[1].tolist() == [1.0, 1.0]


def changes(value: float) -> pd.DataFrame:
    rows = [
        (*contrast, group, sign * value, sign * value - 1, sign * value + 1)
        for contrast in (("first", "first", "last"), ("last", "first", "last"))
        for group, sign in (("fast", 1), ("slow", -1))
    ]
    return pd.DataFrame(rows, columns=["chosen_by", "from", "to", "group", "change", "low", "high"])


def test_every_contrast_has_its_row():
    groups = pd.DataFrame({"group": ["fast", "slow"], "blocks": 5})
    axes = regression_to_mean.draw(changes(10.0), groups, DATASET).axes[0]
    assert len(axes.get_yticks()) == 2
    assert axes.get_yticklabels()[0].get_text().startswith("chosen by the first 5 blocks:")
    means = [list(own.lines[0].get_xdata()) for own in axes.containers]
    assert means == [[10.0, 10.0], [-10.0, -10.0]]
    with pytest.raises(TooFew, match="no fast or slow subjects"):
        regression_to_mean.draw(changes(float("nan")), groups, DATASET)


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
