"""Figs. S1, S3, S5 and S6 on small made-up tables: each shows what the tables hold."""

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
from fuzzybounds.paper.fuzzy.membership import labels

DATASET = {"kind": "simulated", "title": "Test"}


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def texts(axes) -> set[str]:
    return {text.get_text() for text in axes.texts}


def test_recovery_counts_right_rules_among_those_stated():
    rows = [
        (time, position, 0.5 if time == "S" else np.nan, 0.0 if time == "S" else 1.0)
        for time, position in product(labels(3), repeat=2)
    ]
    cells = pd.DataFrame(rows, columns=["time_label", "position_label", "recovered", "empty"])
    cells = cells.assign(labels=3, n=4, support=7.0)
    centers = pd.DataFrame(product(("time", "position"), labels(3)), columns=["variable", "label"])
    centers = centers.assign(labels=3, center_bias=0.1, center_sd=0.05)
    losses = pd.DataFrame({"subject": ["a", "b"], "labels": 3, "true_loss": 0.5})
    losses = losses.assign(loss_before=[0.9, 1.0], loss_after=[0.4, 0.5])
    figure = recovery.draw(cells, centers, losses, n_labels=3)
    # A premise that no fit has a rule for has no share.
    assert {"0.50\n7", "–"} <= texts(figure.axes[0])
    shares = recovery.by_premise(cells).set_index("time_label")["recovered"]
    assert (shares["S"] == 0.5).all()
    assert shares[["M", "L"]].isna().all()


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
    assert sum(text.get_text() == "0.75" for text in figure.axes[0].texts) == len(models)


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
