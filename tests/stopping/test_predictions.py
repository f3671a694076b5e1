"""Predictions: exact against simulated, and whether simulated trials give back their parameters."""

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.stopping.catalogue import CATALOGUE
from fuzzybounds.stopping.checks import (
    STATISTICS,
    _of_data,
    _of_prediction,
    check_predictions,
)
from fuzzybounds.stopping.comparison import compare
from fuzzybounds.stopping.fits import fit_stopping
from fuzzybounds.stopping.lattice import Bins, on_lattice, outcomes, states
from fuzzybounds.stopping.likelihood import Likelihood
from fuzzybounds.stopping.model import fit
from fuzzybounds.stopping.predictions import predict, simulate
from fuzzybounds.stopping.recovery import recover_stopping, tabulate

THETA = {
    "within_exponential": [1.8, 0.8, np.log(4.0), -5.0, -1.5, np.log(15.0)],
    "met_exponential": [2.2, 0.8, np.log(4.0), -5.0, np.log(40.0)],
}
DESIGN = pd.DataFrame({"quantity": "p0", "condition": ["easy", "hard"], "value": [0.65, 0.51]})


@pytest.fixture(scope="module")
def models(data):
    context = data.context(np.ones(len(data.trials), dtype=bool))
    return {name: CATALOGUE[name].build(context)[0] for name in THETA}


@pytest.mark.parametrize(("width", "delay"), [(0.1, 0.0), (0.25, 0.1)])
@pytest.mark.parametrize("name", THETA)
def test_exact_predictions_are_those_of_many_simulated_trials(name, width, delay, models):
    bins = Bins(width)
    where, theta = states(bins), np.array(THETA[name])
    exact = predict(models[name], theta, where, 0.65, delay)
    assert exact.probability.sum() + exact.missed == pytest.approx(1.0)
    rng = np.random.default_rng(4)
    trials = simulate(models[name], theta, where, np.full(6000, 0.65), rng, delay)
    trials["condition"] = "easy"
    assert on_lattice(trials).all()
    values = (_of_data(trials), _of_prediction([(exact, 1.0)]))
    simulated, expected = (dict(zip(STATISTICS, statistics, strict=True)) for statistics in values)
    for quantile in ("10%", "50%", "90%"):
        time, distance = f"rt {quantile}", f"distance {quantile}"
        assert simulated[time] == pytest.approx(expected[time], abs=0.1)
        assert simulated[distance] == pytest.approx(expected[distance], abs=8)
    assert simulated["accuracy 2-4 s"] == pytest.approx(expected["accuracy 2-4 s"], abs=0.04)
    assert simulated["share missed"] == pytest.approx(expected["share missed"], abs=0.01)
    assert simulated["correlation of rt and distance"] == pytest.approx(
        expected["correlation of rt and distance"], abs=0.06
    )
    assert abs(simulated["lag-1 correlation of distance"]) < 0.05


@pytest.mark.parametrize("name", THETA)
def test_simulated_trials_give_back_their_parameters(name, models):
    bins, theta = Bins(), np.array(THETA[name])
    rng = np.random.default_rng(6)
    trials = simulate(models[name], theta, states(bins), np.full(1500, 0.65), rng)
    cases = outcomes(trials, bins)
    likelihood = Likelihood(cases, states(bins, cases.steps))
    best = fit(models[name], likelihood, cases.counts(np.ones(1500, dtype=bool)))
    assert best.theta == pytest.approx(theta, abs=0.45)
    assert best.theta[:2] == pytest.approx(theta[:2], abs=0.25)


def test_checks_and_recovery_run_from_the_tables_alone(subject):
    trials, samples = subject
    names = ["within_exponential", "graded_3", "quadratic"]
    options = {"cued": True, "delays": (0.0, 0.2), "fold_number": 3}
    fits = fit_stopping(trials, samples, DESIGN, models=names, **options)
    assert (fits.groupby("model").size() == 14).all()
    left_out = fits[fits["fold"] > 0].groupby(["model", "scheme", "delay"])["n_left_out"].sum()
    assert (left_out == len(trials)).all()
    checks = check_predictions(trials, fits, DESIGN, cued=True)
    chosen = checks[(checks["model"] == "within_exponential") & (checks["delay"] == "none")]
    chosen = chosen.set_index("statistic")
    assert chosen["predicted"]["rt 50%"] == pytest.approx(chosen["data"]["rt 50%"], rel=0.2)
    # Of one subject.
    assert chosen["rmse"].to_numpy() == pytest.approx(abs(chosen["predicted"] - chosen["data"]))
    comparison = compare(fits).comparison
    recovered = recover_stopping(
        trials, fits, comparison, DESIGN, conditions=["easy"], bin_width=0.1,
        seed=1, dataset="tests", **options,
    )  # fmt: skip
    assert set(recovered["true_model"]) == set(names)
    assert (recovered.groupby("true_model")["model"].nunique() == 2).all()  # One of either kind.
    # One simulated subject of each truth has no standard error, and no power.
    table = tabulate([recovered], comparison, seed=1, dataset="tests")
    assert TABLES["stopping_power"].problems(table) == []
    assert table.empty
