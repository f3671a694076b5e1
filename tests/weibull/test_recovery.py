import numpy as np
import pandas as pd
import pytest

from fuzzybounds.weibull.models import Model, all_models
from fuzzybounds.weibull.recovery import confusion, recover
from fuzzybounds.weibull.search import Budget

BRIEF = Budget(restarts=1, members=4, draws=10, generations=2, joint_generations=2)
CONDITIONS = np.resize(["easy", "hard", "easy"], 150)


def test_a_moving_boundary_is_told_from_a_resting_one():
    # The mean boundary falls from 200 px to 60 px through practice, whatever the outcomes.
    truth = Model("constant", "window")
    values = {"m": 200, "sigma": 8, "alpha_s": 0, "const": -1.5, "w_r": 1, "w_t": 1}
    theta = [values.get(x.split("_easy")[0].split("_hard")[0], 0.0) for x in truth.names]
    models = [Model("constant", "none"), truth]
    rows = recover(truth, np.array(theta), CONDITIONS, models, 1, "test", "s1", budget=BRIEF)
    assert set(rows["true_learning"]) == {"window"}
    assert rows.set_index("learning")["bic"].idxmin() == "window"
    again = recover(truth, np.array(theta), CONDITIONS, models, 1, "test", "s1", budget=BRIEF)
    pd.testing.assert_frame_equal(rows, again)


def test_confusion_counts_winners():
    models = [(model.shape, model.learning) for model in all_models()]
    rows = []
    for true, winners in {models[0]: [0, 0, 1, 0], models[9]: [9, 7, 9, 9]}.items():
        for subject, winner in enumerate(winners):
            for i, model in enumerate(models):
                score = -10.0 if i == winner else float(i)
                rows.append((*true, str(subject), "decision", *model, score, -score))
    names = ["true_shape", "true_learning", "subject", "boundary_time", "shape", "learning"]
    table = confusion(pd.DataFrame(rows, columns=[*names, "bic", "aic"]))
    assert len(table) == 2 * 10
    assert (table["n"] == 4).all()
    shares = table.set_index(["true_shape", "true_learning", "shape", "learning"])["share"]
    assert shares["constant", "none", "constant", "none"] == 0.75
    assert shares["constant", "none", "weibull", "none"] == 0.25
    assert shares["weibull", "rl", "weibull", "rl"] == 0.75
    assert shares.groupby(["true_shape", "true_learning"]).sum().tolist() == pytest.approx([1, 1])
