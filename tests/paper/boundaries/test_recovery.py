import numpy as np
import pandas as pd
import pytest

from fuzzybounds.checks.recovery.boundary_models import (
    WAYS,
    confusion,
    recover,
    recovered,
    redraw,
)
from fuzzybounds.core.seeds import generator
from fuzzybounds.paper.boundaries.models import CUED, UNCUED, Model, all_models
from fuzzybounds.paper.boundaries.recursion import course_of
from fuzzybounds.paper.boundaries.search import Budget
from fuzzybounds.paper.boundaries.trials import trials_of

from .conftest import made_up_table, some_parameters

BRIEF = Budget(restarts=1, members=4, generations=2)


def experiment(n=150):
    table = pd.DataFrame(made_up_table(n, seed=3))
    return table.assign(condition=np.resize(["easy", "hard", "easy"], n))


def test_a_canoe_that_walks_to_a_constant_boundary_looks_as_if_it_varied():
    # A far boundary takes longer to reach: given the time, positions grow with it.  Given their
    # times, positions do not, and the constant boundary is the better model again.
    truth = Model("constant", "none")
    theta = np.array([100.0, 35.0, 100.0, 35.0])
    models = [truth, Model("weibull", "none")]
    table = experiment(300).assign(condition="easy")
    winners = {}
    for way in WAYS:
        rows = recover(truth, theta, table, models, 1, "test", "s1", way=way, budget=BRIEF)
        winners[way] = rows.set_index("shape")["bic"].idxmin()
    assert winners == {"times": "constant", "walk": "weibull"}


def test_confusion_counts_winners():
    models = [(model.shape, model.learning) for model in all_models()]
    rows = []
    last, window = len(models) - 1, models.index(("weibull", "window"))
    winners_of = {models[0]: [0, 0, 1, 0], models[last]: [last, window, last, last]}
    for true, winners in winners_of.items():
        for subject, winner in enumerate(winners):
            for i, model in enumerate(models):
                score = -10.0 if i == winner else float(i)
                rows.append((*true, str(subject), "decision", *model, score, -score))
    names = ["true_shape", "true_learning", "subject", "boundary_time", "shape", "learning"]
    recoveries = pd.DataFrame(rows, columns=[*names, "bic", "aic"])
    table = confusion(recoveries.assign(way="walk"), "bic")
    assert len(table) == 2 * len(models)
    assert set(table["way"]) == {"walk"}
    assert (table["n"] == 4).all()
    shares = table.set_index(["true_shape", "true_learning", "shape", "learning"])["share"]
    assert shares["constant", "none", "constant", "none"] == 0.75
    assert shares["constant", "none", "weibull", "none"] == 0.25
    assert shares["weibull", "rl", "weibull", "rl"] == 0.75
    summary = recovered(table).set_index(["true_shape", "true_learning"])
    assert summary.loc[("constant", "none"), ["model", "shape", "learning"]].tolist() == [
        *(0.75, 0.75, 1.0)  # weibull-none, for one of four
    ]
    assert summary.loc[("weibull", "rl"), ["model", "shape", "learning"]].tolist() == [
        *(0.75, 1.0, 0.75)  # weibull-window, for one of four
    ]
    assert shares.groupby(["true_shape", "true_learning"]).sum().tolist() == pytest.approx([1, 1])


@pytest.mark.parametrize(
    "model", [*all_models(CUED), *all_models(UNCUED)], ids=lambda m: f"{m.name}-{len(m.conditions)}"
)
def test_redrawn_positions_scatter_around_the_boundary_as_the_likelihood_has_it(model, table):
    trials = trials_of(table, model.conditions)
    theta = some_parameters(model, generator(1, "redraw", model.name))
    drawn = redraw(model, theta, trials, generator(1, "redrawn", model.name))
    course = course_of(model, theta, drawn)
    z = (drawn.size - course.boundary)[trials.responded] / course.sigma[trials.responded]
    expected = generator(1, "redrawn", model.name).standard_normal(int(trials.responded.sum()))
    np.testing.assert_allclose(z, expected, atol=1e-6)
    np.testing.assert_array_equal(drawn.time, trials.time)
